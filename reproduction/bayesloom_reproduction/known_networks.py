"""Figure 6: samples of the insurance and alarm networks, with their own and random parameters."""

from __future__ import annotations

from functools import cache
from importlib.resources import as_file, files

from bayesloom.independence import FixedAlpha
from bayesloom.model import BayesNet, draw_rows, load_net
from bayesloom.model.simulate import uniform_table
from bayesloom.search import GES, IGES
from bayesloom_reproduction.box_plot import Boxes, box_plot
from bayesloom_reproduction.experiment import (
    Experiment,
    Figure,
    Findings,
    Generator,
    Row,
    Rows,
    Trial,
    deviation,
    joined,
    mean,
    numbers,
)
from bayesloom_reproduction.measures import PAPER, Learner, engine_of, measured
from bayesloom_reproduction.paired import equal_spreads, paired_t_test

NETWORKS = ("insurance", "alarm")
PARAMETERS = ("own", "random")
SIZES = (500, 1000, 5000)
LEARNERS = (
    Learner("GES", GES(score=PAPER)),
    Learner("IGES 1%", IGES(score=PAPER, control=FixedAlpha(0.01))),
    Learner("IGES 0.1%", IGES(score=PAPER, control=FixedAlpha(0.001))),
)


def draw_sample(trial: Trial, rng: Generator) -> Rows:
    """Draw a sample of a known network, learn with every method and measure the results."""
    net = drawn_network(trial, rng)
    engine = engine_of(draw_rows(net, int(trial["rows"]), rng))
    return {"runs": measured(LEARNERS, net, engine)}


def drawn_network(trial: Trial, rng: Generator) -> BayesNet:
    """Return the network of a trial, with its own parameters or with random ones."""
    net = known(str(trial["network"]))
    return redrawn(net, rng) if trial["parameters"] == "random" else net


@cache
def known(name: str) -> BayesNet:
    """Load a network that comes with bayesloom or with the experiments."""
    file = files("bayesloom") / "examples" / f"{name}.bif.gz"
    if not file.is_file():
        file = files("bayesloom_reproduction") / "networks" / f"{name}.bif.gz"
    with as_file(file) as path:
        return load_net(path)


def redrawn(net: BayesNet, rng: Generator) -> BayesNet:
    """Give a network other parameters, every distribution equally likely."""
    tables = tuple(uniform_table(table.shape, rng) for table in net.tables)
    return BayesNet(net.dag, net.states, tables)


def figure_6(tables: Rows) -> Findings:
    """Compare the divergences of GES and IGES on the known networks, their means and spreads."""
    lines = ["smoothed KL divergence: mean, standard deviation; adjacency F: mean; p against GES"]
    data: dict[str, object] = {}
    charts = {}
    for (network, parameters), runs in joined(tables["runs"], "network", "parameters").items():
        groups = joined(runs, "method", "rows")
        for size in SIZES:
            ges = groups["GES", size]
            for learner in LEARNERS:
                found, said = _compared(groups[learner.name, size], ges)
                data[f"{network}, {parameters}, {learner.name}, {size}"] = found
                lines.append(f"  {network:<9} {parameters:<6} {size:>5,} {learner.name:<9} {said}")
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


def _compared(ours: list[Row], ges: list[Row]) -> tuple[dict[str, float], str]:
    """Compare a method with GES on the same samples, as numbers and in words."""
    kl, f = (
        paired_t_test(numbers(ours, measure), numbers(ges, measure))
        for measure in ("kl_smooth", "f")
    )
    made = sum(numbers(ours, "tests"))
    found = {
        "kl": mean(numbers(ours, "kl_smooth")),
        "deviation": deviation(numbers(ours, "kl_smooth")),
        "kl_p": kl.p,
        "deviation_p": equal_spreads(numbers(ours, "kl_smooth"), numbers(ges, "kl_smooth")),
        "f": mean(numbers(ours, "f")),
        "f_p": f.p,
        "conclusive": sum(numbers(ours, "conclusive")) / max(1.0, made),
    }
    said = (
        f"KL {found['kl']:.3f} (p {kl.p:.2g}), spread {found['deviation']:.3f} "
        f"(p {found['deviation_p']:.2g}); F {found['f']:.3f} (p {f.p:.2g})"
    )
    return found, said + (f"; {found['conclusive']:.0%} of tests conclusive" if made else "")


KNOWN_NETWORKS = Experiment(
    "known-networks",
    {"network": NETWORKS, "parameters": PARAMETERS, "rows": SIZES},
    14,
    draw_sample,
    (Figure("fig6", "the insurance and alarm networks", figure_6),),
)
"""A sample of a known network per trial; random parameters are drawn anew for each."""
