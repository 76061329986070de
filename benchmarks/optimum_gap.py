"""How far from the proven optimum the searches are that prove nothing.

python benchmarks/optimum_gap.py [SECONDS] [NETWORK ...]
"""

from __future__ import annotations

import sys
import time

import dataset
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
    told = "proven" if proof is not None and proof.optimal else f"gap {proof.gap:.2f}"
    first = [network, f"{rows:,}", name, f"{best.score:,.4f}", told, f"{spent:.2f}"]
    return f"| {' | '.join([*first, *cells])} |"


def main() -> None:
    seconds = float(sys.argv[1]) if sys.argv[1:] else 300.0
    print("| data | rows | score | best | | CPU s |", " | ".join(SEARCHES), "|")
    print("|---|--:|---|--:|---|--:|" + "--:|" * len(SEARCHES))
    for network in sys.argv[2:] or NETWORKS:
        for rows in ROWS:
            for name in SCORES:
                print(row(network, rows, name, seconds), flush=True)


if __name__ == "__main__":
    main()
