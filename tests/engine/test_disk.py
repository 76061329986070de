from __future__ import annotations

import copy
import json
import os
import pickle
import struct
import subprocess
import sys
import threading
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

import bayesloom as bl
from bayesloom import model
from bayesloom.data import Table, write_csv
from bayesloom.data.block_cache import BlockWriter, WatchedBlocks
from bayesloom.data.cache_folder import CacheFolder
from bayesloom.data.census import ValueNumbers
from bayesloom.engine import Batch, FamilyKernel, NativeEngine, StopSignal
from bayesloom.engine.disk import DiskEngine, ScanProgress
from bayesloom.engine.memory_size import bytes_of
from bayesloom.engine.opening import EncodingProgress
from bayesloom.errors import (
    CapacityError,
    DataError,
    FileFormatError,
    MissingExtraError,
    OptionError,
    Stopped,
)
from every_engine import on_disk
from strategies import make_table


def numbers(n_rows: int, states: list[int], seed: int = 0) -> Table:
    rng = np.random.default_rng(seed)
    return make_table([rng.integers(0, r, n_rows) for r in states], states)


@pytest.fixture
def parts(tmp_path: Path) -> Path:
    """Two Parquet files of a table; the second has a state that the first lacks."""
    folder = tmp_path / "parts"
    folder.mkdir()
    for k, wet in enumerate([["no", "yes"] * 50, ["no", "a little"] * 50]):
        rows = pa.table({"rain": ["no", "yes"] * 50, "wet": wet, "day": ["mon", "tue"] * 50})
        parquet.write_table(rows, folder / f"{k}.parquet")
    return folder


@pytest.mark.parametrize("kind", ["csv", "parquet", "arrow", "hive"])
def test_files_of_every_kind_are_opened_and_learned_from(
    tmp_path: Path, asia: Table, kind: str
) -> None:
    folder = tmp_path / "rows"
    folder.mkdir()
    halves = [asia.take(slice(0, 2500)), asia.take(slice(2500, None))]
    for k, half in enumerate(halves):
        if kind == "csv":
            write_csv(half, folder / f"{k}.csv")
        elif kind == "arrow":
            with pa.ipc.new_file(folder / f"{k}.arrow", half.to_arrow().schema) as file:
                file.write_table(half.to_arrow())
        else:
            place = folder / f"part={k}" if kind == "hive" else folder
            place.mkdir(exist_ok=True)
            parquet.write_table(half.to_arrow(), place / f"{k}.parquet")
    engine = bl.open(folder, cache=tmp_path / "cache", drop=["part"] if kind == "hive" else ())
    assert engine.n_rows == 5000
    assert engine.columns == asia.names
    found = bl.learn(engine, bl.GES(score=bl.BIC()))
    wanted = bl.learn(asia, bl.GES(score=bl.BIC()))
    assert (found.edges, found.undirected) == (wanted.edges, wanted.undirected)
    assert found.to_dict()["score"] == wanted.to_dict()["score"]
    assert found.to_dict()["variables"] == wanted.to_dict()["variables"]
    assert model.log_likelihood(wanted, engine) == model.log_likelihood(wanted, asia)
    assert str(bl.fit(wanted.dag, engine).table("E")) == str(bl.fit(wanted.dag, asia).table("E"))
    assert bl.BIC().explain(engine, wanted.dag).value == bl.BIC().explain(asia, wanted.dag).value
    assert bl.test(engine, "S", "L").statistic == bl.test(asia, "S", "L").statistic


def test_a_state_of_the_last_file_is_a_state(parts: Path, tmp_path: Path) -> None:
    engine = bl.open(f"{parts}/*.parquet", cache=tmp_path / "cache")
    assert engine.names == ("day", "rain", "wet")
    assert engine.columns == ("rain", "wet", "day")
    assert engine.states[2] == ("a little", "no", "yes")
    assert engine.counts(Batch.sets([(2,)]))[0].tolist() == [50, 100, 50]
    assert "200 rows x 3 columns" in repr(engine)
    assert engine.table().names == engine.columns


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("states", [[2, 3, 16, 17, 33], [1, 300, 40, 5, 2], [70, 600, 2, 9, 64]])
def test_states_of_all_numbers_are_counted_alike(threads: int, states: list[int]) -> None:
    table = numbers(3000, states)
    engine, native = on_disk(table, 4, threads), NativeEngine(table)
    for batch in (
        Batch.pairs(5),
        Batch.of([(0, (1, 2), (3, 4, -1)), (4, (3,), (0, 1, 2))]),
        Batch.families([(0, (1, 2, 3, 4)), (1, ())]),
    ):
        for kernel in FamilyKernel:
            assert np.array_equal(
                engine.families(batch, kernel, 2.0, 0.1), native.families(batch, kernel, 2.0, 0.1)
            )
    assert [t.tolist() for t in engine.counts(Batch.pairs(5))] == [
        t.tolist() for t in native.counts(Batch.pairs(5))
    ]


@pytest.mark.parametrize("search", [bl.GES(score=bl.BIC()), bl.XGES(score=bl.BDeu())], ids=repr)
def test_searches_look_ahead_and_find_the_same_in_fewer_scans(
    search: bl.Search, alarm: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    near = on_disk(alarm.in_name_order(), 7)
    assert near.round_trip == 0
    engine = on_disk(alarm.in_name_order(), 8)
    size = Path(engine.cache.path).stat().st_size
    assert 0.5 * size < engine.cache.n_bytes < size
    assert engine.round_trip == engine.cache.n_bytes / 750e6
    monkeypatch.setattr("bayesloom.engine.disk._READING_SPEED", engine.cache.n_bytes / 60)
    assert engine.round_trip == 60
    found = [bl.learn(rows, search).to_dict() | {"seconds": None} for rows in (near, engine, alarm)]
    assert found[0] == found[1]
    assert found[1] | {"variables": None} == found[2] | {"variables": None}
    assert 3 * engine.n_scans < near.n_scans


def test_tables_that_do_not_fit_together_take_more_scans() -> None:
    table = numbers(2000, [60, 50, 40, 30, 20, 10])
    engine, native = on_disk(table, 3, threads=2), NativeEngine(table)
    batch = Batch.of([(x, tuple(y for y in range(6) if y not in (x, z)), (z,))
                      for x in range(6) for z in range(6) if x != z])  # fmt: skip
    asked = engine.n_scans
    assert np.array_equal(engine.entropies(batch), native.entropies(batch))
    assert engine.n_scans == asked + 1  # lists of cells are small where rows are few
    large = Batch.of([(0, (1, 2), (3, 4)), (1, (2, 3), (4, 5)), (0, (1, 3), (2,))])
    asked = engine.n_scans
    assert [t.tolist() for t in engine.counts(large)] == [t.tolist() for t in native.counts(large)]
    assert engine.n_scans > asked + 1


def test_a_table_with_too_many_cells_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = on_disk(numbers(50_000, [2000, 2000, 2000]), 2, threads=2)
    monkeypatch.setattr(engine, "_memory", 200_000)
    with pytest.raises(CapacityError, match="does not fit the memory; allow more"):
        engine.entropies(Batch.sets([(0, 1, 2)]))


def test_a_prior_is_told_apart_in_tables_and_lists() -> None:
    table, earlier = numbers(800, [3, 2, 40, 300, 500]), numbers(90, [3, 2, 40, 300, 500], 1)
    engine, native = on_disk(table, 3), NativeEngine(table)
    batch = Batch.families([(0, (1,)), (2, (3, 4)), (1, ()), (0, (1, 2, 3, 4))])
    wanted = native.families_with_prior(batch, earlier, 2.0, 0.5)
    for _ in range(2):
        assert np.array_equal(engine.families_with_prior(batch, earlier, 2.0, 0.5), wanted)


def test_the_cache_is_used_again_until_something_changes(parts: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    first = bl.open(parts, cache=cache)
    stamp = Path(first.cache.path).stat().st_ino
    again = bl.open(parts, cache=cache)
    assert again.cache.path == first.cache.path
    assert Path(again.cache.path).stat().st_ino == stamp
    assert bl.open(parts, cache=cache, drop=["wet"]).cache.path != first.cache.path
    rows = pa.table({"rain": ["no"], "wet": ["yes"], "day": ["sun"]})
    parquet.write_table(rows, parts / "2.parquet")
    grown = bl.open(parts, cache=cache)
    assert grown.n_rows == 201
    assert first.n_rows == 200  # what is open stays as it was
    assert first.entropies(Batch.sets([(0,)])).shape == (1,)
    assert len(CacheFolder(cache).entries()) == 3


def test_a_damaged_cache_is_built_again(parts: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    engine = bl.open(parts, cache=cache)
    path = Path(engine.cache.path)
    wanted = engine.entropies(Batch.pairs(3))
    whole = path.read_bytes()
    torn = [whole[:-1], whole[:70], b"", whole[:65] + b"\xff" + whole[66:], whole[:-60] + b"x" * 60]
    for bad in torn:
        path.write_bytes(bad)
        assert np.array_equal(bl.open(parts, cache=cache).entropies(Batch.pairs(3)), wanted)
        assert path.read_bytes()[:64] == whole[:64]


def test_a_cache_that_vanishes_under_an_engine_is_one_sentence(parts: Path, tmp_path: Path) -> None:
    engine = bl.open(parts, cache=tmp_path / "cache")
    with Path(engine.cache.path).open("r+b") as file:
        file.truncate(66)
    with pytest.raises(FileFormatError, match="the cache cannot be read; open the data anew"):
        engine.entropies(Batch.pairs(3))


USES: dict[str, Callable[[DiskEngine], object]] = {
    "counting": lambda engine: engine.entropies(Batch.pairs(3)),
    "drawing": lambda engine: engine.resampled(1),
    "reading into memory": lambda engine: engine.table(),
}


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("times", [0, 1])
def test_a_block_that_changes_under_an_engine_is_noticed_when_it_is_read(
    parts: Path, tmp_path: Path, use: str, times: int
) -> None:
    for place in (64, 70, 80):
        engine = bl.open(parts, cache=tmp_path / "cache")
        wanted = [engine.entropies(Batch.pairs(3)) for _ in range(times)]
        path = Path(engine.cache.path)
        stat = path.stat()
        with path.open("r+b") as file:
            file.seek(place)
            old = file.read(1)
            file.seek(place)
            file.write(bytes([old[0] ^ 1]))
        os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
        for _ in range(2):
            with pytest.raises(FileFormatError, match="the cache has changed since it was opened;"):
                USES[use](engine)
        again = bl.open(parts, cache=tmp_path / "cache").entropies(Batch.pairs(3))
        assert all(np.array_equal(again, before) for before in wanted)


def test_a_cache_that_is_only_touched_stays_as_good_as_it_was(parts: Path, tmp_path: Path) -> None:
    engine = bl.open(parts, cache=tmp_path / "cache")
    wanted = engine.entropies(Batch.pairs(3))
    path = Path(engine.cache.path)
    path.chmod(0o600)
    os.utime(path)
    assert np.array_equal(engine.entropies(Batch.pairs(3)), wanted)
    path.unlink()
    assert np.array_equal(engine.entropies(Batch.pairs(3)), wanted)


def test_blocks_are_compared_once_as_long_as_nobody_touches_the_file(
    tmp_path: Path, parts: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared = list[int]()
    compare = WatchedBlocks._compare

    def noting(blocks: WatchedBlocks, block: int) -> None:
        compared.append(block)
        compare(blocks, block)

    monkeypatch.setattr(WatchedBlocks, "_compare", noting)
    engine = bl.open(parts, cache=tmp_path / "cache")
    until = time.monotonic() + 30
    while time.monotonic() < until:  # a change within a tick of the clock would not show
        compared.clear()
        engine.entropies(Batch.pairs(3))
        if not compared:
            break
    assert not compared
    Path(engine.cache.path).chmod(0o600)
    engine.entropies(Batch.pairs(3))
    assert compared


def leaves(told: object) -> Iterator[tuple[Any, Any]]:
    """Yield the places of all that stands in plain data: what holds it, and where there."""
    if isinstance(told, dict | list):
        for place in told if isinstance(told, dict) else range(len(told)):
            yield told, place
            yield from leaves(told[place])


def test_a_cache_with_a_description_of_other_numbers_is_built_again_or_counted(
    tmp_path: Path,
) -> None:
    files, cache = tmp_path / "a.csv", tmp_path / "cache"
    files.write_text("A,B\nx,1\n,2\ny,2\n")
    path = Path(bl.open(files, cache=cache, missing="keep").cache.path)
    whole = path.read_bytes()
    size = int.from_bytes(whole[-20:-12], "little")
    n_places = sum(1 for _ in leaves(json.loads(whole[-20 - size : -20])))
    assert n_places >= 40
    others: list[Any] = [70_000, -1, 1 << 70, 1e300, "x", None, [], {}, [1, 2, 3], 0, True]
    for k in range(n_places):
        for other in others:
            told = json.loads(whole[-20 - size : -20])
            holder, place = list(leaves(told))[k]
            holder[place] = other
            text = json.dumps(told).encode()
            tail = struct.pack("<QI8s", len(text), zlib.crc32(text), whole[-8:])
            path.write_bytes(whole[: -20 - size] + text + tail)
            assert len(CacheFolder(cache).entries()) == 1
            engine = bl.open(files, cache=cache, missing="keep")
            engine.entropies(Batch.pairs(2))
            assert engine.n_rows == 3


def test_files_with_other_content_of_the_same_size_and_time_are_read_anew(tmp_path: Path) -> None:
    files, cache = tmp_path / "a.csv", tmp_path / "cache"
    files.write_text("A,B\nx,1\ny,2\n")
    before = files.stat()
    assert bl.open(files, cache=cache).states == (("x", "y"), ("1", "2"))
    other = tmp_path / "other"
    while files.stat().st_ctime_ns == before.st_ctime_ns:  # until the clock of the disk ticks
        other.write_text("A,B\nu,1\nv,2\n")
        os.utime(other, ns=(before.st_atime_ns, before.st_mtime_ns))
        other.replace(files)
    after = files.stat()
    assert (after.st_size, after.st_mtime_ns) == (before.st_size, before.st_mtime_ns)
    assert bl.open(files, cache=cache).states == (("u", "v"), ("1", "2"))


def drift(file: Path) -> None:
    parquet.write_table(pa.table({"rain": ["no"], "snow": ["yes"], "day": ["sun"]}), file)


def grow(file: Path) -> None:
    rows = pa.table({"rain": ["no"] * 70, "wet": ["yes"] * 70, "day": ["sun"] * 70})
    parquet.write_table(rows, file)


def tear(file: Path) -> None:
    file.write_bytes(b"PAR1")


SPOILT: dict[str, tuple[Callable[[Path], object], bool, str]] = {
    "drift before": (drift, False, "1.parquet: column 'wet' is not there, but"),
    "unsound before": (tear, False, "1.parquet: this is not a sound Parquet file"),
    "drift meanwhile": (drift, True, "1.parquet: "),
    "unsound meanwhile": (tear, True, "1.parquet: "),
    "gone meanwhile": (Path.unlink, True, "1.parquet: "),
    "grown meanwhile": (grow, True, "1.parquet: the file was changed while it was read"),
}


@pytest.mark.parametrize("case", SPOILT)
def test_whatever_happens_to_a_file_no_cache_is_left_that_is_not_whole(
    case: str, parts: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spoil, meanwhile, wanted = SPOILT[case]
    cache, last = tmp_path / "cache", parts / "1.parquet"
    sound, take = last.read_bytes(), BlockWriter.take

    def take_and_spoil(writer: BlockWriter, codes: Sequence[ValueNumbers]) -> None:
        take(writer, codes)
        if last.exists() and last.read_bytes() == sound:
            spoil(last)

    if meanwhile:
        monkeypatch.setattr(BlockWriter, "take", take_and_spoil)
    else:
        spoil(last)
    with pytest.raises((DataError, FileFormatError)) as caught:
        bl.open(parts, cache=cache)
    said = str(caught.value)
    assert wanted in said
    assert "\n" not in said
    assert list(cache.iterdir()) == []
    monkeypatch.undo()
    last.write_bytes(sound)
    assert bl.open(parts, cache=cache).n_rows == 200


KILLED = """
import os, signal, sys
import bayesloom as bl
from bayesloom.data import block_cache
from bayesloom.engine.opening import open_source
flush = block_cache.BlockWriter._flush
def die(self):
    flush(self)
    if len(self._place) == 2:
        self._file.flush()
        os.kill(os.getpid(), signal.SIGKILL)
block_cache.BlockWriter._flush = die
open_source(sys.argv[1], bl.Reading(), cache=sys.argv[2], block_rows=64)
"""


def test_a_killed_build_leaves_nothing_that_is_used(parts: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(parts), str(cache)], check=False, capture_output=True
    )
    assert done.returncode == -9, done.stderr
    left = list(cache.iterdir())
    assert len(left) == 1
    assert left[0].suffix == ".draft"
    assert CacheFolder(cache).entries() == []
    assert list(cache.iterdir()) == []  # swept
    assert bl.open(parts, cache=cache).n_rows == 200


FULL = """
import resource, signal, sys
import bayesloom as bl
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    bl.open(sys.argv[1], cache=sys.argv[2])
except bl.errors.FileFormatError as error:
    print(error)
"""


def test_a_full_disk_is_one_sentence_and_leaves_nothing(tmp_path: Path) -> None:
    pytest.importorskip("resource")
    rng = np.random.default_rng(0)
    rows = pa.table({name: rng.integers(0, 16, 20_000) for name in "ABCD"})
    parquet.write_table(rows, tmp_path / "a.parquet")
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(tmp_path / "a.parquet"), str(tmp_path / "cache")],
        check=True,
        capture_output=True,
        text=True,
    )
    assert "the cache cannot be written (File too large); make room" in done.stdout
    assert done.stdout.count("\n") == 1
    assert list((tmp_path / "cache").iterdir()) == []


def test_a_scan_stops_at_once_and_goes_on_afterwards() -> None:
    engine = on_disk(numbers(5000, [3] * 6), 7)
    signal = StopSignal()
    view = engine.until(signal)
    assert view.entropies(Batch.pairs(6)).shape == (15,)
    signal.set()
    with pytest.raises(Stopped):
        view.entropies(Batch.pairs(6))
    assert engine.entropies(Batch.pairs(6)).shape == (15,)


def test_a_signal_from_another_thread_ends_a_long_scan() -> None:
    table = numbers(200_000, [7] * 12)
    engine = on_disk(table, 40, threads=1)
    signal = StopSignal()
    batch = Batch.of([(x, (y, z), tuple(w for w in range(12) if w not in (x, y, z)))
                      for x in range(12) for y in range(12) for z in range(12)
                      if len({x, y, z}) == 3])  # fmt: skip
    timer = threading.Timer(0.05, signal.set)
    timer.start()
    with pytest.raises(Stopped):
        engine.until(signal).entropies(batch)
    timer.join()


def test_progress_of_scans_is_told_to_who_asks(capsys: pytest.CaptureFixture[str]) -> None:
    engine = on_disk(numbers(9000, [3] * 4), 30, threads=1)
    heard: list[ScanProgress] = []
    engine.reporting(heard.append).entropies(Batch.pairs(4))
    assert [heard[0].number, heard[-1].rows, heard[-1].of_rows] == [1, 9000, 9000]
    assert len(heard) > 1
    assert str(ScanProgress(3, 500, 1000, 0.001)) == "scan 3: 50%, 0.5 million rows/s"
    names = sorted(engine.names)
    assert list(engine.names) == names
    bl.learn(engine, bl.GES(score=bl.BIC()))
    assert capsys.readouterr() == ("", "")
    bl.learn(engine, bl.GES(score=bl.BIC()), progress=True)
    assert capsys.readouterr().out == ""


def test_progress_of_encoding_is_told_to_who_asks(
    parts: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    heard: list[EncodingProgress] = []
    bl.open(parts, cache=tmp_path / "cache", report=heard.append)
    assert [each.rows for each in heard] == sorted({each.rows for each in heard})
    assert (len(heard), heard[-1].rows) == (2, 200)  # one piece of each file
    assert heard[-1].seconds >= heard[0].seconds >= 0
    assert str(EncodingProgress(1_500_000, 0.5)) == "1,500,000 rows, 3.0 million rows/s"
    bl.open(parts, cache=tmp_path / "cache", report=heard.append)
    assert len(heard) == 2  # the cache is there
    bl.learn(parts, bl.GES(), engine="disk", cache=tmp_path / "other")
    assert capsys.readouterr() == ("", "")
    bl.learn(parts, bl.GES(), engine="disk", cache=tmp_path / "third", progress=True)
    told = capsys.readouterr()
    assert told.out == ""
    assert "encoding ended: 200 rows, " in told.err
    bl.learn(parts, bl.GES(), engine="disk", cache=tmp_path / "third", progress=True)
    assert "encoding" not in capsys.readouterr().err
    with pytest.raises(OptionError, match="report must be a function"):
        bl.open(parts, cache=tmp_path / "cache", report="yes")  # type: ignore[arg-type]


def test_copies_of_an_engine_answer_alike(parts: Path, tmp_path: Path) -> None:
    engine = bl.open(parts, cache=tmp_path / "cache")
    wanted = engine.entropies(Batch.pairs(3))
    for other in (copy.copy(engine), pickle.loads(pickle.dumps(engine))):
        assert isinstance(other, DiskEngine)
        assert np.array_equal(other.entropies(Batch.pairs(3)), wanted)


def test_the_data_contract_holds_for_files_together(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("A,B\nx,1\n,2\n")
    (tmp_path / "b.csv").write_text("A,B\ny,1.0\n?,3\n")
    cache, files = tmp_path / "cache", f"{tmp_path}/*.csv"
    with pytest.raises(DataError, match=r"a\.csv, line 3, column 'A': this cell is missing"):
        bl.open(files, cache=cache)
    assert list(cache.glob("*")) == []
    dropped = bl.open(files, cache=cache, missing="drop", missing_markers=["?"])
    assert dropped.states == (("x", "y"), ("1",))
    state = bl.open(files, cache=cache, missing="state", missing_markers=["?"])
    assert state.states == (("x", "y", "missing"), ("1", "2", "3"))
    assert state.counts(Batch.pairs(2))[0].tolist() == [[1, 0, 0], [1, 0, 0], [0, 1, 1]]
    declared = bl.open(files, cache=cache, missing="state", states={"B": [3, 2, 1, 0]})
    assert declared.states[1] == ("3", "2", "1", "0")
    assert declared.observed[1] == 3


def test_learn_takes_files_and_says_where_rows_are(parts: Path, tmp_path: Path) -> None:
    files, cache = f"{parts}/*.parquet", tmp_path / "cache"
    found = [
        bl.learn(files, bl.GES(), engine=engine, cache=cache)
        for engine in ("auto", "memory", "disk")
    ]
    assert len({str(net.to_dict() | {"seconds": 0}) for net in found}) == 1
    assert len(CacheFolder(cache).entries()) == 1
    small = bl.learn(files, bl.GES(), engine="auto", memory="64MB", cache=tmp_path / "none")
    assert small.edges == found[0].edges
    assert not (tmp_path / "none").exists()


def test_auto_goes_by_size(parts: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bayesloom.engine.choice.usual_memory", lambda: 100)
    monkeypatch.setenv("BAYESLOOM_CACHE", str(tmp_path / "own"))
    bl.learn(parts, bl.GES())
    assert len(CacheFolder().entries()) == 1
    assert CacheFolder().path == tmp_path / "own"


def test_wrong_options_are_refused(parts: Path, tmp_path: Path) -> None:
    with pytest.raises(
        OptionError, match="engine must be one of auto, memory, disk, dask, got 'gpu'"
    ):
        bl.learn(parts, engine="gpu")
    with pytest.raises(OptionError, match="memory must be a size such as '1GB'"):
        bl.learn(parts, memory="much")
    with pytest.raises(OptionError, match=r"engine='disk'.* reads files or a database, and a dict"):
        bl.learn({"A": ["x", "y"]}, engine="disk")
    engine = bl.open(parts, cache=tmp_path / "cache")
    with pytest.raises(OptionError, match="memory is an option of reading, and an engine has"):
        bl.learn(engine, memory="1GB")
    for bad in (0, 1.5, True, None, "12", "-1GB"):
        with pytest.raises(OptionError, match="memory must be"):
            bytes_of(bad)
    with pytest.raises(OptionError, match="must be a BlockCache"):
        DiskEngine(parts)  # type: ignore[arg-type]


def test_the_folder_of_caches_follows_the_desktop_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BAYESLOOM_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere")
    assert CacheFolder().path == Path("/somewhere/bayesloom")
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert CacheFolder().path == Path.home() / ".cache" / "bayesloom"


def test_a_database_is_read_like_files(parts: Path, tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    place = tmp_path / "shop.duckdb"
    with duckdb.connect(str(place)) as connection:
        connection.execute(f"create table days as from '{parts}/*.parquet'")
        connection.execute("create view rainy as select * from days where rain = 'yes'")
    cache = tmp_path / "cache"
    wanted = bl.open(parts, cache=cache)
    engine = bl.open(bl.DuckDBSource(place, table="days"), cache=cache)
    assert (engine.names, engine.states) == (wanted.names, wanted.states)
    assert np.array_equal(engine.entropies(Batch.pairs(3)), wanted.entropies(Batch.pairs(3)))
    query = bl.DuckDBSource(place, query="select wet, count(*) as n from days group by wet;")
    assert bl.open(query, cache=cache).n_rows == 3
    assert bl.open(bl.DuckDBSource(place, table="rainy"), cache=cache, drop=["rain"]).n_rows == 100
    assert bl.learn(query, bl.ChowLiu(), engine="memory").to_dict()["variables"] == ["wet", "n"]
    with pytest.raises(FileFormatError, match="table nothing: DuckDB cannot read this"):
        bl.open(bl.DuckDBSource(place, table="nothing"), cache=cache)
    with pytest.raises(FileFormatError, match="the file cannot be read"):
        bl.open(bl.DuckDBSource(tmp_path / "gone.duckdb", table="days"), cache=cache)
    with pytest.raises(OptionError, match=r"needs table=.* or query=.*, and not both"):
        bl.DuckDBSource(place)


def test_a_connection_is_encoded_for_once(tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    cache = tmp_path / "cache"
    with duckdb.connect() as connection:
        connection.execute(
            "create table t as select i % 3 as a, i % 2 = 0 as b from range(90) r(i)"
        )
        engine = bl.open(bl.DuckDBSource(connection, table="t"), cache=cache)
        assert engine.states == (("0", "1", "2"), ("False", "True"))
        assert engine.counts(Batch.pairs(2))[0].tolist() == [[15, 15]] * 3
        assert len(list(cache.iterdir())) == 1
        del engine
        assert list(cache.iterdir()) == []


def test_without_duckdb_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "x.duckdb").write_bytes(b"x")
    monkeypatch.setitem(sys.modules, "duckdb", None)
    with pytest.raises(MissingExtraError, match=r"install bayesloom\[duckdb\]"):
        bl.open(bl.DuckDBSource(tmp_path / "x.duckdb", table="t"), cache=tmp_path / "cache")


LIMITED = """
import resource, sys
import bayesloom as bl
bl.learn({"A": ["x", "y"] * 9, "B": ["x", "y"] * 9})
import pyarrow.parquet
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
engine = bl.open(sys.argv[1], cache=sys.argv[2], memory="64MB", threads=2)
bl.learn(engine, bl.GES(score=bl.BIC()))
print(engine.n_rows, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


def test_rows_do_not_pile_up_in_memory(tmp_path: Path) -> None:
    pytest.importorskip("resource")
    rng = np.random.default_rng(0)
    rows = pa.table({f"V{k}": rng.integers(0, 4, 400_000).astype(np.int8) for k in range(12)})
    for k in range(5):
        parquet.write_table(rows, tmp_path / f"{k}.parquet", row_group_size=50_000)
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, f"{tmp_path}/*.parquet", str(tmp_path / "cache")],
        check=True,
        capture_output=True,
        text=True,
    )
    n_rows, grown = map(int, done.stdout.split())
    assert n_rows == 2_000_000
    assert grown < 140_000  # kilobytes: buffers of pyarrow, blocks and tables; the rows are 24 MB
