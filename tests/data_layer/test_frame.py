"""Tests of data/frame.py, values.py and arrow.py."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bayesloom.data import Table
from bayesloom.errors import DataError, OptionError
from strategies_data import cells, labels, same

Columns = dict[str, list[Any]]
ROUTES: dict[str, Callable[[Columns], object]] = {
    "dictionary": lambda columns: columns,
    "pandas": pd.DataFrame,
    "pandas objects": lambda columns: pd.DataFrame(columns, dtype=object),
    "pandas categories": lambda columns: pd.DataFrame(columns).astype("category"),
    "polars": pl.DataFrame,
    "arrow": pa.table,
    "record batch": pa.RecordBatch.from_pydict,
    "records": lambda columns: [
        dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)
    ],
}


def refusal(frame: object, **options: Any) -> str:  # noqa: ANN401
    """Return the message with which a frame is refused; it has to be one line."""
    with pytest.raises(DataError) as error:
        Table.from_frame(frame, **options)
    assert "\n" not in str(error.value)
    return str(error.value)


@pytest.mark.parametrize("route", ROUTES.values(), ids=ROUTES)
def test_every_kind_of_frame_gives_the_same_table(route: Callable[[Columns], object]) -> None:
    table = Table.from_frame(
        route(
            {
                "t": ["x", "None", "x"],
                "i": [10, 9, 9],
                "f": [2.0, 1.0, 2.0],
                "b": [True, False, True],
            }
        )
    )
    assert table.names == ("t", "i", "f", "b")
    assert table.states == (("None", "x"), ("9", "10"), ("1", "2"), ("False", "True"))
    assert cells(table)["i"] == ["10", "9", "9"]
    assert cells(table)["b"] == ["True", "False", "True"]


@given(
    st.integers(1, 8).flatmap(
        lambda n: st.dictionaries(
            labels(), st.lists(labels(), min_size=n, max_size=n), min_size=1, max_size=3
        )
    )
)
def test_all_routes_agree_on_any_text(columns: Columns) -> None:
    wanted = Table.from_frame(columns)
    for route in (pd.DataFrame, pl.DataFrame, pa.table):
        assert same(Table.from_frame(route(columns)), wanted)
    cast = pl.DataFrame(columns).with_columns(pl.all().cast(pl.Categorical))
    assert same(Table.from_frame(cast), wanted)


@given(st.lists(st.none() | st.integers(-3, 12), min_size=1, max_size=12))
def test_all_routes_agree_on_integers_with_gaps(values: list[int | None]) -> None:
    wanted = Table.from_frame({"A": values}, missing="state")
    floats = [None if value is None else float(value) for value in values]
    texts = [None if value is None else str(value) for value in values]
    for frame in (
        {"A": floats},
        {"A": texts},
        {"A": np.array([np.nan if value is None else value for value in values], dtype=float)},
        pd.DataFrame({"A": floats}, dtype="float32"),
        pd.DataFrame({"A": values}, dtype="Int64"),
        pl.DataFrame({"A": floats}, schema={"A": pl.Float64}),
        pa.table({"A": pa.array(values, pa.int8())}),
        pa.table({"A": pa.array(values, pa.int8()).dictionary_encode().cast(pa.int8())}),
    ):
        assert same(Table.from_frame(frame, missing="state"), wanted)


@given(st.data())
def test_the_order_of_rows_and_columns_changes_nothing_but_the_order(data: st.DataObject) -> None:
    n = data.draw(st.integers(1, 6))
    values = st.lists(labels(), min_size=n, max_size=n)
    columns = data.draw(st.dictionaries(labels(), values, min_size=1, max_size=4))
    rows = data.draw(st.permutations(range(n)))
    names = data.draw(st.permutations(list(columns)))
    turned = {name: [columns[name][row] for row in rows] for name in names}
    one, other = Table.from_frame(columns), Table.from_frame(turned)
    assert same(other.in_name_order(), one.take(list(rows)).in_name_order())


def test_declared_levels_are_kept_in_their_order_and_count_though_they_never_occur() -> None:
    levels = ["z", "y", "x"]
    enum = pl.Series(["x", "y", None], dtype=pl.Enum(levels))
    wanted = ("z", "y", "x", "missing")
    for column in (
        pd.Categorical(["x", "y", None], categories=levels),
        pd.Series(pd.Categorical(["x", "y", None], categories=levels, ordered=True)),
        enum,
        enum.to_arrow(),
        pa.DictionaryArray.from_arrays(pa.array([2, 1, None], pa.int8()), pa.array(levels)),
    ):
        table = Table.from_frame({"A": column}, missing="state")
        assert table.states == (wanted,)
        assert cells(table) == {"A": ["x", "y", "missing"]}
        assert table.observed.tolist() == [3]


def test_categories_of_polars_never_leak_from_one_column_to_another() -> None:
    frame = pl.DataFrame(
        {"A": ["p", "q", "r"], "B": ["x", "y", "x"]},
        schema={"A": pl.Categorical, "B": pl.Categorical},
    )
    assert Table.from_frame(frame).states == (("p", "q", "r"), ("x", "y"))
    assert Table.from_frame(frame.filter(pl.col("A") == "q")).states == (("q",), ("y",))


def test_chunks_with_different_dictionaries_are_one_column() -> None:
    chunks = pa.chunked_array(
        [pa.array(["b", "a"]).dictionary_encode(), pa.array(["c"]).dictionary_encode()]
    )
    assert cells(Table.from_frame(pa.table({"A": chunks}))) == {"A": ["b", "a", "c"]}


CHUNKED = [
    (pa.string(), ["x", "y", None]),
    (pa.large_string(), ["x", "y", None]),
    (pa.bool_(), [True, False, None]),
    (pa.int8(), [2, 1, None]),
    (pa.float64(), [3.0, 2.0, None]),
    (pa.date32(), [1, 2, None]),
    (pa.timestamp("us"), [1, 2, None]),
    (pa.decimal128(5, 2), [Decimal("1.50"), Decimal(2), None]),
]


@given(
    kind=st.sampled_from(CHUNKED),
    chunks=st.lists(st.lists(st.integers(0, 2), max_size=4), min_size=1, max_size=4),
)
@example(kind=CHUNKED[0], chunks=[[0, 1], [2, 2]])
@example(kind=CHUNKED[1], chunks=[[2, 2], [0, 1]])
@example(kind=CHUNKED[2], chunks=[[2], [0, 1, 2], []])
@example(kind=CHUNKED[5], chunks=[[0], [2]])
@example(kind=CHUNKED[7], chunks=[[2], [0]])
def test_where_a_column_is_cut_into_chunks_changes_nothing(
    kind: tuple[pa.DataType, list[object]], chunks: list[list[int]]
) -> None:
    values = [[kind[1][k] for k in chunk] for chunk in chunks]
    together = pa.array([value for chunk in values for value in chunk], kind[0])
    if together.null_count == len(together):
        return
    cut = pa.chunked_array([pa.array(chunk, kind[0]) for chunk in values])
    tables = [Table.from_frame(pa.table({"A": each}), missing="keep") for each in (cut, together)]
    assert same(*tables)


def test_frames_that_are_joined_may_lack_a_column() -> None:
    full = pd.DataFrame({"A": ["a", "b"], "B": ["x", "y"], "C": [True, False]})
    joined = pd.concat([full, full[["A"]]], ignore_index=True)
    joined["C"] = joined["C"].astype("boolean")
    table = Table.from_frame(joined, missing="keep")
    assert table.states == (("a", "b"), ("x", "y"), ("False", "True"))
    assert table.missing.tolist() == [0, 2, 2]


def test_numeric_and_interval_categories_are_called_by_their_value() -> None:
    cut = pd.cut(pd.Series([1.0, 2.0, 9.0]), [0, 2, 10])
    frame = pd.DataFrame({"n": pd.Categorical([1.0, 2.0, 1.0]), "cut": cut})
    assert Table.from_frame(frame).states == (("1", "2"), ("(0, 2]", "(2, 10]"))


def test_mixed_objects_are_called_by_their_own_labels() -> None:
    frame = pd.DataFrame({"A": [1, "a", True, 2.5, None, np.nan, pd.NA, ""]}, dtype=object)
    assert cells(Table.from_frame(frame, missing="drop")) == {"A": ["1", "a", "True", "2.5"]}


@pytest.mark.parametrize(
    ("values", "states"),
    [
        ([dt.date(2020, 1, 2), dt.date(2020, 1, 1)], ("2020-01-01", "2020-01-02")),
        ([dt.datetime(2020, 1, 2, 3), dt.datetime(2020, 1, 2)],  # noqa: DTZ001
         ("2020-01-02 00:00:00", "2020-01-02 03:00:00")),
        ([Decimal("1.50"), Decimal("2.00")] * 2, ("1.5", "2")),
        ([2**70, 1], ("1", str(2**70))),
        (np.array(["b", "a"]), ("a", "b")),
        (np.array([2, 1], dtype=">i4"), ("1", "2")),
        (np.array([0.0, -0.0]), ("0",)),
        (np.array([2, 1], dtype=np.float16), ("1", "2")),
        (pd.Series(pd.arrays.SparseArray([0, 1])), ("0", "1")),
        (pd.Series(pd.period_range("2020", periods=2, freq="Y")), ("2020", "2021")),
        (pd.Series(pd.to_datetime(["2020-01-02"])), ("2020-01-02 00:00:00",)),
        (pl.Series([dt.date(2020, 1, 2)]), ("2020-01-02",)),
    ],
)  # fmt: skip
def test_other_kinds_of_values_get_readable_labels(values: object, states: tuple[str, ...]) -> None:
    assert Table.from_frame({"A": values}).states == (states,)


def test_half_precision_numbers_are_spelled_as_such() -> None:
    halves = {"A": np.array([0.1, 2, np.nan], dtype=np.float16)}
    table = Table.from_frame(halves, states={"A": ["0.1", "2"]}, missing="keep")
    assert table["A"] == ["0.1", "2", None]


def test_times_in_nanoseconds_and_microseconds_have_the_same_label() -> None:
    moment = dt.datetime(2020, 1, 2, 3, 4, 5, 60_000)  # noqa: DTZ001
    for unit in ("ms", "us", "ns"):
        frame = pa.table({"A": pa.array([moment], pa.timestamp(unit))})
        assert Table.from_frame(frame).states == (("2020-01-02 03:04:05.06",),)


def test_integer_column_names_become_texts() -> None:
    assert Table.from_frame(pd.DataFrame([["x", "y"]])).names == ("0", "1")


def test_the_index_of_pandas_is_ignored() -> None:
    frame = pd.DataFrame({"A": ["x", "y", "x"]}, index=[7, 7, 8])
    assert cells(Table.from_frame(frame[frame["A"] == "x"])) == {"A": ["x", "x"]}


def test_an_array_needs_names() -> None:
    table = Table.from_frame(np.array([[1, 0], [0, 0]]), names=["A", "B"])
    assert cells(table) == {"A": ["1", "0"], "B": ["0", "0"]}
    with pytest.raises(
        OptionError, match="names must be given for an array, and only for an array"
    ):
        Table.from_frame(np.zeros((2, 2)))
    with pytest.raises(OptionError, match="got a dict with names"):
        Table.from_frame({"A": [1]}, names=["A"])
    assert "got the shape (2, 2) and 1 names" in refusal(np.zeros((2, 2)), names=["A"])
    assert "got the shape (2,) and 2 names" in refusal(np.zeros(2), names=["A", "B"])


def test_a_key_that_a_record_lacks_is_a_missing_cell() -> None:
    table = Table.from_frame([{"A": 1}, {"B": "x", "A": 2}], missing="state")
    assert cells(table) == {"A": ["1", "2"], "B": ["missing", "x"]}


def test_a_table_is_a_frame_too() -> None:
    table = Table(["A"], [["x", "y", "z"]], [[2, 0]])
    assert same(Table.from_frame(table), table)
    assert same(
        Table.from_frame(table, states={"A": ["z", "x"]}), Table(["A"], [["z", "x"]], [[0, 1]])
    )


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"A": []}),
        pl.DataFrame({"A": []}),
        pa.table({"A": pa.array([], pa.int8())}),
        {"A": []},
    ],
)
def test_no_rows_is_an_error(frame: object) -> None:
    assert refusal(frame) == "the frame: there are no rows; a table needs at least one"


@pytest.mark.parametrize("frame", [pd.DataFrame(), pl.DataFrame(), {}, [], [{}]])
def test_no_columns_is_an_error(frame: object) -> None:
    assert refusal(frame) == "the frame: there are no columns; a table needs at least one"


def test_duplicate_and_improper_names_are_errors() -> None:
    assert "columns 1 and 2 have the same name 'A'" in refusal(
        pd.DataFrame([[1, 2]], columns=["A", "A"])
    )
    assert "columns 1 and 2 have the same name '1'" in refusal({1: ["x"], "1": ["x"]})
    for name in ("", None, 1.5, ("a", "b"), True, "\ud800"):
        assert f"column 1 has the name {name!r}, which can be no name: it " in refusal(
            {name: ["x"]}
        )


def test_columns_of_different_lengths_are_an_error() -> None:
    assert "column 'B' has 2 rows but column 'A' has 1" in refusal({"A": ["x"], "B": ["x", "y"]})


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([[1], [2]], "list<"),
        ([{"a": 1}], "struct<"),
        (pa.array([b"\xff"]), "binary"),
        (pa.array([dt.timedelta(1)]), "duration"),
        (pa.DictionaryArray.from_arrays(pa.array([0]), pa.array([[1]])), "dictionary<"),
    ],
)
def test_a_column_of_an_improper_type_is_an_error_that_names_it(values: object, kind: str) -> None:
    message = refusal({"A": values})
    assert f"the frame: column 'A' has the type {kind}" in message
    assert "drop=['A'], --drop 'A'" in message


def test_an_improper_value_is_an_error_with_its_row() -> None:
    place = "the frame, row 1 (counted from 0), column 'A'"
    assert refusal({"A": ["x", 1j]}).startswith(f"{place}: the value 1j is no text")
    assert refusal({"A": ["x", [1]]}).startswith(f"{place}: the value [1] is no text")
    assert refusal({"A": [1.0, np.inf]}) == (
        f"{place}: inf is not a finite number; correct or remove it"
    )
    assert refusal({"A": ["x", "y"]}, states={"A": ["x"]}).startswith(
        f"{place}: the value 'y' is not among the declared states x"
    )


def test_a_lone_surrogate_is_refused_for_what_it_is() -> None:
    half = "it holds half a character, a lone surrogate"
    place = "the frame, row 1 (counted from 0), column 'A'"
    assert refusal({"A": ["x", "\ud800"]}) == (
        f"{place}: the value '\\ud800' can be no state: {half}; correct it"
    )
    assert half in refusal({"\ud800": ["x"]})
    with pytest.raises(OptionError, match=half):
        Table.from_frame({"A": ["x"]}, states={"A": ["x", "\ud800"]})


def test_bytes_that_pretend_to_be_text_are_refused_for_what_they_are() -> None:
    ends = pa.array([0, 1, 2], pa.int32()).buffers()[1]
    texts = pa.Array.from_buffers(pa.string(), 2, [None, ends, pa.py_buffer(b"a\xff")])
    with pytest.raises(DataError, match=r"the frame: column 'A' holds bytes that are no UTF-8"):
        Table.from_frame(pa.table({"A": texts}))


def test_whole_numbers_of_128_bits_are_exact() -> None:
    column = pl.Series([2**100, 2**100 + 1, None], dtype=pl.Int128)
    table = Table.from_frame(pl.DataFrame({"A": column}), missing="state")
    assert table.states == ((str(2**100), str(2**100 + 1), "missing"),)


@pytest.mark.parametrize("value", [1, 2**53, 2**60, 10**16, 10**18, 2**63, 2**70])
def test_a_float_and_an_integer_of_the_same_value_have_one_label(value: int) -> None:
    for column in ([value], [float(value)], [str(value)], [f"{value}.0"], ["x", float(value)]):
        assert str(value) in Table.from_frame({"A": column}).states[0]


@pytest.mark.parametrize(
    "frame", [5, "t.csv", None, [1, 2], pd.Series([1]), pl.LazyFrame({"A": [1]})]
)
def test_something_that_is_no_frame_is_an_error_that_lists_what_is(frame: object) -> None:
    assert "give a frame of pandas or polars, an Arrow table" in refusal(frame)


def test_categoricals_of_polars_have_the_values_that_occur_in_their_column() -> None:
    frame = pl.DataFrame({"A": ["x", "y", None, "x"], "B": ["u", "v", "x", "u"]})
    cats = frame.with_columns(pl.all().cast(pl.Categorical))
    for some in (cats, cats[1:], pl.concat([cats[:1], cats[2:]], rechunk=False)):
        table = Table.from_frame(some, missing="state")
        assert cells(table) == cells(Table.from_frame(some.cast(pl.String), missing="state"))
        assert table.states == Table.from_frame(some.cast(pl.String), missing="state").states


@pytest.mark.parametrize("value", ["male", 39, 0.5, True, None, np.int64(3)])
def test_a_row_in_the_place_of_columns_is_refused(value: object) -> None:
    with pytest.raises(
        DataError, match=r"column 'A' is one value, .*, and not a list; .* \[{...}\]"
    ):
        Table.from_frame({"A": value})
