"""Beyond the paper: controls and scores on four known networks."""

from __future__ import annotations

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
from bayesloom.model import BayesNet, fit, sample
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
    Learned,
    Learner,
    engine_of,
    measured,
    quality,
)
from bayesloom_reproduction.paired import paired_t_test

NETWORKS = ("child", "insurance", "alarm", "hailfinder")
SIZES = (250, 1000, 5000)
HELD_OUT = 5000
SCORES: dict[str, Score] = {"kappa": PAPER, "BDeu": BDeu(ess=10), "BIC": BIC()}
CONTROLS: dict[str, Control] = {
    "5%": FixedAlpha(0.05),
    "1%": FixedAlpha(0.01),
    "BH": BenjaminiHochberg(0.05),
    "LORD": LORD(0.05),
    "SAFFRON": SAFFRON(0.05),
    "spending": AlphaSpending(0.05),
}


def _learners(label: str, score: Score) -> tuple[Learner, ...]:
    return (
        Learner(f"{label} GES", GES(score=score)),
        *(
            Learner(f"{label} {rule}", IGES(score=score, control=control))
            for rule, control in CONTROLS.items()
        ),
    )


LEARNERS = tuple(learner for label, score in SCORES.items() for learner in _learners(label, score))
MEASURES = ("kl_smooth", "loss", "f", "shd", "seconds")


def draw_study(trial: Trial, rng: Generator) -> Rows:
    """Draw a sample and fresh rows; every score and control learns from it and is measured."""
    net = drawn_network(trial, rng)
    engine, unseen = engine_of(sample(net, int(trial["rows"]), rng)), sample(net, HELD_OUT, rng)

    def measure(true: BayesNet, engine: NativeEngine, found: Learned) -> Row:
        loss = log_loss(fit(found.result.dag, engine, SMOOTH), unseen)
        return {**quality(true, engine, found), "loss": loss}

    return {"runs": measured(LEARNERS, net, engine, measure)}


def figure_study(tables: Rows) -> Findings:
    """Tabulate the means of every method, and what tests change, sample by sample."""
    lines = []
    data: dict[str, object] = {}
    for (parameters, size), runs in sorted(joined(tables["runs"], "parameters", "rows").items()):
        lines.append(f"{parameters} parameters, {size:,} rows: KL, log-loss, F, SHD, seconds, FDR")
        groups = joined(runs, "method")
        for learner in LEARNERS:
            mine = groups[learner.name,]
            values = {measure: mean(numbers(mine, measure)) for measure in MEASURES}
            false, rejected = (sum(numbers(mine, name)) for name in ("false", "rejected"))
            values["fdr"] = false / max(1.0, rejected)
            data[f"{parameters}, {size}, {learner.name}"] = values
            lines.append(
                f"  {learner.name:<22} {values['kl_smooth']:7.4f} {values['loss']:8.4f} "
                f"{values['f']:6.3f} {values['shd']:6.1f} {values['seconds']:7.3f} "
                f"{values['fdr']:6.3f}"
            )
    for parameters in PARAMETERS:
        lines.append(f"{parameters} parameters, against GES with the same score: KL, F, SHD")
        of_method = joined(joined(tables["runs"], "parameters")[parameters,], "method")
        for learner in LEARNERS:
            alone = f"{learner.name.split()[0]} GES"
            if learner.name == alone:
                continue
            pairs = {
                measure: paired_t_test(
                    numbers(of_method[learner.name,], measure), numbers(of_method[alone,], measure)
                )
                for measure in ("kl_smooth", "f", "shd")
            }
            data[f"{parameters}, {learner.name} against GES"] = {
                measure: {"difference": pair.difference, "p": pair.p}
                for measure, pair in pairs.items()
            }
            told = " ".join(f"{pair.difference:+8.4f} (p {pair.p:.3f})" for pair in pairs.values())
            lines.append(f"  {learner.name:<22} {told}")
    return Findings("\n".join(lines), data)


STUDY = Experiment(
    "study",
    {"network": NETWORKS, "parameters": PARAMETERS, "rows": SIZES},
    10,
    draw_study,
    (Figure("study", "controls and scores on known networks", figure_study),),
)
"""A sample of a known network per trial; every score and control learns from it."""
