"""Other programs on the samples of the study, measured as it measures ours.

python benchmarks/study_peers.py pyagrum 2        two samples of every cell
python benchmarks/study_peers.py pgmpy 1 1000     networks and rows small enough for its time
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from itertools import product
from pathlib import Path
from statistics import fmean
from typing import Any

from bayesloom.data import write_csv
from bayesloom.evaluation import kl_divergence
from bayesloom.graphs import DAG, structural_hamming_distance
from bayesloom.model import BDeuMean, draw_rows, fit_net
from bayesloom_reproduction.experiment import Trial, generator
from bayesloom_reproduction.known_networks import drawn_network
from bayesloom_reproduction.learners import learners
from bayesloom_reproduction.measures import engine_of, learn
from bayesloom_reproduction.study import NETWORKS, PARAMETERS, SIZES, STUDY

OURS = ("BIC GES", "BIC XGES", "qNML gs IXGES")
ASKED = {
    "pyagrum": tuple(name for name in NETWORKS if name != "barley"),
    "pgmpy": ("survey", "asia", "sachs", "child", "insurance"),
}
"""The networks that programs are asked for; pyAgrum took over four minutes on one of barley."""

MOST_ROWS = 3
"""The place of the argument that limits the rows."""

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


def samples(networks: tuple[str, ...], most_rows: int, reps: int) -> Iterator[Trial]:
    """List the samples of the study, as far as they are wanted."""
    for network, parameters, n in product(networks, PARAMETERS, SIZES):
        if n <= most_rows:
            for rep in range(reps):
                yield {"network": network, "parameters": parameters, "rows": n, "rep": rep}


def measured(program: str, trial: Trial) -> dict[str, tuple[float, float, float]]:
    """Return divergence, distance and seconds of every learner on one sample."""
    rng = generator(STUDY.seed, tuple(trial.values()))
    net = drawn_network(trial, rng)
    table = draw_rows(net, int(trial["rows"]), rng)
    engine = engine_of(table)
    with tempfile.TemporaryDirectory() as folder:
        csv = str(Path(folder) / "rows.csv")
        write_csv(table, csv)
        ready = PEERS[program](csv)
        found = {name: run_peer(prepared, engine.names) for name, prepared in ready.items()}
    for learner in learners():
        if learner.name in OURS:
            own = learn(learner, engine)
            found[learner.name] = own.result.dag, own.seconds
    return {
        name: (
            kl_divergence(net, fit_net(dag, engine, BDeuMean(ess=10))),
            structural_hamming_distance(net.dag, dag),
            seconds,
        )
        for name, (dag, seconds) in found.items()
    }


def main() -> None:
    """Print a table of means over the samples where the other program has a result."""
    program, reps = sys.argv[1], int(sys.argv[2])
    most_rows = int(sys.argv[3]) if len(sys.argv) > MOST_ROWS else max(SIZES)
    rows: list[dict[str, tuple[float, float, float]]] = []
    failures = []
    for trial in samples(ASKED[program], most_rows, reps):
        try:
            rows.append(measured(program, trial))
        except Exception as error:  # noqa: BLE001 - told, and the sample left out
            failures.append(f"{trial}: {error!r:.150}")
        print(f"{len(rows)} samples", end="\r", file=sys.stderr, flush=True)
    print(*failures, f"{len(rows)} samples, {len(failures)} without a result", "", sep="\n")
    print("| learner | KL | SHD | seconds |\n|---|---|---|---|")
    for name in rows[0]:
        kl, shd, seconds = (
            fmean(column) for column in zip(*(row[name] for row in rows), strict=True)
        )
        print(f"| {name} | {kl:.3f} | {shd:.1f} | {seconds:.3f} |")


if __name__ == "__main__":
    main()
