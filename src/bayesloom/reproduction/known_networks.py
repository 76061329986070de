"""Figure 6: samples of the insurance and alarm networks, with their own and random parameters."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import as_file, files

import numpy as np

from bayesloom.independence import FixedAlpha
from bayesloom.model import BayesNet, load, sample
from bayesloom.report.chart import Boxes, box_plot
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
from bayesloom.scores import BDeu
from bayesloom.search import GES, IGES

NETWORKS = ("insurance", "alarm")
PARAMETERS = ("own", "random")
SIZES = (500, 1000, 5000)
PAPER = BDeu(ess=10, kappa=0.001)
LEARNERS = (
    Learner("GES", GES(score=PAPER)),
    Learner("IGES 1%", IGES(score=PAPER, control=FixedAlpha(0.01))),
    Learner("IGES 0.1%", IGES(score=PAPER, control=FixedAlpha(0.001))),
)


@dataclass(frozen=True, slots=True)
class KnownNetworks:
    """A sample of a known network per trial; with random parameters these are drawn anew."""

    name: str = "known-networks"
    reps: int = 14

    def keys(self, reps: int) -> list[Key]:
        """List the trials, the long ones first."""
        return [
            (network, parameters, size, rep)
            for size in reversed(SIZES)
            for network in reversed(NETWORKS)
            for parameters in PARAMETERS
            for rep in range(reps)
        ]

    def run(self, key: Key, seed: int) -> Rows:
        """Draw a sample, learn with every method and measure the results."""
        network, parameters, size = str(key[0]), str(key[1]), int(key[2])
        rng = generator(seed, key)
        net = known(network)
        if parameters == "random":
            net = redrawn(net, rng)
        engine = engine_of(sample(net, size, rng))
        trial: Row = {"network": network, "parameters": parameters, "rows": size, "rep": key[3]}
        rows: list[Row] = []
        for learner in LEARNERS:
            found = learn(learner, engine)
            measured = {**quality(net, engine, found), **effort(net.dag, found)}
            rows.append({**trial, "method": learner.name, **measured})
        return {"runs": rows}


@cache
def known(name: str) -> BayesNet:
    """Load a network that comes with the package."""
    with as_file(files("bayesloom.reproduction") / "networks" / f"{name}.bif.gz") as path:
        return load(path)


def redrawn(net: BayesNet, rng: np.random.Generator) -> BayesNet:
    """Give a network other parameters: uniform on [0, 1], scaled so that rows sum to 1."""
    tables = []
    for table in net.tables:
        weights = 1.0 - rng.random(table.shape)
        tables.append(weights / weights.sum(axis=-1, keepdims=True))
    return BayesNet(net.dag, net.states, tuple(tables))


def figure_6(tables: Rows) -> Findings:
    """Compare the divergences of GES and IGES on the known networks."""
    lines = ["smoothed KL divergence and adjacency F: mean of GES, of IGES, p of the difference"]
    data: dict[str, object] = {}
    charts = {}
    for (network, parameters), runs in joined(tables["runs"], "network", "parameters").items():
        groups = joined(runs, "method", "rows")
        for learner in LEARNERS[1:]:
            for size in SIZES:
                ours, theirs = groups[learner.name, size], groups["GES", size]
                found: dict[str, object] = {}
                said = []
                for measure in ("kl_smooth", "f"):
                    a, b = numbers(theirs, measure), numbers(ours, measure)
                    p = paired_t_test(a, b).p
                    found[measure] = {"ges": mean(a), "iges": mean(b), "p": p}
                    said.append(f"{mean(a):.4f} {mean(b):.4f} (p {p:.3g})")
                sure = sum(numbers(ours, "conclusive")) / sum(numbers(ours, "tests"))
                found["conclusive"] = sure
                data[f"{network}, {parameters}, {learner.name}, {size}"] = found
                lines.append(
                    f"  {network:<9} {parameters:<6} {learner.name:<9} {size:>5,}: KL {said[0]}, "
                    f"F {said[1]}; {sure:.0%} of tests conclusive"
                )
        charts[f"fig6-{network}-{parameters}"] = box_plot(
            [
                Boxes(
                    learner.name,
                    tuple(tuple(numbers(groups[learner.name, n], "kl_smooth")) for n in SIZES),
                )
                for learner in LEARNERS
            ],
            [f"{size:,}" for size in SIZES],
            title=f"{str(network).capitalize()} with {parameters} parameters",
            x="rows",
            y="KL divergence (smoothed), nats",
        )
    return Findings("\n".join(lines), data, charts)
