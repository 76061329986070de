"""All learners side by side: score, distance from the proven optimum, structure and time.

python benchmarks/learners.py [NETWORK ROWS ...]

Every learner maximises BIC where it has a score (the default has its own), with at most 3 parents
where it may be told so. Times are processor seconds of a warm call with one thread.
"""

from __future__ import annotations

import sys
import time
from typing import Any

import bayesloom as bl
import dataset
from bayesloom.graphs import adjacency_agreement, structural_hamming_distance

MAX_PARENTS = 3
LIMIT = 120.0
CASES = [
    ("child", 1_000),
    ("child", 5_000),
    ("insurance", 1_000),
    ("alarm", 1_000),
    ("alarm", 5_000),
]
SCORE = bl.BIC()
LEARNERS: dict[str, Any] = {
    "chow-liu": bl.ChowLiu(),
    "hc": bl.HillClimbing(score=SCORE),
    "tabu": bl.Tabu(score=SCORE),
    "order": bl.OrderSearch(score=SCORE),
    "ges": bl.GES(score=SCORE),
    "xges": bl.XGES(score=SCORE),
    "boss": bl.BOSS(score=SCORE),
    "iges": bl.IGES(score=SCORE, control=bl.AlphaSpending(0.05)),
    "ixges": bl.IXGES(score=SCORE),
    "mmhc": bl.MMHC(score=SCORE),
    "exact": bl.Exact(score=SCORE),
    "default": None,
    "pc 1 %": bl.PC(control=bl.FixedAlpha(0.01)),
    "gs 1 %": bl.GrowShrink(control=bl.FixedAlpha(0.01)),
    "iamb 1 %": bl.IAMB(control=bl.FixedAlpha(0.01)),
}
WITHOUT_LIMIT = {"chow-liu", "pc 1 %", "gs 1 %", "iamb 1 %"}


def learned(name: str, table: bl.Table) -> tuple[bl.Network, float]:
    """Return what a learner finds on a warm call, and its processor seconds."""
    most = None if name in WITHOUT_LIMIT else MAX_PARENTS
    for _ in range(2):
        began = time.process_time()
        net = bl.learn(table, LEARNERS[name], max_parents=most, time_limit=LIMIT, threads=1)
        spent = time.process_time() - began
        if spent > 1:
            break
    return net, spent


def line(name: str, table: bl.Table, true: bl.DAG, best: float) -> str:
    """Return the row of one learner."""
    net, spent = learned(name, table)
    if net.extension is None:
        return f"| {name} | no DAG extends it | | | | {spent:.3f} |"
    value = SCORE.explain(table, net.dag).value
    fits = max(len(net.parents(variable)) for variable in net.names) <= MAX_PARENTS
    gap = f"{best - value:,.2f}" if fits else "more parents"
    own = true.reordered(net.names)
    shd = structural_hamming_distance(own, net.dag)
    f = adjacency_agreement(own, net.dag).f
    return f"| {name} | {value:,.2f} | {gap} | {shd} | {f:.3f} | {spent:.3f} |"


def main() -> None:
    cases = list(zip(sys.argv[1::2], map(int, sys.argv[2::2]), strict=True)) or CASES
    for network, rows in cases:
        table = bl.read(dataset.csv_file(network, rows))
        net = bl.load(dataset.bif_file(network))
        names = set(table.names)
        true = bl.DAG.from_edges([e for e in net.dag.edges if set(e) <= names], table.names)
        proof = bl.learn(table, LEARNERS["exact"], max_parents=MAX_PARENTS, time_limit=LIMIT)
        found = proof.proof
        told = "proven" if found is not None and found.optimal else f"within {found.gap:.1f}"
        print(f"\n**{network}, {rows:,} rows.** Optimum {proof.score.value:,.2f} ({told}).\n")
        print("| learner | BIC | below it | SHD | F | CPU s |\n|---|--:|--:|--:|--:|--:|")
        for name in LEARNERS:
            print(line(name, table, true, proof.score.value), flush=True)


if __name__ == "__main__":
    main()
