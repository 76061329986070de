from __future__ import annotations

import math

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from scipy import stats

from bayesloom_reproduction.paired import equal_spreads, paired_t_test, student_tails

VALUES = st.floats(-100, 100, allow_nan=False)


@example(1e-06, 62)
@example(7.0, 50)
@given(st.floats(-50, 50), st.integers(1, 200))
def test_both_tails_of_students_distribution_are_those_of_scipy(t: float, df: int) -> None:
    assert student_tails(t, df) == pytest.approx(2 * stats.t.sf(abs(t), df), rel=1e-9, abs=1e-300)


@given(st.lists(st.tuples(VALUES, VALUES), min_size=2, max_size=40))
def test_the_paired_test_is_that_of_scipy(pairs: list[tuple[float, float]]) -> None:
    first, second = zip(*pairs, strict=True)
    gaps = [a - b for a, b in pairs]
    assume(max(gaps) - min(gaps) > 1e-3)
    found = paired_t_test(first, second)
    assert found.p == pytest.approx(float(stats.ttest_rel(first, second).pvalue), rel=1e-6)
    assert found.verdict() == (0 if found.p >= 0.05 else math.copysign(1, found.difference))


def test_infinite_values_are_left_out_and_equal_ones_are_no_difference() -> None:
    assert paired_t_test([1.0, math.inf, 2.0], [1.0, 1.0, 2.0]).n == 2
    assert paired_t_test([1.0, 2.0], [1.0, 2.0]).p == 1.0
    assert paired_t_test([], []).verdict() == 0
    assert paired_t_test([2.0, 3.0], [1.0, 2.0]).verdict() == 1


@given(st.lists(st.tuples(VALUES, VALUES), min_size=4, max_size=40))
def test_equal_spreads_are_uncorrelated_sums_and_differences(
    pairs: list[tuple[float, float]],
) -> None:
    sums, gaps = [a + b for a, b in pairs], [a - b for a, b in pairs]
    assume(max(gaps) - min(gaps) > 1e-3)
    assume(max(sums) - min(sums) > 1e-3)
    first, second = zip(*pairs, strict=True)
    wanted = stats.pearsonr(sums, gaps)
    assume(abs(wanted.statistic) < 1 - 1e-9)
    assert equal_spreads(first, second) == pytest.approx(float(wanted.pvalue), rel=1e-5)
    assert equal_spreads(first, first) == equal_spreads(first[:2], second[:2]) == 1.0
