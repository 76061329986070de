"""Tests of data/table.py."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given

from bayesloom.averaging.fold import row_folds
from bayesloom.data import Table, read_rows
from bayesloom.engine import BlockEngine, NativeEngine
from bayesloom.errors import DataError, UnknownStateError, UnknownVariableError
from strategies_data import cells, same, tables

AB = Table(["A", "B"], [["no", "yes"], ["x", "y", "z"]], [[0, 1, 1], [2, 0, 0]])


def test_codes_are_bytes_up_to_256_states_and_words_beyond() -> None:
    labels = [str(k) for k in range(257)]
    small, large = Table(["A"], [labels[:256]], [[255]]), Table(["A"], [labels], [[256]])
    assert small.codes[0].dtype == np.uint8
    assert large.codes[0].dtype == np.uint16
    assert large.codes[0].tolist() == [256]


def test_codes_are_read_only_contiguous_and_the_callers_array_stays_free() -> None:
    mine = np.zeros((4, 2), dtype=np.uint8)
    kept = Table(["A"], [["x"]], [mine[:, 0]]).codes[0]
    assert kept.flags.c_contiguous
    assert not kept.flags.writeable
    assert mine.flags.writeable


def test_what_a_caller_does_to_its_array_later_changes_no_table() -> None:
    mine = np.zeros(4, dtype=np.uint8)
    table = Table(["A"], [["x"]], [mine])
    assert mine.flags.writeable
    mine[0] = 200
    assert table.select(["A"]).codes[0].tolist() == [0, 0, 0, 0]


def test_an_array_nobody_can_write_to_is_not_copied() -> None:
    mine = np.zeros(4, dtype=np.uint8)
    mine.flags.writeable = False
    assert np.shares_memory(mine, Table(["A"], [["x"]], [mine]).codes[0])


@pytest.mark.parametrize(
    "again", [copy.copy, copy.deepcopy, lambda t: pickle.loads(pickle.dumps(t))]
)
def test_copies_are_read_only_too(again: Callable[[Table], Table]) -> None:
    twin = again(AB)
    assert same(twin, AB)
    with pytest.raises(ValueError, match="read-only"):
        twin.codes[0][0] = 1
    with pytest.raises(ValueError, match="WRITEABLE"):
        twin.codes[0].flags.writeable = True


@pytest.mark.parametrize(
    ("names", "states", "codes", "message"),
    [
        ([], [], [], "at least one column, got 0"),
        (["A"], [["x"]], [[]], "at least one row, got 0"),
        (["A"], [["x"]], [], "1 names, 1 state lists and 0 code arrays"),
        (["A", "A"], [["x"], ["x"]], [[0], [0]], "two columns have the name 'A'"),
        (["A", ""], [["x"], ["x"]], [[0], [0]], "column 2 has the name ''"),
        ([1], [["x"]], [[0]], "column 1 has the name 1"),
        (["A"], [["x", "x"]], [[0]], "column 'A' has the state 'x' twice"),
        (["A"], [["x", ""]], [[0]], "column 'A' has the state ''"),
        (["A"], [["\ud800"]], [[0]], "lone surrogate"),
        (["A"], [[1, 2]], [[0]], "column 'A' has the state 1"),
        (["A"], [[]], [["x"]], "column 'A' has no states, so its cells are numbers"),
        (["A"], [[]], [[[0.5]]], "got the shape (1, 1)"),
        (["A"], [[]], [[0.5, np.inf]], "the number inf in row 1 (counted from 0)"),
        (["A"], [[]], [[0.5, np.nan]], "no number in row 1"),
        (["A"], [[]], [[2**53, 2**53 + 1]], "9007199254740993 in row 1"),
        (["A"], [["x", "y"]], [[0, 1, 2]], "the code 2 in row 2 (counted from 0)"),
        (["A"], [["x", "y"]], [[0, -1]], "the code -1 in row 1"),
        (["A"], [["x"]], [[0.5]], "codes are one-dimensional integers"),
        (["A"], [["x"]], [[[0]]], "codes are one-dimensional integers"),
        (["A", "B"], [["x"], ["x"]], [[0], [0, 0]], "column 'B' has 2 rows but column 'A' has 1"),
    ],
)
def test_a_table_refuses_parts_that_do_not_fit(
    names: list[str], states: list[list[str]], codes: list[list[int]], message: str
) -> None:
    with pytest.raises(DataError) as error:
        Table(names, states, codes)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("parts", "what"),
    [
        ((None, None, None), "names of a table"),
        ((["A"], 5, [[0]]), "states of a table"),
        ((["A"], [None], [[0]]), "states of column 'A'"),
        ((["A"], [["x"]], iter([[0]])), "codes of a table"),
    ],
)
def test_parts_that_are_no_lists_are_refused(parts: tuple[Any, Any, Any], what: str) -> None:
    with pytest.raises(DataError, match=f"the {what} must be a list, got"):
        Table(*parts)


def test_65536_states_are_legal_and_one_more_is_not() -> None:
    labels = [str(k) for k in range(65_537)]
    assert Table(["A"], [labels[:-1]], [[65_535]]).cardinality.tolist() == [65_536]
    with pytest.raises(DataError, match="has 65537 states; a column has at most 65,536"):
        Table(["A"], [labels], [[0]])


def test_cardinality_counts_declared_states_and_observed_those_that_occur() -> None:
    assert AB.cardinality.tolist() == [2, 3]
    assert AB.observed.tolist() == [2, 2]
    assert AB.observed is AB.observed


@given(tables())
def test_observed_is_the_number_of_distinct_codes(table: Table) -> None:
    assert table.observed.tolist() == [len(set(codes.tolist())) for codes in table.codes]


def test_observed_looks_at_every_row_of_a_long_column() -> None:
    codes = np.zeros(200_001, dtype=np.uint8)
    codes[-1] = 2
    assert Table(["A"], [["x", "y", "z"]], [codes]).observed.tolist() == [2]


def test_select_and_reorder_speak_names_and_refuse_unknown_ones() -> None:
    assert AB.select(["B"]).names == ("B",)
    assert AB.reordered(["B", "A"]).column("A").tolist() == [0, 1, 1]
    with pytest.raises(UnknownVariableError, match="unknown variable 'C'"):
        AB.column("C")
    with pytest.raises(DataError, match="leaves out A"):
        AB.reordered(["B"])


def test_take_keeps_states_that_no_longer_occur() -> None:
    taken = AB.take([0])
    assert taken.states == AB.states
    assert taken.observed.tolist() == [1, 1]
    assert AB.take(np.array([False, True, True])).n_rows == 2
    assert AB.take(slice(1, None)).column("B").tolist() == [0, 0]


def test_take_refuses_rows_that_are_not_there_and_no_rows() -> None:
    with pytest.raises(DataError, match="of a table of 3 rows"):
        AB.take([3])
    with pytest.raises(DataError, match="at least one row"):
        AB.take(slice(0, 0))


@given(tables())
def test_name_order_is_the_same_for_every_order_of_columns(table: Table) -> None:
    turned = table.select(table.names[::-1])
    assert same(turned.in_name_order(), table.in_name_order())
    assert same(turned.reordered(table.names), table)


def test_repr_shows_size_and_first_columns() -> None:
    many = Table([f"V{k}" for k in range(10)], [["x"]] * 10, [[0]] * 10)
    assert repr(AB) == "Table of 3 rows x 2 columns\n  A: no, yes\n  B: x, y, z"
    assert repr(many).splitlines()[-1] == "  and 2 more columns"


@given(tables())
def test_a_table_has_a_length_and_columns_of_labels(table: Table) -> None:
    assert len(table) == table.n_rows
    assert {name: table[name] for name in table.names} == cells(table)


def test_an_unknown_column_is_refused_by_name() -> None:
    with pytest.raises(UnknownVariableError, match="unknown variable 'Z'; known are A, B"):
        AB["Z"]


def test_printing_shows_the_first_rows_and_how_many_follow() -> None:
    lines = str(AB).splitlines()
    assert lines[:2] == ["Table of 3 rows x 2 columns", "  A    B"]
    assert [line.split() for line in lines[2:]] == [
        [a, b] for a, b in zip(AB["A"], AB["B"], strict=True)
    ]
    long = Table(["A"], [["no", "yes"]], [[0, 1] * 50])
    assert str(long).splitlines()[-1] == "  and 92 more rows"


def test_the_notebook_form_escapes_names_and_states() -> None:
    html = Table(["<b>"], [["<i>"]], [[0]])._repr_html_()
    assert "<th>&lt;b&gt;</th>" in html
    assert "&lt;i&gt;" in html
    assert "<i>" not in html


def test_a_table_survives_pickling() -> None:
    assert same(pickle.loads(pickle.dumps(AB)), AB)


@given(tables())
def test_arrow_and_pandas_hold_every_cell_and_every_declared_state(table: Table) -> None:
    for frame in (table.to_arrow(), table.to_pandas(), table.to_polars()):
        assert same(Table.from_frame(frame), table)
    assert table.to_arrow().to_pydict() == cells(table)


def test_any_library_that_takes_arrow_data_takes_a_table() -> None:
    assert pl.DataFrame(AB).to_dict(as_series=False) == cells(AB)


BOTH = Table(
    ["wet", "age", "size"],
    [["no", "yes"], (), ()],
    [[0, 1, 2, 1], [39.5, np.nan, -0.0, 1e300], [1, 2, 3, 4]],
    holes=True,
)


def test_a_column_without_states_holds_doubles_that_nobody_can_write_to() -> None:
    mine = np.array([1.5, 2.5])
    table = Table(["age"], [()], [mine])
    mine[0] = 7
    assert table.codes[0].dtype == np.float64
    assert table["age"] == [1.5, 2.5]
    assert not table.codes[0].flags.writeable
    mine.flags.writeable = False
    assert np.shares_memory(mine, Table(["age"], [()], [mine]).codes[0])


def test_numbers_have_no_states_and_nan_is_a_missing_cell() -> None:
    assert BOTH.numeric.tolist() == [False, True, True]
    assert BOTH.cardinality.tolist() == [2, 0, 0]
    assert BOTH.observed.tolist() == [2, 0, 0]
    assert BOTH.missing.tolist() == [1, 1, 0]
    assert BOTH["age"] == [39.5, None, 0.0, 1e300]
    assert not np.signbit(BOTH.column("age")[2])  # -0 is 0, as everywhere
    assert [p.columns for p in BOTH.missing_cells().patterns] == [("age",), ("wet",)]


@pytest.mark.parametrize(
    "again", [copy.copy, copy.deepcopy, lambda t: pickle.loads(pickle.dumps(t))]
)
def test_copies_of_both_kinds_are_equal(again: Callable[[Table], Table]) -> None:
    twin = again(BOTH)
    assert same(twin, BOTH)
    assert twin.checksum() == BOTH.checksum()


def test_rows_and_columns_of_both_kinds_are_chosen() -> None:
    assert BOTH.select(["size", "wet"]).states == ((), ("no", "yes"))
    assert BOTH.take([3, 1])["age"] == [1e300, None]
    assert BOTH.reordered(["size", "age", "wet"]).checksum() == BOTH.checksum()


def test_the_checksum_tells_the_last_bit_of_a_number_but_not_the_sign_of_zero() -> None:
    def sums(number: float) -> str:
        return Table(["x"], [()], [[number]], holes=True).checksum()

    assert sums(0.1) != sums(np.nextafter(0.1, 1))
    assert sums(0.0) == sums(-0.0)
    assert sums(np.nan) == sums(-np.nan)
    assert sums(1) != Table(["x"], [["1"]], [[0]]).checksum()


def test_frames_of_numbers_hold_floats_and_come_back_as_they_were() -> None:
    assert str(BOTH.to_arrow().schema.field("age").type) == "double"
    assert BOTH.to_arrow().column("age").to_pylist() == [39.5, None, 0.0, 1e300]
    frame = BOTH.to_pandas()
    assert frame["age"].isna().tolist() == [False, True, False, False]
    frame.loc[0, "age"] = 1  # its own copy
    assert BOTH["age"][0] == 39.5
    assert BOTH.to_polars()["age"].to_list() == [39.5, None, 0.0, 1e300]


def test_a_table_of_both_kinds_is_printed() -> None:
    assert repr(BOTH).splitlines()[2:] == [
        "  age: numbers from 0 to 1e+300 (1 missing)",
        "  size: numbers from 1 to 4",
    ]
    assert "39.5" in str(BOTH)
    assert "39.5" in BOTH._repr_html_()
    assert repr(Table(["x"], [()], [[np.nan]], holes=True)).endswith("x: numbers (1 missing)")


@pytest.mark.parametrize("engine", [NativeEngine, lambda table: BlockEngine([table])])
def test_engines_that_count_refuse_numbers_in_one_sentence(engine: Callable[[Table], Any]) -> None:
    message = "works on categories, and the columns 'age', 'size' hold numbers; read the data with"
    with pytest.raises(DataError, match=message):
        engine(BOTH)


def test_a_table_of_numbers_is_matched_to_the_bins_of_a_network() -> None:
    table = Table(["age"], [()], [[5, np.nan, 30]], holes=True)
    states = [("(-inf,20]", "(20,inf)")]
    assert read_rows(["age"], states, table).codes[0].tolist() == [0, 2, 1]
    with pytest.raises(UnknownStateError, match="'5'"):
        read_rows(["age"], [("30", "31")], table)
    assert read_rows(["age"], [()], Table(["age"], [["5", "7.5"]], [[1, 0]]))["age"] == [7.5, 5.0]
    with pytest.raises(DataError, match="holds 'old', and the network has numbers"):
        read_rows(["age"], [()], Table(["age"], [["5", "old"]], [[1, 0]]))


def test_folds_of_numbers_depend_on_no_order_of_rows() -> None:
    table = Table(["age"], [()], [np.arange(50) / 7])
    order = np.random.default_rng(1).permutation(50)
    assert (row_folds(table, 5, 1)[order] == row_folds(table.take(order), 5, 1)).all()
