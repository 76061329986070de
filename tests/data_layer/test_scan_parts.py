"""Parts that are scanned apart agree on the states that one scan over all finds."""

from __future__ import annotations

import pickle
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow import parquet

from bayesloom.data import Reading
from bayesloom.data.chunk import chunks, divided, frame_chunks
from bayesloom.data.dataset import DataFile, data_files
from bayesloom.data.reading import MissingPolicy
from bayesloom.data.scan import Scan, ScannedPart, agreed, read_dataset, scan_files, scan_part
from bayesloom.errors import BayesloomError, DataError

CELLS = ["a", "b", "1", "1.0", "2.50", "2.5", "", "NA", "007", "7", "1e0"]


def scanned_file(file: DataFile, reading: Reading) -> ScannedPart:
    return scan_part(chunks(file, reading), reading, file.path)


def told(scan: Scan) -> tuple[object, ...]:
    codes = [code.tolist() for code in scan.code_of]
    return scan.names, scan.states, scan.n_rows, scan.notes, codes, scan.labels


def at_once(files: Sequence[DataFile], reading: Reading) -> object:
    try:
        return told(scan_files(files, reading, title="all"))
    except BayesloomError as error:
        return type(error), str(error)


def apart(files: Sequence[DataFile], reading: Reading) -> object:
    try:
        parts = [pickle.loads(pickle.dumps(scanned_file(file, reading))) for file in files]
        return told(agreed(parts, reading, "all"))
    except BayesloomError as error:
        return type(error), str(error)


def write(folder: Path, parts: Sequence[Sequence[tuple[str, str]]]) -> tuple[DataFile, ...]:
    for k, rows in enumerate(parts):
        text = "".join(f"{a},{b}\n" for a, b in [("A", "B"), *rows])
        (folder / f"{k}.csv").write_text(text)
    return data_files(folder)


@settings(max_examples=80)
@given(
    parts=st.lists(
        st.lists(st.tuples(st.sampled_from(CELLS), st.sampled_from(CELLS)), min_size=1, max_size=9),
        min_size=1,
        max_size=4,
    ),
    missing=st.sampled_from(["error", "drop", "state"]),
    markers=st.sampled_from([(), ("NA",), ("1", "?")]),
)
def test_parts_agree_on_what_one_scan_finds(
    tmp_path_factory: pytest.TempPathFactory,
    parts: list[list[tuple[str, str]]],
    missing: MissingPolicy,
    markers: tuple[str, ...],
) -> None:
    files = write(tmp_path_factory.mktemp("parts"), parts)
    reading = Reading(missing=missing, missing_markers=markers)
    assert apart(files, reading) == at_once(files, reading)


def test_a_part_with_other_columns_is_refused_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "0.csv").write_text("A,B\nx,y\n")
    (tmp_path / "1.csv").write_text("A,C\nx,y\n")
    files = data_files(tmp_path)
    assert apart(files, Reading()) == at_once(files, Reading())
    with pytest.raises(DataError, match=r"1\.csv: column 'B' is not there"):
        agreed([scanned_file(file, Reading()) for file in files], Reading(), "all")


def test_a_frame_is_scanned_like_the_file_of_its_rows() -> None:
    frame = pd.DataFrame({"n": [1, 2, 2], "t": ["x", None, "z"], "c": pd.Categorical(["u"] * 3)})
    reading = Reading(missing="state")
    parts = [
        scan_part(frame_chunks(each, "a frame", reading), reading, "a frame")
        for each in (frame[:1], frame[1:])
    ]
    scan = agreed(parts, reading, "all")
    whole = reading.apply(frame)
    assert (scan.names, scan.states) == (whole.names, whole.states)
    table = scan.table_of(frame_chunks(frame, "a frame", reading))
    assert [c.tolist() for c in table.codes] == [c.tolist() for c in whole.codes]


def test_a_frame_with_cells_of_several_kinds_is_refused() -> None:
    frame = pd.DataFrame({"odd": [1, "x", [2]]})
    with pytest.raises(DataError, match=r"a frame: .*give columns of text"):
        list(frame_chunks(frame, "a frame", Reading()))


@settings(max_examples=40)
@given(
    sizes=st.lists(st.integers(1, 9), min_size=1, max_size=8),
    n=st.integers(1, 9),
    group=st.integers(1, 12),
)
def test_parts_of_a_parquet_file_are_the_file(sizes: list[int], n: int, group: int) -> None:
    rows = [f"s{k}" for k, size in enumerate(sizes) for _ in range(size)]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a.parquet")
        parquet.write_table(pa.table({"a": rows}), path, row_group_size=group)
        parts = divided(DataFile(str(path)), n)
        n_groups = -(-len(rows) // group)
        assert 1 <= len(parts) <= min(n, n_groups)
        found = [
            source.source.place(k, "a")
            for part in parts
            for source in chunks(part, Reading())
            for k in range(source.columns[0].n_rows)
        ]
        assert len(found) == len(set(found)) == len(rows)
        scanned = agreed([scanned_file(part, Reading()) for part in parts], Reading(), "all")
        whole = read_dataset([DataFile(str(path))], Reading())
        again = [label for part in parts for label in scanned.table([part]).to_arrow()["a"]]
        assert (scanned.states, scanned.n_rows) == (whole.states, len(rows))
        assert [label.as_py() for label in again] == rows


def test_only_parquet_files_with_several_row_groups_are_divided(tmp_path: Path) -> None:
    text, unsound = tmp_path / "a.csv", tmp_path / "b.parquet"
    text.write_text('a\n"x\ny"\nz\n')
    unsound.write_bytes(b"no Parquet")
    empty = tmp_path / "c.parquet"
    parquet.write_table(pa.table({"a": pa.array([], pa.string())}), empty)
    for path in (text, unsound, empty):
        assert divided(DataFile(str(path)), 5) == [DataFile(str(path))]
