"""Tests of data/numbers_option.py, data/kept.py and data/number_column.py: numbers stay numbers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import bayesloom as bl
from bayesloom.data.writing import write_table
from bayesloom.errors import BayesloomError, DataError, OptionError
from strategies_data import same

ROWS: dict[str, list[Any]] = {
    "dose": [1.5, 2.25, 7.0, 4.0],
    "sex": ["f", "m", "f", "m"],
    "children": [1, 2, 3, 1],
}


def wide_numbers() -> np.ndarray[Any, np.dtype[np.float64]]:
    draws = np.random.default_rng(0)
    powers = draws.integers(-300, 300, 3000).astype(float)
    numbers: np.ndarray[Any, np.dtype[np.float64]] = draws.standard_cauchy(3000) * 10**powers
    return numbers


def test_keep_is_for_every_column_of_numbers_and_no_other() -> None:
    table = bl.Table.from_frame(ROWS, numbers="keep")
    assert table.numeric.tolist() == [True, False, True]
    assert table["dose"] == ROWS["dose"]
    assert table["children"] == [1.0, 2.0, 3.0, 1.0]


def test_cut_is_what_discretize_auto_does() -> None:
    rows = {"age": np.random.default_rng(1).normal(size=100), "n": [1, 2] * 50}
    cut, auto = (
        bl.Table.from_frame(rows, numbers="cut", bins=4),
        bl.Table.from_frame(rows, discretize="auto", bins=4),
    )
    assert same(cut, auto)
    assert cut.notes == auto.notes


def test_a_mapping_says_it_of_single_columns_and_a_named_rule_goes_before_a_word() -> None:
    table = bl.Table.from_frame(ROWS, numbers={"dose": "cut", "*": "keep"}, bins=2)
    assert table.states == (("(-inf,3]", "(3,inf)"), ("f", "m"), ())
    named = bl.Table.from_frame(ROWS, numbers="keep", discretize={"children": "none"})
    assert named.states == ((), ("f", "m"), ("1", "2", "3"))
    stated = bl.Table.from_frame(ROWS, numbers="keep", states={"children": [1, 2, 3]})
    assert stated.numeric.tolist() == [True, False, False]
    kept = bl.Table.from_frame(ROWS, numbers={"children": "keep"}, discretize="auto")
    assert kept.numeric.tolist() == [False, False, True]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"numbers": "auto"}, "numbers must be one of keep, cut, or a mapping"),
        ({"numbers": {"dose": "bins"}}, "numbers of column 'dose' must be one of keep, cut"),
        ({"numbers": {True: "keep"}}, "must be a mapping of names of columns"),
        (
            {"numbers": {"dose": "keep"}, "discretize": {"dose": 3}},
            "discretize and numbers both say what becomes of column 'dose'",
        ),
        (
            {"numbers": {"sex": "cut"}, "states": {"sex": ["f", "m"]}},
            "states and numbers both say what becomes of column 'sex'",
        ),
        ({"numbers": "keep", "discretize": "auto"}, "numbers='keep' keeps what discretize='auto'"),
    ],
)
def test_contradictions_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError) as caught:
        bl.Reading(**options)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("rows", "options", "message"),
    [
        (ROWS, {"numbers": {"sex": "keep"}}, "numbers cannot keep the column 'sex', as it holds"),
        (ROWS, {"numbers": {"size": "keep"}}, "numbers names the column 'size', which is not"),
        ({"x": [1, 1e400]}, {"numbers": "keep"}, "inf is not a finite number"),
        (
            {"x": [*range(30), "old"]},
            {"numbers": "keep"},
            "the value 'old' is no finite number, but 30 other values",
        ),
        ({"x": [None, None]}, {"numbers": "keep", "missing": "keep"}, "no cell that is known"),
        (
            {"x": [1.5, None]},
            {"numbers": "keep", "missing": "state"},
            "missing='state' (--missing state) has no meaning for these",
        ),
        (
            {"x": [2**60, 2**60 + 1]},
            {"numbers": "keep"},
            "1152921504606846976 and 1152921504606846977, which are one number in floating point",
        ),
    ],
)
def test_bad_numbers_get_one_sentence(
    rows: dict[str, list[Any]], options: dict[str, Any], message: str
) -> None:
    with pytest.raises(DataError) as caught:
        bl.Table.from_frame(rows, **options)
    assert message in str(caught.value)


def test_whole_numbers_that_no_double_holds_are_rounded_with_a_note() -> None:
    table = bl.Table.from_frame({"x": [2**60 + 1, 5]}, numbers="keep")
    assert table["x"] == [2.0**60, 5.0]
    assert "x holds whole numbers beyond 2^53, which are rounded" in table.notes[0]
    assert bl.Table.from_frame({"x": [2**60, 5]}, numbers="keep").notes == ()


def test_missing_numbers_follow_the_option_like_all_others() -> None:
    rows = {"x": [1.5, None, 2.5], "y": ["a", "b", None]}
    kept = bl.Table.from_frame(rows, numbers="keep", missing="keep")
    assert kept["x"] == [1.5, None, 2.5]
    assert bl.Table.from_frame(rows, numbers="keep", missing="drop")["x"] == [1.5]
    marked = bl.Table.from_frame({"x": [1.5, -999, 3]}, numbers="keep", missing="keep",
                                 missing_markers=[-999])  # fmt: skip
    assert marked["x"] == [1.5, None, 3.0]


def test_every_number_of_a_text_file_is_exact(tmp_path: Path) -> None:
    numbers = wide_numbers()
    path = tmp_path / "wide.csv"
    path.write_text(
        "x,g\n" + "".join(f"{x!r},{'ab'[k % 2]}\n" for k, x in enumerate(numbers.tolist()))
    )
    assert (bl.read(path, numbers="keep").column("x") == numbers).all()


@pytest.mark.parametrize("ending", ["csv", "csv.gz", "parquet", "arrow"])
def test_numbers_come_back_from_every_file_to_the_last_bit(tmp_path: Path, ending: str) -> None:
    numbers = wide_numbers()
    hollow = np.where(np.arange(len(numbers)) % 7 == 0, np.nan, numbers)
    table = bl.Table(["x", "y"], [(), ()], [numbers, hollow], holes=True)
    path = tmp_path / f"rows.{ending}"
    write_table(table, path)
    assert bl.read(path, numbers="keep", missing="keep").checksum() == table.checksum()


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame, pa.table])
def test_frames_of_every_library_give_the_same_table(kind: Callable[..., Any]) -> None:
    assert same(
        bl.Table.from_frame(kind(ROWS), numbers="keep"), bl.Table.from_frame(ROWS, numbers="keep")
    )
    array = np.array([[1.5, 2], [3, 4]])
    assert bl.Table.from_frame(array, names=["a", "b"], numbers="keep")["b"] == [2.0, 4.0]


def test_numbers_in_many_files_are_one_column_and_a_disk_refuses_them(tmp_path: Path) -> None:
    (tmp_path / "1.csv").write_text("x,g\n1.5,a\n2.5,b\n")
    (tmp_path / "2.csv").write_text("x,g\n7.25,a\n,b\n")
    reading = bl.Reading(numbers="keep", missing="keep")
    assert reading.apply(tmp_path / "*.csv")["x"] == [1.5, 2.5, 7.25, None]
    with pytest.raises(DataError, match="the engine on a disk works on categories, and the column"):
        bl.open(tmp_path / "*.csv", cache=tmp_path / "cache", numbers="keep", missing="keep")


def test_a_disk_takes_what_is_cut(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("x,g\n" + "".join(f"{k / 7},{'ab'[k % 2]}\n" for k in range(100)))
    engine = bl.open(path, cache=tmp_path / "cache", numbers="cut")
    assert engine.states == bl.read(path, discretize="auto").in_name_order().states


def test_decimal_commas_are_numbers_with_a_note(tmp_path: Path) -> None:
    path = tmp_path / "comma.csv"
    path.write_text("x;g\n" + "".join(f"{k},{k % 10}5;a\n" for k in range(40)))
    table = bl.read(path, numbers="keep")
    assert table["x"][:2] == [0.05, 1.15]
    assert "decimal commas" in table.notes[0]


def test_a_table_already_read_takes_no_numbers_option() -> None:
    with pytest.raises(BayesloomError, match="numbers is an option of reading"):
        bl.Reading(numbers="keep").apply(bl.Table.from_frame({"a": ["x"]}))
