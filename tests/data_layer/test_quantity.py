"""Tests of data/quantity.py: which columns are refused as ids or quantities."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesloom.data import Discretization
from bayesloom.errors import DataError
from strict import from_frame

RNG = np.random.default_rng(7)


def refusal(frame: object) -> str:
    """Return the message with which a frame is refused; it has to be one line."""
    with pytest.raises(DataError) as error:
        from_frame(frame)
    assert "\n" not in str(error.value)
    return str(error.value)


def test_an_id_is_refused_with_a_hint_how_to_drop_it() -> None:
    assert refusal({"A": ["x"] * 30, "my id": [f"row {k}" for k in range(30)]}) == (
        "the frame: column 'my id' is nearly all distinct, like an id (30 different values in 30 "
        "rows, such as 'row 0'); drop with drop=['my id'] (--drop 'my id')"
    )


def test_a_quantity_is_refused_with_a_hint_how_to_discretise_it() -> None:
    assert refusal({"A": RNG.normal(size=100).round(1) + 0.05}).endswith(
        "; discretise with discretize='auto' (--discretize auto) or drop with drop=['A'] (--drop A)"
    )


def test_all_columns_that_are_refused_are_named_at_once() -> None:
    message = refusal(
        {"a": [f"id{k}" for k in range(50)], "b": RNG.normal(size=50), "c": np.arange(50)}
    )
    assert message.count("column '") == 3
    assert message.endswith(
        "; drop with drop=['a', 'c'] (--drop a --drop c), and discretise the others with "
        "discretize='auto' (--discretize auto)"
    )


@given(st.integers(1, 20))
def test_a_handful_of_distinct_rows_is_never_an_id(n: int) -> None:
    assert from_frame({"A": [f"row {k}" for k in range(n)], "B": range(n)}).n_rows == n


@pytest.mark.parametrize("n_states", [2, 21, 63, 100, 200])
def test_many_states_that_repeat_are_welcome(n_states: int) -> None:
    drawn = RNG.integers(0, n_states, size=2 * n_states)
    drawn[:n_states] = np.arange(n_states)
    for column in (drawn, drawn.astype(float), [f"s{k}" for k in drawn]):
        assert from_frame({"A": column}).cardinality.tolist() == [n_states]


def test_hundreds_of_values_that_hardly_repeat_are_an_id() -> None:
    assert "like an id (300 different values in 500" in refusal({"A": np.arange(500) % 300})
    assert from_frame({"A": np.arange(600) % 300}).cardinality.tolist() == [300]


def test_a_few_fractions_that_repeat_are_a_category() -> None:
    table = from_frame({"dose": [0.5, 1.0, 2.0, 0.5, 1.0, 2.0]})
    assert table.states == (("0.5", "1", "2"),)


@pytest.mark.parametrize("column", [[0.5, 1.5, 2.5], [0.25, 0.5], ["0.5", "1", "2"]])
def test_fractions_that_do_not_repeat_are_a_quantity(column: list[object]) -> None:
    assert "column 'A' is real-valued" in refusal({"A": column})


def test_integers_in_a_float_column_are_no_quantity() -> None:
    assert from_frame({"A": [float(k % 30) for k in range(90)]}).states[0][:2] == ("0", "1")


def test_a_constant_column_is_legal() -> None:
    assert from_frame({"A": ["x"] * 5, "B": [7.0] * 5}).states == (("x",), ("7",))


@pytest.mark.parametrize("discretize", ["none", "frequency", "width"])
def test_a_single_row_is_legal(discretize: Discretization) -> None:
    frame = {"A": ["x"], "B": [7], "C": [0.1]}
    table = from_frame(frame, discretize=discretize)
    assert table.states == (("x",), ("7",), ("0.1",))


@pytest.mark.parametrize(
    ("values", "bins", "fewer"),
    [([0.1, 0.2, 0.3], 5, 2), (RNG.normal(size=100), 100, 99), (range(50), 60, 49)],
)
@pytest.mark.parametrize("how", ["frequency", "width"])
def test_a_column_with_no_more_values_than_bins_is_refused_with_the_bins_that_would_do(
    values: list[float], bins: int, fewer: int, how: Discretization
) -> None:
    with pytest.raises(DataError) as error:
        from_frame({"A": values}, discretize=how, bins=bins)
    message = str(error.value)
    assert message.endswith(
        "; the numbers have no more values than there are bins, so set "
        f"bins={fewer} or fewer (--bins {fewer}), declare the values as states (states=, "
        "--states) or drop with drop=['A'] (--drop A)"
    )
    assert "discretise with" not in message
    assert from_frame({"A": values}, discretize=how, bins=min(fewer, 20)).n_rows


def test_two_fractions_that_cannot_be_cut_are_refused_without_talk_of_bins() -> None:
    for how in ("none", "frequency", "width"):
        with pytest.raises(DataError, match=r"'\); declare the values as states \(states=, --stat"):
            from_frame({"A": [0.1, 0.2]}, discretize=how)


def test_a_few_fractions_are_refused_with_what_cuts_them() -> None:
    assert "with discretize='auto' (--discretize auto) or drop" in refusal({"A": [0.1, 0.2, 0.3]})
    assert from_frame({"A": [0.1, 0.2, 0.3]}, discretize="auto").n_rows == 3
    assert from_frame({"A": [0.1, 0.2, 0.3]}, discretize="frequency", bins=2).n_rows == 3


def test_more_than_65536_states_are_refused() -> None:
    values = np.arange(65_537).repeat(2)
    message = refusal({"A": values})
    assert message.startswith(
        "the frame: column 'A' has 65,537 different values, more than the 65,536"
    )
    assert from_frame({"A": values[:-2]}).cardinality.tolist() == [65_536]


def test_missing_cells_do_not_hide_an_id() -> None:
    column = [f"id{k}" for k in range(50)] + [None] * 100
    with pytest.raises(DataError, match=r"like an id \(50 different values in 50 rows"):
        from_frame({"A": column}, missing="state")


NUMBERS = [f"{value:.3f}" for value in RNG.normal(size=60)]


@pytest.mark.parametrize("text", ["unknown", "inf", "nan", "1,5"])
@pytest.mark.parametrize("discretize", ["none", "frequency"])
def test_a_text_among_real_numbers_is_refused_at_its_place(
    text: str, discretize: Discretization
) -> None:
    frame = {"A": [*NUMBERS, text, text, text], "B": ["x"] * 63}
    with pytest.raises(DataError) as error:
        from_frame(frame, discretize=discretize)
    assert str(error.value) == (
        f"the frame, row 60 (counted from 0), column 'A': the value '{text}' is no finite number, "
        "but 60 other values of the column are numbers; name it in missing_markers "
        f"(--missing-marker {text}) if it means missing, correct it, or drop the column with "
        "drop=['A'] (--drop A)"
    )
    markers = {"missing_markers": [text], "missing": "state", "discretize": "frequency"}
    assert from_frame(frame, **markers).states[0][-1] == "missing"  # type: ignore[arg-type]


def test_a_text_among_many_whole_numbers_is_refused_if_these_are_to_be_cut() -> None:
    frame = {"A": [*map(str, range(30)), *map(str, range(30)), "none", "none"]}
    assert from_frame(frame).cardinality.tolist() == [31]
    with pytest.raises(DataError, match="'none' is no finite number, but 30 other values"):
        from_frame(frame, discretize="width")


def test_some_numbers_among_texts_and_declared_states_are_categories() -> None:
    few = {"A": ["0.5", "1.5", "x", "y"] * 5}
    assert from_frame(few, discretize="width").cardinality.tolist() == [4]
    known = {"A": sorted({*NUMBERS, "unknown"})}
    declared = from_frame({"A": [*NUMBERS, "unknown"]}, states=known, discretize="width")
    assert declared.cardinality.tolist() == [len(known["A"])]


@pytest.mark.parametrize("discretize", ["none", "frequency"])
def test_a_text_whose_rows_are_dropped_leaves_a_column_of_numbers(
    discretize: Discretization,
) -> None:
    frame = {"age": [*NUMBERS, "unknown"], "B": [*["x"] * 60, None]}
    if discretize == "none":
        with pytest.raises(DataError, match="column 'age' is real-valued"):
            from_frame(frame, missing="drop")
    else:
        table = from_frame(frame, missing="drop", discretize=discretize)
        assert table.cardinality.tolist() == [5, 1]
    whole = {"A": ["10", "9.0", "?!"], "B": ["x", "y", None]}
    assert from_frame(whole, missing="drop").states[0] == ("9", "10")
