"""Of the edges called 80 % sure, how many are there? Bootstrap and posterior on known networks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Literal

import numpy as np
import numpy.typing as npt

from bayesloom.engine import NativeEngine
from bayesloom.facade import bootstrap, posterior
from bayesloom.graphs import bits, skeleton
from bayesloom.model import BayesNet, draw_rows
from bayesloom.report.chart import Curve, line_chart
from bayesloom.scores import BIC, BDeu
from bayesloom.search import GES
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
from bayesloom_reproduction.known_networks import known
from bayesloom_reproduction.measures import engine_of

NETWORKS = ("child", "insurance", "alarm")
ROWS = 1000
REPLICATES = 200
MOVES = 20_000
_BINS = 5

Floats = npt.NDArray[np.float64]


def _bootstrapped(engine: NativeEngine, search: GES) -> Floats:
    found = bootstrap(engine, search, replicates=REPLICATES, seed=1, threads=1)
    return _matrix(engine, {(p.x, p.y): p.strength for p in found.confidence.pairs})


def _sampled(engine: NativeEngine, method: Literal["order", "partition"]) -> Floats:
    found = posterior(engine, BDeu(ess=1), method=method, moves=MOVES, seed=1, threads=1)
    return _matrix(engine, {(p.x, p.y): p.strength for p in found.confidence.pairs})


def _matrix(engine: NativeEngine, strengths: Mapping[tuple[str, str], float]) -> Floats:
    place = {name: v for v, name in enumerate(engine.names)}
    matrix = np.zeros((engine.n_variables, engine.n_variables))
    for (x, y), strength in strengths.items():
        matrix[place[x], place[y]] = matrix[place[y], place[x]] = strength
    return matrix


METHODS: Mapping[str, Callable[[NativeEngine], Floats]] = {
    "bootstrap, GES BIC": partial(_bootstrapped, search=GES(score=BIC())),
    "bootstrap, GES BDeu": partial(_bootstrapped, search=GES(score=BDeu(ess=1))),
    "order MCMC, BDeu": partial(_sampled, method="order"),
    "partition MCMC, BDeu": partial(_sampled, method="partition"),
}


def measure(trial: Trial, rng: Generator) -> Rows:
    """Draw rows of a known network, and compare what is said of every pair with the truth."""
    net = known(str(trial["network"]))
    engine = engine_of(draw_rows(net, ROWS, rng))
    there = _truth(net, engine)[np.triu_indices(engine.n_variables, 1)]
    bins: list[Row] = []
    errors: list[Row] = []
    for method, act in METHODS.items():
        said = act(engine)[np.triu_indices(engine.n_variables, 1)]
        bins += [{"method": method, **row} for row in _binned(said, there)]
        errors.append(
            {
                "method": method,
                "mean_absolute_error": float(np.abs(said - there).mean()),
                "brier": float(((said - there) ** 2).mean()),
                "calibration_error": _calibration_error(said, there),
            }
        )
    return {"bins": bins, "errors": errors}


def _truth(net: BayesNet, engine: NativeEngine) -> Floats:
    dag = net.dag.reordered(engine.names)
    there = np.zeros((engine.n_variables, engine.n_variables))
    for v, mask in enumerate(skeleton(dag.parent_masks)):
        there[v, bits(mask)] = 1.0
    return there


def _binned(said: Floats, there: Floats) -> list[Row]:
    """Sum up pairs by what is said of them; those that are never joined are left out."""
    asked = said > 0
    place = np.minimum((said * _BINS).astype(np.intp), _BINS - 1)
    rows: list[Row] = []
    for k in range(_BINS):
        inside = asked & (place == k)
        rows.append(
            {
                "bin": k,
                "pairs": int(inside.sum()),
                "said": float(said[inside].sum()),
                "there": float(there[inside].sum()),
            }
        )
    return rows


def _calibration_error(said: Floats, there: Floats) -> float:
    """Return the mean gap between what is said and the share that is there, over listed pairs."""
    rows = _binned(said, there)
    total = sum(int(row["pairs"]) for row in rows)
    return sum(abs(float(row["said"]) - float(row["there"])) for row in rows) / max(total, 1)


def calibration(tables: Rows) -> Findings:
    """Tell mean absolute errors, and draw the share of pairs that are there by what is said."""
    lines = [f"{ROWS:,} rows; of all pairs: mean absolute error, Brier score; calibration error"]
    data: dict[str, object] = {}
    for (network, method), rows in joined(tables["errors"], "network", "method").items():
        keys = ("mean_absolute_error", "brier", "calibration_error")
        found = {key: mean(numbers(rows, key)) for key in keys}
        data[f"{network}, {method}"] = found
        error, brier, gap = found.values()
        lines.append(f"  {network!s:<9} {method!s:<21} {error:.4f}  {brier:.4f}  {gap:.3f}")
    curves = []
    for (method,), rows in joined(tables["bins"], "method").items():
        points = []
        lines.append(f"  {method}: said -> there (pairs)")
        for (_,), part in sorted(joined(rows, "bin").items()):
            pairs = sum(numbers(part, "pairs"))
            if pairs:
                said, there = (sum(numbers(part, key)) / pairs for key in ("said", "there"))
                points.append((said, there))
                lines.append(f"    {said:.2f} -> {there:.2f} ({pairs:.0f})")
        curves.append(Curve(str(method), tuple(points)))
        data[str(method)] = [list(point) for point in points]
    chart = line_chart(
        [*curves, Curve("as it should be", ((0.0, 0.0), (1.0, 1.0)), dots=False)],
        title=f"Child, insurance and alarm, {ROWS:,} rows",
        x="what is said: the two are joined with this probability",
        y="share of these pairs that are joined in the true network",
        ticks=(0, 0.2, 0.4, 0.6, 0.8, 1.0),
    )
    return Findings("\n".join(lines), data, {"calibration": chart})


CALIBRATION = Experiment(
    "calibration",
    {"network": NETWORKS},
    5,
    measure,
    (Figure("calibration", "how far sureness can be trusted", calibration),),
)
"""A sample of a known network per trial."""
