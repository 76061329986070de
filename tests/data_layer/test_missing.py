"""Tests of data/missing.py and of missing markers."""

from __future__ import annotations

import pandas as pd
import pytest

from bayesloom.data import MISSING_STATE
from bayesloom.errors import DataError
from strategies_data import cells
from strict import from_frame

GAPS = {"A": ["x", None, "y", "x"], "B": [1, 2, None, None], "C": ["u", "v", "u", "v"]}


def refusal(frame: object, **options: object) -> str:
    """Return the message with which a frame is refused; it has to be one line."""
    with pytest.raises(DataError) as error:
        from_frame(frame, **options)  # type: ignore[arg-type]
    assert "\n" not in str(error.value)
    return str(error.value)


def test_missing_cells_are_refused_with_counts_per_column_and_the_choices() -> None:
    assert refusal(GAPS) == (
        "the frame, row 1 (counted from 0), column 'A': this cell is missing, one of 3 in the "
        "table (B 2, A 1); choose missing='drop' (--missing drop), which keeps 1 of 4 rows, "
        "missing='state' (--missing state), which makes 'missing' a state, or missing='keep' "
        "(--missing keep), which learns from the cells that are there"
    )


def test_drop_removes_the_rows_and_the_states_that_vanish_with_them() -> None:
    table = from_frame(GAPS, missing="drop")
    assert cells(table) == {"A": ["x"], "B": ["1"], "C": ["u"]}
    assert table.states == (("x",), ("1",), ("u",))


def test_drop_keeps_declared_states_that_vanish() -> None:
    table = from_frame(GAPS, missing="drop", states={"A": ["y", "x"]})
    assert table.states[0] == ("y", "x")
    assert table.column("A").tolist() == [1]


def test_drop_looks_only_at_the_chosen_columns() -> None:
    assert from_frame(GAPS, missing="drop", drop=["B"]).n_rows == 3


def test_drop_that_leaves_no_row_is_an_error() -> None:
    message = refusal({"A": ["x", None], "B": [None, "y"]}, missing="drop")
    assert message.startswith("the frame: every row (2 in all) misses a cell")
    assert message.endswith("A 1, B 1")


def test_state_makes_missing_the_last_state_of_the_columns_that_need_it() -> None:
    table = from_frame(GAPS, missing="state")
    assert table.states == (("x", "y", MISSING_STATE), ("1", "2", MISSING_STATE), ("u", "v"))
    assert cells(table)["B"] == ["1", "2", "missing", "missing"]


def test_a_column_of_missing_cells_only_has_one_state() -> None:
    for column in ([None, None], ["", ""], [float("nan")] * 2):
        assert from_frame({"A": column}, missing="state").states == ((MISSING_STATE,),)


def test_a_value_called_missing_is_not_silently_merged_with_missing_cells() -> None:
    message = refusal({"A": ["x", "missing", None]}, missing="state")
    assert message.startswith("the frame, row 1 (counted from 0), column 'A': the value 'missing'")
    merged = from_frame({"A": ["x", "missing", None]}, missing="state", missing_markers=["missing"])
    assert cells(merged) == {"A": ["x", "missing", "missing"]}


def test_a_declared_state_called_missing_takes_the_missing_cells() -> None:
    table = from_frame({"A": ["x", None]}, missing="state", states={"A": ["missing", "x", "y"]})
    assert table.states == (("missing", "x", "y"),)
    assert table.column("A").tolist() == [1, 0]


@pytest.mark.parametrize("options", [{}, {"states": {"A": ["x", "missing"]}}])
def test_a_declared_state_called_missing_that_occurs_takes_no_missing_cells(
    options: dict[str, object],
) -> None:
    levels = pd.Categorical(["x", None, "missing"], categories=["x", "missing"])
    frame = pd.DataFrame({"A": levels})
    message = refusal(frame, missing="state", **options)
    assert message.startswith("the frame, row 2 (counted from 0), column 'A': the value 'missing'")
    merged = from_frame(
        frame,
        missing="state",
        missing_markers=["missing"],
        **options,  # type: ignore[arg-type]
    )
    assert merged.states == (("x", "missing"),)
    assert merged.column("A").tolist() == [0, 1, 1]


def test_there_has_to_be_room_for_the_state_of_missing_cells() -> None:
    levels = [f"s{k}" for k in range(65_536)]
    frame = pd.DataFrame({"A": pd.Categorical(["s1", None], categories=levels)})
    assert refusal(frame, missing="state") == (
        "the frame: column 'A' has 65,536 states already, the most there can be, so missing cells "
        "cannot get the state 'missing'; leave their rows out with missing='drop' "
        "(--missing drop), or drop the column"
    )


def test_markers_mean_missing_only_when_they_are_named() -> None:
    frame = {"A": ["x", "?", "NA"], "B": [1, -999, 2]}
    assert from_frame(frame).states == (("?", "NA", "x"), ("-999", "1", "2"))
    table = from_frame(frame, missing="state", missing_markers=["?", "NA", -999])
    assert table.states == (("x", "missing"), ("1", "2", "missing"))


@pytest.mark.parametrize("marker", ["-999", "-999.0", -999, -999.0])
@pytest.mark.parametrize("column", [[1, -999, 1], [1.0, -999.0, 1.0], ["1", "-999.00", "1"]])
def test_a_marker_that_is_a_number_is_found_in_every_spelling(
    marker: object, column: list[object]
) -> None:
    table = from_frame({"A": column}, missing="drop", missing_markers=[marker])
    assert cells(table) == {"A": ["1", "1"]}


def test_a_column_is_numeric_though_it_has_markers_among_its_numbers() -> None:
    frame = {"A": ["10", "9", "?", "9"]}
    table = from_frame(frame, missing="drop", missing_markers=["?"])
    assert table.states == (("9", "10"),)
