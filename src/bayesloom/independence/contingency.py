"""Tests on contingency tables: chi-square and G-square, with their rule of coverage."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from bayesloom import _native
from bayesloom.arrays import Bools, Floats, Longs
from bayesloom.engine import (
    Batch,
    CountingEngine,
    Engine,
    TestKernel,
    counting,
    is_counting,
    numeric_columns,
)
from bayesloom.engine.batch import LARGEST
from bayesloom.engine.contract import TEST_NUMBERS
from bayesloom.errors import OptionError, check_kind, check_number
from bayesloom.independence.independence_test import IndependenceTest, TestResults
from bayesloom.registry import TESTS

_MOST_CELLS = 1 << 16  # of a table that is asked for only to see whether it is too thin


class Coverage(Enum):
    """When a table holds enough rows for a test to be conclusive.

    STRICT: every cell, over all levels that occur and all combinations of the given variables'
    levels, expects at least ``min_expected`` rows.

    RELAXED: empty strata are left out, levels are counted per stratum, and there are on average at
    least ``min_expected`` rows per cell. Far more tests are then conclusive than hold their level:
    I-map learning (`IL`) may add edges for minutes, so set a time limit.
    """

    STRICT = "strict"
    RELAXED = "relaxed"


@dataclass(frozen=True, slots=True)
class ContingencyTest(IndependenceTest):
    """A test on the table of target, partner and the given variables, for every one of a batch.

    A test of your own is a subclass with a ``name`` and either the ``kernel`` of its statistic or a
    method `statistics` that computes it, from ``engine.counts`` for instance.

    Parameters
    ----------
    min_expected : float
        The coverage that makes a test conclusive; see `Coverage`.
    coverage : Coverage
        The rule.
    """

    min_expected: float = 5.0
    coverage: Coverage = Coverage.STRICT

    kernel: ClassVar[TestKernel]

    def __post_init__(self) -> None:
        check_number("min_expected", self.min_expected, least=0)
        check_kind("coverage", self.coverage, Coverage, "Coverage.STRICT or Coverage.RELAXED")

    def run(self, engine: Engine, batch: Batch, level: float = 1.0) -> TestResults:
        """Test every table of the batch, from one question to the engine.

        Parameters
        ----------
        engine : Engine
            The data.
        batch : Batch
            Table ``(given..., target, partner)`` tests target against partner given the rest.
        level : float
            Only p-values up to this matter: one above it may be told as 1, which saves its
            computation.

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
        engine = counting(engine, f"the test {self.name}")
        cells = batch.n_cells(engine.observed)
        if self.coverage is Coverage.STRICT:
            # Expected counts sum to N, so with too many cells one of them must fall short.
            hopeless = ~self._suffice(float(engine.n_rows), cells)
            if hopeless.any():
                return self._run_some(engine, batch, ~hopeless, level)
        return self._judge(
            cells, self._checked(engine, batch, self.statistics(engine, batch)), level
        )

    def statistics(self, engine: CountingEngine, batch: Batch) -> Floats:
        """Return statistic, df, adjusted df, least expected count and rows, one line per table.

        The statistic has to be chi-square distributed under independence. Degrees of freedom are
        (r_x - 1) (r_y - 1) in every stratum, over the states that occur in the data or, adjusted,
        in the stratum. The least expected count is 0 if a state or a stratum does not occur. Rows
        are those that the table holds: where cells are missing they may be fewer than there are.
        """
        return engine.tests(batch, self.kernel)

    def _checked(self, engine: Engine, batch: Batch, statistics: Floats) -> Floats:
        """Return the statistics; a test or an engine of somebody's own may answer anything."""
        found = np.asarray(statistics)
        foreign = [x for x in (self, engine) if not type(x).__module__.startswith("bayesloom.")]
        who = "the engine" if self not in foreign else f"the test {TESTS.name_of(self)}"
        told = f"{who} answered {len(batch)} tests with"
        if found.shape != (len(batch), TEST_NUMBERS) or found.dtype.kind not in "fiu":
            msg = (
                f"{told} an array of the shape {found.shape} and the type {found.dtype}; it must "
                f"be numbers of the shape ({len(batch)}, {TEST_NUMBERS})"
            )
            raise OptionError(msg)
        if foreign and np.isnan(found).any():
            msg = f"{told} numbers of which some are nan; a test without rows has the statistic 0"
            raise OptionError(msg)
        return found.astype(np.float64, copy=False)

    def rules_out(self, engine: Engine, sets: Sequence[Sequence[int]]) -> list[bool]:
        """Say for which sets no test can be conclusive that has one more variable, of 2 states.

        A cell of a table expects no more rows than the table without the partner has there, so
        one table for all partners may save those of each. False promises nothing.
        """
        engine = counting(engine, f"the test {self.name}")
        levels = engine.observed.tolist()
        cells = [math.prod(levels[v] for v in members) for members in sets]
        room = engine.n_rows / 2
        out = [self.min_expected * count > room for count in cells]
        if self.coverage is not Coverage.STRICT or (engine.cardinality != engine.observed).any():
            return out
        asked = [k for k, ruled in enumerate(out) if not ruled and cells[k] < _MOST_CELLS]
        if not asked or not self.min_expected:
            return out
        counts = engine.counts(Batch.sets([sets[k] for k in asked]))
        least = np.minimum.reduceat(counts.cells, counts.start[:-1])
        for k, count in zip(asked, least.tolist(), strict=True):
            out[k] = count < self.min_expected
        return out

    def suffices(self, engine: Engine, variables: Sequence[int]) -> bool:
        """Say whether the rows give the cells of some variables ``min_expected`` on average."""
        levels = counting(engine, f"the test {self.name}").observed.tolist()
        cells = math.prod(float(levels[v]) for v in variables)
        return not self.min_expected * cells > engine.n_rows  # 0 of infinitely many is enough

    def without_rule(self, *, per_stratum: bool = False) -> ContingencyTest:
        """Return the test that asks for no rows; a hint, where it would not count otherwise."""
        coverage = Coverage.RELAXED if per_stratum else self.coverage
        return replace(self, min_expected=0.0, coverage=coverage)

    @property
    def rule(self) -> str:
        """What the rule of coverage asks for, as a clause."""
        if self.coverage is Coverage.STRICT:
            return f"every cell should expect {self.min_expected:g} rows"
        return f"there should be {self.min_expected:g} rows per cell"

    @property
    def threshold(self) -> str:
        """What asks for rows."""
        return f"min_expected = {self.min_expected:g}"

    def _suffice(self, n_rows: float | Floats, cells: Floats) -> npt.NDArray[np.bool_]:
        """Return whether the rows give the cells of each table ``min_expected`` on average."""
        with np.errstate(over="ignore", invalid="ignore"):  # 0 of infinitely many is enough
            return ~(self.min_expected * cells > n_rows)

    def _judge(self, cells: Floats, raw: Floats, level: float) -> TestResults:
        statistic, df, df_adjusted, min_expected, rows = (
            np.ascontiguousarray(raw[:, k]) for k in range(TEST_NUMBERS)
        )
        if self.coverage is Coverage.STRICT:
            # An empty stratum expects nothing and settles nothing, even if nothing is asked of it.
            conclusive = (df > 0) & (min_expected > 0) & (min_expected >= self.min_expected)
        else:
            df = df_adjusted
            conclusive = (df > 0) & self._suffice(rows, cells)
        log_p = _native.log_p_values(statistic, df, level)
        return TestResults(statistic, df, np.exp(log_p), log_p, min_expected, conclusive, rows)

    def _run_some(
        self, engine: CountingEngine, batch: Batch, chosen: npt.NDArray[np.bool_], level: float
    ) -> TestResults:
        """Count only the chosen tables; the others are inconclusive."""
        cells = batch.n_cells(engine.observed)
        sizes = np.bincount(batch.request_of[chosen], minlength=len(batch.target))
        some = replace(
            batch,
            partner=batch.partner[chosen],
            partner_start=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        )
        counted = self._judge(
            cells[chosen], self._checked(engine, some, self.statistics(engine, some)), level
        )

        def spread(part: Floats, otherwise: Floats | float) -> Floats:
            whole = np.full(len(batch), otherwise, np.float64)
            whole[chosen] = part
            return whole

        conclusive = np.zeros(len(batch), np.bool_)
        conclusive[chosen] = counted.conclusive
        return TestResults(
            statistic=spread(counted.statistic, np.nan),
            df=spread(counted.df, _full_df(engine, batch)),
            p=spread(counted.p, 1.0),
            log_p=spread(counted.log_p, 0.0),
            min_expected=spread(counted.min_expected, np.nan),
            conclusive=conclusive,
            rows=spread(counted.rows, np.nan if engine.missing.any() else engine.n_rows),
        )


def _full_df(engine: CountingEngine, batch: Batch) -> Floats:
    levels = engine.observed
    base = np.minimum(batch.base_product(levels - 1, levels), LARGEST)
    with np.errstate(over="ignore"):
        return base * (batch.partner_value(levels) - 1)


@dataclass(frozen=True, slots=True)
class ChiSquare(ContingencyTest):
    """Pearson's test: X2 = sum (N - E)^2 / E over the cells of all strata.

    Examples
    --------
    >>> ChiSquare(min_expected=-1)
    Traceback (most recent call last):
    bayesloom.errors.OptionError: min_expected must be 0 or more, got -1
    """

    name: ClassVar[str] = "chi-square"
    kernel: ClassVar[TestKernel] = TestKernel.CHI_SQUARE


@dataclass(frozen=True, slots=True)
class GSquare(ContingencyTest):
    """The likelihood-ratio test: G2 = 2 sum N log(N / E) = 2 N I(X; Y | S).

    Where a table holds numbers, the likelihoods are those of linear regressions with normal errors
    in every configuration of the categories. A test is conclusive there if the smallest of these
    that occurs has at least three rows more than the larger regression has numbers as parents.
    """

    name: ClassVar[str] = "g-square"
    kernel: ClassVar[TestKernel] = TestKernel.G_SQUARE

    def run(self, engine: Engine, batch: Batch, level: float = 1.0) -> TestResults:
        """Test every table of the batch, from one question to the engine."""
        if is_counting(engine):
            return ContingencyTest.run(self, engine, batch, level)
        numeric = numeric_columns(engine)
        numbers = _numbers_in(batch, numeric)
        if (numbers > 0).all():
            return self._of_regressions(
                self._checked(engine, batch, engine.tests(batch, self.kernel)), numbers, level
            )
        whole = np.zeros((7, len(batch)))  # tables of categories alone keep their rule
        place = (np.cumsum(~numeric) - 1).astype(np.int32)
        counted = getattr(engine, "categories", engine)
        for chosen, rows, of in (
            (numbers > 0, engine, Batch.only),
            (numbers == 0, counted, lambda b, some: b.only(some).renumbered(place)),
        ):
            if chosen.any():
                whole[:, chosen] = _columns(self.run(rows, of(batch, chosen), level))
        statistic, df, p, log_p, least, conclusive, known = whole
        return TestResults(statistic, df, p, log_p, least, conclusive > 0, known)

    def rules_out(self, engine: Engine, sets: Sequence[Sequence[int]]) -> list[bool]:
        """Say for which sets no test can be conclusive; of tables with numbers nothing is known."""
        if is_counting(engine):
            return ContingencyTest.rules_out(self, engine, sets)
        return [False] * len(sets)

    def suffices(self, engine: Engine, variables: Sequence[int]) -> bool:
        """Say whether the rows suffice, as far as is known, for a test of these variables."""
        return not is_counting(engine) or ContingencyTest.suffices(self, engine, variables)

    def _of_regressions(self, raw: Floats, numbers: Longs, level: float) -> TestResults:
        statistic, df, _, least, rows = (
            np.ascontiguousarray(raw[:, k]) for k in range(TEST_NUMBERS)
        )
        log_p = _native.log_p_values(statistic, df, level)
        conclusive = (df > 0) & (least >= numbers + 2)
        return TestResults(
            statistic, df, np.exp(log_p), log_p, np.full(len(df), np.nan), conclusive, rows
        )


def _numbers_in(batch: Batch, numeric: Bools) -> Longs:
    """Return how many numbers each table holds."""
    holds = numeric.astype(np.int64)
    before = np.concatenate([[0], np.cumsum(holds[batch.given])])
    request = before[batch.given_start[1:]] - before[batch.given_start[:-1]] + holds[batch.target]
    found: Longs = request[batch.request_of] + holds[batch.partner]
    return found


def _columns(found: TestResults) -> Floats:
    """Return results as one line per member."""
    told = found.statistic, found.df, found.p, found.log_p, found.min_expected
    return np.stack([*told, found.conclusive.astype(np.float64), found.rows])
