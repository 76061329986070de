"""Beyond the paper: controls and scores on four known networks."""

from __future__ import annotations

from dataclasses import asdict

from bayesloom.engine import NativeEngine
from bayesloom.evaluation import log_loss
from bayesloom.independence import (
    LORD,
    SAFFRON,
    AlphaSpending,
    BenjaminiHochberg,
    Control,
    FixedAlpha,
)
from bayesloom.model import BayesNet, draw_rows, fit_net
from bayesloom.scores import BIC, BDeu, Score
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
    numbers,
)
from bayesloom_reproduction.known_networks import PARAMETERS, drawn_network
from bayesloom_reproduction.measures import (
    PAPER,
    SMOOTH,
    Learner,
    Network,
    engine_of,
    measured,
    quality,
)
from bayesloom_reproduction.paired import paired_t_test

NETWORKS = ("child", "insurance", "alarm", "hailfinder")
SIZES = (250, 1000, 5000)
HELD_OUT = 5000
MEASURES = {"kl_smooth": "KL", "loss": "loss", "f": "F", "shd": "SHD"}
DIGITS = {"kl_smooth": 3, "loss": 2, "f": 3, "shd": 1}
COMPARED = ("kl_smooth", "f", "shd")
SCORES: dict[str, Score] = {"kappa": PAPER, "BDeu": BDeu(ess=10), "BIC": BIC()}
CONTROLS: dict[str, Control] = {
    "5%": FixedAlpha(0.05),
    "1%": FixedAlpha(0.01),
    "BH": BenjaminiHochberg(0.05),
    "LORD": LORD(0.05),
    "SAFFRON": SAFFRON(0.05),
    "spending": AlphaSpending(0.05),
}


LEARNERS = tuple(
    Learner(
        f"{label} {rule}", GES(score=score) if control is None else IGES(score, control=control)
    )
    for label, score in SCORES.items()
    for rule, control in (("GES", None), *CONTROLS.items())
)


def draw_study(trial: Trial, rng: Generator) -> Rows:
    """Draw a sample and fresh rows; every score and control learns from it and is measured."""
    net = drawn_network(trial, rng)
    engine = engine_of(draw_rows(net, int(trial["rows"]), rng))
    unseen = draw_rows(net, HELD_OUT, rng)

    def measure(true: BayesNet, engine: NativeEngine, found: Network) -> Row:
        loss = log_loss(fit_net(found.result.dag, engine, SMOOTH), unseen)
        return {**quality(true, engine, found), "loss": loss}

    return {"runs": measured(LEARNERS, net, engine, measure)}


def figure_study(tables: Rows) -> Findings:
    """Tabulate the means of every method, and what tests change, sample by sample."""
    parts: list[str] = []
    data: dict[str, object] = {}
    for (parameters,), runs in joined(tables["runs"], "parameters").items():
        head = ["method", *(f"{name} {n:,}" for name in MEASURES.values() for n in SIZES)]
        means = [[*head, "false rejections", "seconds"]]
        changes = [["against GES", "KL", "F", "SHD", "p of KL, F, SHD"]]
        groups = joined(runs, "method")
        for learner in LEARNERS:
            mine, alone = groups[learner.name,], groups[f"{learner.name.split()[0]} GES",]
            found, row = _means(mine)
            data[f"{parameters}, {learner.name}"] = found
            means.append([learner.name, *row])
            if mine is not alone:
                pairs = [
                    paired_t_test(numbers(mine, measure), numbers(alone, measure))
                    for measure in COMPARED
                ]
                data[f"{parameters}, {learner.name} against GES"] = dict(
                    zip(COMPARED, map(asdict, pairs), strict=True)
                )
                gaps = [f"{pair.difference:+.4f}" for pair in pairs]
                changes.append([learner.name, *gaps, ", ".join(f"{pair.p:.2g}" for pair in pairs)])
        parts += [f"{parameters} parameters", *map(_row, means), "", *map(_row, changes), ""]
    return Findings("\n".join(parts), data)


def _means(runs: list[Row]) -> tuple[dict[str, object], list[str]]:
    """Return the means of a method for every number of rows, and as cells of a table."""
    by_size = joined(runs, "rows")
    false, rejected = (round(sum(numbers(runs, name))) for name in ("false", "rejected"))
    values = {
        measure: [mean(numbers(by_size[size,], measure)) for size in SIZES] for measure in MEASURES
    }
    seconds = mean(numbers(runs, "seconds"))
    told = [f"{value:.{DIGITS[m]}f}" for m, column in values.items() for value in column]
    share = f"{false:,} of {rejected:,}" if rejected else "-"
    found: dict[str, object] = {**values, "false": false, "rejected": rejected, "seconds": seconds}
    return found, [*told, share, f"{seconds:.3f}"]


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


STUDY = Experiment(
    "study",
    {"network": NETWORKS, "parameters": PARAMETERS, "rows": SIZES},
    10,
    draw_study,
    (Figure("study", "controls and scores on known networks", figure_study),),
)
"""A sample of a known network per trial; every score and control learns from it."""
