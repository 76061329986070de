from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesloom.model.probabilities import ROW_TOLERANCE, describe_row, find_row_fault, scaled


@given(st.lists(st.floats(1e-12, 1), min_size=1, max_size=300), st.floats(-1e-3, 1e-3))
def test_scaling_gives_sum_one_and_is_idempotent_to_the_bit(
    weights: list[float], off: float
) -> None:
    row = np.array([weights])
    rows = row / row.sum() * (1 + off * 0.999)
    assert find_row_fault(rows) is None
    once = scaled(rows)
    assert abs(once.sum() - 1) < 1e-14
    assert scaled(once).tobytes() == once.tobytes()


def test_the_first_fault_is_reported() -> None:
    rows = np.array([[0.5, 0.5], [0.5, 0.5 + 1.01 * ROW_TOLERANCE], [-1, 2]])
    fault = find_row_fault(rows)
    assert fault is not None
    assert (fault.row, fault.column) == (1, 0)
    assert find_row_fault(rows[[0, 2]]) is not None
    assert find_row_fault(rows[:1]) is None


def test_a_huge_sum_is_reported_without_a_warning() -> None:
    fault = find_row_fault(np.array([[1e308, 1e308]]))
    assert fault is not None
    assert fault.problem == "sum to inf, not to 1"


def test_minus_zero_becomes_zero() -> None:
    assert not np.signbit(scaled(np.array([[-0.0, 1.0]]))).any()


@pytest.mark.parametrize(("row", "text"), [(0, "a=0, b=x"), (1, "a=0, b=y"), (5, "a=2, b=y")])
def test_rows_are_named_with_the_last_parent_fastest(row: int, text: str) -> None:
    assert describe_row("c", ["a", "b"], ["012", "xy"], row) == f"probabilities of 'c' given {text}"
