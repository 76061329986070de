"""Which score, which search: learners compared on samples of known networks."""

from __future__ import annotations

import math
from dataclasses import asdict

from bayesloom.engine import NativeEngine
from bayesloom.evaluation import kl_divergence
from bayesloom.graphs import adjacency_agreement, structural_hamming_distance
from bayesloom.model import BayesNet, BDeuMean, draw_rows, fit_net
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
from bayesloom_reproduction.learners import CHOSEN, EARLIER, learners
from bayesloom_reproduction.measures import Network, effort, engine_of, measured
from bayesloom_reproduction.paired import paired_t_test

NETWORKS = (
    "survey",
    "asia",
    "sachs",
    "child",
    "insurance",
    "water",
    "mildew",
    "alarm",
    "barley",
    "hailfinder",
    "hepar2",
    "win95pts",
)
SIZES = (200, 500, 2000, 10_000)
ESTIMATORS = {f"kl_{ess:g}": BDeuMean(ess=ess) for ess in (0.3, 1.0, 3.0, 10.0, 30.0)}
"""The divergence is measured with parameters of each of these equivalent sample sizes."""

MEASURES = {"kl_10": ("KL", 3), "shd": ("SHD", 1), "f": ("F", 3)}
LEAST = 0.02
"""Divergences below this count as this much where they are compared as ratios."""


def draw_study(trial: Trial, rng: Generator) -> Rows:
    """Draw a sample of a network; every learner learns from it and is measured."""
    net = drawn_network(trial, rng)
    engine = engine_of(draw_rows(net, int(trial["rows"]), rng))
    return {"runs": measured(learners(), net, engine, _closeness)}


def _closeness(true: BayesNet, engine: NativeEngine, learned: Network) -> Row:
    """Measure the divergence with every estimator, the distance of the graphs and the effort."""
    dag = learned.result.dag
    divergence: Row = {
        name: kl_divergence(true, fit_net(dag, engine, estimator))
        for name, estimator in ESTIMATORS.items()
    }
    return {
        **divergence,
        "f": adjacency_agreement(true.dag, dag).f,
        "shd": structural_hamming_distance(true.dag, dag),
        **effort(true.dag, learned),
    }


def figure_study(tables: Rows) -> Findings:
    """Tabulate the means of every learner, what the default changes, and the estimators."""
    runs = tables["runs"]
    parts = ["all samples", *_overview(runs)]
    data: dict[str, object] = {}
    for (parameters,), some in joined(runs, "parameters").items():
        parts += ["", f"{parameters} parameters", *_by_size(some)]
    parts += ["", f"{CHOSEN} against {EARLIER}", *_gaps(runs, data)]
    parts += ["", f"divergence of {CHOSEN} by the equivalent sample size", *_by_estimator(runs)]
    data["means"] = {name: _means(some) for (name,), some in joined(runs, "method").items()}
    return Findings("\n".join(parts), data)


def _means(runs: list[Row]) -> dict[str, float]:
    return {name: mean(numbers(runs, name)) for name in (*ESTIMATORS, "shd", "f", "seconds")}


def _overview(runs: list[Row]) -> list[str]:
    """Tabulate means, mean ranks and the worst cell of every learner."""
    rows = [["learner", "KL", "SHD", "F", "rank KL", "rank SHD", "worst cell", "false", "seconds"]]
    samples = list(joined(runs, "network", "parameters", "rows", "rep").values())
    ranks = {measure: mean_ranks(samples, measure) for measure in ("kl_10", "shd")}
    worst = _worst_cells(runs)
    for (name,), mine in joined(runs, "method").items():
        found = _means(mine)
        false, rejected = (round(sum(numbers(mine, key))) for key in ("false", "rejected"))
        rows.append(
            [
                str(name),
                f"{found['kl_10']:.3f}",
                f"{found['shd']:.2f}",
                f"{found['f']:.3f}",
                f"{ranks['kl_10'][name]:.1f}",
                f"{ranks['shd'][name]:.1f}",
                worst[name],
                f"{false:,} of {rejected:,}" if rejected else "-",
                f"{found['seconds']:.3f}",
            ]
        )
    return [_row(row) for row in rows]


def mean_ranks(samples: list[list[Row]], measure: str) -> dict[object, float]:
    """Rank the learners in every sample, equal ones by the mean of their ranks, and average."""
    found: dict[object, list[float]] = {}
    for runs in samples:
        values = [round(float(run[measure]), 6) for run in runs]
        for run, value in zip(runs, values, strict=True):
            below, equal = sum(v < value for v in values), values.count(value)
            found.setdefault(run["method"], []).append(below + (equal + 1) / 2)
    return {name: mean(places) for name, places in found.items()}


def _worst_cells(runs: list[Row]) -> dict[object, str]:
    """Return where the divergence of a learner is furthest above the best one, and how far."""
    worst: dict[object, tuple[float, str]] = {}
    for (network, parameters, rows), cell in joined(runs, "network", "parameters", "rows").items():
        means = {
            name: max(LEAST, mean(numbers(mine, "kl_10")))
            for (name,), mine in joined(cell, "method").items()
        }
        best = min(means.values())
        for name, value in means.items():
            told = f"{value / best:.1f} ({network} {parameters} {rows})"
            worst[name] = max(worst.get(name, (0.0, "")), (value / best, told))
    return {name: told for name, (_, told) in worst.items()}


def _by_size(runs: list[Row]) -> list[str]:
    """Tabulate the means of every learner for every number of rows."""
    head = ["learner", *(f"{name} {n:,}" for name, _ in MEASURES.values() for n in SIZES)]
    rows = [head]
    for (name,), mine in joined(runs, "method").items():
        sizes = joined(mine, "rows")
        cells = [
            f"{mean(numbers(sizes[n,], measure)):.{digits}f}"
            for measure, (_, digits) in MEASURES.items()
            for n in SIZES
            if (n,) in sizes
        ]
        rows.append([str(name), *cells])
    return [_row(row) for row in rows]


def _gaps(runs: list[Row], data: dict[str, object]) -> list[str]:
    """Compare the default with the earlier one, sample by sample, in every group of samples."""
    rows = [["samples", "KL before", "now", "change", "p", "SHD before", "now", "change", "p"]]
    groups = {"all": runs}
    for key in ("parameters", "rows", "network"):
        groups |= {f"{value}": some for (value,), some in joined(runs, key).items()}
    for label, some in groups.items():
        methods = joined(some, "method")
        cells, told = [], {}
        for measure, key in (("kl", "kl_10"), ("shd", "shd")):
            now, before = (numbers(methods[name,], key) for name in (CHOSEN, EARLIER))
            pair = paired_t_test(now, before)
            share = mean(now) / mean(before) - 1 if mean(before) else math.nan
            cells += [f"{mean(before):.3f}", f"{mean(now):.3f}", f"{share:+.0%}", f"{pair.p:.2g}"]
            told[measure] = {**asdict(pair), "before": mean(before), "now": mean(now)}
        data[f"change, {label}"] = told
        rows.append([label, *cells])
    return [_row(row) for row in rows]


def _by_estimator(runs: list[Row]) -> list[str]:
    """Tabulate the divergence of the default for every estimator."""
    rows = [["samples", *(name.replace("kl_", "ess ") for name in ESTIMATORS)]]
    mine = joined(runs, "method")[CHOSEN,]
    for (parameters, n), some in joined(mine, "parameters", "rows").items():
        means = [f"{mean(numbers(some, name)):.3f}" for name in ESTIMATORS]
        rows.append([f"{parameters}, {int(n):,} rows", *means])
    return [_row(row) for row in rows]


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


STUDY = Experiment(
    "study",
    {"network": NETWORKS, "parameters": PARAMETERS, "rows": SIZES},
    10,
    draw_study,
    (Figure("study", "scores, searches and controls on known networks", figure_study),),
)
"""A sample of a known network per trial; every learner learns from it."""
