from __future__ import annotations

import itertools
import pickle
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow import parquet

from bayesloom.data import Reading, Table, read
from bayesloom.data.dataset import DataFile, data_files, is_dataset
from bayesloom.data.scan import Scan, read_dataset, scan_files
from bayesloom.errors import BayesloomError, DataError, FileFormatError, OptionError

CELLS = ["a", "b", "1", "1.0", "2.50", "2.5", "", "NA", "007", "x,y", 'q"q', "7", "1e0", "Ä"]


def as_csv(rows: Sequence[Sequence[str]], names: Sequence[str]) -> str:
    def cell(x: str) -> str:
        return '"' + x.replace('"', '""') + '"' if set(x) & set(',"') else x

    return "".join(",".join(map(cell, row)) + "\n" for row in [names, *rows])


def write_parts(
    folder: Path, rows: Sequence[Sequence[str]], cuts: Sequence[int], kind: str
) -> None:
    """Write rows of two columns to several files and to one."""
    bounds = [0, *sorted(cuts), len(rows)]
    parts = [rows[a:b] for a, b in itertools.pairwise(bounds) if b > a]
    folder.mkdir()
    write(folder.parent / f"whole.{kind}", rows, kind)
    for k, part in enumerate(parts):
        write(folder / f"part-{k}.{kind}", part, kind)


def write(path: Path, rows: Sequence[Sequence[str]], kind: str) -> None:
    if kind == "csv":
        path.write_text(as_csv(rows, ["A", "B"]))
        return
    table = pa.table({"A": [r[0] or None for r in rows], "B": [r[1] or None for r in rows]})
    table = table.cast(pa.schema([("A", pa.string()), ("B", pa.string())]))
    if kind == "parquet":
        parquet.write_table(table, path, row_group_size=3)
    else:
        with pa.ipc.new_file(path, table.schema) as file:
            file.write_table(table, max_chunksize=2)


def outcome(read: Callable[[], Table]) -> tuple[object, ...]:
    try:
        table = read()
    except BayesloomError as error:
        return type(error), str(error).partition("column")[2]
    return table.names, table.states, [c.tolist() for c in table.codes], table.notes


READINGS = st.builds(
    Reading,
    missing=st.sampled_from(["error", "drop", "state"]),
    missing_markers=st.sampled_from([(), ("NA",), ("1", "?")]),
    states=st.sampled_from([None, {"A": ["a", "b", "1", "2.5", "NA", "7", "x"]}]),
)


@settings(max_examples=60, deadline=None)
@given(
    rows=st.lists(st.tuples(st.sampled_from(CELLS), st.sampled_from(CELLS)), min_size=1),
    cuts=st.lists(st.integers(0, 20), max_size=3),
    kind=st.sampled_from(["csv", "parquet", "arrow"]),
    reading=READINGS,
)
def test_files_read_in_pieces_are_the_table_that_one_file_is(
    tmp_path_factory: pytest.TempPathFactory,
    rows: list[tuple[str, str]],
    cuts: list[int],
    kind: str,
    reading: Reading,
) -> None:
    folder = tmp_path_factory.mktemp("scan")
    write_parts(folder / "parts", rows, [min(c, len(rows)) for c in cuts], kind)
    whole = outcome(lambda: reading.apply(folder / f"whole.{kind}"))
    files = data_files(folder / "parts")
    found = outcome(lambda: read_dataset(files, reading))
    if isinstance(whole[0], type):  # messages name other files and lines
        assert found[0] == whole[0]
    else:
        assert found == whole
        scan = scan_files(files, reading)
        tables = [again for f in files if (again := table_or_none(scan, f)) is not None]
        assert {t.states for t in tables} == {whole[1]}
        joined = [np.concatenate(c).tolist() for c in zip(*(t.codes for t in tables), strict=True)]
        assert joined == whole[2]


def table_or_none(scan: Scan, file: DataFile) -> Table | None:
    try:
        table: Table = pickle.loads(pickle.dumps(scan)).table([file])
    except DataError:
        return None  # all its rows are dropped
    return table


@settings(max_examples=30, deadline=None)
@given(
    numbers=st.lists(st.floats(-50, 50).map(lambda x: round(x, 2)), min_size=30, max_size=120),
    reading=st.sampled_from(["auto", "frequency", "width", {"x": [0, 10.5]}, {"x": 3}]).map(
        lambda how: Reading(discretize=how)  # type: ignore[arg-type]
    ),
    kind=st.sampled_from(["csv", "parquet"]),
)
def test_numbers_are_cut_where_one_file_would_be(
    tmp_path_factory: pytest.TempPathFactory, numbers: list[float], reading: Reading, kind: str
) -> None:
    folder = tmp_path_factory.mktemp("cut")
    for k, part in enumerate([numbers, numbers[:9], numbers[9:20], numbers[20:]]):
        path = folder / (f"whole.{kind}" if k == 0 else f"part-{k}.{kind}")
        if kind == "csv":
            path.write_text("x\n" + "".join(f"{x}\n" for x in part))
        else:
            parquet.write_table(pa.table({"x": part}), path)
    whole = outcome(lambda: reading.apply(folder / f"whole.{kind}"))
    found = outcome(lambda: read_dataset(data_files(str(folder / "part-*")), reading))
    assert found[0] == whole[0]
    if not isinstance(whole[0], type):
        assert found == whole


def test_a_category_of_the_last_file_is_a_state_of_all(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("A,B\nx,1\n")
    (tmp_path / "b.csv").write_text("B,A\n1.0,x\n2,c\n")
    table = read_dataset(data_files(tmp_path), Reading())
    assert table.names == ("A", "B")
    assert table.states == (("c", "x"), ("1", "2"))
    assert [c.tolist() for c in table.codes] == [[1, 1, 0], [0, 0, 1]]


def test_levels_of_dictionaries_are_joined_in_the_order_of_files(tmp_path: Path) -> None:
    for k, levels in enumerate([["lo", "hi"], ["hi", "top"]]):
        values = pa.DictionaryArray.from_arrays(pa.array([0, 0], pa.int8()), pa.array(levels))
        parquet.write_table(pa.table({"A": values}), tmp_path / f"{k}.parquet")
    table = read_dataset(data_files(tmp_path), Reading())
    assert table.states == (("lo", "hi", "top"),)
    assert table.codes[0].tolist() == [0, 0, 1, 1]


def test_whole_numbers_and_floats_are_one_kind(tmp_path: Path) -> None:
    parquet.write_table(pa.table({"A": [1, 2]}), tmp_path / "a.parquet")
    parquet.write_table(pa.table({"A": [2.0, 3.0]}), tmp_path / "b.parquet")
    assert read_dataset(data_files(tmp_path), Reading()).states == (("1", "2", "3"),)


def test_folders_of_hive_are_columns(tmp_path: Path) -> None:
    for year, month in [(2023, "a b"), (2024, "__HIVE_DEFAULT_PARTITION__")]:
        folder = tmp_path / f"year={year}" / f"month={month.replace(' ', '%20')}"
        folder.mkdir(parents=True)
        parquet.write_table(pa.table({"A": ["x", "y"]}), folder / "0.parquet")
    (tmp_path / "_SUCCESS").write_text("")
    table = read_dataset(data_files(tmp_path), Reading(missing="state"))
    assert table.names == ("A", "year", "month")
    assert table.states[1:] == (("2023", "2024"), ("a b", "missing"))
    globbed = read_dataset(data_files(f"{tmp_path}/*/*/*.parquet"), Reading(drop=["month"]))
    assert globbed.names == ("A", "year")
    one = read_dataset(data_files(tmp_path), Reading(columns=["year"]))
    assert one.codes[0].tolist() == [0, 0, 1, 1]


@pytest.mark.parametrize(
    ("second", "said"),
    [
        ({"A": ["x"]}, "b.parquet: column 'B' is not there, but {first} has it"),
        ({"A": ["x"], "B": [1], "C": [2]}, "b.parquet: column 'C' is here, but not in {first}"),
        ({"A": ["x"], "B": ["y"]}, "b.parquet: column 'B' holds values of the kind text, but num"),
    ],
)
def test_files_with_other_columns_are_refused_by_name(
    tmp_path: Path, second: dict[str, list[object]], said: str
) -> None:
    parquet.write_table(pa.table({"A": ["x"], "B": [1]}), tmp_path / "a.parquet")
    parquet.write_table(pa.table(second), tmp_path / "b.parquet")
    with pytest.raises(DataError) as caught:
        read_dataset(data_files(tmp_path), Reading())
    assert said.format(first=tmp_path / "a.parquet") in str(caught.value)


def test_a_column_of_nothing_has_the_kind_of_the_others(tmp_path: Path) -> None:
    parquet.write_table(pa.table({"A": [None, None]}), tmp_path / "a.parquet")
    parquet.write_table(pa.table({"A": ["x", "y"]}), tmp_path / "b.parquet")
    table = read_dataset(data_files(tmp_path), Reading(missing="state"))
    assert table.codes[0].tolist() == [2, 2, 0, 1]


def test_places_are_those_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("A\nx\ny\n")
    (tmp_path / "b.csv").write_text("A\nx\n\n\nodd\n")
    with pytest.raises(DataError, match=r"b\.csv, line 3, column 'A': this cell is missing"):
        read_dataset(data_files(tmp_path), Reading())
    reading = Reading(states={"A": ["x", "y"]}, missing="state")
    with pytest.raises(DataError, match=r"b\.csv, line 5, column 'A': the value 'odd' is not"):
        read_dataset(data_files(tmp_path), reading)


def test_ids_are_refused_before_they_fill_the_memory(tmp_path: Path) -> None:
    for k in range(3):
        ids = np.arange(k * 60_000, (k + 1) * 60_000)
        parquet.write_table(pa.table({"id": ids, "A": ids % 2}), tmp_path / f"{k}.parquet")
    files = data_files(tmp_path)
    with pytest.raises(DataError, match="column 'id' is nearly all distinct, like an id"):
        read_dataset(files, Reading())
    assert read_dataset(files, Reading(drop=["id"])).n_rows == 180_000


def test_a_file_that_changes_meanwhile_is_noticed(tmp_path: Path) -> None:
    for name in ("a", "b"):
        parquet.write_table(pa.table({"A": ["x", "y"] * 9}), tmp_path / f"{name}.parquet")
    seen: list[int] = []

    def spoil(_: object) -> None:
        seen.append(1)
        if len(seen) == 2:
            parquet.write_table(pa.table({"A": ["z"] * 50}), tmp_path / "b.parquet")

    with pytest.raises(FileFormatError, match=r"b\.parquet: the file was changed while it was re"):
        scan_files(data_files(tmp_path), Reading(), spoil)


def test_bad_sources_are_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="no file has such a name; check the pattern"):
        data_files(f"{tmp_path}/*.parquet")
    with pytest.raises(FileFormatError, match="there is no file in this folder"):
        data_files(tmp_path)
    with pytest.raises(FileFormatError, match="there is no such file"):
        data_files(tmp_path / "gone.csv")
    with pytest.raises(OptionError, match="at least one file"):
        data_files([])
    with pytest.raises(OptionError, match="must be the name of files"):
        data_files(3)  # type: ignore[arg-type]
    (tmp_path / "a.csv").write_text("A\nx\n")
    (tmp_path / "b.parquet").write_bytes(b"PAR1 is not enough")
    with pytest.raises(DataError, match="the files are of different kinds"):
        data_files(tmp_path)
    with pytest.raises(FileFormatError, match=r"b\.parquet: this is not a sound Parquet file"):
        read_dataset(data_files(tmp_path / "b.parquet"), Reading())
    assert is_dataset(tmp_path)
    assert not is_dataset(tmp_path / "a.csv")


def test_columns_of_csv_files_can_be_dropped(tmp_path: Path) -> None:
    for year in (1, 2):
        folder = tmp_path / f"year={year}"
        folder.mkdir()
        (folder / "rows.csv").write_text("id,A,B\n1,a,x\n2,b,y\n")
    read = read_dataset(data_files(tmp_path), Reading(drop=["id"]))
    assert read.names == ("A", "B", "year")
    assert read_dataset(data_files(tmp_path), Reading(drop=["id", "year"])).names == ("A", "B")
    only = Reading(columns=["B", "A"], drop=["A"])
    assert read_dataset(data_files(tmp_path), only).names == ("B",)


@pytest.mark.parametrize("kind", ["csv", "parquet", "arrow"])
def test_several_files_keep_their_holes_in_memory(tmp_path: Path, kind: str) -> None:
    rows = [("a", ""), ("", "x"), ("b", "y"), ("a", "x"), ("b", ""), ("c", "y")]
    write_parts(tmp_path / "parts", rows, [2, 3], kind)
    found = read_dataset(data_files(tmp_path / "parts"), Reading(missing="keep"))
    whole = read(tmp_path / f"whole.{kind}", missing="keep")
    assert (found.names, found.states) == (whole.names, whole.states)
    assert [c.tolist() for c in found.codes] == [c.tolist() for c in whole.codes]
    assert found.missing.tolist() == [1, 2]


def test_the_advice_on_other_columns_can_be_followed(tmp_path: Path) -> None:
    (tmp_path / "1.csv").write_text("A,B\na,x\nb,y\n")
    (tmp_path / "2.csv").write_text("A,C\na,x\nb,y\n")
    with pytest.raises(DataError, match=r"choose those to read \(columns=, --column\)"):
        read_dataset(data_files(tmp_path), Reading())
    assert read_dataset(data_files(tmp_path), Reading(columns=["A"])).n_rows == 4
