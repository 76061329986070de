"""Tests of X against Y given S on contingency tables: chi-square and G-square."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import Enum
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from bayesloom import _native
from bayesloom.engine import Batch, Engine
from bayesloom.engine.batch import LARGEST, NONE, Floats
from bayesloom.errors import OptionError


_WORTH = 3  # partners from which on the table without them is asked for first
_MOST_BASE_CELLS = 1 << 22  # cells of those tables together, so that asking for them stays cheap


class Coverage(Enum):
    """When a table holds enough rows for a test to be conclusive.

    STRICT: every cell, over all levels that occur and all combinations of the given variables'
    levels, expects at least ``min_expected`` rows.

    RELAXED: empty strata are left out, levels are counted per stratum, and there are on average at
    least ``min_expected`` rows per cell.
    """

    STRICT = "strict"
    RELAXED = "relaxed"


@dataclass(frozen=True, slots=True, eq=False)
class TestResults:
    """The results of a batch of tests, one entry per table.

    Parameters
    ----------
    statistic, df, p, log_p, min_expected : arrays of float
        Test statistic, degrees of freedom, p-value and its logarithm (which does not underflow),
        and the smallest expected count. A test that was not counted, because the rows cannot
        suffice, has p = 1 and NaN as statistic and smallest expected count.
    conclusive : array of bool
        Whether the coverage rule holds. An inconclusive test neither rejects nor accepts.
    """

    __test__: ClassVar[bool] = False

    statistic: Floats
    df: Floats
    p: Floats
    log_p: Floats
    min_expected: Floats
    conclusive: npt.NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.statistic)


@dataclass(frozen=True, slots=True)
class IndependenceTest:
    """A test of target against partner given the rest, for every table of a batch.

    Parameters
    ----------
    min_expected : float
        The coverage that makes a test conclusive; see `Coverage`.
    coverage : Coverage
        The rule.
    """

    min_expected: float = 5.0
    coverage: Coverage = Coverage.STRICT

    name: ClassVar[str]
    g_square: ClassVar[bool]

    def __post_init__(self) -> None:
        if not 0 <= self.min_expected < math.inf:
            msg = f"min_expected must be 0 or more, got {self.min_expected}"
            raise OptionError(msg)
        if not isinstance(self.coverage, Coverage):
            msg = f"coverage must be Coverage.STRICT or Coverage.RELAXED, got {self.coverage!r}"
            raise OptionError(msg)

    def run(self, engine: Engine, batch: Batch) -> TestResults:
        """Test every table of the batch, from one question to the engine.

        Parameters
        ----------
        engine : Engine
            The data.
        batch : Batch
            Table ``(given..., target, partner)`` tests target against partner given the rest.

        Returns
        -------
        TestResults
            In the order of ``batch.partner``.

        Examples
        --------
        >>> from bayesloom.data import Table
        >>> from bayesloom.engine import Batch, NativeEngine
        >>> rows = [("n", "n")] * 30 + [("y", "y")] * 30 + [("n", "y")] * 20 + [("y", "n")] * 20
        >>> table = Table.from_frame({"A": [a for a, _ in rows], "B": [b for _, b in rows]})
        >>> found = ChiSquare().run(NativeEngine(table), Batch.pairs(2))
        >>> float(found.statistic[0]), bool(found.conclusive[0])
        (4.0, True)
        """
        cells = batch.n_cells(engine.observed)
        if self.coverage is Coverage.STRICT:
            # Expected counts sum to N, so with too many cells one of them must fall short.
            hopeless = ~self._suffice(engine.n_rows, cells)
            hopeless |= self._thin(engine, batch, hopeless)
            if hopeless.any():
                return self._run_some(engine, batch, ~hopeless)
        return self._judge(engine, cells, engine.tests(batch, g_square=self.g_square))

    def _thin(
        self, engine: Engine, batch: Batch, hopeless: npt.NDArray[np.bool_]
    ) -> npt.NDArray[np.bool_]:
        """Find the tables whose target and given variables alone leave a cell too empty.

        A cell expects no more rows than its row total has, so one table without the partner saves
        the tables of all partners.
        """
        thin = np.zeros(len(batch), np.bool_)
        request_of = batch.request_of
        open_ = np.bincount(request_of[~hopeless], minlength=len(batch.target))
        asked = np.flatnonzero(open_ >= _WORTH)
        if not self.min_expected or (engine.cardinality != engine.observed).any():
            return thin
        per_table = batch.base_product(engine.cardinality, engine.cardinality)
        base_cells = np.zeros(len(batch.target))
        base_cells[request_of] = per_table
        asked = asked[np.cumsum(base_cells[asked]) <= _MOST_BASE_CELLS]
        if not len(asked):
            return thin
        counts = engine.counts(
            Batch.of(
                (int(batch.target[k]), batch.given[slice(*batch.given_start[k : k + 2])], (NONE,))
                for k in asked
            )
        )
        least = np.minimum.reduceat(counts.cells, counts.start[:-1])
        sparse = np.zeros(len(batch.target), np.bool_)
        sparse[asked] = least < self.min_expected
        return sparse[request_of]

    def _suffice(self, n_rows: int, cells: Floats) -> npt.NDArray[np.bool_]:
        """Return whether the rows give the cells of each table ``min_expected`` on average."""
        with np.errstate(over="ignore", invalid="ignore"):  # 0 of infinitely many is enough
            return ~(self.min_expected * cells > n_rows)

    def _judge(self, engine: Engine, cells: Floats, raw: Floats) -> TestResults:
        statistic, df, df_adjusted, min_expected = (
            np.ascontiguousarray(raw[:, k]) for k in range(4)
        )
        if self.coverage is Coverage.STRICT:
            # An empty stratum expects nothing and settles nothing, even if nothing is asked of it.
            conclusive = (df > 0) & (min_expected > 0) & (min_expected >= self.min_expected)
        else:
            df = df_adjusted
            conclusive = (df > 0) & self._suffice(engine.n_rows, cells)
        log_p = _native.log_p_values(statistic, df)
        return TestResults(statistic, df, np.exp(log_p), log_p, min_expected, conclusive)

    def _run_some(self, engine: Engine, batch: Batch, chosen: npt.NDArray[np.bool_]) -> TestResults:
        """Count only the chosen tables; the others are inconclusive."""
        cells = batch.n_cells(engine.observed)
        sizes = np.bincount(batch.request_of[chosen], minlength=len(batch.target))
        some = replace(
            batch,
            partner=batch.partner[chosen],
            partner_start=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        )
        counted = self._judge(engine, cells[chosen], engine.tests(some, g_square=self.g_square))
        full = [np.full(len(batch), np.nan) for _ in range(5)]
        parts = (counted.statistic, counted.df, counted.p, counted.log_p, counted.min_expected)
        for whole, part in zip(full, parts, strict=True):
            whole[chosen] = part
        full[1][~chosen] = _full_df(engine, batch)[~chosen]
        full[2][~chosen], full[3][~chosen] = 1.0, 0.0
        conclusive = np.zeros(len(batch), np.bool_)
        conclusive[chosen] = counted.conclusive
        return TestResults(*full, conclusive)


def _full_df(engine: Engine, batch: Batch) -> Floats:
    levels = engine.observed
    base = np.minimum(batch.base_product(levels - 1, levels), LARGEST)
    with np.errstate(over="ignore"):
        return base * (batch.partner_value(levels) - 1)


@dataclass(frozen=True, slots=True)
class ChiSquare(IndependenceTest):
    """Pearson's test: X2 = sum (N - E)^2 / E over the cells of all strata.

    Examples
    --------
    >>> ChiSquare(min_expected=-1)
    Traceback (most recent call last):
    bayesloom.errors.OptionError: min_expected must be 0 or more, got -1
    """

    name: ClassVar[str] = "chi-square"
    g_square: ClassVar[bool] = False


@dataclass(frozen=True, slots=True)
class GSquare(IndependenceTest):
    """The likelihood-ratio test: G2 = 2 sum N log(N / E) = 2 N I(X; Y | S)."""

    name: ClassVar[str] = "G-square"
    g_square: ClassVar[bool] = True
