"""Figure 1: how often X -> Z <- Y with random parameters is found."""

from __future__ import annotations

from bayesloom.engine import Batch, NativeEngine
from bayesloom.graphs import DAG, adjacency_agreement, bits
from bayesloom.independence import ChiSquare, Coverage, FixedAlpha
from bayesloom.model import BayesNet, draw_rows, random_net
from bayesloom.report.chart import line_chart
from bayesloom.scores import BIC, BDeu
from bayesloom.search import GES, IGES
from bayesloom_reproduction.experiment import (
    Experiment,
    Figure,
    Findings,
    Generator,
    Row,
    Rows,
    Trial,
    joined,
    mean,
    mean_line,
    numbers,
)
from bayesloom_reproduction.measures import PAPER, Learner, Network, engine_of, measured

SIZES = (100, 250, 500, 1000, 1500, 2000, 2500)
ALPHA = 0.05
TRUE = DAG.from_edges([("X", "Z"), ("Y", "Z")])
LEARNERS = tuple(
    Learner(f"{kind} {label}", search)
    for label, score in (("BDeu kappa 0.001", PAPER), ("BDeu", BDeu(ess=10)), ("BIC", BIC()))
    for kind, search in (
        ("GES", GES(score=score)),
        ("IGES", IGES(score=score, control=FixedAlpha(ALPHA))),
    )
)


def draw_collider(trial: Trial, rng: Generator) -> Rows:
    """Draw parameters for X -> Z <- Y, ternary, and a sample, and learn with every method."""
    net = random_net(TRUE, rng, states=3)
    engine = engine_of(draw_rows(net, int(trial["rows"]), rng))
    return {"collider": measured(LEARNERS, net, engine, judge_adjacencies)}


def judge_adjacencies(true: BayesNet, engine: NativeEngine, learned: Network) -> Row:
    """Say whether the adjacencies are the true ones, and how many of them no test supports."""
    dag = learned.result.dag
    found = adjacency_agreement(true.dag, dag)
    edges = ((u, v) for v, mask in enumerate(dag.parent_masks) for u in bits(mask))
    return {
        "right": int(not found.false_positives and not found.false_negatives),
        "unfounded": int(any(not supported(engine, x, y) for x, y in edges)),
    }


def supported(engine: NativeEngine, x: int, y: int) -> bool:
    """Say whether a test rejects x and y being independent, alone or given the third.

    Coverage is not asked for: a dependency can be significant in tables too thin for a verdict.
    """
    test = ChiSquare(min_expected=0, coverage=Coverage.RELAXED)
    found = test.run(engine, Batch.of([(x, (), (y,)), (x, (3 - x - y,), (y,))]))
    return bool((found.p <= ALPHA).any())


def figure_1(tables: Rows) -> Findings:
    """Compare the shares of right adjacencies, and of graphs with an adjacency without support."""
    groups = joined(tables["collider"], "method", "rows")
    names = [learner.name for learner in LEARNERS]
    lines: list[str] = []
    data: dict[str, object] = {}
    for measure, title in (
        ("right", "right adjacencies"),
        ("unfounded", "an adjacency no test supports"),
    ):
        lines.append(f"{title:<32}" + "".join(f"{size:>8,}" for size in SIZES))
        for name in names:
            shares = [mean(numbers(groups[name, size], measure)) for size in SIZES]
            lines.append(f"  {name:<30}" + "".join(f"{share:8.3f}" for share in shares))
            data[f"{measure}, {name}"] = dict(zip(map(str, SIZES), shares, strict=True))
    chart = line_chart(
        [
            mean_line(name, {size: numbers(groups[name, size], "right") for size in SIZES}, most=1)
            for name in names
        ],
        title="X -> Z <- Y, ternary: share of samples with the right adjacencies",
        x="rows",
        y="share, with 95 % intervals",
        ticks=SIZES,
    )
    return Findings("\n".join(lines), data, {"fig1": chart})


COLLIDER = Experiment(
    "collider",
    {"rows": SIZES},
    1000,
    draw_collider,
    (Figure("fig1", "how often X -> Z <- Y is found", figure_1),),
)
"""Three ternary variables, X -> Z <- Y; parameters drawn anew in every trial."""
