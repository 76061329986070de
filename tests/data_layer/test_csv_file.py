"""Tests of data/csv_file.py, csv_header.py, csv_record.py and csv_fault.py."""

from __future__ import annotations

import gzip
import io
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bayesloom.data import Table, read
from bayesloom.data.csv_header import find_delimiter
from bayesloom.errors import BayesloomError, DataError, FileFormatError
from strategies_data import cells, same

Write = Callable[..., Path]
WANTED = {"A": ["x", "y"], "B": ["1", "2"]}


def refusal(path: Path, **options: object) -> str:
    """Return the message with which a file is refused; it has to be one line."""
    with pytest.raises(BayesloomError) as error:
        read(path, **options)  # type: ignore[arg-type]
    message = str(error.value)
    assert message.startswith(str(path))
    assert "\n" not in message
    return message.removeprefix(str(path))


@pytest.mark.parametrize(
    "content",
    [
        "A,B\nx,1\ny,2\n",
        "A;B\nx;1\ny;2\n",
        "A\tB\nx\t1\ny\t2\n",
        "A,B\nx,1\ny,2",
        "A,B\r\nx,1\r\ny,2\r\n",
        "A,B\rx,1\ry,2\r",
        '"A","B"\n"x","1"\n"y",2\n',
        "\ufeffA,B\nx,1\ny,2\n",
        "\n\nA,B\n\nx,1\n\ny,2\n\n\n",
        "A,B\nx,1.0\ny,2.0\n",
        "A,B\nx,1\ny,2e0\n",
    ],
    ids=[
        "comma", "semicolon", "tab", "no last line end", "CR LF", "CR", "quotes", "BOM",
        "empty lines", "whole floats", "exponent",
    ],
)  # fmt: skip
def test_every_form_of_csv_gives_the_same_table(file: Write, content: str) -> None:
    table = read(file(content))
    assert cells(table) == WANTED
    assert table.names == ("A", "B")


def test_quoted_cells_hold_delimiters_quotes_and_line_ends(file: Write) -> None:
    table = read(file('A,"B, too"\n"a,b","say ""x"""\n"two\r\nlines",z\n'))
    assert cells(table) == {"A": ["a,b", "two\r\nlines"], "B, too": ['say "x"', "z"]}


@pytest.mark.parametrize("name", ["t.csv.gz", "T.CSV.GZ", "t.txt.gz"])
def test_gzipped_files_are_unpacked(file: Write, name: str) -> None:
    assert cells(read(file(gzip.compress(b"A,B\nx,1\ny,2\n", mtime=0), name))) == WANTED


def test_tsv_is_split_at_tabs_even_where_commas_would_fit(file: Write) -> None:
    assert read(file("A,a\tB,b\nx,x\ty,y\n", "t.tsv")).names == ("A,a", "B,b")


def test_a_named_delimiter_is_law(file: Write) -> None:
    assert read(file("A|B\nx|1\n"), delimiter="|").names == ("A", "B")
    assert read(file("A,B;C\nx,1;2\n"), delimiter=";").names == ("A,B", "C")


@pytest.mark.parametrize(
    ("content", "name", "hidden"),
    [("A|B\nx|1\ny|2\n", "t.csv", "|"), ("A;B\nx;1\n", "t.tsv", ";"), ("A:B\nx:1\n", "t.txt", ":")],
)
def test_one_column_that_hides_several_is_refused_with_the_separator(
    file: Write, content: str, name: str, hidden: str
) -> None:
    said = refusal(file(content, name))
    assert said.startswith(f", line 1: the file reads as one column, 'A{hidden}B'; if '{hidden}' ")
    assert f"delimiter='{hidden}' (--delimiter '{hidden}')" in said
    assert read(file(content, name), delimiter=hidden).names == ("A", "B")
    assert read(file(content, name), delimiter="~").n_columns == 1


@pytest.mark.parametrize("content", ["A|B\nx|1\ny\n", "A\nx|1\ny|2\n", '"A|B"\n"x|1"\n'])
def test_one_column_whose_cells_differ_or_are_quoted_is_one_column(
    file: Write, content: str
) -> None:
    assert read(file(content)).n_columns == 1


@pytest.mark.parametrize("delimiter", ["", ",,", '"', "\n", "é"])
def test_a_delimiter_is_one_plain_character(file: Write, delimiter: str) -> None:
    with pytest.raises(BayesloomError, match="delimiter must be one character"):
        read(file("A,B\nx,1\n"), delimiter=delimiter)


def test_the_delimiter_is_the_one_that_gives_equal_rows() -> None:
    assert find_delimiter(b"a,x;b,y;c\n1;2;3\n4;5;6\n") == ";"
    assert find_delimiter(b"a\tb\n1,2,3\t4\n") == "\t"
    assert find_delimiter(b'"a;b",c\n1,2\n') == ","
    assert find_delimiter(b"a,b\n" + b"x,y\n" * 50_000 + b"x;y;z;w") == ","


@pytest.mark.parametrize(
    "label", ["None", "NA", "null", "?", "TRUE", "nan", "N/A", "-", " ", "#N/A"]
)
def test_text_is_text(file: Write, label: str) -> None:
    path = file(f"A,B\n{label},x\nother,y\n")
    assert set(read(path, missing_markers=()).states[0]) == {label, "other"}
    assert set(read(path, strict=True).states[0]) == {label, "other"}


def test_blanks_around_a_label_belong_to_it(file: Write) -> None:
    assert read(file("A,B\n x ,1\n")).states[0] == (" x ",)


def test_states_are_sorted_as_numbers_if_all_are_numbers_and_as_texts_if_not(file: Write) -> None:
    table = read(file("A,B,C\n10,10,0.5\n9,9,10\n-1,x,2\n10,x,2\n9,9,0.50\n-1,x,10\n"))
    assert table.states == (("-1", "9", "10"), ("10", "9", "x"), ("0.5", "2", "10"))


def test_codes_with_leading_zeros_stay_texts(file: Write) -> None:
    assert read(file("A\n007\n7\n07\n")).states == (("007", "07", "7"),)


@pytest.mark.parametrize(
    ("texts", "states"),
    [
        (["9007199254740993", "9007199254740992"], ["9007199254740992", "9007199254740993"]),
        (
            ["9007199254740993", "9007199254740992", "1.0"],
            ["1", "9007199254740992", "9007199254740993"],
        ),
        (
            [f"{k}.0" for k in range(9007199254740990, 9007199254741000)],
            [str(k) for k in range(9007199254740990, 9007199254741000)],
        ),
        (["1e16", "10000000000000000"], ["10000000000000000"]),
        (["1e23", "100000000000000000000000.0"], ["100000000000000000000000"]),
        (["1", "0.99999999999999999999"] * 2, ["0.99999999999999999999", "1"]),
    ],
)
def test_long_numbers_are_never_rounded_together(
    file: Write, texts: list[str], states: list[str]
) -> None:
    assert read(file("A\n" + "\n".join(texts) + "\n")).states == (tuple(states),)


def test_one_and_one_point_zero_are_one_state(file: Write) -> None:
    assert read(file("A\n1\n1.0\n2\n")).column("A").tolist() == [0, 0, 1]


def test_an_empty_cell_is_missing_quoted_or_not(file: Write) -> None:
    table = read(file('A,B\n"",x\n,x\ny,x\n'), missing="state")
    assert cells(table)["A"] == ["missing", "missing", "y"]


def test_an_empty_line_is_a_missing_cell_only_in_a_file_of_one_column(file: Write) -> None:
    assert cells(read(file("A\nx\n\ny\n"), missing="state")) == {"A": ["x", "missing", "y"]}


def test_a_label_may_start_with_a_byte_order_mark(file: Write) -> None:
    assert read(file("A\n\ufeffx\nx\n")).states == (("x", "\ufeffx"),)


def test_a_header_longer_than_any_first_look_is_read(file: Write) -> None:
    names = [f"column number {k}" for k in range(20_000)]
    table = read(file(",".join(names) + "\n" + ",".join(["x"] * 20_000) + "\n"))
    assert table.names == tuple(names)


@pytest.mark.parametrize("long", ["x" * 300_000, '"' + "x,\n" * 100_000 + '"'])
def test_a_cell_may_be_as_long_as_it_likes_in_header_and_body(file: Write, long: str) -> None:
    table = read(file(f"{long},B\n{long},1\ny,2\n"))
    assert table.names == (long.strip('"'), "B")
    assert table.states[0] == (long.strip('"'), "y")
    assert refusal(file(f"{long},B\n{long},1\ny\n")).endswith("in quotes")


def test_a_row_longer_than_a_block_is_read(file: Write) -> None:
    long = "x" * 5_000_000
    assert read(file(f"A,B\n{long},1\ny,2\n")).states[0] == (long, "y")


def test_columns_can_be_chosen_ordered_and_dropped(file: Write) -> None:
    path = file("A,B,C\nx,1,u\ny,2,v\n")
    assert read(path, columns=["C", "A"]).names == ("C", "A")
    assert cells(read(path, drop=["C"])) == WANTED
    assert (
        refusal(path, drop=["D"])
        == ": drop names the column 'D', which is not there; the columns are A, B, C"
    )
    assert "columns names the column 'D'" in refusal(path, columns=["D"])
    assert "states names the column 'D'" in refusal(path, states={"D": ["x"]})
    assert "leave no column" in refusal(path, drop=["A", "B", "C"])
    with pytest.raises(BayesloomError, match="columns names 'A' twice"):
        read(path, columns=["A", "B", "A"])


def test_a_duplicate_name_is_an_error_with_its_places(file: Write) -> None:
    message = refusal(file("A,B,A\n1,2,3\n"))
    assert message.startswith(", line 1: columns 1 and 3 have the same name 'A'; rename")


def test_a_column_without_a_name_is_an_error_with_its_place(file: Write) -> None:
    assert refusal(file("\n,A\nx,2\n")) == (
        ", line 2: column 1 has no name and holds 'x'; give it one, or leave out what has no name "
        "with drop=[''] (--drop '')"
    )
    assert refusal(file('""\nx\n')).startswith(", line 1: column 1 has no name; give it one")


@pytest.mark.parametrize("content", ["", "\n\n", "\ufeff", "\ufeff\r\n"])
@pytest.mark.parametrize("name", ["t.csv", "t.csv.gz"])
def test_an_empty_file_is_an_error(file: Write, content: str, name: str) -> None:
    packed = gzip.compress(content.encode()) if name.endswith("gz") else content
    assert refusal(file(packed, name)).startswith(": the file is empty; a table needs")


@pytest.mark.parametrize("content", ["A,B", "A,B\n", "A,B\r\n\r\n", "A"])
def test_a_header_without_rows_is_an_error(file: Write, content: str) -> None:
    assert refusal(file(content)).startswith(": the file has column names but no rows;")


@pytest.mark.parametrize(
    ("content", "line", "cells_there"),
    [
        ("A,B\nx,1\ny\n", 3, 1),
        ("A,B\nx,1\n\ny,2,3\nz,4\n", 4, 3),
        ('A,B\n"x\nx",1\ny\n', 4, 1),
        ("A,B\r\nx,1\r\ny,\r\n,,\r\n", 4, 3),
        ("A\nx\ny,z\n", 3, 2),
    ],
)
def test_a_row_of_the_wrong_length_is_an_error_with_its_line(
    file: Write, content: str, line: int, cells_there: int
) -> None:
    columns = content.splitlines()[0].count(",") + 1
    has = f"{cells_there} cell{'s' * (cells_there > 1)}"
    wants = "there is 1 column" if columns == 1 else f"there are {columns} columns"
    assert refusal(file(content)).startswith(f", line {line}: the row has {has} but {wants}; add")


def test_a_wrong_row_far_down_a_large_file_is_found(file: Write) -> None:
    body = f"x,1,{'red' * 30}\n" * 100_000
    assert refusal(file(f"A,B,C\n{body}x,1\n{body}")).startswith(", line 100002: the row has 2")


@pytest.mark.parametrize(
    ("content", "line", "byte", "column"),
    [
        (b"A,B\nx,1\r\nM\xfcller,2\n", 3, "0xfc", "A"),
        (b'A,B\nx,1\n"\xc3\xbc","two\nlines \xbc"\n', 4, "0xbc", "B"),
    ],
)
def test_undecodable_bytes_are_an_error_with_line_and_column(
    file: Write, content: bytes, line: int, byte: str, column: str
) -> None:
    assert refusal(file(content)) == (
        f", line {line}: the byte {byte} in column '{column}' is not UTF-8 text; name the "
        "encoding of the file, such as encoding='cp1252' (--encoding cp1252), or save it as UTF-8"
    )


def test_an_undecodable_name_is_an_error_with_its_place(file: Write) -> None:
    assert refusal(file(b"M\xfcller,2\n1,2\n")).startswith(", line 1: the name of column 1 is not")


@pytest.mark.parametrize("code", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("content", ["A,B\nx,1\n", "A;Größe\r\nx;1\r\n"])
def test_text_of_two_or_four_bytes_per_character_is_named_as_such(
    file: Write, code: str, content: str
) -> None:
    assert refusal(file(content.encode(code))) == (
        ": the file is UTF-16 or UTF-32 text without a byte order mark; name its encoding, such as "
        "encoding='utf-16-le' (--encoding utf-16-le), or save it as UTF-8"
    )
    assert read(file(content.encode(code)), encoding=code).n_rows == 1


@pytest.mark.parametrize("content", ["A\n\0\n\0\n\0\0\n", "\0,b\n\0\0,x\n", "A,B\n\0,\0\n"])
def test_nul_characters_are_text_like_any_other(file: Write, content: str) -> None:
    names, *rows = content.splitlines()
    table = read(file(content))
    assert table.names == tuple(names.split(","))
    assert table.n_rows == len(rows)


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ('A,B\nx,1\ny,"2\nz,3\n', 3),
        ('A,B\nx,"1', 2),
        ('A,B\na"b,1\nx,"2\ny,3\n', 3),
        ('A,"B\nx,1\n', 1),
        ("A,B\n" + "x,1\n" * 5000 + 'x,"1\n' + "y,2\n" * 100_000, 5002),
        ('A,B\n"two\nlines","1\ny,2\n', 3),
    ],
)
def test_a_quote_that_is_never_closed_is_an_error_not_a_swallowed_file(
    file: Write, content: str, line: int
) -> None:
    assert refusal(file(content)).startswith(
        f", line {line}: a cell that starts in this line opens"
    )


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ('A,B\nx,y\n"a"b,y\n', 3),
        ('A,B\n"a" ,y\n', 2),
        ('A,B\n""x,y\n', 2),
        ('A,B\n"a,"b,y\n', 2),
        ('A,B\n"two\nlines",y\n"a""b"c,y\n', 4),
        ('"A"a,B\nx,y\n', 1),
    ],
)
def test_text_after_a_closing_quote_is_refused_with_its_line(
    file: Write, content: str, line: int
) -> None:
    said = refusal(file(content))
    assert said.startswith(f", line {line}: ")
    assert "goes on after its closing quote" in said


def test_a_quote_inside_a_cell_is_text(file: Write) -> None:
    assert read(file('A,B\n5" pipe,1\n6" pipe,2\n7" pipe,2\n')).states[0][0] == '5" pipe'


@pytest.mark.parametrize(
    "content", [b"no gzip", gzip.compress(b"A,B\nx,1\n", mtime=0)[:-9], b"\x1f\x8b"]
)
def test_a_broken_gzip_file_is_an_error(file: Write, content: bytes) -> None:
    assert refusal(file(content, "t.csv.gz")).startswith(": the file cannot be unpacked (")


def test_a_value_that_is_not_declared_is_an_error_with_line_column_and_value(file: Write) -> None:
    message = refusal(file('A,B\n"x\nx",1\ny,2\nz,1\n'), states={"B": ["1"]})
    assert message.startswith(
        ", line 4, column 'B': the value '2' is not among the declared states 1; add it to states"
    )


def test_rows_and_columns_in_another_order_give_the_same_states(file: Write) -> None:
    one = read(file("A,B\nx,3\ny,10\nz,2\n"))
    other = read(file("B,A\n10,y\n2,z\n3,x\n"))
    assert one.in_name_order().states == other.in_name_order().states
    assert same(one.take([1, 2, 0]), other.reordered(["A", "B"]))


def test_many_blocks_give_the_same_codes_as_one(file: Write) -> None:
    labels = [f"label {k % 7}" for k in range(900_000)]
    labels[-1] = "last"
    table = read(file("A,B\n" + "".join(f"{x},b\n" for x in labels)))
    assert table.states[0] == (*(f"label {k}" for k in range(7)), "last")
    assert table.column("A")[:14].tolist() == [*range(7), *range(7)]
    assert table.column("A")[-1] == 7
    assert table.column("A")[-8:-1].tolist() == [k % 7 for k in range(899_992, 899_999)]


def test_data_errors_are_value_errors_for_callers_who_expect_these(file: Write) -> None:
    assert issubclass(DataError, ValueError)
    assert issubclass(FileFormatError, ValueError)
    with pytest.raises(ValueError, match="no rows"):
        read(file("A\n"))


def test_reading_gives_a_table(file: Write) -> None:
    assert isinstance(read(str(file("A\nx\n"))), Table)


class Shrinking(io.FileIO):
    """A file that somebody cuts, or writes to, after its first bytes have been read."""

    change: Callable[[str], None]

    def readinto(self, buffer: Any, /) -> int | None:  # noqa: ANN401
        n = super().readinto(buffer)
        if self.tell() == n:
            Shrinking.change(str(self.name))
        return n


@pytest.mark.parametrize("size", [0, 1000, 3_000_000])
@pytest.mark.parametrize("name", ["t.csv", "t.csv.gz"])
def test_a_file_that_is_cut_while_it_is_read_is_refused(
    file: Write, monkeypatch: pytest.MonkeyPatch, name: str, size: int
) -> None:
    text = "A,B\n" + "".join(f"{k % 7},{k * k % 11}\n" for k in range(2_000_000))
    path = file(gzip.compress(text.encode(), 0) if name.endswith("gz") else text, name)
    Shrinking.change = staticmethod(lambda name: os.truncate(name, size))
    monkeypatch.setattr("bayesloom.data.byte_file.io.FileIO", Shrinking)
    said = refusal(path)
    assert "the file was changed while it was read; read it again when it is complete" in said


def test_a_file_that_shrinks_under_a_reader_kills_nobody(tmp_path: Path) -> None:
    path = tmp_path / "big.csv"
    path.write_bytes(b"A,B\n" + b"x,y\n" * 8_000_000)
    code = (
        "import sys, bayesloom.data, bayesloom._native, threading, os\n"
        "from bayesloom.errors import FileFormatError\n"
        f"cut = threading.Timer(0.01, lambda: os.truncate({str(path)!r}, 1000)); cut.start()\n"
        "try: bayesloom.data.read(sys.argv[1])\n"
        "except FileFormatError: pass\n"
    )
    done = subprocess.run([sys.executable, "-c", code, path], check=False, capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_packed_file_that_unpacks_without_end_is_refused(
    file: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bayesloom.data.byte_file.MOST_UNPACKED", 1 << 20)
    bomb = file(gzip.compress(b"A\n" + b"x\n" * (1 << 20)), "t.csv.gz")
    assert refusal(bomb) == (
        ": the file unpacks to more than 100 times its size, more than any table would; if that is "
        "right, unpack it with gunzip and read what comes out"
    )
    monkeypatch.setattr("bayesloom.data.byte_file.MOST_UNPACKED", 1 << 30)
    assert read(bomb).n_rows == 1 << 20


def test_a_packed_file_may_have_members_and_zeros_between_and_after_them(file: Write) -> None:
    members = [gzip.compress(text, mtime=0) for text in (b"A,B\nx", b"", b",1\ny,2\n")]
    assert cells(read(file(b"\0\0".join(members) + b"\0" * 600_000, "t.csv.gz"))) == WANTED


@pytest.mark.parametrize("size", [50_000, pytest.param(3_000_000, marks=pytest.mark.slow)])
def test_the_first_of_several_undeclared_values_is_named_however_the_file_is_cut(
    file: Write, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    body = "a\n" * size + "z\n" + "a\n" * size + "b\n"
    for n in (1, 2, 7):
        monkeypatch.setattr("os.sched_getaffinity", lambda _, n=n: set(range(n)))
        said = refusal(file("A\n" + body), states={"A": ["a"]})
        assert said.startswith(f", line {size + 2}, column 'A': the value 'z' is not among")
