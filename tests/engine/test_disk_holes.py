"""Missing cells and drawn rows on a disk: what the engine in memory says, of the same rows."""

from __future__ import annotations

import gc
import itertools
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import bayesloom as bl
from bayesloom.data import Table
from bayesloom.data.cache_folder import CacheFolder
from bayesloom.engine import Batch, FamilyKernel, NativeEngine
from bayesloom.engine.disk import DiskEngine
from bayesloom.errors import CapacityError, FileFormatError
from engine_cases import CELL_TESTS
from every_engine import on_disk
from strategies import make_table, punched

KERNELS = {
    "bitmaps": [2, 3, 4, 2, 3],
    "bitmaps and indices": [40, 2, 300, 3, 33],
    "large tables and lists": [300, 257, 300, 40, 2],
    "codes at the edge of a byte": [255, 256, 2, 257, 3],
}


def hollow(states: list[int], n_rows: int, share: float = 0.2) -> Table:
    rng = np.random.default_rng(len(states) * n_rows)
    whole = make_table([rng.integers(0, r, n_rows) for r in states], states)
    return punched(whole, [share] * len(states), 3)


def same_answers(disk: DiskEngine, table: Table) -> bool:
    native, n = NativeEngine(table), len(table.names)
    batch = Batch.of(
        (x, given, [*(v for v in range(n) if v not in (x, *given)), -1])
        for x in range(n)
        for size in range(4)
        for given in itertools.combinations([v for v in range(n) if v != x], size)
    )
    pairs = Batch.pairs(n)
    return (
        all(
            np.array_equal(a, b)
            for a, b in zip(disk.counts(pairs), native.counts(pairs), strict=True)
        )
        and all(
            np.array_equal(disk.families(batch, k, 0.7, 0.2), native.families(batch, k, 0.7, 0.2))
            for k in FamilyKernel
        )
        and all(np.array_equal(disk.tests(batch, k), native.tests(batch, k)) for k in CELL_TESTS)
        and np.array_equal(disk.entropies(batch), native.entropies(batch))
    )


@pytest.mark.parametrize("case", KERNELS)
@pytest.mark.parametrize("n_blocks", [1, 4])
def test_every_kernel_counts_around_holes(case: str, n_blocks: int) -> None:
    table = hollow(KERNELS[case], 2000)
    assert table.missing.all()
    assert same_answers(on_disk(table, n_blocks, 2), table)


@pytest.mark.parametrize("case", KERNELS)
def test_a_block_without_holes_is_counted_among_blocks_that_have_some(case: str) -> None:
    table = hollow(KERNELS[case], 900)
    full = Table(table.names, table.states, [codes[-300:] % 2 for codes in table.codes])
    columns = [np.concatenate(pair) for pair in zip(full.codes, table.codes, strict=True)]
    both = Table(table.names, table.states, columns, holes=True)
    assert same_answers(on_disk(both, 4, 1), both)


def test_rows_come_back_from_the_cache_with_their_holes(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("A,B\nx,1\n,2\n")
    (tmp_path / "b.csv").write_text("A,B\ny,?\nz,1\n")
    read = {"missing": "keep", "missing_markers": ["?"]}
    engine = bl.open(f"{tmp_path}/*.csv", cache=tmp_path / "cache", **read)  # type: ignore[arg-type]
    assert engine.states == (("x", "y", "z"), ("1", "2"))
    assert engine.missing.tolist() == [1, 1]
    assert [codes.tolist() for codes in engine.table().codes] == [[0, 3, 1, 2], [0, 1, 2, 0]]
    assert engine.table(["B"]).names == ("B",)
    tables = engine.counts(Batch.sets([[0], [0, 1]]))
    assert (tables.rows.tolist(), tables[1].tolist()) == ([3, 2], [[1, 0], [0, 0], [1, 0]])


@pytest.fixture(scope="module")
def hollow_files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hollow")
    table = bl.example("asia").sample(2000, seed=1)
    rng = np.random.default_rng(0)
    lines = [
        ",".join("" if rng.random() < 0.1 else s[k] for s, k in zip(table.states, row, strict=True))
        for row in zip(*table.codes, strict=True)
    ]
    for part, rows in (("a", lines[:900]), ("b", lines[900:])):
        (folder / f"{part}.csv").write_text("\n".join([",".join(table.names), *rows]) + "\n")
    return folder


@pytest.mark.parametrize(
    "search", [None, bl.GES(score=bl.PNAL()), bl.PC(), bl.StructuralEM()], ids=repr
)
def test_networks_from_rows_with_holes_are_those_of_memory(
    search: bl.Search | None, hollow_files: Path, tmp_path: Path
) -> None:
    files = f"{hollow_files}/*.csv"
    disk = bl.learn(files, search, missing="keep", engine="disk", cache=tmp_path)
    memory = bl.learn(files, search, missing="keep", engine="memory")
    assert isinstance(disk.engine, DiskEngine)
    assert disk.engine.missing.all()
    assert disk.edges
    told = [net.to_dict() | {"seconds": None, "missing": None} for net in (disk, memory)]
    assert told[0] == told[1]
    if disk.extension is not None:
        for name in disk.names:
            assert np.array_equal(disk.table(name), memory.table(name))
    assert str(disk.em_run) == str(memory.em_run)


def test_em_takes_rows_that_fit_the_memory_and_says_what_to_do_with_others(
    hollow_files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = bl.open(f"{hollow_files}/*.csv", cache=tmp_path, missing="keep")
    net = bl.learn(engine, bl.GES(score=bl.PNAL()))
    assert net.log_likelihood(engine) == net.log_likelihood(engine.table())
    assert net.em_run is not None
    monkeypatch.setattr(engine, "_memory", 100_000)
    said = r"needs all of them in memory, .* GB; allow as much \(memory=, --memory\), fit with"
    with pytest.raises(CapacityError, match=said):
        bl.fit(net.dag, engine, method="em")
    with pytest.raises(CapacityError, match=said):
        net.log_likelihood(engine)
    by_itself, plain = bl.fit(net.dag, engine), bl.fit(net.dag, engine, method="available")
    assert by_itself.em_run is None
    assert np.array_equal(by_itself.table("lung"), plain.table("lung"))


@pytest.mark.parametrize("missing", ["keep", "drop"])
def test_a_bootstrap_on_a_disk_is_that_of_memory(
    missing: bl.data.reading.MissingPolicy, hollow_files: Path, tmp_path: Path
) -> None:
    engine = bl.open(f"{hollow_files}/*.csv", cache=tmp_path, missing=missing)
    search = bl.GES(score=bl.PNAL())
    found = [bl.bootstrap(rows, search, replicates=6, seed=3) for rows in (engine, engine.table())]
    told = [one.to_dict() | {"seconds": None} for one in found]
    assert told[0] == told[1]
    assert any(0 < row.strength < 1 for row in found[0].edges)
    gc.collect()
    assert [file.suffix for file in tmp_path.iterdir()] == [".codes"]


def test_drawn_rows_are_those_of_memory_with_holes_and_in_blocks() -> None:
    table = hollow([2, 3, 300, 40], 5000)
    for n_blocks in (1, 6):
        drawn = on_disk(table, n_blocks).resampled(11)
        twin = NativeEngine(table).resampled(11)
        assert drawn.missing.tolist() == twin.missing.tolist()
        assert drawn.observed.tolist() == twin.observed.tolist()
        assert same_answers(drawn, twin.table)


KILLED = """
import os, signal, sys
import bayesloom as bl
drawn = bl.open(sys.argv[1], cache=sys.argv[2], missing="keep").resampled(1)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_drawn_rows_of_a_killed_process_are_swept(hollow_files: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(hollow_files / "a.csv"), str(tmp_path)], check=False
    )
    assert done.returncode == -9
    assert sorted(file.suffix for file in tmp_path.iterdir()) == ["", ".codes"]
    assert len(CacheFolder(tmp_path).entries()) == 1
    assert [file.suffix for file in tmp_path.iterdir()] == [".codes"]


FULL = """
import resource, signal, sys
import bayesloom as bl
engine = bl.open(sys.argv[1], cache=sys.argv[2], missing="keep")
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    engine.resampled(1)
except bl.errors.FileFormatError as error:
    print(error)
"""


def test_no_room_for_drawn_rows_is_one_sentence(hollow_files: Path, tmp_path: Path) -> None:
    pytest.importorskip("resource")
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(hollow_files / "a.csv"), str(tmp_path)],
        check=True,
        capture_output=True,
        text=True,
    )
    assert "the cache cannot be written (File too large); make room" in done.stdout
    assert done.stdout.count("\n") == 1
    assert [file.suffix for file in tmp_path.iterdir()] == [".codes"]


def test_a_cache_damaged_meanwhile_is_one_sentence(hollow_files: Path, tmp_path: Path) -> None:
    engine = bl.open(hollow_files / "a.csv", cache=tmp_path / "cache", missing="keep")
    os.truncate(engine.cache.path, 66)
    with pytest.raises(FileFormatError, match="the cache cannot be read; open the data anew"):
        engine.resampled(1)
    assert len(list((tmp_path / "cache").iterdir())) == 1
