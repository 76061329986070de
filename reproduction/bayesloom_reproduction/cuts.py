"""Where to cut numbers: the log-loss on rows held out, by the method that chose the cuts.

Losses of networks with different cuts are compared as losses of the numbers. A network gives
probabilities of bins, so how the probability of a bin is spread over the numbers in it must be
said; it is done in two ways, neither of which depends on the learner:

* *shared*: every column has the same marginal distribution whatever its cuts are, and the share of
  a bin in it is its share of the rows that were learned from, with half a row added to each bin.
  What is told is the loss against that of these marginal distributions alone, so it is what the
  network gains by dependencies (negative is better than independence).
* *even*: all numbers of a bin are equally probable, on a grid from the least to the greatest number
  of the column whose step is the smallest difference of two of them. This also counts how well the
  bins follow each column's own distribution.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt

from bayesloom.arrays import Floats
from bayesloom.data.interval import scale_of
from bayesloom.data.label import spelled
from bayesloom.data.network_rows import read_rows
from bayesloom.facade import Network, learn
from bayesloom.graphs.text import counted
from bayesloom.model import log_likelihood
from bayesloom.report.bars import Bar, bar_picture
from bayesloom_reproduction.classifier_sets import available, kinds_of, read_complete
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

FOLDS = 5
MOST_ROWS = 3000
"""So many rows, drawn at random, are used of larger sets."""

FEW = 5
"""Columns of numbers with no more different values than this are categories in all methods."""

WITHOUT = frozenset({"diabetes"})
"""Sets that are left out: the rows of diabetes are those of pima."""

_QUANTITY = 20  # up to so many different whole numbers are categories to "auto"

METHODS = ("frequency", "width", "auto", "mdl", "network", "frequency 8")
"""How columns are cut; 5 bins where a method does not choose their number, and 8 to compare."""

Columns = dict[str, list[str]]


def sets_with_numbers(folder: Path | None) -> tuple[str, ...]:
    """Return the sets that have columns to cut."""
    return tuple(x for x in available(folder) if x not in WITHOUT and kinds_of(x)[0])


def compare_cuts(trial: Trial, _rng: Generator, folder: Path | None = None) -> Rows:
    """Learn from all folds of a set but one, with every way to cut, and measure the loss on it."""
    name, fold = str(trial["set"]), int(trial["rep"])
    columns = read_complete(name, folder)
    found = {c: np.unique(np.array(columns[c], np.float64)) for c in kinds_of(name)[0]}
    cut = {c: values for c, values in found.items() if len(values) > FEW}
    columns |= {c: [spelled(float(x)) for x in columns[c]] for c in cut}  # "01" is 1
    n = len(next(iter(columns.values())))
    chosen = np.random.default_rng(1).permutation(n)[:MOST_ROWS]
    of_fold = np.arange(len(chosen)) % FOLDS == fold % FOLDS
    seen, unseen = (_rows_of(columns, chosen[part]) for part in (~of_fold, of_fold))
    rows: list[Row] = []
    for method in METHODS:
        rules, target = _rules(method, cut)
        states = {c: sorted(set(columns[c])) for c in columns if c not in rules}
        started = time.process_time()
        net = learn(seen, discretize=rules or "none", states=states, target=target)
        seconds = time.process_time() - started
        shared, even = losses(net, seen, unseen, cut)
        bins = [len(net.states[c]) for c in cut]
        rows.append(
            {
                "method": method,
                "shared": shared,
                "even": even,
                "columns": len(cut),
                "bins": mean(bins),
                "edges": len(net.dag.edges),
                "seconds": seconds,
            }
        )
    return {"losses": rows}


def losses(
    net: Network, seen: Columns, unseen: Columns, cut: Mapping[str, Floats]
) -> tuple[float, float]:
    """Return the losses per row of the numbers that were held out, shared and even.

    Parameters
    ----------
    net : Network
        What was learned.
    seen, unseen : mapping
        The rows that were learned from, and those that were held out.
    cut : mapping
        The columns whose numbers count, and their different values, ascending.
    """
    before, after = (read_rows(net.names, list(net.states.values()), x) for x in (seen, unseen))
    loss = -log_likelihood(net, after) / after.n_rows
    shared = even = loss
    for name, values in cut.items():
        states = net.states[name]
        counts = np.bincount(before.column(name), minlength=len(states)) + 0.5
        shared += float(np.log(counts / counts.sum())[after.column(name)].mean())
        even += float(np.log(room_in_bins(states, values))[after.column(name)].mean())
    return shared, even


def room_in_bins(states: Sequence[str], values: Floats) -> Floats:
    """Return how many points of the grid of some values are in each state.

    Examples
    --------
    >>> room_in_bins(("(-inf,2]", "(2,inf)"), np.array([0.0, 1.0, 5.0])).tolist()
    [3.0, 3.0]
    >>> room_in_bins(("1", "2"), np.array([1.0, 2.0])).tolist()
    [1.0, 1.0]
    """
    scale = scale_of(tuple(states))
    if scale is None:
        return np.ones(len(states))
    step = float(np.diff(values).min())
    ends = np.array([min(interval.high, values[-1]) for interval in scale.intervals])
    up_to = np.floor((ends - values[0]) / step + 1e-9) + 1
    return np.maximum(np.diff(np.append(0.0, up_to)), 1.0)


def figure_cuts(tables: Rows) -> Findings:
    """Tabulate the mean losses of every set and draw what cuts for the network gain."""
    found = joined(tables["losses"], "set")
    data: dict[str, object] = {}
    parts = []
    for measure, what in (
        ("shared", "log-loss per row against independent columns (shared marginals)"),
        ("even", "log-loss per row of the numbers (even within bins)"),
        ("bins", "states of the columns that are cut, mean"),
        ("edges", "edges, mean"),
        ("seconds", "processor time, s, mean"),
    ):
        parts += [what, _row(["set", *METHODS]), _row(["---"] * (len(METHODS) + 1))]
        for (name,), rows in found.items():
            means = _means(rows, measure)
            data[f"{name}, {measure}"] = means
            parts.append(_row([str(name), *(f"{x:.3f}" for x in means.values())]))
        parts.append("")
    bars, won = [], {"shared": 0, "even": 0}
    for (name,), rows in found.items():
        for measure in won:
            means = _means(rows, measure)
            won[measure] += means["network"] < means["frequency"]
        means = _means(rows, "shared")
        n = int(rows[0]["columns"])
        gain = means["frequency"] - means["network"]
        bars.append(Bar(f"{name} ({counted(n, 'column')})", gain / n))
    data["won"] = won
    for measure, n in won.items():
        parts.append(f"{measure}: cuts for the network lose less in {n} of {len(found)} sets")
    picture = bar_picture(
        sorted(bars, key=lambda bar: -bar.value),
        title="What cuts for the network gain on rows held out",
        ends=("equal frequency better", "network better"),
        axis="log-loss saved per row and cut column, against equal frequency (nats)",
    )
    return Findings("\n".join(parts), data, {"cuts": str(picture)})


def with_folder(experiment: Experiment, folder: Path | None) -> Experiment:
    """Return the experiment on the sets of a folder."""
    from dataclasses import replace

    grid = {"set": sets_with_numbers(folder)}
    return replace(experiment, grid=grid, act=partial(compare_cuts, folder=folder))


def _rules(method: str, cut: Mapping[str, Floats]) -> tuple[dict[str, str | int], str | None]:
    """Return the rule of every column that a method cuts, and the target it needs."""
    if method == "frequency 8":
        return dict.fromkeys(cut, 8), None
    if method == "auto":
        whole = {c for c, x in cut.items() if (x == np.floor(x)).all() and len(x) <= _QUANTITY}
        return {c: "frequency" for c in cut if c not in whole}, None
    return dict.fromkeys(cut, method), "class" if method == "mdl" else None


def _means(rows: Sequence[Row], measure: str) -> dict[str, float]:
    return {str(m): mean(numbers(some, measure)) for (m,), some in joined(rows, "method").items()}


def _rows_of(columns: Columns, rows: npt.NDArray[np.intp]) -> Columns:
    return {name: [cells[k] for k in rows.tolist()] for name, cells in columns.items()}


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


CUTS = Experiment(
    "cuts",
    {"set": sets_with_numbers(None)},
    FOLDS,
    compare_cuts,
    (Figure("cuts", "log-loss of numbers by where they are cut", figure_cuts),),
)
"""A fold of a set per trial: the sets that are carried along, or those of a folder."""
