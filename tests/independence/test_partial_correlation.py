"""Tests of partial correlations."""

from __future__ import annotations

import math

import numpy as np
import pytest
from mpmath import mp

from bayesloom import _native
from bayesloom.data import Table
from bayesloom.engine import Batch, MomentsEngine, NativeEngine
from bayesloom.errors import BayesloomError
from bayesloom.independence import FisherZ, IndependenceTest, StudentT
from bayesloom.independence import test as independence
from reference_gaussian import random_mixed

TESTS = (FisherZ(), StudentT())


def residual_correlation(table: Table, x: int, y: int, given: list[int]) -> float:
    """Return the correlation of what regressions on the given numbers leave."""
    design = np.column_stack([np.ones(table.n_rows), *[table.codes[v] for v in given]])
    left = [
        table.codes[v] - design @ np.linalg.lstsq(design, table.codes[v], rcond=None)[0]
        for v in (x, y)
    ]
    return float(np.corrcoef(left)[0, 1])


def numbers(n_rows: int, seed: int) -> Table:
    return random_mixed(n_rows, seed).select(["x0", "x1", "x2"])


@pytest.mark.parametrize("test", TESTS)
def test_a_correlation_is_that_of_the_residuals(test: FisherZ | StudentT) -> None:
    table = numbers(100, 3)
    for x, y, given in ((0, 1, []), (2, 0, [1]), (1, 2, [0])):
        found = test.run(MomentsEngine(table), Batch.of([(x, given, (y,))]))
        r = test.correlation(float(found.statistic[0]), 100, len(given))
        assert r == pytest.approx(residual_correlation(table, x, y, given), abs=1e-12)


def log_p(r: float, df: int) -> float:
    """Return the log p-value for an even number of degrees, from a finite sum (Fisher 1935)."""
    with mp.workdps(400):
        square = 1 - mp.mpf(r) ** 2
        term = total = mp.mpf(1)
        for k in range(1, df // 2):
            term *= square * (2 * k - 1) / (2 * k)
            total += term
        return float(mp.log(1 - abs(mp.mpf(r)) * total))


@pytest.mark.parametrize(
    ("r", "df"),
    [
        (1e-9, 2),
        (0.03, 2),
        (-0.4, 6),
        (0.9, 6),
        (0.9, 200),
        (0.999999, 40),
        (1e-9, 49_998),
        (0.03, 49_998),
    ],
)
def test_the_p_value_of_a_correlation_is_exact_and_does_not_underflow(r: float, df: int) -> None:
    (found,) = _native.log_correlation_p_values(np.array([r]), np.array([float(df)]))
    assert found == pytest.approx(log_p(r, df), rel=1e-11, abs=1e-15)


def test_a_p_value_below_all_numbers_has_a_logarithm() -> None:
    found = _native.log_correlation_p_values(np.array([0.4, 1.0]), np.array([1e6, 1e6]))
    assert found[0] == pytest.approx(5e5 * math.log(0.84), rel=1e-3)
    assert found[1] == -math.inf


@pytest.mark.parametrize("test", TESTS)
def test_too_few_rows_settle_nothing(test: IndependenceTest) -> None:
    for n_rows, conclusive in ((4, False), (5, True)):
        found = test.run(MomentsEngine(numbers(n_rows, 1)), Batch.of([(0, (1,), (2,))]))
        assert found.conclusive.tolist() == [conclusive]


@pytest.mark.parametrize("test", TESTS)
def test_what_the_given_determine_is_independent_and_a_constant_settles_nothing(
    test: IndependenceTest,
) -> None:
    rng = np.random.default_rng(1)
    a, b = rng.normal(size=(2, 50))
    engine = MomentsEngine(Table("ABCD", [()] * 4, [a, b, a + b, np.ones(50)]))
    determined = test.run(engine, Batch.of([(2, (0, 1), ()), (0, (2,), (1,))]))
    assert len(determined) == 1  # B is a linear function of A and C
    assert determined.p[0] < 1e-12
    both = test.run(engine, Batch.of([(1, (), (3,))]))
    assert both.conclusive.tolist() == [False]
    copies = MomentsEngine(Table("ABC", [()] * 3, [a, a.copy(), b]))
    found = test.run(copies, Batch.of([(1, (0,), (2,))]))
    assert (found.statistic.tolist(), found.p.tolist()) == ([0.0], [1.0])


@pytest.mark.parametrize("test", TESTS)
def test_rows_with_a_missing_cell_are_left_out(test: IndependenceTest) -> None:
    table = numbers(80, 5)
    codes = [column.copy() for column in table.codes]
    codes[1][:20] = np.nan
    holes = Table(table.names, table.states, codes, holes=True)
    batch = Batch.of([(0, (1,), (2,))])
    found = test.run(MomentsEngine(holes), batch)
    expected = test.run(MomentsEngine(table.take(slice(20, None))), batch)
    assert found.rows.tolist() == [60]
    assert found.statistic == pytest.approx(expected.statistic, rel=1e-9)


def test_categories_are_refused_in_one_sentence() -> None:
    table = random_mixed(50, seed=1)
    with pytest.raises(BayesloomError, match=r"categories \(c0.*GSquare"):
        FisherZ().run(MomentsEngine(table), Batch.of([(4, (0,), (5,))]))
    counts = NativeEngine(table.select(["c0", "c1"]))
    with pytest.raises(BayesloomError, match="needs columns of numbers"):
        StudentT().run(counts, Batch.of([(0, (), (1,))]))


def test_a_verdict_tells_statistic_and_degrees() -> None:
    found = independence(numbers(60, 7), "x0", "x1", test=StudentT())
    assert found.dependent
    table = numbers(60, 7)
    assert found.correlation == pytest.approx(residual_correlation(table, 0, 1, []))
    assert "Student t" in repr(found)
    assert "58 degrees of freedom" in repr(found)
    z = independence(numbers(60, 7), "x0", "x1", test=FisherZ())
    assert math.isnan(z.df)
    assert "Fisher z" in repr(z)
