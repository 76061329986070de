"""Figure 1: how often X -> Z <- Y with random parameters is found."""

from __future__ import annotations

from dataclasses import dataclass

from bayesloom.graphs import DAG, adjacency_agreement
from bayesloom.independence import FixedAlpha
from bayesloom.model import random_net, sample
from bayesloom.report.chart import Line, line_chart
from bayesloom.reproduction.experiment import (
    Findings,
    Key,
    Row,
    Rows,
    generator,
    joined,
    mean,
    numbers,
)
from bayesloom.reproduction.measures import Learner, engine_of, learn
from bayesloom.scores import BIC, BDeu
from bayesloom.search import GES, IGES

SIZES = (100, 250, 500, 1000, 1500, 2000, 2500)
PAPER = BDeu(ess=10, kappa=0.001)
LEARNERS = tuple(
    Learner(f"{kind} {label}", search)
    for label, score in (
        ("BDeu kappa 0.001", PAPER),
        ("BDeu", BDeu(ess=10)),
        ("BIC", BIC()),
    )
    for kind, search in (
        ("GES", GES(score=score)),
        ("IGES", IGES(score=score, control=FixedAlpha(0.05))),
    )
)


@dataclass(frozen=True, slots=True)
class Collider:
    """Three ternary variables, X -> Z <- Y; parameters drawn anew in every trial."""

    name: str = "collider"
    reps: int = 1000

    def keys(self, reps: int) -> list[Key]:
        """List the trials, the long ones first."""
        return [(size, rep) for size in reversed(SIZES) for rep in range(reps)]

    def run(self, key: Key, seed: int) -> Rows:
        """Draw a network and a sample, and learn with every method."""
        size, rep = int(key[0]), int(key[1])
        rng = generator(seed, key)
        dag = DAG.from_edges([("X", "Z"), ("Y", "Z")])
        engine = engine_of(sample(random_net(dag, rng, states=3), size, rng))
        rows: list[Row] = []
        for learner in LEARNERS:
            found = adjacency_agreement(dag, learn(learner, engine).result.dag)
            right = not found.false_positives and not found.false_negatives
            rows.append({"rows": size, "rep": rep, "method": learner.name, "right": int(right)})
        return {"collider": rows}


def figure_1(tables: Rows) -> Findings:
    """Compare the shares of right adjacencies."""
    groups = joined(tables["collider"], "method", "rows")
    shares = {key: mean(numbers(rows, "right")) for key, rows in groups.items()}
    names = [learner.name for learner in LEARNERS]
    head = "right adjacencies  " + "".join(f"{size:>8,}" for size in SIZES)
    lines = [head] + [
        f"{name:<22}" + "".join(f"{shares[name, size]:8.3f}" for size in SIZES) for name in names
    ]
    chart = line_chart(
        [Line(name, tuple((size, shares[name, size]) for size in SIZES)) for name in names],
        title="X -> Z <- Y, ternary: share of samples with the right adjacencies",
        x="rows",
        y="share",
        ticks=SIZES,
    )
    data = {name: {str(size): shares[name, size] for size in SIZES} for name in names}
    return Findings("\n".join(lines), data, {"fig1": chart})
