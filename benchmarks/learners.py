"""All learners side by side: score, distance from the proven optimum, structure and time.

python benchmarks/learners.py [NETWORK ROWS SAMPLES ...]

Every learner maximises BIC where it has a score (the default has its own), with at most 3 parents
where it may be told so. Times are processor seconds of a warm call with one thread. Prints a table
for every case, and leaves one of all cases in ``results/learners.md``, which the front page shows.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from dataclasses import dataclass
from typing import Any

import bayesloom as bl
import dataset
from bayesloom.graphs import adjacency_agreement, structural_hamming_distance

MAX_PARENTS = 3
LIMIT = 120.0
CASES = [
    ("child", 1_000, 10),
    ("child", 5_000, 10),
    ("insurance", 1_000, 10),
    ("alarm", 1_000, 10),
    ("alarm", 5_000, 10),
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
    "miic": bl.MIIC(),
    "aracne 1 %": bl.ARACNE(control=bl.FixedAlpha(0.01)),
}
WITHOUT_LIMIT = {"chow-liu", "pc 1 %", "gs 1 %", "iamb 1 %", "miic", "aracne 1 %"}


OVERALL = dataset.HERE / "results" / "learners.md"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a learner found in one sample; without a DAG there is only the time."""

    seconds: float
    value: float | None = None
    below: float | None = None  # nats; None without a proof or with more parents
    distance: int | None = None
    f: float | None = None


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


def outcome(net: bl.Network, seconds: float, table: bl.Table, true: bl.DAG, best: float) -> Outcome:
    """Hold what a learner found against the truth and the optimum, nan if that is not proven."""
    if net.extension is None:
        return Outcome(seconds)
    value = SCORE.explain(table, net.dag).value
    fits = max(len(net.dag.parents(variable)) for variable in net.names) <= MAX_PARENTS
    own = true.reordered(net.names)
    return Outcome(
        seconds,
        value,
        max(0.0, best - value) if fits and best == best else None,  # noqa: PLR0124 - not nan
        structural_hamming_distance(own, net.dag),
        adjacency_agreement(own, net.dag).f,
    )


def outcomes(network: str, rows: int, seed: int) -> tuple[dict[str, Outcome], str]:
    """Return what every learner finds in one sample, and what is proven of it."""
    table = bl.read(dataset.csv_file(network, rows, seed))
    names = set(table.names)
    edges = [e for e in bl.load(dataset.bif_file(network)).dag.edges if set(e) <= names]
    true = bl.DAG.from_edges(edges, table.names)
    found = {"exact": learned("exact", table)}
    found |= {name: learned(name, table) for name in LEARNERS if name != "exact"}
    proof = found["exact"][0].proof
    proven = proof is not None and proof.optimal
    best = found["exact"][0].score.value if proven else float("nan")
    told = f"{best:,.2f}" if proven else "not proven in time"
    return {name: outcome(*found[name], table, true, best) for name in LEARNERS}, told


def line(name: str, found: list[Outcome]) -> str:
    """Return the row of one learner: means over samples, and of how many."""
    cells = [name, mean([o.value for o in found], ",.2f"), mean([o.below for o in found], ",.2f")]
    cells += [mean([o.distance for o in found], ".1f"), mean([o.f for o in found], ".3f")]
    return f"| {' | '.join(cells)} | {statistics.mean(o.seconds for o in found):.3f} |"


def mean(values: list[Any], form: str) -> str:
    """Return the mean of the values that there are, and how many these are if not all are."""
    some = [value for value in values if value is not None]
    if not some:
        return "none"
    told = format(statistics.mean(some), form)
    return told if len(some) == len(values) else f"{told} ({len(some)} of {len(values)})"


HEAD = "| learner | BIC | below it | SHD | F | CPU s |\n|---|--:|--:|--:|--:|--:|"


def overall(found: dict[str, list[Outcome]]) -> str:
    """Return a table of all samples."""
    proven = sum(o.below is not None for o in found["exact"])
    lines = [
        "| learner | below the optimum | at it | SHD | F | CPU s |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    for name, told in found.items():
        below = [o.below for o in told]
        at = f"{sum(b is not None and b < 1e-6 for b in below)} of {proven}"
        cells = [name, mean(below, ",.2f"), at, mean([o.distance for o in told], ".1f")]
        cells += [
            mean([o.f for o in told], ".3f"),
            f"{statistics.mean(o.seconds for o in told):.3f}",
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> None:
    cases = CASES
    if sys.argv[1:]:
        counts = map(int, sys.argv[2::3]), map(int, sys.argv[3::3])
        cases = list(zip(sys.argv[1::3], *counts, strict=True))
    every: dict[str, list[Outcome]] = {name: [] for name in LEARNERS}
    for network, rows, samples in cases:
        runs = [outcomes(network, rows, seed) for seed in range(1, samples + 1)]
        optima = ", ".join(told for _, told in runs)
        print(f"\n**{network}, {rows:,} rows.** Optimum of every sample: {optima}.\n\n{HEAD}")
        for name in LEARNERS:
            own = [found[name] for found, _ in runs]
            every[name] += own
            print(line(name, own), flush=True)
    git = ["git", "rev-parse", "--short", "HEAD"]
    commit = subprocess.run(git, capture_output=True, text=True, check=True, cwd=dataset.HERE)
    told = ", ".join(f"{network} {rows:,} ({samples})" for network, rows, samples in cases)
    head = (
        f"All learners, means over samples of {told}; in brackets how many.\n"
        f"Commit {commit.stdout.strip()}, `python benchmarks/learners.py`, BIC, "
        "at most 3 parents.\n"
        "**below the optimum**: nats below the best network with at most 3 parents, where that is\n"
        "proven and the learner's has no more; **at it**: how often it is that optimum, "
        "of those proven.\n"
    )
    OVERALL.write_text(f"{head}\n{overall(every)}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
