"""Cut quantities for the network they are in, by minimum description length.

A column is first cut finely, into up to 40 bins of equal frequency, and neighbouring bins are then
put together. What a network and its cuts say about the rows is as long as, in nats, the sum of

    - N I(X; parents) + sum_j log C(N_j, r)      over the variables X, and
    log f + log binomial(f - 1, k - 1)           over the columns that are cut,

with the empirical mutual information ``I`` of a variable and its parents, the multinomial regret
``C(N_j, r)`` of its ``r`` states in the ``N_j`` rows of each configuration of the parents, and
``k`` bins made of ``f`` fine ones. The numbers themselves are told by their marginal distribution,
which no cut changes: a bin is worth what it tells of the neighbours. With all else fixed the length
is a sum over the bins of one column, so its best cuts, for every number of bins, are found by
dynamic programming. Columns take turns, in their order, until none changes.

N. Friedman and M. Goldszmidt, Discretizing continuous attributes while learning Bayesian networks,
ICML 1996, with half the logarithm of N as the price of a parameter and a greedy choice of cuts;
the regret: T. Roos, T. Silander, P. Kontkanen and P. Myllymaki, Bayesian network structure learning
using factorized NML universal models, ITA 2008.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import comb, log

import numpy as np
import numpy.typing as npt

from bayesloom._native import Regrets
from bayesloom.arrays import Floats
from bayesloom.data.binning import frequency_starts
from bayesloom.data.interval import interval_labels, scale_of
from bayesloom.data.table import Table, code_type

LongCounts = npt.NDArray[np.int64]

Cuts = Mapping[int, tuple[int, ...]]
"""For every column that is cut, the fine bins that open a bin, without the first."""

Parents = Sequence[Iterable[int]]
"""For every column, its parents."""

_SWEEPS = 20  # turns of all columns at most; each makes the description shorter
_EQUAL = 1e-9  # nats per row; lengths that differ by less are equal
_CELLS = 1 << 21  # of tables that are looked at together
_EXACT = 1024  # up to so many rows regrets are exact, beyond interpolated in the logarithm
_KNOTS = 200


@dataclass(frozen=True, slots=True, eq=False)
class FineTable:
    """A table whose quantities are cut finely, and what becomes of it where bins are put together.

    Parameters
    ----------
    table : Table
        The table, with its columns in the order that ties go by.
    bins : mapping of str to int
        The columns whose bins may be put together, and how many bins they have to start with.

    Examples
    --------
    >>> bins = interval_labels([1, 2, 3])
    >>> rain = [0, 0, 1, 1, 2, 2, 3, 3] * 9
    >>> wet = [int(k > 1) for k in rain]
    >>> fine = FineTable(Table(["rain", "wet"], [bins, ["no", "yes"]], [rain, wet]), {"rain": 4})
    >>> fine.points(fine.start())
    {'rain': (1.0, 2.0, 3.0)}
    >>> fine.points(fine.improved(fine.start(), [[], [0]]))
    {'rain': (2.0,)}
    """

    table: Table
    bins: Mapping[str, int]

    def start(self) -> dict[int, tuple[int, ...]]:
        """Return cuts into bins of about equal frequency."""
        found = {}
        for v, name in enumerate(self.table.names):
            if name in self.bins:
                n = self._n_fine(v)
                counts = np.bincount(self.table.codes[v], minlength=n)[:n]
                found[v] = tuple(frequency_starts(counts, self.bins[name]).tolist())
        return found

    def points(self, cuts: Cuts) -> dict[str, tuple[float, ...]]:
        """Return the cut points of every column that is cut."""
        found = {}
        for v, starts in cuts.items():
            scale = scale_of(self.table.states[v])
            lows = [] if scale is None else [interval.low for interval in scale.intervals]
            found[self.table.names[v]] = tuple(lows[k] for k in starts)
        return found

    def coarse(self, cuts: Cuts) -> Table:
        """Return the table with bins put together; fine are those of columns without cuts."""
        states, codes = list(self.table.states), list(self.table.codes)
        for v, points in zip(cuts, self.points(cuts).values(), strict=True):
            n = self._n_fine(v)
            others = states[v][n:]  # the state of missing cells comes after the bins
            bin_of = np.searchsorted(np.array(cuts[v], np.intp), np.arange(n), side="right")
            bin_of = np.concatenate([bin_of, len(points) + 1 + np.arange(len(others))])
            states[v] = (*interval_labels(points), *others)
            codes[v] = bin_of.astype(code_type(len(states[v])))[codes[v]]
        return Table(self.table.names, states, codes, self.table.notes)

    def length(self, cuts: Cuts, parents: Parents) -> float:
        """Return how long the description of the rows is, in nats; see the head of this module."""
        table = self.coarse(cuts)
        total = sum(self._price(v, len(starts) + 1) for v, starts in cuts.items())
        for v, given in enumerate(parents):
            r = len(table.states[v])
            counts = _crossed(table, v, *_joint(table, sorted(given)))
            n_j = counts.sum(axis=0)
            fit = _x_log_x(counts).sum() - _x_log_x(n_j).sum() - _x_log_x(counts.sum(axis=1)).sum()
            total += _regrets(n_j, r).sum() - fit - table.n_rows * log(table.n_rows)
        return float(total)

    def improved(
        self, cuts: Cuts, parents: Parents, may_go_on: Callable[[], bool] = lambda: True
    ) -> dict[int, tuple[int, ...]]:
        """Return cuts with which the description is shortest, if columns are cut in turn.

        A column without neighbours, or of which no cut tells anything, keeps the cuts it has.
        """
        now = dict(cuts)
        families = [tuple(sorted(given)) for given in parents]
        wanting = set(now)
        for _ in range(_SWEEPS):
            for v in [v for v in cuts if v in wanting]:
                if not may_go_on():
                    return now
                wanting.remove(v)
                found = self._best(v, now, families) or now[v]
                if found != now[v]:
                    now[v] = found
                    wanting |= {u for u in _blanket(v, families) if u in now}
        return now

    def _best(self, v: int, cuts: Cuts, families: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
        """Return the best cuts of one column while all others stay as they are."""
        children = [child for child, given in enumerate(families) if v in given]
        if not families[v] and not children:
            return ()
        table = self.coarse({u: starts for u, starts in cuts.items() if u != v})
        x_log_x = _x_log_x(np.arange(table.n_rows + 1))
        of_parents = _joint(table, families[v])
        values = self._worth(table, v, of_parents, x_log_x)
        values -= self._worth(table, v, _joint(table, ()), x_log_x)
        for child in children:
            given = [u for u in families[child] if u != v]
            told = x_log_x + _regrets(np.arange(table.n_rows + 1), len(table.states[child]))
            values += self._worth(table, v, _joint(table, [*given, child]), x_log_x)
            values -= self._worth(table, v, _joint(table, given), told)
        n_j, n = np.bincount(of_parents[0]), self._n_fine(v)
        others = len(table.states[v]) - n
        prices = [
            self._price(v, k) + float(_regrets(n_j, k + others).sum()) for k in range(1, n + 1)
        ]
        return best_division(values, prices, _EQUAL * table.n_rows)

    def _worth(
        self, table: Table, v: int, contexts: tuple[LongCounts, int], of_count: Floats
    ) -> Floats:
        """Return for the fine bins from i to before j the sum of ``of_count`` over the contexts."""
        n = self._n_fine(v)
        counts = _crossed(table, v, *contexts)[:n]
        below = np.concatenate([np.zeros((1, contexts[1]), np.int64), np.cumsum(counts, axis=0)])
        first, last = np.triu_indices(n + 1, 1)
        sums = np.zeros(len(first))
        step = max(1, _CELLS // contexts[1])
        for k in range(0, len(first), step):
            part = slice(k, k + step)
            sums[part] = of_count[below[last[part]] - below[first[part]]].sum(axis=1)
        values = np.zeros((n + 1, n + 1))
        values[first, last] = sums
        return values

    def _price(self, v: int, k: int) -> float:
        """Return what it takes to tell the number of bins and where they are cut."""
        n = self._n_fine(v)
        return log(n) + log(comb(n - 1, k - 1))

    def _n_fine(self, v: int) -> int:
        scale = scale_of(self.table.states[v])
        return 0 if scale is None else len(scale.intervals)


def best_division(values: Floats, prices: Sequence[float], equal: float) -> tuple[int, ...]:
    """Return where to divide a row of things: the sum of values of parts less their number's price.

    Parameters
    ----------
    values : array
        The value of a part from ``i`` to before ``j``, at ``[i, j]``.
    prices : sequence of float
        The price of 1, 2, ... parts.
    equal : float
        Divisions that differ by less are equally good; of these the one with the fewest parts and
        the lowest divisions is taken.

    Examples
    --------
    >>> values = np.array([[0, 1, 1, 1], [0, 0, 1, 2], [0, 0, 0, 1], [0, 0, 0, 0.0]])
    >>> best_division(values, [0, 0.5, 5], 1e-9)
    (1,)
    """
    n = len(values) - 1
    best, came = [values[0]], []
    backwards = np.tri(n + 1, dtype=bool)
    for _ in range(1, len(prices)):
        sums = best[-1][:, None] + values  # the last part opens at i and ends before j
        sums[backwards] = -np.inf
        sums[0] = -np.inf
        top = sums.max(axis=0)
        came.append(np.argmax(sums >= top - equal, axis=0))
        best.append(top)
    totals = [float(column[n]) - price for column, price in zip(best, prices, strict=True)]
    k = next(k for k, total in enumerate(totals) if total >= max(totals) - equal)
    ends = [n]
    for before in reversed(came[:k]):
        ends.append(int(before[ends[-1]]))
    return tuple(reversed(ends[1:]))


def _blanket(v: int, families: Sequence[tuple[int, ...]]) -> set[int]:
    """Return what a column's best cuts depend on: parents, children and their other parents."""
    own = [given for child, given in enumerate(families) if v in given or child == v]
    children = [child for child, given in enumerate(families) if v in given]
    return set().union(children, *own) - {v}


def _joint(table: Table, columns: Iterable[int]) -> tuple[LongCounts, int]:
    """Return for each row which configuration of some columns it has, and how many occur."""
    joint: LongCounts = np.zeros(table.n_rows, np.int64)
    n = 1
    for v in columns:
        cells = joint * len(table.states[v]) + table.codes[v]
        found, inverse = np.unique(cells, return_inverse=True)
        joint, n = inverse.astype(np.int64, copy=False), len(found)
    return joint, n


def _crossed(table: Table, v: int, contexts: LongCounts, n_contexts: int) -> LongCounts:
    """Return how many rows have each state of a column in each context."""
    shape = len(table.states[v]), n_contexts
    cells = table.codes[v].astype(np.int64) * n_contexts + contexts
    counts: LongCounts = np.bincount(cells, minlength=shape[0] * shape[1]).reshape(shape)
    return counts


def _x_log_x(x: LongCounts) -> Floats:
    product: Floats = x.astype(np.float64) * np.log(np.maximum(x, 1.0))
    return product


def _regrets(n: LongCounts, k: int) -> Floats:
    """Return the logarithms of the multinomial regrets of ``k`` states in so many rows."""
    logs, regrets = _knots(k, int(n.max(initial=1)).bit_length())
    found: Floats = np.where(n > 0, np.interp(np.log(np.maximum(n, 1.0)), logs, regrets), 0.0)
    return found


@lru_cache(maxsize=512)
def _knots(k: int, bits: int) -> tuple[Floats, Floats]:
    """Return logarithms of numbers of rows up to a power of two, and the regrets there."""
    most = 1 << bits
    exact: LongCounts = np.arange(1, min(most, _EXACT) + 1)
    rows = np.unique(np.append(exact, np.geomspace(exact[-1], most, _KNOTS).astype(np.int64)))
    states = np.array([float(k)])
    return np.log(rows), np.array([float(Regrets(int(n))(states)[0]) for n in rows])
