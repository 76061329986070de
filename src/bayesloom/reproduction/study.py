"""Beyond the paper: controls and scores on four known networks."""

from __future__ import annotations

from dataclasses import dataclass

from bayesloom.evaluation import log_loss
from bayesloom.independence import (
    LORD,
    SAFFRON,
    AlphaSpending,
    BenjaminiHochberg,
    Control,
    FixedAlpha,
)
from bayesloom.model import fit, sample
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
from bayesloom.reproduction.known_networks import PARAMETERS, known, redrawn
from bayesloom.reproduction.measures import SMOOTH, Learner, effort, engine_of, learn, quality
from bayesloom.reproduction.paired import paired_t_test
from bayesloom.scores import BIC, BDeu, Score
from bayesloom.search import GES, IGES

NETWORKS = ("child", "insurance", "alarm", "hailfinder")
SIZES = (250, 1000, 5000)
HELD_OUT = 5000
SCORES: dict[str, Score] = {"kappa": BDeu(ess=10, kappa=0.001), "BDeu": BDeu(ess=10), "BIC": BIC()}
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


@dataclass(frozen=True, slots=True)
class Study:
    """A sample of a known network per trial; every score and control learns from it."""

    name: str = "study"
    reps: int = 10

    def keys(self, reps: int) -> list[Key]:
        """List the trials, one sample of every kind first."""
        return [
            (network, parameters, size, rep)
            for rep in range(reps)
            for size in SIZES
            for network in NETWORKS
            for parameters in PARAMETERS
        ]

    def run(self, key: Key, seed: int) -> Rows:
        """Draw a sample, learn with every method and measure the results."""
        network, parameters, size = str(key[0]), str(key[1]), int(key[2])
        rng = generator(seed, key)
        net = known(network)
        if parameters == "random":
            net = redrawn(net, rng)
        engine, unseen = engine_of(sample(net, size, rng)), sample(net, HELD_OUT, rng)
        trial: Row = {"network": network, "parameters": parameters, "rows": size, "rep": key[3]}
        rows: list[Row] = []
        for learner in LEARNERS:
            found = learn(learner, engine)
            loss = log_loss(fit(found.result.dag, engine, SMOOTH), unseen)
            measured = {**quality(net, engine, found), "loss": loss, **effort(net.dag, found)}
            rows.append({**trial, "method": learner.name, **measured})
        return {"runs": rows}


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
