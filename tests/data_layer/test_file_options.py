"""Tests of header, skip_lines, strip, dates and ``sep=`` lines (csv_header, dated, stripped)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import bayesloom as bl
from bayesloom.cli import program
from bayesloom.errors import DataError, FileFormatError, OptionError
from click_runner import CliRunner


def written(folder: Path, text: str) -> Path:
    path = folder / "rows.csv"
    path.write_text(text)
    return path


def test_a_file_without_names_gets_numbered_ones(tmp_path: Path) -> None:
    path = written(tmp_path, "yes,no\nno,no\nno,yes\n")
    table = bl.read(path, header=False)
    assert table.names == ("column_1", "column_2")
    assert table["column_1"] == ["yes", "no", "no"]


def test_lines_above_the_table_are_skipped_and_lines_are_still_counted_from_the_first(
    tmp_path: Path,
) -> None:
    path = written(tmp_path, "People of the town\nas of 2024\na,b\nx,y\nz,y\n")
    table = bl.read(path, skip_lines=2)
    assert (table.names, table["a"]) == (("a", "b"), ["x", "z"])
    written(tmp_path, "title\na,b\nx,y\nz\n")
    with pytest.raises(FileFormatError, match="line 4: the row has 1 cell"):
        bl.read(path, skip_lines=1)
    written(tmp_path, "title\nx,y\nz,\n")
    with pytest.raises(DataError, match="line 3, column 'column_2': this cell is missing"):
        bl.read(path, skip_lines=1, header=False, strict=True)


@pytest.mark.parametrize("first", ["sep=;\n", '"sep=;"\n', "SEP=;\r\n"])
def test_the_line_that_names_the_delimiter_is_followed_with_a_note(
    tmp_path: Path, first: str
) -> None:
    table = bl.read(written(tmp_path, f"{first}a;b\nx;y,z\n"))
    assert (table.names, table["b"]) == (("a", "b"), ["y,z"])
    assert "the first line says that ';' separates cells" in table.notes


def test_blanks_at_ends_are_left_out_where_that_is_wanted(tmp_path: Path) -> None:
    path = written(tmp_path, "a, b\nyes, no\nyes ,no\n, \n")
    table = bl.read(path, strip=True, missing="keep")
    assert table.names == ("a", "b")
    assert (table["a"], table["b"]) == (["yes", "yes", None], ["no", "no", None])
    assert bl.read(path, missing="keep", strict=True).names == ("a", " b")


def test_levels_that_a_frame_declares_keep_their_blanks() -> None:
    frame = pd.DataFrame({"a": pd.Categorical([" x", "y"]), "b": [" x", "y"]})
    table = bl.Table.from_frame(frame, strip=True)
    assert table.states == ((" x", "y"), ("x", "y"))


@pytest.mark.parametrize(
    "dates",
    [
        ["2024-02-29", "2024-03-01 17:05:00", "2023-12-31"],
        ["29.2.2024", "1.3.2024", "31.12.2023"],
        ["02/29/2024", "03/01/2024", "12/31/2023"],
        ["29/02/2024", "01/03/2024", "31/12/2023"],
    ],
)
def test_parts_of_dates_stand_in_their_place(dates: list[str]) -> None:
    rows = {"when": dates, "wet": ["no", "yes", "no"]}
    table = bl.Table.from_frame(rows, dates={"when": ["weekday", "month", "year", "quarter"]})
    assert table.names == ("when_weekday", "when_month", "when_year", "when_quarter", "wet")
    assert table["when_weekday"] == ["Thursday", "Friday", "Sunday"]
    assert table["when_month"] == ["2", "3", "12"]
    assert table["when_year"] == ["2024", "2024", "2023"]
    assert table.states[0] == ("Thursday", "Friday", "Sunday")
    assert table.states[1] == ("2", "3", "12")


def test_dates_of_frames_hours_and_missing_cells_are_taken_apart() -> None:
    frame = pd.DataFrame({"when": pd.to_datetime(["2024-02-29 17:00", "NaT"]), "a": ["x", "y"]})
    table = bl.Table.from_frame(frame, dates={"when": ["hour", "day"]}, missing="keep")
    assert (table["when_hour"], table["when_day"]) == (["17", None], ["29", None])


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (["1/2/2024"], "nobody can tell days from months in column 'when', such as 1/2/2024"),
        (["soon"], "'soon' is no date such as 2024-02-29"),
        (["30.2.2024"], "'30.2.2024' is no date"),
    ],
)
def test_what_is_no_date_is_told_with_its_place(rows: list[str], message: str) -> None:
    with pytest.raises(DataError) as caught:
        bl.Table.from_frame({"when": rows}, dates={"when": ["month"]})
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"dates": {"when": "month"}}, "dates of column 'when' must be a list of year"),
        ({"dates": {"when": ["age"]}}, "dates of column 'when' must be a list of year"),
        ({"dates": ["when"]}, "dates must be a mapping"),
        ({"skip_lines": -1}, "skip_lines must be"),
        ({"header": "no"}, "header must be"),
        ({"auto": True, "strict": True}, "auto takes every proposal and strict takes none"),
    ],
)
def test_options_that_cannot_be_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError) as caught:
        bl.Reading(**options)
    assert message in str(caught.value)


def test_frames_have_no_lines_to_skip() -> None:
    with pytest.raises(OptionError, match="skip_lines is an option of CSV files"):
        bl.Table.from_frame({"a": ["x"]}, skip_lines=1)
    with pytest.raises(OptionError, match="header is an option of CSV files"):
        bl.Table.from_frame({"a": ["x"]}, header=False)


def test_a_network_remembers_how_its_file_was_read(tmp_path: Path) -> None:
    rows = "".join(f"2024-0{k % 9 + 1}-11, {'yn'[k % 2]}\n" for k in range(60))
    path = written(tmp_path, f"title\nwhen, wet\n{rows}")
    net = bl.learn(path, skip_lines=1, strip=True, dates={"when": ["month"]})
    assert set(net.names) == {"when_month", "wet"}
    assert len(net.predict(path, "wet", drop=["wet"])) == 60


def test_the_command_line_has_the_same_options(tmp_path: Path) -> None:
    rows = "".join(f"2024-0{k % 9 + 1}-11, {'yn'[k % 2]}\n" for k in range(60))
    path = written(tmp_path, f"title\n{rows}")
    options = ["--skip-lines", "1", "--no-header", "--strip", "--date", "column_1=month,weekday"]
    found = CliRunner().invoke(program, ["learn", str(path), *options, "--json"])
    names = json.loads(found.stdout)["variables"]
    assert names == [
        "column_1_month",
        "column_1_weekday",
        "column_2",
    ]
