"""Other programs on the samples of the study, measured as it measures ours.

python benchmarks/study_peers.py pyagrum 2        two samples of every cell
python benchmarks/study_peers.py pgmpy 1 1000     networks and rows small enough for its time
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from statistics import fmean
from typing import Any

from bayesloom.data import write_csv
from bayesloom.evaluation import kl_divergence
from bayesloom.graphs import DAG, structural_hamming_distance
from bayesloom.model import BDeuMean, draw_rows, fit_net
from bayesloom_reproduction.experiment import generator
from bayesloom_reproduction.known_networks import drawn_network
from bayesloom_reproduction.learners import learners
from bayesloom_reproduction.measures import engine_of, learn
from bayesloom_reproduction.study import NETWORKS, PARAMETERS, SIZES, STUDY

OURS = ("BIC GES", "BIC XGES", "qNML gs IXGES")
SMALL = ("survey", "asia", "sachs", "child", "insurance")
"""The networks that pgmpy is asked for."""

Found = tuple[DAG, float]


def of_pyagrum(csv: str) -> dict[str, Callable[[], Any]]:
    """Return its searches over one file, ready to run."""
    peer = import_module("contenders.pyagrum")
    return {
        "pyAgrum tabu BIC": peer.tabu(csv, "bic"),
        "pyAgrum tabu BDeu": peer.tabu(csv, "bdeu"),
        "pyAgrum hill climbing BIC": peer.hill_climbing(csv, "bic"),
    }


def of_pgmpy(csv: str) -> dict[str, Callable[[], Any]]:
    """Return its searches over one file, ready to run."""
    peer = import_module("contenders.pgmpy")
    return {"pgmpy hill climbing BIC": peer.hill_climbing(csv, "bic")}


PEERS = {"pyagrum": of_pyagrum, "pgmpy": of_pgmpy}


def run_peer(prepared: Any, names: tuple[str, ...]) -> Found:  # noqa: ANN401 - a pair of functions
    """Return the graph that another program learns, and its processor time."""
    search, told = prepared
    began = time.process_time()
    found = told(search())
    seconds = time.process_time() - began
    return DAG.from_edges([(a, b) for a, b in found["directed"]], names), seconds


def main() -> None:
    """Print a table of means over the samples where every learner has a result."""
    program, reps = sys.argv[1], int(sys.argv[2])
    most_rows = int(sys.argv[3]) if len(sys.argv) > 3 else max(SIZES)
    networks = NETWORKS if program == "pyagrum" else SMALL
    rows: dict[str, list[tuple[float, float, float]]] = {}
    failed = 0
    for network in networks:
        for parameters in PARAMETERS:
            for n in (n for n in SIZES if n <= most_rows):
                for rep in range(reps):
                    trial = {"network": network, "parameters": parameters, "rows": n, "rep": rep}
                    rng = generator(STUDY.seed, tuple(trial.values()))
                    net = drawn_network(trial, rng)
                    table = draw_rows(net, n, rng)
                    engine = engine_of(table)
                    found: dict[str, Found] = {}
                    with tempfile.TemporaryDirectory() as folder:
                        csv = str(Path(folder) / "rows.csv")
                        write_csv(table, csv)
                        try:
                            for name, prepared in PEERS[program](csv).items():
                                found[name] = run_peer(prepared, engine.names)
                        except Exception as error:  # noqa: BLE001 - told, and the sample left out
                            failed += 1
                            print(f"{network} {parameters} {n} {rep}: {error!r:.150}", flush=True)
                            continue
                    for learner in learners():
                        if learner.name in OURS:
                            own = learn(learner, engine)
                            found[learner.name] = own.result.dag, own.seconds
                    for name, (dag, seconds) in found.items():
                        fitted = fit_net(dag, engine, BDeuMean(ess=10))
                        distance = structural_hamming_distance(net.dag, dag)
                        rows.setdefault(name, []).append(
                            (kl_divergence(net, fitted), distance, seconds)
                        )
            count = len(next(iter(rows.values()), []))
            print(f"{network} {parameters}: {count} samples", file=sys.stderr, flush=True)
    print(f"{count} samples, {failed} more without a result of {program}\n")
    print("| learner | KL | SHD | seconds |\n|---|---|---|---|")
    for name, values in rows.items():
        kl, shd, seconds = (fmean(column) for column in zip(*values, strict=True))
        print(f"| {name} | {kl:.3f} | {shd:.1f} | {seconds:.3f} |")


if __name__ == "__main__":
    main()
