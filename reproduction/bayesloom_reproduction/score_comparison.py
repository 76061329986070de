"""Figure 7: BDeu and BIC, each with and without tests, on ten ternary nodes."""

from __future__ import annotations

import math

from bayesloom.independence import FixedAlpha
from bayesloom.model import draw_rows, random_dag, random_net
from bayesloom.report.chart import line_chart
from bayesloom.scores import AIC, BIC, Score
from bayesloom.search import GES, IGES
from bayesloom_reproduction.experiment import (
    Experiment,
    Figure,
    Findings,
    Generator,
    Rows,
    Trial,
    joined,
    mean,
    mean_line,
    numbers,
)
from bayesloom_reproduction.measures import PAPER, Learner, engine_of, measured
from bayesloom_reproduction.paired import paired_t_test

NODES = 10
SIZES = (100, 250, 500, 1000, 2000, 4000, 6000, 8000)
SCORES: dict[str, Score] = {
    "BDeu": PAPER,
    "BIC": BIC(),
    "BIC, half": BIC(penalty=0.5),
    "BIC, twice": BIC(penalty=2.0),
    "AIC": AIC(),
}
"""Those of the paper, then other penalties of the form of BIC."""

DRAWN = ("BDeu", "BIC")
LEARNERS = tuple(
    Learner(f"{name} {kind}", search)
    for name, score in SCORES.items()
    for kind, search in (
        ("GES", GES(score=score)),
        ("IGES", IGES(score=score, control=FixedAlpha(0.05))),
    )
)


def draw_ternary(trial: Trial, rng: Generator) -> Rows:
    """Draw a network of ten ternary nodes and a sample; learn with every method and measure."""
    net = random_net(random_dag(NODES, rng), rng, states=3)
    engine = engine_of(draw_rows(net, int(trial["rows"]), rng))
    return {"runs": measured(LEARNERS, net, engine)}


def figure_7(tables: Rows) -> Findings:
    """Compare the methods by divergence and F-measure."""
    groups = joined(tables["runs"], "method", "rows")
    lines = ["mean over samples               " + "".join(f"{size:>8,}" for size in SIZES)]
    data: dict[str, object] = {}
    charts = {}
    for measure, title in (("kl_smooth", "KL divergence (smoothed)"), ("f", "adjacency F")):
        values = {
            learner.name: {n: numbers(groups[learner.name, n], measure) for n in SIZES}
            for learner in LEARNERS
        }
        for name, by_size in values.items():
            means = {str(size): mean(sample) for size, sample in by_size.items()}
            data[f"{measure}, {name}"] = means
            lines.append(f"  {measure:<10} {name:<17}  " + _cells(list(means.values())))
        sign = 1 if measure == "f" else -1
        for first, second in _pairs():
            verdicts = [
                sign * paired_t_test(values[first][n], values[second][n]).verdict() for n in SIZES
            ]
            better, worse = verdicts.count(1), verdicts.count(-1)
            data[f"{measure}, {first} against {second}"] = {"better": better, "worse": worse}
            lines.append(
                f"  {measure:<10} {first} against {second}: better at {better}, worse at {worse} "
                f"of {len(SIZES)}"
            )
        charts[f"fig7-{measure.replace('_', '-')}"] = line_chart(
            [
                mean_line(name, values[name], most=1 if measure == "f" else math.inf)
                for name in values
                if name.rpartition(" ")[0] in DRAWN
            ],
            title=f"Ten ternary nodes: {title}",
            x="rows",
            y=f"{title}, with 95 % intervals",
            log_x=True,
            ticks=SIZES,
        )
    return Findings("\n".join(lines), data, charts)


def _pairs() -> list[tuple[str, str]]:
    """List the comparisons: tests with every score, and the paper's best against BIC's two."""
    return [(f"{score} IGES", f"{score} GES") for score in SCORES] + [
        ("BDeu IGES", "BIC GES"),
        ("BDeu IGES", "BIC IGES"),
        ("BIC GES", "BDeu GES"),
    ]


def _cells(values: list[float]) -> str:
    return "".join(f"{value:8.3f}" for value in values)


SCORE_COMPARISON = Experiment(
    "score-comparison",
    {"rows": SIZES},
    30,
    draw_ternary,
    (Figure("fig7", "BDeu and BIC with and without tests", figure_7),),
)
"""A random network of ten ternary nodes and a sample per trial."""
