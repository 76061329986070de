"""Numbers that come in pieces are cut for a class where they are cut in memory."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import csv, parquet

import bayesloom as bl
from bayesloom.data import Reading, read
from bayesloom.data.chunk import chunks
from bayesloom.data.crossing import Crossing
from bayesloom.data.dataset import data_files
from bayesloom.data.scan import agreed, read_dataset, scan_part
from bayesloom.errors import DataError

READINGS: dict[str, dict[str, Any]] = {
    "all columns": {"discretize": "mdl", "missing": "drop"},
    "holes kept": {"discretize": "mdl", "missing": "keep"},
    "some columns": {"discretize": {"x": "mdl", "*": "frequency"}, "missing": "keep"},
    "a target that is cut itself": {
        "discretize": {"size": 3, "*": "mdl"},
        "target": "size",
        "missing": "drop",
    },
}


@pytest.fixture(scope="module")
def frame() -> pa.Table:
    rng = np.random.default_rng(4)
    kind = np.sort(rng.integers(0, 3, 1500))  # the last class is in the last file only
    x = rng.normal(kind, 0.6).round(2)
    y = rng.normal(0, 1, 1500)  # as many values as rows
    size = (10 * x + rng.normal(0, 1, 1500)).round(1)
    holes = rng.random(1500) < 0.05
    return pa.table(
        {
            "x": pa.array(x, mask=holes),
            "kind": pa.array(np.array(["a", "b", "c"])[kind], mask=np.roll(holes, 7)),
            "y": y,
            "size": size,
            "flag": np.array(["n", "y"])[(x > 1).astype(int)],
        }
    )


def write(rows: pa.Table, folder: Path, ending: str) -> Path:
    folder.mkdir()
    for k, part in enumerate([rows, rows[:500], rows[500:503], rows[503:]]):
        place = folder.parent / f"whole.{ending}" if k == 0 else folder / f"{k}.{ending}"
        (csv.write_csv if ending == "csv" else parquet.write_table)(part, place)
    return folder.parent / f"whole.{ending}"


@pytest.mark.parametrize("ending", ["csv", "parquet"])
@pytest.mark.parametrize("case", READINGS)
def test_pieces_are_cut_like_the_whole(
    case: str, ending: str, frame: pa.Table, tmp_path: Path
) -> None:
    options = {"target": "kind", **READINGS[case]}
    whole = read(write(frame, tmp_path / "parts", ending), **options)
    reading, files = Reading(**options), data_files(tmp_path / "parts")
    found = read_dataset(files, reading)
    assert (found.names, found.states, found.notes) == (whole.names, whole.states, whole.notes)
    assert [c.tolist() for c in found.codes] == [c.tolist() for c in whole.codes]
    assert len(found.states[0]) > 1
    parts = [scan_part(chunks(file, reading), reading, file.path) for file in files]
    apart = agreed(parts, reading, "all")
    assert apart.states == whole.states
    engine = bl.open(tmp_path / "parts", cache=tmp_path / "cache", **options)
    assert [c.tolist() for c in engine.table().codes] == [c.tolist() for c in whole.codes]


def test_a_target_of_numbers_is_refused_as_in_memory(frame: pa.Table, tmp_path: Path) -> None:
    whole = write(frame, tmp_path / "parts", "csv")
    options: dict[str, Any] = {"discretize": "mdl", "target": "y", "missing": "drop"}
    said = "the target that mdl cuts for must be a category"
    for run in (lambda: read(whole, **options), lambda: bl.open(tmp_path / "parts", **options)):
        with pytest.raises(DataError, match=said):
            run()


def test_too_many_pairs_are_refused(
    frame: pa.Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(frame, tmp_path / "parts", "parquet")
    monkeypatch.setattr("bayesloom.data.crossing.MOST_PAIRS", 1000)
    with pytest.raises(DataError, match="column 'y' has more than 1,000 different values by class"):
        bl.open(
            tmp_path / "parts",
            cache=tmp_path / "cache",
            discretize="mdl",
            target="kind",
            missing="drop",
        )


pairs = st.lists(st.tuples(st.sampled_from([0, 1, 5, 70_000]), st.integers(0, 40)), min_size=1)


@given(pieces=st.lists(pairs, min_size=1, max_size=4), apart=st.integers(0, 1))
def test_counts_are_those_of_a_dictionary(pieces: list[list[tuple[int, int]]], apart: int) -> None:
    crossing = Crossing("x")
    for piece in pieces:
        values, classes = (np.array(part, np.uint32) for part in zip(*piece, strict=True))
        if apart:
            other, same = Crossing("x"), np.arange(70_001)
            other.add(values, classes)
            crossing.absorb(other, same, same)
        else:
            crossing.add(values, classes)
    code = np.full(70_001, -1)
    code[[0, 1, 70_000]] = 0, 1, 2  # 5 is missing
    table = crossing.table(code, 3, np.arange(41), 41)
    for k, value in enumerate([0, 1, 70_000]):
        for c in range(41):
            assert table[k, c] == sum(piece.count((value, c)) for piece in pieces)
