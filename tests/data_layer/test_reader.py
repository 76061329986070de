"""Tests of data/reader.py, arrow_file.py and of the import of the package."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import feather, parquet

from bayesloom.data import Table, read, read_states
from bayesloom.errors import BayesloomError, FileFormatError, OptionError
from strategies_data import cells, same

Write = Callable[..., Path]

LEVELS = pd.Categorical(["b", "a", "b"], categories=["c", "b", "a"])
FRAME = pd.DataFrame({"n": [1.0, 2.0, 1.0], "t": ["NA", "x", "x"], "c": LEVELS})
ARROW = pa.Table.from_pandas(FRAME)


def write_parquet(path: Path) -> None:
    parquet.write_table(ARROW, path)


def write_feather(path: Path) -> None:
    feather.write_feather(ARROW, path)


def write_file(path: Path) -> None:
    with pa.ipc.new_file(path, ARROW.schema) as file:
        file.write_table(ARROW)


def write_stream(path: Path) -> None:
    with pa.ipc.new_stream(path, ARROW.schema) as file:
        file.write_table(ARROW)


@pytest.mark.parametrize(
    ("name", "write"),
    [
        ("t.parquet", write_parquet),
        ("t.feather", write_feather),
        ("t.arrow", write_file),
        ("t.arrow", write_stream),
        ("t.ipc", write_file),
        ("T.PARQUET", write_parquet),
    ],
)
def test_parquet_and_arrow_files_keep_values_levels_and_their_order(
    tmp_path: Path, name: str, write: Callable[[Path], None]
) -> None:
    write(tmp_path / name)
    table = read(tmp_path / name)
    assert table.states == (("1", "2"), ("NA", "x"), ("c", "b", "a"))
    assert cells(table) == {"n": ["1", "2", "1"], "t": ["NA", "x", "x"], "c": ["b", "a", "b"]}
    assert same(read(tmp_path / name, columns=["c", "n"]), table.select(["c", "n"]))
    assert same(read(tmp_path / name, drop=["t"]), table.select(["n", "c"]))


def test_an_arrow_file_may_lack_all_values_of_a_whole_batch(tmp_path: Path) -> None:
    n = 70_000  # Feather has batches of 65,536 rows
    rows = pa.table({"A": ["a", "b"] * n, "B": pa.array(["x", "y"] * (n // 2) + [None] * n)})
    feather.write_feather(rows, tmp_path / "t.feather", compression="uncompressed")
    table = read(tmp_path / "t.feather", missing="keep")
    assert table.states == (("a", "b"), ("x", "y"))
    assert table.missing.tolist() == [0, n]


@pytest.mark.parametrize("name", ["t.parquet", "t.arrow", "t.feather"])
@pytest.mark.parametrize("content", [b"A,B\n1,2\n", b"PAR1", b"ARROW1\0\0", b"\xff" * 100])
def test_a_broken_parquet_or_arrow_file_is_an_error(file: Write, name: str, content: bytes) -> None:
    with pytest.raises(FileFormatError, match=r"this is not a sound (Parquet|Arrow) file") as error:
        read(file(content, name))
    assert "\n" not in str(error.value)


def test_duplicate_names_in_an_arrow_file_are_an_error(tmp_path: Path) -> None:
    twice = pa.table([[1], [2]], names=["A", "A"])
    with pa.ipc.new_file(tmp_path / "t.arrow", twice.schema) as file:
        file.write_table(twice)
    with pytest.raises(BayesloomError, match=r"t.arrow: columns 1 and 2 have the same name 'A'"):
        read(tmp_path / "t.arrow")


def test_rows_of_a_parquet_file_are_counted_from_0(tmp_path: Path) -> None:
    parquet.write_table(pa.table({"A": ["x", None]}), tmp_path / "t.parquet")
    with pytest.raises(BayesloomError, match=r"t.parquet, row 1 \(counted from 0\), column 'A'"):
        read(tmp_path / "t.parquet")


def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match=r"no.csv: there is no such file"):
        read(tmp_path / "no.csv")


@pytest.mark.parametrize("path", [None, 5, b"x.csv", "", "a\0.csv", ["x.csv"]])
def test_what_is_no_name_of_a_file_is_refused_as_an_option(path: object) -> None:
    with pytest.raises(OptionError, match="path must be the name of a file, such as"):
        read(path)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="path must be the name of a file, such as"):
        read_states(path)  # type: ignore[arg-type]


def test_a_name_that_is_too_long_is_an_error_of_the_file() -> None:
    with pytest.raises(FileFormatError, match="the file cannot be read"):
        read("x" * 5000 + ".csv")


@pytest.mark.parametrize("name", ["t.parquet", "t.arrow", "t.feather"])
def test_a_delimiter_is_refused_where_there_are_none(tmp_path: Path, name: str) -> None:
    write_parquet(tmp_path / name)
    with pytest.raises(OptionError, match=f"delimiter is an option of CSV files, and a {name[1:]}"):
        read(tmp_path / name, delimiter=";")


def test_a_directory_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="this is a directory"):
        read(tmp_path)


def test_a_pipe_is_not_taken_for_an_empty_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.csv")
    with pytest.raises(FileFormatError, match="this is a pipe or a device"):
        read(tmp_path / "pipe.csv")


@pytest.mark.parametrize("name", ["t.xlsx", "t", "t.csv.zip", "csv"])
def test_an_unknown_extension_is_an_error_that_lists_the_known(file: Write, name: str) -> None:
    with pytest.raises(FileFormatError, match=r"the extension is not one of .csv, .csv.gz, "):
        read(file("A,B\n1,2\n", name))


@pytest.mark.parametrize("name", ["t.csv", "t.parquet", "t.arrow", "t.xyz"])
def test_an_empty_file_of_any_kind_is_an_error(file: Write, name: str) -> None:
    with pytest.raises(FileFormatError, match="the file is empty"):
        read(file("", name))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"missing": "ignore"}, "missing must be one of error, drop, state, keep, got 'ignore'"),
        (
            {"discretize": "mdl5"},
            "discretize must be one of none, frequency, width, mdl, auto, network, or",
        ),
        ({"bins": 1}, "bins must be at least 2, got 1"),
        ({"bins": 2.5}, "bins must be a whole number"),
        ({"drop": "A"}, "drop must be a list of names, got the text 'A'; write ['A']"),
        ({"columns": "A"}, "columns must be a list of names"),
        ({"missing_markers": "?"}, "missing_markers must be a list of labels"),
        ({"states": {"A": "no"}}, "states of column 'A' must be a list of labels, got 'no'"),
        ({"states": {"A": []}}, "states of column 'A' must be 1 to 65,536 labels, got 0"),
        ({"states": {"A": ["x", "x"]}}, "hold 'x', which is there twice"),
        ({"states": {"A": ["1", 1.0]}}, "hold 1.0, which is there twice"),
        ({"states": {"A": ["x", None]}}, "hold None, which is no text and no number"),
        ({"states": {"A": ["x", ""]}}, "hold '', which is no text and no number"),
        ({"states": {"A": [["x"]]}}, "which is no text and no number"),
    ],
)
def test_an_option_with_a_value_it_cannot_take_is_an_error_at_the_door(
    file: Write, options: dict[str, object], message: str
) -> None:
    with pytest.raises(OptionError) as error:
        read(file("A\n1\n"), **options)  # type: ignore[arg-type]
    assert message in str(error.value)
    with pytest.raises(OptionError):
        Table.from_frame({"A": [1]}, **options)  # type: ignore[arg-type]


def test_the_import_of_the_data_layer_loads_no_heavy_library() -> None:
    code = (
        "import sys, bayesloom.data; "
        "sys.exit(bool({'pyarrow', 'pandas', 'polars', 'networkx'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string()])
@pytest.mark.parametrize("rows_per_group", [2, 100])
def test_texts_of_parquet_are_the_values_that_occur_in_whatever_way_they_are_stored(
    tmp_path: Path, kind: pa.DataType, rows_per_group: int
) -> None:
    texts = pa.array(["b", None, "a", "10", "b", ""], pa.string())
    levels = pa.DictionaryArray.from_arrays(pa.array([1, 1, 0, 1, 0, 1]), pa.array(["z", "y", "x"]))
    table = pa.table({"t.x": texts.cast(kind), "d": levels})
    for name, stored in (("dictionary", True), ("plain", False)):
        path = tmp_path / f"{name}.parquet"
        parquet.write_table(table, path, use_dictionary=stored, row_group_size=rows_per_group)
        found = read(path, missing="state")
        assert found.states[0] == ("10", "a", "b", "missing")
        assert not stored or found.states[1] == ("z", "y", "x")
        assert cells(found)["t.x"] == ["b", "missing", "a", "10", "b", "missing"]


def test_a_dictionary_page_with_texts_that_never_occur_declares_nothing(tmp_path: Path) -> None:
    levels = pa.DictionaryArray.from_arrays(pa.array([2, 0, 2]), pa.array(["x", "never", "y"]))
    parquet.write_table(pa.table({"A": levels}), tmp_path / "t.parquet", store_schema=False)
    assert read(tmp_path / "t.parquet").states == (("x", "y"),)
