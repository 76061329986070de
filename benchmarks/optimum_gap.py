"""How far from the proven optimum the searches are that prove nothing.

python benchmarks/optimum_gap.py [SECONDS] [NETWORK ...]

With BAYESLOOM_BENCH_PEERS, the Python of an environment with the other programs, these stand beside
ours; what takes more than PEER_SECONDS of processor time is cut off, and not asked for more rows.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time

import bayesloom as bl
import dataset
import environments
from bayesloom.data import read
from bayesloom.engine import NativeEngine
from bayesloom.scores import BIC, BDeu
from bayesloom.search import (
    GES,
    IGES,
    XGES,
    Budget,
    Exact,
    HillClimbing,
    Limits,
    OrderSearch,
    Tabu,
    Watch,
)

NETWORKS = ("asia", "sachs", "child", "insurance", "alarm")
ROWS = (500, 1_000, 5_000)
MAX_PARENTS = 3
SCORES = {"BIC": BIC(), "BDeu 1": BDeu(ess=1)}
SEARCHES = {
    "hc": HillClimbing,
    "tabu": Tabu,
    "order": OrderSearch,
    "ges": GES,
    "iges": IGES,
    "xges": XGES,
}


PEERS = ("pyagrum_hc", "pyagrum_tabu", "pgmpy_hc", "causal_learn_ges")
PEER_SECONDS = 60
TOO_SLOW: set[tuple[str, str, str]] = set()


def peer_cell(peer: str, network: str, rows: int, name: str, best: float) -> str:
    """Return how far what another program finds is below the best network."""
    told = "bdeu" if name.startswith("BDeu") else "bic"
    if (peer, network, told) in TOO_SLOW:
        return "time"
    csv = dataset.csv_file(network, rows)
    command = [os.environ[environments.PEERS], str(dataset.HERE / "limited_peers.py"), peer]
    command += [str(csv), told, str(MAX_PARENTS), str(PEER_SECONDS)]
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode < 0:  # by the signal of a limit
        TOO_SLOW.add((peer, network, told))
        return "time"
    if done.returncode:
        return "none"
    found = json.loads(done.stdout)
    table = read(csv)
    graph = bl.PDAG.from_edges(found["directed"], found["undirected"], table.names)
    dag = graph.extension()
    if dag is None or max(map(len, (dag.parents(v) for v in table.names))) > MAX_PARENTS:
        return "more parents" if dag is not None else "no DAG"
    below = best - SCORES[name].explain(table, dag).value
    return "**0**" if abs(below) < 1e-6 else f"{below:.2f}"


def row(network: str, rows: int, name: str, seconds: float) -> str:
    """Return the line of one data set and score."""
    table = read(dataset.csv_file(network, rows)).in_name_order()
    engine, limits = NativeEngine(table, 1), Limits.none(table.names, MAX_PARENTS)
    score = SCORES[name]
    began = time.process_time()
    best = Exact(score).search(engine, limits, Watch(Budget(seconds)))
    spent = time.process_time() - began
    proof = best.proof
    cells = []
    for search in SEARCHES.values():
        found = search(score=score).search(engine, limits, Watch())
        below = best.score - found.score
        cells.append("**0**" if abs(below) < 1e-6 else f"{below:.2f}")
    if os.environ.get(environments.PEERS):
        cells += [peer_cell(peer, network, rows, name, best.score) for peer in PEERS]
    told = "proven" if proof is not None and proof.optimal else f"gap {proof.gap:.2f}"
    first = [network, f"{rows:,}", name, f"{best.score:,.4f}", told, f"{spent:.2f}"]
    return f"| {' | '.join([*first, *cells])} |"


def main() -> None:
    seconds = float(sys.argv[1]) if sys.argv[1:] else 300.0
    columns = [*SEARCHES, *(PEERS if os.environ.get(environments.PEERS) else ())]
    print("| data | rows | score | best | | CPU s |", " | ".join(columns), "|")
    print("|---|--:|---|--:|---|--:|" + "--:|" * len(columns))
    for network in sys.argv[2:] or NETWORKS:
        for rows in ROWS:
            for name in SCORES:
                print(row(network, rows, name, seconds), flush=True)


if __name__ == "__main__":
    main()
