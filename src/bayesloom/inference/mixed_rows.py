"""What every row of data says about one variable of a network with numbers."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from bayesloom.arrays import Floats, Longs
from bayesloom.errors import check_number
from bayesloom.graphs import bits
from bayesloom.graphs.text import counted
from bayesloom.grid import Grid, NamedColumns, Tabular, label
from bayesloom.inference.number_posterior import mixture_density, mixture_distribution
from bayesloom.model import BayesNet
from bayesloom.model.mixed.cases import MixedCases
from bayesloom.model.mixed.question import MixedAnswer, MixedQuestion, Prepared
from bayesloom.model.mixed.row_groups import RowGroups
from bayesloom.model.observation import Observations

_STEPS = 100  # towards a quantile; bisection alone needs some 60
_CLOSE = 1e-13


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class NumberPredictions(Tabular):
    """The distribution of a number for every row: its mean, its deviation and an interval.

    It prints its first rows as a table; as a frame it has the columns ``target``, ``low`` and
    ``high`` (named ``income``, ``income_low``, ``income_high`` for the target ``income``).

    Parameters
    ----------
    target : str
        The variable.
    means, sds : array
        The mean and the standard deviation in every row; read-only.
    low, high : array
        The bounds of the interval.
    level : float
        The probability that the interval holds the number with.

    Examples
    --------
    >>> one = np.ones(2)
    >>> NumberPredictions("income", 10 * one, one, 8 * one, 12 * one, 0.95)
    income for 2 rows
      row  mean  sd  95 % interval
      0      10   1        8 to 12
      1      10   1        8 to 12
    """

    target: str
    means: Floats
    sds: Floats
    low: Floats
    high: Floats
    level: float

    __repr__ = Tabular.__str__

    def __len__(self) -> int:
        return len(self.means)

    def _columns(self) -> NamedColumns:
        return [
            (self.target, self.means.tolist()),
            (f"{self.target}_low", self.low.tolist()),
            (f"{self.target}_high", self.high.tolist()),
        ]

    def _grid(self, most: int | None) -> Grid:
        columns = (self.means[:most], self.sds[:most], self.low[:most], self.high[:most])
        rows = [
            (str(k), f"{mean:.6g}", f"{sd:.5g}", f"{low:.6g} to {high:.6g}")
            for k, (mean, sd, low, high) in enumerate(
                zip(*map(np.ndarray.tolist, columns), strict=True)
            )
        ]
        return Grid(
            f"{label(self.target)} for {counted(len(self), 'row')}",
            ("row", "mean", "sd", f"{100 * self.level:g} % interval"),
            rows,
            1,
            more=len(self) - len(rows),
        )


class MixedRows:
    """Answers what every row says about one variable; see `RowPosteriors`.

    Parameters
    ----------
    net : BayesNet
        The network.
    target : int
        The node.
    memory : float
        The bytes that one case may take.
    """

    def __init__(self, net: BayesNet, target: int, memory: float) -> None:
        check_number("memory", memory, above=0)
        self.net, self.target, self.memory = net, target, memory
        self.by_name = net.reordered(sorted(net.names))
        self.prepared = Prepared(self.by_name, memory)
        self.place = [self.by_name.index(name) for name in net.names]
        self.groups = RowGroups(net, target)

    def probabilities(self, rows: Observations) -> Floats:
        """Return one distribution of a category per row; NaN where the row is impossible."""
        found = np.empty((rows.n_rows, len(self.net.states[self.target])))
        for members, answer in self._answers(rows):
            own = np.exp(answer.log_weights)
            own[~np.isfinite(answer.log_evidence)] = np.nan
            found[members] = own
        return found

    def numbers(self, rows: Observations, level: float) -> NumberPredictions:
        """Return the distribution of a number per row; NaN where the row is impossible."""
        check_number("interval", level, above=0, below=1)
        mean, sd, low, high = parts = tuple(np.empty(rows.n_rows) for _ in range(4))
        for members, answer in self._answers(rows):
            for column, own in zip(parts, _described(answer, level), strict=True):
                column[members] = np.where(np.isfinite(answer.log_evidence), own, np.nan)
        for column in parts:
            column.flags.writeable = False
        return NumberPredictions(self.net.names[self.target], mean, sd, low, high, level)

    def _answers(self, rows: Observations) -> list[tuple[Longs, MixedAnswer]]:
        """Return the rows in parts, with the answer in each."""
        found = []
        numbers = self.net.number_mask
        t = self.place[self.target]
        of_number = bool(numbers >> self.target & 1)
        for members, hidden, families in self.groups.of(rows.known(), rows.n_rows):
            scope = families
            for v in bits(families):
                scope |= self.net.dag.parent_masks[v]
            seen = bits(scope & ~hidden)
            states = [v for v in seen if not numbers >> v & 1]
            values = [v for v in seen if numbers >> v & 1]
            question = MixedQuestion(
                self.prepared,
                [self.place[v] for v in states],
                [self.place[v] for v in values],
                (),
                [] if of_number else [t],
                [t] if of_number else [],
                everything=False,
            )
            question.check_size()
            for start in range(0, len(members), question.at_once):
                some = members[start : start + question.at_once]
                cases = MixedCases(
                    len(some),
                    {self.place[v]: rows.codes[v][some].astype(np.int64) for v in states},
                    {self.place[v]: rows.values[v][some] for v in values},
                )
                found.append((some, question.answer(cases)))
        return found


def _described(answer: MixedAnswer, level: float) -> tuple[Floats, Floats, Floats, Floats]:
    """Return mean, deviation and bounds of the number asked for in each case."""
    normal = answer.normal
    assert normal is not None
    n = len(answer.log_weights)
    weights = np.exp(answer.log_weights).reshape(n, -1)
    means = normal.mean[..., 0].reshape(n, -1)
    variances = np.broadcast_to(normal.variance(0), normal.mean.shape[:-1]).reshape(n, -1)
    mean = (weights * means).sum(axis=1)
    away = means - mean[:, None]
    sd = np.sqrt((weights * (variances + away * away)).sum(axis=1))
    sds = np.sqrt(variances)
    low, high = (quantiles(weights, means, sds, p) for p in ((1 - level) / 2, (1 + level) / 2))
    return mean, sd, low, high


def quantiles(weights: Floats, means: Floats, sds: Floats, p: float) -> Floats:
    """Return the value of each mixture of normals below which the probability is ``p``.

    Examples
    --------
    >>> half, ends = np.array([[0.5, 0.5]]), np.array([[-1.0, 1.0]])
    >>> quantiles(half, ends, 1 + 0 * half, 0.5).round(6).tolist()
    [0.0]
    """
    ends = means + sds * NormalDist().inv_cdf(p)
    if ends.shape[1] == 1:
        found: Floats = ends[:, 0]
        return found
    there = (weights > 0) | ~(weights > 0).any(axis=1, keepdims=True)
    low = np.where(there, ends, np.inf).min(axis=1)
    high = np.where(there, ends, -np.inf).max(axis=1)
    point: Floats = (low + high) / 2
    left = np.flatnonzero(high - low > _CLOSE * (np.abs(low) + np.abs(high)))
    for _ in range(_STEPS):
        if not len(left):
            break
        x = point[left]
        own = (x[:, None], means[left], sds[left])
        over = (weights[left] * mixture_distribution(*own)).sum(axis=1) - p
        slope = (weights[left] * mixture_density(*own)).sum(axis=1)
        high[left], low[left] = np.where(over >= 0, x, high[left]), np.where(over < 0, x, low[left])
        with np.errstate(divide="ignore", invalid="ignore"):
            step = x - over / slope
        inside = (step >= low[left]) & (step <= high[left])
        point[left] = np.where(inside, step, (low[left] + high[left]) / 2)
        moved = np.abs(point[left] - x) > _CLOSE * (np.abs(x) + high[left] - low[left])
        left = left[moved]
    return point
