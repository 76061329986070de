"""Files that people have every day: of Excel in German, of pandas with its index, from a pipe."""

from __future__ import annotations

import gzip
import io
import sys
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from bayesloom.data import Reading, Table, read
from bayesloom.errors import DataError, FileFormatError, OptionError
from strategies_data import cells, same

Write = Callable[..., Path]

UMLAUTS = "Größe;Straße\nmäßig;ß\nklein;ü\n"


def refusal(path: Path, **options: object) -> str:
    with pytest.raises(FileFormatError) as error:
        read(path, **options)  # type: ignore[arg-type]
    assert "\n" not in str(error.value)
    return str(error.value).removeprefix(str(path))


@pytest.mark.parametrize(
    "encoding",
    ["cp1252", "latin-1", "utf-8", "utf-8-sig", "utf-16", "utf-16-be", "utf-32", "cp850"],
)
@pytest.mark.parametrize("name", ["t.csv", "t.csv.gz"])
def test_any_encoding_can_be_named(file: Write, encoding: str, name: str) -> None:
    data = UMLAUTS.encode(encoding)
    path = file(gzip.compress(data) if name.endswith("gz") else data, name)
    assert cells(read(path, encoding=encoding)) == {
        "Größe": ["mäßig", "klein"],
        "Straße": ["ß", "ü"],
    }


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32"])
def test_a_byte_order_mark_names_the_encoding(file: Write, encoding: str) -> None:
    assert read(file(UMLAUTS.encode(encoding))).names == ("Größe", "Straße")


def test_bytes_that_are_not_of_the_encoding_are_an_error_with_their_line(file: Write) -> None:
    data = b"A,B\nx,1\ny,\x81\n"
    assert refusal(file(data), encoding="cp1252") == (
        ", line 3: the byte 0x81 is no text of the encoding 'cp1252'; name the encoding that the "
        "file has (encoding=, --encoding)"
    )
    long = "A,B\n" + "x,1\n" * 100_000
    assert refusal(file(long.encode("utf-16") + b"\x00"), encoding="utf-16").startswith(
        ", line 100002: the "
    )


def test_errors_in_recoded_files_name_their_line(file: Write) -> None:
    path = file("Größe,B\nx,1\nü,2,3\n".encode("cp1252"))
    assert refusal(path, encoding="cp1252").startswith(", line 3: the row has 3 cells")


@pytest.mark.parametrize("encoding", ["no-such", "rot13", "base64", "", 5, "idna", "a\0b"])
def test_an_encoding_that_is_none_is_refused(encoding: object) -> None:
    with pytest.raises(OptionError, match="encoding must be the name of a text encoding, such as"):
        read("t.csv", encoding=encoding)  # type: ignore[arg-type]


def test_an_encoding_is_refused_where_there_is_none() -> None:
    with pytest.raises(
        OptionError, match="encoding is an option of CSV files, and a dict has none"
    ):
        Reading(encoding="cp1252").apply({"A": ["x"]})


def test_the_index_that_pandas_writes_is_left_out_with_a_note(file: Write, tmp_path: Path) -> None:
    frame = pd.DataFrame({"A": ["x", "y", "x"], "B": ["u", "u", "v"]})
    for some in (frame, frame.iloc[[2, 0]], frame.set_axis([5, 6, 7])):
        some.to_csv(tmp_path / "t.csv")
        table = read(tmp_path / "t.csv")
        assert table.names == ("A", "B")
        assert table.notes == (
            "the first column has no name and numbers the rows, and is left out",
        )
    assert read(file(",A\n0,x\n1,y\n"), columns=["A"]).notes == ()


def test_trailing_commas_are_left_out_with_a_note(file: Write) -> None:
    table = read(file("A;B;;\nx;1;;\ny;2;;\n"))
    assert table.names == ("A", "B")
    assert table.notes == (
        "column 3 has neither a name nor a value, and is left out",
        "column 4 has neither a name nor a value, and is left out",
    )


def test_columns_without_a_name_that_hold_something_are_dropped_by_their_empty_name(
    file: Write,
) -> None:
    path = file(",A,\na,x,1\nb,y,\n")
    assert "column 1 has no name and holds 'a'" in refusal(path)
    assert read(path, drop=[""]).names == ("A",)
    assert "column 2 has no name and holds '7'" in refusal(file("A,\nx,7\ny,8\n"))
    assert "holds '3'" in refusal(file(",A\n3,x\n3,y\n"))


def test_a_file_without_a_line_of_names_is_hinted_at(file: Write) -> None:
    assert refusal(file("ja,ja,nein\nja,nein,nein\n")).endswith(
        "; rename or remove one of them, or say header=False (--no-header) if the first line holds "
        "no names"
    )


def standard_input(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


def test_standard_input_is_read_as_a_file_is(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    csv = b"A,B\nx,1\ny,2\n"
    (tmp_path / "t.csv").write_bytes(csv)
    table = read(tmp_path / "t.csv")
    table.to_pandas().to_parquet(tmp_path / "t.parquet")
    for data in (csv, gzip.compress(csv), (tmp_path / "t.parquet").read_bytes()):
        standard_input(monkeypatch, data)
        assert same(read("-"), table)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "standard input: the file is empty; a table needs"),
        (b"A,B\nx\n", "standard input, line 2: the row has 1 cell but there are 2 columns"),
        (b"PAR1", "standard input: this is not a sound Parquet file"),
    ],
)
def test_errors_call_standard_input_by_its_name(
    monkeypatch: pytest.MonkeyPatch, data: bytes, message: str
) -> None:
    standard_input(monkeypatch, data)
    with pytest.raises(FileFormatError) as error:
        read("-")
    assert str(error.value).startswith(message)


def test_no_standard_input_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(FileFormatError, match="standard input: there is no standard input"):
        read("-")


PRICES = [f"{k},{k % 100:02d}" for k in range(1000, 1060)]


def test_decimal_commas_are_recognised_with_a_note(file: Write) -> None:
    path = file("Preis;Ort\n" + "".join(f"{price};a\n" for price in PRICES))
    table = read(path, discretize={"Preis": [1010.5]})
    assert table.states[0] == ("(-inf,1010.5]", "(1010.5,inf)")
    assert table.codes[0].sum() == 49
    assert table.notes[0] == ("column 'Preis' has decimal commas: 1000,00 is read as 1000.00")
    assert read(path, discretize="auto").cardinality.tolist() == [5, 1]


def test_thousands_may_be_grouped_by_points() -> None:
    values = ["1.650,89", "1.234.567,5", "950", "1.000", "-3,25", "0,5"]
    table = Table.from_frame({"A": values}, discretize={"A": [0, 1, 949, 1000, 2000]})
    assert [table.states[0][k] for k in table.codes[0]] == [
        "(1000,2000]", "(2000,inf)", "(949,1000]", "(949,1000]", "(-inf,0]", "(0,1]",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "values",
    [
        ["1,2", "1", "2", "1,2", "1", "2"],  # answers to a question, several at a time
        [f"{k},{k + 500}" for k in range(100, 160)],  # may be thousands
        ["a,b", "c"] * 20,
    ],
)
def test_other_commas_are_text(values: list[str]) -> None:
    table = Table.from_frame({"A": values * 3})
    assert set(values) == set(table.states[0])
    assert not any("decimal" in note for note in table.notes)


def test_a_text_among_numbers_with_decimal_commas_is_refused_at_its_place(file: Write) -> None:
    path = file("Preis;Ort\n" + "".join(f"{price};a\n" for price in [*PRICES, "k. A."]))
    with pytest.raises(DataError, match=r"line 62, column 'Preis': the value 'k. A.' is no finite"):
        read(path, discretize="auto")
    table = read(path, discretize="auto", missing_markers=["k. A."], missing="drop")
    assert table.n_rows == 60


def test_blanks_and_idle_markers_are_noted(file: Write) -> None:
    table = read(file("Raucher, Husten\nja, ja\nnein, nein\n"), missing_markers=["XX", "-9"])
    assert table.notes == (
        "the missing marker 'XX' does not occur",
        "the missing marker '-9' does not occur",
        "names or states of ' Husten' begin or end with a blank, which belongs to them",
    )
    assert read(file("A,B\n-9.0,x\n1,?\n"), missing_markers=[-9, "?"], missing="state").notes == ()


def test_a_delimiter_that_hides_columns_is_law_but_noted(file: Write) -> None:
    table = read(file("a;b\n1;2\n3;4\n"), delimiter=",")
    assert table.names == ("a;b",)
    assert table.notes[0].startswith("the file reads as one column, 'a;b'; if ';' separates its")


def test_missing_cells_are_told_before_values_that_are_only_in_their_rows(file: Write) -> None:
    path = file("A,B\nx,1\n?,9\n")
    states = {"B": ["1"]}
    with pytest.raises(DataError, match="this cell is missing"):
        read(path, states=states, missing_markers=["?"])
    table = read(path, states=states, missing_markers=["?"], missing="drop")
    assert cells(table) == {"A": ["x"], "B": ["1"]}


def test_places_are_those_of_the_file_though_rows_were_dropped(file: Write) -> None:
    path = file("A,B\n,1\nx,1\n,2\ny,7\n")
    with pytest.raises(DataError, match="line 5, column 'B': the value '7' is not among"):
        read(path, states={"B": ["1", "2"]}, missing="drop")
    with pytest.raises(DataError, match=r"row 3 \(counted from 0\), column 'B': the value '7'"):
        Table.from_frame(
            {"A": [None, "x", None, "y"], "B": [1, 1, 2, 7]},
            states={"B": ["1", "2"]},
            missing="drop",
        )
