"""Figure 7: BDeu and BIC, each with and without tests, on ten ternary nodes."""

from __future__ import annotations

from dataclasses import dataclass

from bayesloom.independence import FixedAlpha
from bayesloom.model import random_dag, random_net, sample
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
from bayesloom.reproduction.measures import Learner, effort, engine_of, learn, quality
from bayesloom.reproduction.paired import paired_t_test
from bayesloom.scores import BIC, BDeu
from bayesloom.search import GES, IGES

NODES = 10
SIZES = (100, 250, 500, 1000, 2000, 4000, 6000, 8000)
SCORES = {"BDeu": BDeu(ess=10, kappa=0.001), "BIC": BIC()}
LEARNERS = tuple(
    Learner(f"{name} {kind}", search)
    for name, score in SCORES.items()
    for kind, search in (
        ("GES", GES(score=score)),
        ("IGES", IGES(score=score, control=FixedAlpha(0.05))),
    )
)


@dataclass(frozen=True, slots=True)
class ScoreComparison:
    """A random network of ten ternary nodes and a sample per trial."""

    name: str = "score-comparison"
    reps: int = 30

    def keys(self, reps: int) -> list[Key]:
        """List the trials, the long ones first."""
        return [(size, rep) for size in reversed(SIZES) for rep in range(reps)]

    def run(self, key: Key, seed: int) -> Rows:
        """Draw a network and a sample, learn with every method and measure the results."""
        size = int(key[0])
        rng = generator(seed, key)
        net = random_net(random_dag(NODES, rng), rng, states=3)
        engine = engine_of(sample(net, size, rng))
        rows: list[Row] = []
        for learner in LEARNERS:
            found = learn(learner, engine)
            measured = {**quality(net, engine, found), **effort(net.dag, found)}
            rows.append({"rows": size, "rep": key[1], "method": learner.name, **measured})
        return {"runs": rows}


def figure_7(tables: Rows) -> Findings:
    """Compare the four methods by divergence and F-measure."""
    groups = joined(tables["runs"], "method", "rows")
    lines = ["mean over samples          " + "".join(f"{size:>8,}" for size in SIZES)]
    data: dict[str, object] = {}
    charts = {}
    for measure, title in (("kl_smooth", "KL divergence (smoothed)"), ("f", "adjacency F")):
        drawn = []
        for learner in LEARNERS:
            means = [mean(numbers(groups[learner.name, size], measure)) for size in SIZES]
            lines.append(
                f"  {measure:<10} {learner.name:<12}  " + "".join(f"{v:8.3f}" for v in means)
            )
            data[f"{measure}, {learner.name}"] = dict(zip(map(str, SIZES), means, strict=True))
            drawn.append(Line(learner.name, tuple(zip(SIZES, means, strict=True))))
        for score in SCORES:
            verdicts = [
                paired_t_test(
                    *(numbers(groups[f"{score} {k}", n], measure) for k in ("IGES", "GES"))
                )
                for n in SIZES
            ]
            sign = 1 if measure == "f" else -1
            better = sum(sign * found.verdict() > 0 for found in verdicts)
            worse = sum(sign * found.verdict() < 0 for found in verdicts)
            lines.append(f"  {measure:<10} {score}: tests help at {better}, hurt at {worse} of 8")
            data[f"{measure}, {score}, verdicts"] = {"better": better, "worse": worse}
        charts[f"fig7-{measure.replace('_', '-')}"] = line_chart(
            drawn,
            title=f"Ten ternary nodes: {title}",
            x="rows",
            y=title,
            log_x=True,
            ticks=SIZES,
        )
    return Findings("\n".join(lines), data, charts)
