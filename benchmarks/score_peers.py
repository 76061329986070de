"""Scores that other programs reach on samples of public networks, beside those of our searches.

python benchmarks/score_peers.py run                   every network, program and score
python benchmarks/score_peers.py run alarm,barley      some networks; what is known is kept
python benchmarks/score_peers.py ours                  ours again, on all samples that are known
python benchmarks/score_peers.py table                 where one of them reaches more than ours

A graph that a program returns is scored by us, so one number judges all. All read the same file:
only states that occur, no constant columns. A call that takes more than LIMIT processor seconds is
ended, and the program is not asked about the network's further samples under that score. bnlearn
runs in `Rscript`, the others in a Python of their own (`environments.peers`).
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from collections.abc import Iterable
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

import dataset
import graph
import study_peers
from bayesloom import BIC, XGES, BDeu, Tabu, learn, read
from bayesloom.data import Table
from bayesloom.engine import NativeEngine
from bayesloom.graphs import DAG
from bayesloom.model import draw_rows, load_net
from bayesloom.search.local_scores import LocalScores
from score_table import NETWORKS

RESULTS = dataset.HERE / "results" / "peer-scores.json"
ROWS, SEEDS, LIMIT = (1000, 5000), (1, 2), study_peers.LIMIT
SCORES = {"bic": BIC(), "bdeu": BDeu(ess=10)}
OURS = {"xges": XGES, "tabu": Tabu}
PEERS = {"xges package": "xges xges", "bnlearn tabu": "tabu", "pyAgrum tabu": "pyagrum tabu"}
NAMES = tuple(sorted(path.name.partition(".")[0] for path in NETWORKS.glob("*.bif.gz")))


def sample(network: str, rows: int, seed: int, folder: Path) -> Path:
    """Write the rows that all programs read, with plain names and labels in the same order."""
    table = draw_rows(load_net(NETWORKS / f"{network}.bif.gz"), rows, seed)
    names, states, columns = [], [], []
    for v, _ in sorted(enumerate(table.names), key=lambda one: one[1]):
        seen, codes = np.unique(table.codes[v], return_inverse=True)
        if len(seen) > 1:
            names.append(f"v{len(names):04}")
            states.append(tuple(f"s{k:03}" for k in range(len(seen))))
            columns.append(codes.astype(np.uint8))
    codes = dataset.Codes(tuple(names), tuple(states), np.array(columns))
    path = folder / f"{network}-{rows}-{seed}.csv"
    dataset.write_codes(codes, path)
    return path


def score_of(table: Table, score: str, found: dict[str, Any]) -> float:
    """Return the score of a graph that a program found, by our own formula."""
    dag = DAG.from_edges(graph.extension(found["directed"], found["undirected"]), table.names)
    return LocalScores(NativeEngine(table), SCORES[score]).total(dag.parent_masks)


def asked(peer: str, csv: Path, score: str, server: study_peers.Server) -> dict[str, Any] | None:
    """Return a program's graph; None if it takes too long or fails."""
    if peer == "bnlearn tabu":
        return _bnlearn(csv, score)
    module, call = PEERS[peer].split()
    options = {"csv": str(csv), "score": score}
    return server.ask({"module": module, "call": call, "options": options})


def _bnlearn(csv: Path, score: str) -> dict[str, Any] | None:
    arguments = ["tabu", "0", str(LIMIT), str(LIMIT), f"csv={csv}", f"score={score}"]
    command = ["Rscript", str(dataset.HERE / "contenders" / "bnlearn.R"), *arguments]
    limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT))  # noqa: E731
    run = subprocess.run(command, capture_output=True, text=True, check=False, preexec_fn=limit)
    if run.returncode == 0:
        answer = json.loads(run.stdout)
        return answer["result"] | {"seconds": answer["cpu"]}
    return {"fault": run.stderr.strip()[-150:]} if run.returncode > 0 else None


def run(networks: Iterable[str]) -> None:
    """Ask all programs about samples they were not asked about, and then our searches."""
    figures, late = recorded(), set[tuple[str, ...]]()
    server = study_peers.Server()
    for network, rows, seed in product(networks, ROWS, SEEDS):
        with TemporaryDirectory() as scratch:
            csv = sample(network, rows, seed, Path(scratch))
            table = read(str(csv))
            for score in SCORES:
                cell = figures.setdefault(f"{network} {rows} {seed} {score}", {})
                for peer in PEERS:
                    if peer in cell or (network, score, peer) in late:
                        continue
                    found = asked(peer, csv, score, server)
                    if found is None:
                        late.add((network, score, peer))
                        server.end()
                        server = study_peers.Server()
                    elif "fault" in found:
                        print(network, rows, seed, score, peer, found["fault"], flush=True)
                        continue
                    cell[peer] = found and [score_of(table, score, found), found["seconds"]]
                    print(network, rows, seed, score, peer, cell[peer], flush=True)
                for search in OURS:
                    if search not in cell:
                        cell[search] = _ours(table, score, search)
                        print(network, rows, seed, score, search, cell[search], flush=True)
        write(figures)
    server.end()


def ours() -> None:
    """Run our searches again on all samples that are known."""
    figures = recorded()
    for cell in figures:
        network, rows, seed, score = cell.split()
        with TemporaryDirectory() as scratch:
            table = read(str(sample(network, int(rows), int(seed), Path(scratch))))
        figures[cell] |= {search: _ours(table, score, search) for search in OURS}
    write(figures)


def _ours(table: Table, score: str, search: str) -> list[float]:
    began = time.process_time()
    found = learn(table, OURS[search](score=SCORES[score]), threads=1, time_limit=4 * LIMIT)
    return [found.score.value, time.process_time() - began]


def recorded() -> dict[str, dict[str, list[float] | None]]:
    """Return score and processor seconds of every program by cell; None if it took too long."""
    return json.loads(RESULTS.read_text()) if RESULTS.exists() else {}


def write(figures: dict[str, dict[str, list[float] | None]]) -> None:
    """Keep the figures."""
    RESULTS.write_text(json.dumps(dict(sorted(figures.items())), indent=1) + "\n")


def main() -> None:
    how, *networks = sys.argv[1:]
    if how == "run":
        run(networks[0].split(",") if networks else NAMES)
    elif how == "ours":
        ours()


if __name__ == "__main__":
    main()
