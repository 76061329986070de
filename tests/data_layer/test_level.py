"""Tests of data/level.py: declared states."""

from __future__ import annotations

import pandas as pd
import pytest
from hypothesis import given

from bayesloom.data import Table
from bayesloom.errors import DataError, OptionError
from strategies_data import cells, labels, same, tables


def test_declared_states_give_the_order_and_may_never_occur() -> None:
    table = Table.from_frame({"A": ["yes", "no"]}, states={"A": ["yes", "no", "unknown"]})
    assert table.states == (("yes", "no", "unknown"),)
    assert table.cardinality.tolist() == [3]
    assert table.observed.tolist() == [2]


def test_declared_states_replace_the_levels_of_a_categorical() -> None:
    column = pd.Categorical(["a", "b"], categories=["z", "a", "b"])
    table = Table.from_frame({"A": column}, states={"A": ["b", "a"]})
    assert table.states == (("b", "a"),)
    assert table.column("A").tolist() == [1, 0]


@pytest.mark.parametrize("column", [[1, 0], [1.0, 0.0], ["1", "0"], ["1.0", "0.00"]])
@pytest.mark.parametrize("states", [[0, 1], ["0", "1"], [0.0, 1.0], ["0.0", "1.0"]])
def test_declared_numbers_match_in_every_spelling(
    column: list[object], states: list[object]
) -> None:
    assert Table.from_frame({"A": column}, states={"A": states}).column("A").tolist() == [1, 0]


@pytest.mark.parametrize("states", [["1", "1.0", "2"], ["1", "1.0", "x"], ["0.5", "0.50"]])
def test_declared_states_that_are_one_label_are_refused(states: list[str]) -> None:
    with pytest.raises(OptionError, match=r"which is there twice, also as '(1|0\.5)'; correct"):
        Table.from_frame({"A": ["1"]}, states={"A": states})


def test_declared_states_are_spelled_as_values_of_data_are() -> None:
    table = Table.from_frame({"A": ["1", "2.0"]}, states={"A": ["2.0", "1.0"]})
    assert table.states == (("2", "1"),)
    assert table.column("A").tolist() == [1, 0]


def test_levels_that_are_one_label_are_one_state() -> None:
    table = Table.from_frame({"A": pd.Categorical(["1.0", "1", "2"], ["2", "1.0", "1"])})
    assert table.states == (("2", "1"),)
    assert table.column("A").tolist() == [1, 1, 0]


def test_an_integer_is_never_rounded_to_a_missing_marker() -> None:
    frame = {"A": [2**53, 2**53 + 1]}
    table = Table.from_frame(frame, missing="drop", missing_markers=[2**53])
    assert table.states == ((str(2**53 + 1),),)


def test_declared_states_silence_the_question_whether_a_column_is_an_id() -> None:
    values = [str(k) for k in range(100)]
    assert Table.from_frame({"A": values}, states={"A": values}).cardinality.tolist() == [100]


def test_a_value_that_is_not_declared_is_named_with_its_row() -> None:
    with pytest.raises(DataError) as error:
        Table.from_frame({"A": ["no", "yes", "maybe"]}, states={"A": ["no", "yes"]})
    assert str(error.value) == (
        "the frame, row 2 (counted from 0), column 'A': the value 'maybe' is not among the "
        "declared states no, yes; add it to states, or name it in missing_markers "
        "(--missing-marker) if it means missing"
    )


@given(tables(text=labels()))
def test_a_table_comes_back_from_its_cells_and_its_states(table: Table) -> None:
    states = dict(zip(table.names, table.states, strict=True))
    assert same(Table.from_frame(cells(table), states=states), table)


@pytest.mark.parametrize("column", [["1", "1.0", "x", "-2."], [1, 1.0, "x", -2.0]])
def test_one_and_one_point_zero_are_one_label_among_texts_too(column: list[object]) -> None:
    assert cells(Table.from_frame({"A": column})) == {"A": ["1", "1", "x", "-2"]}


def test_other_spellings_of_numbers_among_texts_stay_as_they_are() -> None:
    column = ["1.10", "1.1", "1e3", "007", "x"] * 2
    assert cells(Table.from_frame({"A": column})) == {"A": column}
