"""A chi-square test for sparse tables: exact mean and variance instead of large cells."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bayesloom import _native
from bayesloom.engine import Batch, Engine
from bayesloom.engine.batch import Floats, Longs
from bayesloom.errors import check_number
from bayesloom.independence.test import ChiSquare, TestResults

_CELLS_PER_ROW = 4  # tables with more cells are nearly empty: not counted
_LEAST_SPREAD = 0.01
_SMALL = 3  # rows in a stratum up to which the formula for the variance does not hold


@dataclass(frozen=True, slots=True)
class SparseChiSquare(ChiSquare):
    """Pearson's statistic against its exact mean and variance, given the margins of all strata.

    With the margins of a table fixed, the mean and the variance of its statistic under
    independence are known exactly, however few rows there are. Their sums over the strata of the
    given variables fix a gamma distribution, which takes the place of chi-square's. Strata in
    which a variable takes one value say nothing and drop out; so no cell has to expect 5 rows.

    Parameters
    ----------
    min_expected : float
        The least mean of the statistic, which plays the part of the degrees of freedom: with
        fewer informative strata a test is inconclusive.
    spread : float
        The most by which the variance may exceed the double of the mean, chi-square's value; above
        it the tail is too long for two moments.

    References
    ----------
    R. B. Dawson: A simplified expression for the variance of the chi-square function on a
    contingency table, Biometrika 41, 1954.
    """

    min_expected: float = 1.0
    spread: float = 2.0

    name: ClassVar[str] = "sparse"

    def __post_init__(self) -> None:
        ChiSquare.__post_init__(self)
        check_number("spread", self.spread, above=0)

    def run(self, engine: Engine, batch: Batch) -> TestResults:
        """Test every table of the batch that is not too large to be counted."""
        cells = batch.n_cells(engine.cardinality)
        found = np.full((len(batch), 4), np.nan)
        small = np.flatnonzero(cells <= _CELLS_PER_ROW * engine.n_rows)
        request_of = batch.request_of
        requests = [
            (
                int(batch.target[k]),
                batch.given[batch.given_start[k] : batch.given_start[k + 1]].tolist(),
                (int(batch.partner[i]),),
            )
            for i in small
            for k in (request_of[i],)
        ]
        if requests:
            for i, table in zip(small, engine.counts(Batch.of(requests)), strict=True):
                found[i] = _moments(table.reshape(-1, *table.shape[-2:]))
        return self._verdicts(found)

    def rules_out(self, engine: Engine, sets: Sequence[Sequence[int]]) -> list[bool]:
        """Say for which sets a table with one more variable would be too large."""
        levels, most = engine.cardinality.tolist(), _CELLS_PER_ROW * engine.n_rows
        return [2 * math.prod(levels[v] for v in members) > most for members in sets]

    def _verdicts(self, found: Floats) -> TestResults:
        statistic, mean, variance, least = (np.ascontiguousarray(found[:, k]) for k in range(4))
        # Where the margins all but fix the statistic there is nothing to be learned from it.
        usable = (mean > 0) & (variance > _LEAST_SPREAD * 2 * mean)
        scale = np.where(usable, variance / np.where(usable, 2 * mean, 1.0), 1.0)
        df = np.where(usable, mean / scale, 0.0)
        log_p = np.zeros(len(found))
        if usable.any():
            log_p[usable] = _native.log_p_values(
                np.ascontiguousarray(statistic[usable] / scale[usable]),
                np.ascontiguousarray(df[usable]),
            )
        conclusive = usable & (mean >= self.min_expected) & (scale <= self.spread)
        return TestResults(statistic, df, np.exp(log_p), log_p, least, conclusive)


def _moments(table: Longs) -> tuple[float, float, float, float]:
    """Return statistic, mean, variance and least expected count of a table (strata, x, y)."""
    n_x, n_y = table.sum(axis=2), table.sum(axis=1)
    levels_x, levels_y = (n_x > 0).sum(axis=1), (n_y > 0).sum(axis=1)
    told = (levels_x > 1) & (levels_y > 1)
    if not told.any():
        return 0.0, 0.0, 0.0, 0.0
    n_x, n_y = n_x[told].astype(np.float64), n_y[told].astype(np.float64)
    r, c, n = levels_x[told], levels_y[told], n_x.sum(axis=1)
    expected = n_x[:, :, np.newaxis] * n_y[:, np.newaxis, :] / n[:, np.newaxis, np.newaxis]
    gaps = (table[told] - expected) ** 2
    there = expected > 0
    statistic = float(np.divide(gaps, expected, out=np.zeros_like(gaps), where=there).sum())
    mean = n * (r - 1) * (c - 1) / (n - 1)
    return statistic, float(mean.sum()), _variance(n, r, c, n_x, n_y), float(expected[there].min())


def _variance(n: Floats, r: Longs, c: Longs, n_x: Floats, n_y: Floats) -> float:
    """Add up Dawson's variances; strata of up to three rows have their own."""
    large = n > _SMALL
    total = 1.125 * float(((n == _SMALL) & (r == 2) & (c == 2)).sum())  # noqa: PLR2004 - 2 by 2
    n, r, c = n[large], r[large], c[large]
    v_x, v_y = ((k - 1) * (n - k) / (n - 1) for k in (r, c))
    w_x, w_y = (
        (n * _inverse_sum(margin[large]) - k * k) / (n - 2) for margin, k in ((n_x, r), (n_y, c))
    )
    parts = 2 * n / (n - 3) * (v_x - w_x) * (v_y - w_y) + n * n / (n - 1) * w_x * w_y
    return total + float(parts.sum())


def _inverse_sum(margin: Floats) -> Floats:
    inverse: Floats = np.divide(1.0, margin, out=np.zeros_like(margin), where=margin > 0)
    total: Floats = inverse.sum(axis=1)
    return total
