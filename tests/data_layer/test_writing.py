"""Tests of data/writing.py and atomic.py."""

from __future__ import annotations

import re
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from bayesloom.data import Table, atomic_file, read, write_csv
from bayesloom.data.writing import check_table_path, write_table
from bayesloom.errors import FileFormatError, OptionError
from strategies_data import cells, same, tables, words

Write = Callable[..., Path]
SMALL = Table(["A", "B"], [["no", "yes"], ["x,y", 'say "z"']], [[0, 1], [1, 0]])


@pytest.mark.parametrize("name", ["t.csv", "t.csv.gz"])
@given(table=tables())
def test_a_table_comes_back_exactly_from_csv_and_its_states(name: str, table: Table) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        write_csv(table, path)
        states = dict(zip(table.names, table.states, strict=True))
        assert same(read(path, states=states), table)


@given(tables(text=words()))
def test_every_cell_of_text_comes_back_from_csv_alone(table: Table) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "t.csv")
        write_csv(table, path)
        again = read(path)
    assert again.names == table.names
    assert cells(again) == cells(table)


@pytest.mark.parametrize("name", ["t.parquet", "t.arrow", "T.PARQUET"])
@given(table=tables())
def test_a_table_comes_back_exactly_from_parquet_and_arrow(name: str, table: Table) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        write_table(table, path)
        assert same(read(path), table)


@pytest.mark.parametrize("name", ["t.csv", "t.csv.gz"])
def test_a_table_is_written_as_csv_under_that_ending(name: str, tmp_path: Path) -> None:
    write_csv(SMALL, tmp_path / f"other-{name}")
    write_table(SMALL, tmp_path / name)
    assert (tmp_path / name).read_bytes() == (tmp_path / f"other-{name}").read_bytes()


@pytest.mark.parametrize("name", ["t.xlsx", "t", "t.csv.zip", "t.tsv"])
def test_a_table_is_not_written_under_another_ending(name: str, tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match=r"written as .csv, .csv.gz, .parquet or .arrow"):
        check_table_path(name)
    with pytest.raises(FileFormatError, match=r"written as .csv, .csv.gz, .parquet or .arrow"):
        write_table(SMALL, tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_quotes_are_written_only_where_a_label_needs_them(tmp_path: Path) -> None:
    write_csv(SMALL.select(["A"]), tmp_path / "t.csv")
    assert (tmp_path / "t.csv").read_bytes() == b"A\nno\nyes\n"
    write_csv(SMALL, tmp_path / "t.csv")
    assert (tmp_path / "t.csv").read_bytes() == b'A,B\n"no","say ""z"""\n"yes","x,y"\n'


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|", ":"])
def test_names_and_labels_with_delimiters_come_back_without_a_word(
    tmp_path: Path, delimiter: str
) -> None:
    name, label = f"a{delimiter}b", f"1{delimiter}2"
    for names in ([name], [f"{name}{delimiter}c", "d"]):
        table = Table(names, [[label, "x"]] * len(names), [[0, 0, 1]] * len(names))
        write_csv(table, tmp_path / "t.csv")
        assert cells(read(tmp_path / "t.csv")) == cells(table)


def test_the_same_table_makes_the_same_bytes(tmp_path: Path) -> None:
    for name in ("t.csv", "t.csv.gz"):
        write_csv(SMALL, tmp_path / name)
        first = (tmp_path / name).read_bytes()
        write_csv(SMALL, tmp_path / name)
        assert (tmp_path / name).read_bytes() == first


def test_a_large_table_comes_back(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    states = tuple(f"s{k:03}" for k in range(300))
    table = Table(["A"], [states], [np.append(np.arange(300), rng.integers(0, 300, 50_000))])
    write_csv(table, tmp_path / "t.csv")
    assert same(read(tmp_path / "t.csv"), table)


def test_a_write_that_fails_leaves_the_old_file_and_no_other(file: Write) -> None:
    path = file("old")
    with suppress(KeyboardInterrupt), atomic_file(path) as out:
        out.write(b"half")
        raise KeyboardInterrupt
    assert path.read_bytes() == b"old"
    assert list(path.parent.iterdir()) == [path]


def test_a_new_file_has_the_permissions_of_any_new_file(tmp_path: Path) -> None:
    with atomic_file(tmp_path / "a") as out:
        out.write(b"")
    (tmp_path / "b").touch()
    assert (tmp_path / "a").stat().st_mode == (tmp_path / "b").stat().st_mode


def test_a_place_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match=r"no/t.csv: the file cannot be written \(No such"):
        write_csv(SMALL, tmp_path / "no" / "t.csv")
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(FileFormatError, match="this is a folder or a device, not a file"):
        write_csv(SMALL, tmp_path / "folder.csv")


@pytest.mark.parametrize("name", ["t.parquet", "t.txt", "t", "t.gz", "t.arrow"])
def test_csv_is_not_written_under_another_ending(name: str, tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match=r"; CSV is written as .csv or .csv.gz$"):
        write_csv(SMALL, tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_an_ending_in_capitals_is_packed_all_the_same(tmp_path: Path) -> None:
    write_csv(SMALL, tmp_path / "T.CSV.GZ")
    assert cells(read(tmp_path / "T.CSV.GZ")) == cells(SMALL)


@pytest.mark.parametrize("write", [write_csv, write_table])
@pytest.mark.parametrize("name", ["t.csv", "t.parquet"])
def test_only_tables_are_written_and_only_under_names(
    write: Callable[..., None], name: str, tmp_path: Path
) -> None:
    if write is write_table or name == "t.csv":
        with pytest.raises(OptionError, match="table must be a Table, such as"):
            write("x", tmp_path / name)
    with pytest.raises(OptionError, match="path must be the name of a file"):
        write(SMALL, None)


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664])
def test_a_file_that_is_replaced_keeps_its_permissions(file: Write, mode: int) -> None:
    path = file("old")
    path.chmod(mode)
    write_csv(SMALL, path)
    assert stat.S_IMODE(path.stat().st_mode) == mode
    with suppress(KeyboardInterrupt), atomic_file(path) as out:
        (draft,) = (other for other in path.parent.iterdir() if other != path)
        assert stat.S_IMODE(draft.stat().st_mode) == mode
        out.write(b"half")
        raise KeyboardInterrupt


def test_what_is_written_is_on_the_disk_before_it_has_the_name(
    file: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, seen = file("old"), []
    monkeypatch.setattr("os.fsync", lambda _: seen.append(path.read_bytes()))
    with atomic_file(path) as out:
        out.write(b"new")
    assert seen == [b"old"]
    assert path.read_bytes() == b"new"


def test_the_draft_of_a_killed_process_is_swept_by_the_next_write(tmp_path: Path) -> None:
    code = (
        "import os, sys, signal; from bayesloom.data import atomic_file\n"
        "with atomic_file(sys.argv[1]) as out:\n"
        "    out.write(b'x'); os.kill(os.getpid(), signal.SIGKILL)"
    )
    path = tmp_path / "t.csv"
    subprocess.run([sys.executable, "-c", code, path], check=False)
    (left,) = tmp_path.iterdir()
    other = tmp_path / re.sub("-[0-9a-f]{8}-", "-00000000-", left.name)  # of another machine
    other.touch()
    with atomic_file(tmp_path / "u.csv") as mine:
        mine.write(b"mine")
        write_csv(SMALL, path)  # a process that lives keeps its draft
    assert sorted(tmp_path.iterdir()) == sorted([other, path, tmp_path / "u.csv"])
