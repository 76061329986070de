"""Real tables without a known truth: the log-loss on rows that the learners have not seen."""

from __future__ import annotations

from importlib.resources import as_file, files

from bayesloom.data import Table, read
from bayesloom.evaluation import log_loss
from bayesloom.model import BDeuMean, fit_net
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
from bayesloom_reproduction.learners import CHOSEN, learners
from bayesloom_reproduction.measures import engine_of, learn

TABLES = (
    "flare",
    "vote",
    "lymphography",
    "spect",
    "mofn-3-7-10",
    "soybean-large",
    "chess",
    "mushroom",
    "nltcs",
)
MOST_ROWS = 2000
"""So many rows, drawn at random, are learned from where there are more."""

LEARNED = 0.8
"""The share of the rows that is learned from in other tables; the rest is held out."""

MOST_HELD_OUT = 5000
ESTIMATORS = {f"loss_{ess:g}": BDeuMean(ess=ess) for ess in (0.3, 1.0, 3.0, 10.0, 30.0)}


def table_of(name: str) -> Table:
    """Return the complete rows of a table that comes with the experiments."""
    with as_file(files("bayesloom_reproduction") / "tables" / f"{name}.csv.gz") as path:
        return read(path, missing="drop")


def draw_held_out(trial: Trial, rng: Generator) -> Rows:
    """Learn from some rows of a table with every learner and measure the loss on others."""
    table = table_of(str(trial["table"]))
    order = rng.permutation(table.n_rows)
    n = min(MOST_ROWS, round(LEARNED * table.n_rows))
    engine, unseen = engine_of(table.take(order[:n])), table.take(order[n : n + MOST_HELD_OUT])
    rows: list[Row] = []
    for learner in learners():
        found = learn(learner, engine)
        losses: Row = {
            name: log_loss(fit_net(found.result.dag, engine, estimator), unseen)
            for name, estimator in ESTIMATORS.items()
        }
        edges = len(found.result.dag.edges)
        rows.append({"method": learner.name, **losses, "edges": edges, "seconds": found.seconds})
    return {"losses": rows}


def figure_held_out(tables: Rows) -> Findings:
    """Tabulate the mean loss of every learner in every table, and by the estimator."""
    losses = tables["losses"]
    tables_of = [str(table) for (table,) in joined(losses, "table")]
    lines = [["learner", *tables_of, "above the best", "worst"]]
    means = {
        name: {
            str(table): mean(numbers(some, "loss_10"))
            for (table,), some in joined(mine, "table").items()
        }
        for (name,), mine in joined(losses, "method").items()
    }
    data: dict[str, object] = {}
    for name, mine in means.items():
        gaps = [mine[table] - min(other[table] for other in means.values()) for table in mine]
        data[str(name)] = {**mine, "above the best": mean(gaps)}
        told = [f"{value:.3f}" for value in mine.values()]
        lines.append([str(name), *told, f"{mean(gaps):.3f}", f"{max(gaps):.3f}"])
    estimators = [["table", *(name.replace("loss_", "ess ") for name in ESTIMATORS)]]
    chosen = joined(losses, "method")[CHOSEN,]
    for (table,), some in joined(chosen, "table").items():
        found = [mean(numbers(some, name)) for name in ESTIMATORS]
        data[f"{table}, {CHOSEN}"] = dict(zip(ESTIMATORS, found, strict=True))
        estimators.append([str(table), *(f"{value:.3f}" for value in found)])
    parts = [
        "log-loss per row on rows held out, parameters of ess 10",
        *map(_row, lines),
        "",
        f"log-loss of {CHOSEN} by the equivalent sample size",
        *map(_row, estimators),
    ]
    return Findings("\n".join(parts), data)


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


HELD_OUT = Experiment(
    "held-out",
    {"table": TABLES},
    5,
    draw_held_out,
    (Figure("held-out", "log-loss on rows held out of real tables", figure_held_out),),
)
"""A division of a real table per trial; every learner learns from one part of it."""
