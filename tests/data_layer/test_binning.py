"""Tests of data/binning.py."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesloom.data import Discretization
from bayesloom.errors import DataError
from strategies_data import cells
from strict import from_frame

HOW: list[Discretization] = ["frequency", "width"]
numbers = st.floats(-1e6, 1e6, allow_subnormal=False) | st.floats(
    allow_nan=False, allow_infinity=False
)


def interval(label: str) -> tuple[float, float]:
    """Return the ends of the interval that a bin is called by."""
    low, high = label[1:-1].split(",")
    return float(low), float(high)


def test_equal_frequency_puts_a_quarter_of_the_rows_in_each_of_four_bins() -> None:
    table = from_frame({"A": np.arange(1000) / 10}, discretize="frequency", bins=4)
    assert table.states == (("(-inf,24.9]", "(24.9,49.9]", "(49.9,74.9]", "(74.9,inf)"),)
    assert np.bincount(table.codes[0]).tolist() == [250] * 4


def test_equal_width_cuts_the_range_into_equal_parts() -> None:
    values = [0.0, 0.5, 1.0, 9.5, 10.0, 2.5, 5.0, 7.5] * 3
    table = from_frame({"A": values}, discretize="width", bins=4)
    assert table.states == (("(-inf,2.5]", "(2.5,5]", "(5,7.5]", "(7.5,inf)"),)
    assert table.codes[0][:8].tolist() == [0, 0, 0, 3, 3, 0, 1, 2]


def test_bins_without_rows_go_to_the_bin_below_them() -> None:
    values = [0.0, 0.1, 0.2, 0.3, 0.4, 99.5, 100.0]
    table = from_frame({"A": values}, discretize="width", bins=5)
    assert table.states == (("(-inf,80]", "(80,inf)"),)


def test_whole_numbers_are_cut_at_round_whole_numbers() -> None:
    table = from_frame({"age": range(100)}, discretize="frequency", bins=4)
    assert table.states == (("(-inf,24]", "(24,49]", "(49,74]", "(74,inf)"),)


@pytest.mark.parametrize("how", HOW)
def test_only_many_valued_columns_of_numbers_are_cut(how: Discretization) -> None:
    frame = {
        "text": [f"t{k % 25}" for k in range(100)],
        "few whole": [k % 20 for k in range(100)],
        "many whole": [k % 21 for k in range(100)],
        "few fractions": [k % 5 / 2 for k in range(100)],
        "fractions": [k % 6 / 2 for k in range(100)],
    }
    table = from_frame(frame, discretize=how, bins=5)
    assert table.cardinality[[0, 1, 3]].tolist() == [25, 20, 5]
    assert table.states[2][0].startswith("(-inf,")
    assert table.states[4][0].startswith("(-inf,")


@pytest.mark.parametrize("how", HOW)
def test_declared_states_are_never_cut(how: Discretization) -> None:
    values = [k / 2 for k in range(40)]
    table = from_frame({"A": values}, states={"A": values}, discretize=how)
    assert table.cardinality.tolist() == [40]


@pytest.mark.parametrize("how", HOW)
def test_missing_cells_are_no_part_of_any_bin(how: Discretization) -> None:
    values = [*(k / 2 for k in range(40)), None]
    table = from_frame({"A": values}, missing="state", discretize=how, bins=2)
    assert table.states[0][-1] == "missing"
    assert np.bincount(table.codes[0]).tolist() == [20, 20, 1]


@given(st.lists(numbers, min_size=3, max_size=60), st.integers(2, 7), st.sampled_from(HOW))
def test_every_value_lies_in_the_interval_that_its_bin_is_called_by(
    values: list[float], bins: int, how: Discretization
) -> None:
    values = [*values, 0.5, 0.25]
    if len(set(values)) <= bins:
        return
    table = from_frame({"A": values}, discretize=how, bins=bins)
    for value, label in zip(values, cells(table)["A"], strict=True):
        low, high = interval(label)
        assert low < value <= high


@given(st.lists(numbers, min_size=3, max_size=60), st.integers(2, 7), st.sampled_from(HOW))
def test_bins_are_ordered_disjoint_at_most_as_many_as_asked_and_all_occupied(
    values: list[float], bins: int, how: Discretization
) -> None:
    values = [*values, 0.5, 0.25]
    if len(set(values)) <= bins:
        return
    table = from_frame({"A": values}, discretize=how, bins=bins)
    ends = [interval(label) for label in table.states[0]]
    assert all(a[1] <= b[0] for a, b in itertools.pairwise(ends))
    assert table.observed.tolist() == table.cardinality.tolist()
    assert len(ends) <= bins


@given(st.lists(st.integers(0, 40), min_size=30, max_size=200), st.integers(2, 6))
def test_no_cut_of_equal_frequency_could_be_nearer_to_its_quantile(
    values: list[int], bins: int
) -> None:
    values = [*values, *range(50)]
    table = from_frame({"A": values}, discretize="frequency", bins=bins)
    below = np.cumsum(np.bincount(table.codes[0]))[:-1]
    possible = np.cumsum(np.bincount(values))[:-1]
    wanted = np.array([len(values) * k / bins for k in range(1, bins)])
    nearest = np.abs(possible[:, None] - wanted).min(axis=0)
    assert np.abs(below[:, None] - wanted).min(axis=0) == pytest.approx(nearest)


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize(
    "values",
    [
        [2**70 + k for k in range(100)],
        [2**60 + k for k in range(100)],
        [str(2**60 + k) for k in range(100)],
    ],
    ids=["objects", "integers", "texts"],
)
def test_numbers_that_a_float_cannot_tell_apart_are_not_cut(
    how: Discretization, values: list[object]
) -> None:
    with pytest.raises(DataError) as error:
        from_frame({"A": values}, discretize=how)
    assert str(error.value) == (
        f"the frame: column 'A' has {values[0]} and {values[1]}, which differ by less than "
        "floating point can tell, so they cannot be cut into bins; subtract what they have in "
        "common, or drop the column with drop=['A'] (--drop A)"
    )
