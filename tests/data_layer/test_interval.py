"""Tests of data/interval.py."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bayesloom.data.interval import (
    NOWHERE,
    Interval,
    interval_labels,
    interval_of,
    scale_of,
    state_of,
)

finite = st.floats(allow_nan=False, allow_infinity=False)


def holds(interval: Interval, x: float) -> bool:
    """Say by the definition whether an interval holds a number."""
    above = x > interval.low or (interval.closed_low and x == interval.low)
    below = x < interval.high or (interval.closed_high and x == interval.high)
    return above and below


@pytest.mark.parametrize(
    ("label", "interval"),
    [
        ("(-inf,20]", Interval(-math.inf, False, 20, True)),
        ("(38,inf)", Interval(38, False, math.inf, False)),
        ("(0, 20]", Interval(0, False, 20, True)),
        ("[0,1)", Interval(0, True, 1, False)),
        ("[-Inf,5.55)", Interval(-math.inf, True, 5.55, False)),
        ("[6.15, Inf]", Interval(6.15, True, math.inf, True)),
        ("(1e-3,1e+300]", Interval(1e-3, False, 1e300, True)),
        ("[5,5]", Interval(5, True, 5, True)),
        ("(-.5,+.5]", Interval(-0.5, False, 0.5, True)),
    ],
)
def test_a_label_is_the_interval_it_says(label: str, interval: Interval) -> None:
    assert interval_of(label) == interval


@pytest.mark.parametrize(
    "label",
    ["", "20", "(20]", "(1,2,3]", "(a,b]", "(2,1]", "(1,1]", "(nan,1]", "1,2", "(1,2] ", "((1,2]"],
)
def test_other_labels_are_no_intervals(label: str) -> None:
    assert interval_of(label) is None


@given(st.lists(finite, unique=True, max_size=6).map(sorted), st.lists(finite, max_size=20))
def test_cuts_and_their_labels_bin_alike(cuts: list[float], numbers: list[float]) -> None:
    scale = scale_of(tuple(interval_labels(cuts)))
    assert scale is not None
    numbers = [*numbers, *cuts]
    assert scale.bin_of(numbers).tolist() == np.searchsorted(cuts, numbers, side="left").tolist()


small = st.integers(-4, 4).map(float)


@example([Interval(0.0, False, 1.0, False), Interval(0.0, True, 0.0, True)], [0.0, 0.5])
@given(
    st.lists(st.builds(Interval, small, st.booleans(), small, st.booleans()), max_size=5),
    st.lists(st.integers(-10, 10).map(lambda k: k / 2), min_size=1),
)
def test_a_scale_holds_what_its_intervals_hold(
    intervals: list[Interval], numbers: list[float]
) -> None:
    labels = [f"{'(['[i.closed_low]}{i.low}, {i.high}{')]'[i.closed_high]}" for i in intervals]
    known = [interval_of(label) for label in labels]
    grid = [k / 4 for k in range(-20, 21)]
    shared = any(sum(i is not None and holds(i, x) for i in known) > 1 for x in grid)
    scale = scale_of((*labels, "missing"))
    if shared or not any(known):
        assert scale is None
        return
    assert scale is not None
    for x, k in zip(numbers, scale.bin_of(numbers).tolist(), strict=True):
        holding = [k for k, i in enumerate(known) if i is not None and holds(i, x)]
        assert holding == ([] if k == NOWHERE else [k])


@given(st.lists(finite, min_size=1, max_size=30), st.booleans())
def test_labels_that_pandas_writes_bin_as_pandas_does(
    numbers: list[float],
    right: bool,  # noqa: FBT001 - as hypothesis draws it
) -> None:
    cut = pd.cut(numbers, [-1e3, -1, 0, 0.25, 1e3], right=right)
    labels = tuple(map(str, cut.categories))
    scale = scale_of(labels)
    assert scale is not None
    assert scale.bin_of(numbers).tolist() == cut.codes.tolist()


def test_only_numbers_have_a_bin() -> None:
    bins = ("(-inf,0]", "(0,inf)")
    assert [state_of(bins, x) for x in (0, "0.0", 1e-9, "1e2", np.int64(3))] == [0, 0, 1, 1, 1]
    for value in (True, None, math.nan, math.inf, "", "old", "007", "+1", object(), [1], 10**400):
        assert state_of(bins, value) is None
    assert state_of(("(0,1]", "(2,3]"), 1.5) is None
