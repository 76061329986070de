"""What can go wrong with a cluster: workers die, data are lost, versions differ, it is gone."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bayesloom as bl
from bayesloom.data import Reading, Table
from bayesloom.data.dataset import DataFile, data_files
from bayesloom.data.scan import read_dataset
from bayesloom.engine import Batch, NativeEngine, StopSignal
from bayesloom.engine.cluster.connection import ClusterConnection, client_of
from bayesloom.engine.cluster.waiting import Until
from bayesloom.errors import ClusterError, DataError, FileFormatError, OptionError, Stopped
from bayesloom.search import XGES
from bayesloom.search.limits import Limits
from bayesloom.search.watch import Watch
from local_cluster import (
    as_files,
    kill_all,
    kill_one,
    local_cluster,
    take_workers_away,
    wait_for_others,
    wait_for_workers,
)

distributed = pytest.importorskip("distributed")


def deaths(client: Any, paths: Sequence[str], seeds: Sequence[int]) -> None:  # noqa: ANN401
    """Search while a worker is killed at a random moment: same result every time."""
    table = read_dataset(data_files(paths), Reading())
    limits = Limits.none(sorted(table.names))
    expected = XGES().search(NativeEngine(table.in_name_order(), 1), limits, Watch())
    wait_for_workers(client)
    engine, began = bl.DaskEngine(client, paths), time.monotonic()
    assert XGES().search(engine, limits, Watch()) == expected
    usual = time.monotonic() - began
    for seed in seeds:
        wait_for_workers(client)
        engine = bl.DaskEngine(client, paths)
        moment = float(np.random.default_rng(seed).uniform(0.0, usual))
        killer = threading.Timer(moment, kill_one, (client, seed))
        killer.start()
        assert XGES().search(engine, limits, Watch()) == expected
        killer.join()
        assert XGES().search(engine, limits, Watch()) == expected


def test_a_worker_that_dies_changes_nothing(client: Any, alarm: Table, tmp_path: Path) -> None:  # noqa: ANN401
    paths = as_files(alarm.take(slice(0, 1000)), tmp_path, 4)
    deaths(client, paths, range(1))


@pytest.mark.slow
def test_ten_deaths_at_random_moments_change_nothing(
    client: Any,  # noqa: ANN401
    alarm: Table,
    tmp_path: Path,
) -> None:
    paths = as_files(alarm, tmp_path, 4)
    deaths(client, paths, range(10))


def test_a_partition_that_is_lost_for_good_is_named(
    client: Any,  # noqa: ANN401
    asia: Table,
    tmp_path: Path,
) -> None:
    wait_for_workers(client)
    paths = as_files(asia.take(slice(0, 100)), tmp_path, 2)
    engine = bl.DaskEngine(client, paths, patience=180)
    for path in paths:
        Path(path).unlink()
    gone = kill_all(client)  # one of them may have lent its share to the other
    with pytest.raises(DataError, match=r"partition .*part-\d.parquet is lost and cannot be read"):
        within(300, lambda: ask_for_a_while(engine))
    wait_for_others(client, gone)


def test_a_partition_that_changes_before_it_is_read_again_is_named(
    client: Any,  # noqa: ANN401
    asia: Table,
    tmp_path: Path,
) -> None:
    engine = bl.DaskEngine(client, as_files(asia.take(slice(0, 100)), tmp_path, 2))
    as_files(asia.take(slice(100, 300)), tmp_path, 2)
    client.cancel(engine._counter.held)  # type: ignore[attr-defined]
    with pytest.raises(DataError, match=r"partition .*part-\d.parquet has changed since"):
        ask_for_a_while(engine)


def test_what_was_drawn_is_drawn_again_when_it_is_lost(
    client: Any,  # noqa: ANN401
    asia: Table,
    tmp_path: Path,
) -> None:
    engine = bl.DaskEngine(client, as_files(asia.take(slice(0, 100)), tmp_path, 2))
    drawn = engine.resampled(7)
    wanted = drawn.counts(Batch.pairs(8)).cells.tolist()
    for lost in ([drawn], [engine, drawn]):
        for each in lost:
            client.cancel(each._counter.held)  # type: ignore[attr-defined]
        assert drawn.counts(Batch.pairs(8)).cells.tolist() == wanted
    assert wanted != engine.counts(Batch.pairs(8)).cells.tolist()


def within(seconds: float, call: Callable[[], Any]) -> Any:  # noqa: ANN401
    """Return what a call returns, or raise what it raises; fail if it does neither in time."""
    coming = Future[Any]()

    def run() -> None:
        try:
            coming.set_result(call())
        except BaseException as error:  # noqa: BLE001 - raised where it is waited for
            coming.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    return coming.result(seconds)


@pytest.mark.parametrize("when", ["long before", "just before", "meanwhile"])
def test_when_all_workers_are_lost_at_once_those_that_come_after_them_read_all_again(
    client: Any,  # noqa: ANN401
    alarm: Table,
    tmp_path: Path,
    when: str,
) -> None:
    paths = as_files(alarm.take(slice(0, 500)), tmp_path, 4)
    wanted = bl.learn(str(tmp_path), bl.GES()).to_dict() | {"seconds": None}
    wait_for_workers(client)
    engine = bl.DaskEngine(client, paths, patience=180)
    drawn = engine.resampled(7)
    cells = drawn.counts(Batch.pairs(8)).cells.tolist()
    killed = list[frozenset[str]]()

    def kill(watch: Watch | None = None) -> None:
        if not killed and (watch is None or len(watch.steps) > 5):
            killed.append(kill_all(client))

    if when != "meanwhile":
        kill()
    if when == "long before":
        wait_for_others(client, killed[0])
    found = within(300, lambda: bl.learn(engine, bl.GES(), progress=kill))
    assert found.to_dict() | {"seconds": None} == wanted
    assert within(300, lambda: drawn.counts(Batch.pairs(8))).cells.tolist() == cells
    assert killed
    wait_for_others(client, killed[0])


@pytest.fixture(scope="module")
def lone_client() -> Iterator[Any]:
    """Return a client of a cluster of one worker, which is not the one of all tests."""
    with local_cluster(1) as cluster, distributed.Client(cluster, set_as_default=False) as made:
        yield made


def press_ctrl_c(_watch: Watch) -> None:
    """Press Ctrl-C as soon as the search hears it."""

    def press() -> None:
        while signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=press, daemon=True).start()


ENDS: dict[str, dict[str, Any]] = {
    "a time limit": {"time_limit": 0.5},
    "Ctrl-C": {"progress": press_ctrl_c},
}


@pytest.mark.parametrize("end", ENDS)
def test_a_search_that_is_over_does_not_wait_for_a_worker_that_does_not_answer(
    lone_client: Any,  # noqa: ANN401
    asia: Table,
    end: str,
) -> None:
    engine = bl.DaskEngine(lone_client, [asia.take(slice(0, 50))], patience=2)
    (pid,) = lone_client.run(os.getpid).values()
    os.kill(pid, signal.SIGSTOP)
    began = time.monotonic()
    try:
        with pytest.raises(ClusterError, match="does not answer; look at its workers"):
            bl.learn(engine, bl.GES(), **ENDS[end])
    finally:
        os.kill(pid, signal.SIGCONT)
    assert time.monotonic() - began < 60
    assert bl.learn(engine, bl.GES()).edges is not None


@pytest.mark.parametrize("end", ENDS)
def test_a_search_that_is_over_does_not_wait_for_workers(
    lone_client: Any,  # noqa: ANN401
    asia: Table,
    end: str,
) -> None:
    engine = bl.DaskEngine(lone_client, [asia.take(slice(0, 50))], patience=600)
    take_workers_away(lone_client)
    began = time.monotonic()
    with pytest.raises(ClusterError, match="has no workers; start some, and try again"):
        bl.learn(engine, bl.GES(), **ENDS[end])
    assert time.monotonic() - began < 120
    lone_client.cluster.scale(1)
    assert within(300, lambda: bl.learn(engine, bl.GES())).edges is not None


def test_a_bootstrap_that_is_over_waits_for_nobody(
    lone_client: Any,  # noqa: ANN401
    asia: Table,
) -> None:
    engine = bl.DaskEngine(lone_client, [asia.take(slice(0, 50))], patience=600)
    take_workers_away(lone_client)
    found = within(300, lambda: bl.bootstrap(engine, bl.GES(), replicates=4, time_limit=0.5))
    assert found.replicates == 0
    lone_client.cluster.scale(1)
    wait_for_workers(lone_client, 1)


class Deadly:
    """A frame of Dask whose only partition no worker survives."""

    def to_delayed(self) -> list[Any]:
        from dask.delayed import delayed

        return [delayed(os._exit)(1)]


def test_a_partition_that_kills_whoever_looks_at_it_is_named() -> None:
    import dask

    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 0}),
        local_cluster(1) as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
        pytest.raises(ClusterError, match=r"workers die whenever .* partitions 0 of the"),
    ):
        within(300, lambda: bl.DaskEngine(client, Deadly()))


def test_a_scheduler_that_does_not_answer_is_not_waited_for(
    lone_client: Any,  # noqa: ANN401
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("bayesloom.engine.cluster.waiting._BUSY", 0.1)
    monkeypatch.setattr(lone_client, "nthreads", lambda: asyncio.sleep(3600))
    connection = ClusterConnection(lone_client, 0.1)
    with pytest.raises(ClusterError, match="does not answer; look at its scheduler"):
        within(60, lambda: connection.wait_for_workers(Until()))


def ask_for_a_while(engine: bl.DaskEngine) -> None:
    until = time.monotonic() + 120
    while time.monotonic() < until:
        engine.entropies(Batch.sets([(0,)]))


def test_a_wrong_address_is_refused_within_seconds() -> None:
    began = time.monotonic()
    with pytest.raises(ClusterError, match="no scheduler answers at"):
        client_of("tcp://127.0.0.1:1")
    assert time.monotonic() - began < 8


def test_another_server_that_answers_is_no_scheduler() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            with suppress(OSError):
                while True:
                    connection, _ = server.accept()
                    connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n" * 4)
                    connection.close()

        threading.Thread(target=answer, daemon=True).start()
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        with pytest.raises(ClusterError, match=f"no scheduler answers at {address}; check"):
            client_of(address)


def test_an_engine_of_dask_needs_a_scheduler_that_answers(
    asia: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bayesloom.engine.cluster.connection._PATIENCE", 1.0)
    with pytest.raises(OptionError, match="go together; give both or none"):
        bl.learn(asia, engine="dask")
    with pytest.raises(OptionError, match="go together; give both or none"):
        bl.learn(asia, scheduler="tcp://127.0.0.1:1")
    with pytest.raises(ClusterError, match=r"no scheduler answers at tcp://127\.0\.0\.1:1; check"):
        client_of("tcp://127.0.0.1:1")
    with pytest.raises(ClusterError, match="no scheduler answers at nonsense"):
        client_of("nonsense")


def test_a_worker_of_another_version_is_told(
    client: Any,  # noqa: ANN401
    asia: Table,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bl, "__version__", "9.9")
    with pytest.raises(ClusterError, match=r"has bayesloom .*, and this program 9\.9; install"):
        bl.DaskEngine(client, [asia])


def test_a_missing_file_is_told_before_anything_is_read(client: Any) -> None:  # noqa: ANN401
    with pytest.raises(FileFormatError, match="no file has such a name"):
        bl.DaskEngine(client, "nowhere/*.parquet")


def test_a_file_that_workers_do_not_find_is_named(
    client: Any,  # noqa: ANN401
    asia: Table,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    paths = [*as_files(asia.take(slice(0, 20)), tmp_path, 1), str(tmp_path / "other.parquet")]
    files = [DataFile(path) for path in paths]  # as if the client had both
    monkeypatch.setattr("bayesloom.data.dataset.data_files", lambda _: files)
    message = r"other\.parquet: a worker on \S+ does not find the file; .*same on all machines"
    with pytest.raises(FileFormatError, match=message):
        bl.DaskEngine(client, paths)


def test_a_relative_path_is_that_of_the_client(
    client: Any,  # noqa: ANN401
    asia: Table,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    as_files(asia.take(slice(0, 20)), tmp_path, 2)
    monkeypatch.chdir(tmp_path)
    assert bl.DaskEngine(client, "part-*.parquet").n_rows == 20


def test_files_with_other_columns_are_refused(client: Any, tmp_path: Path) -> None:  # noqa: ANN401
    (tmp_path / "0.csv").write_text("a,b\nx,1\n")
    (tmp_path / "1.csv").write_text("a,c\nx,1\n")
    with pytest.raises(DataError, match="column 'b' is not there"):
        bl.DaskEngine(client, tmp_path)


def test_tables_with_other_states_are_refused(client: Any) -> None:  # noqa: ANN401
    tables = [Table("A", ["ny"], [[0]]), Table("A", ["xz"], [[0]])]
    with pytest.raises(DataError, match="table 1 has other variables or states than the first"):
        bl.DaskEngine(client, tables)


def test_wrong_kinds_are_refused(client: Any, asia: Table) -> None:  # noqa: ANN401
    with pytest.raises(OptionError, match=r"client must be a distributed\.Client"):
        bl.DaskEngine("tcp://127.0.0.1:8786", [asia])  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="source must be the name of files"):
        bl.DaskEngine(client, 3)
    with pytest.raises(OptionError, match="patience"):
        bl.DaskEngine(client, [asia], patience=0)
    engine = bl.DaskEngine(client, [asia])
    with pytest.raises(OptionError, match="asks for variable 99"):
        engine.entropies(Batch.sets([(99,)]))
    with pytest.raises(OptionError, match="names variable 1 twice"):
        engine.entropies(Batch.sets([(1, 1)]))


def test_a_cluster_without_workers_and_one_that_is_gone_are_told(asia: Table) -> None:
    with local_cluster(1) as cluster, distributed.Client(cluster, set_as_default=False) as client:
        engine = bl.DaskEngine(client, [asia.take(slice(0, 50))], patience=1)
        cluster.scale(0)
        with pytest.raises(ClusterError, match="has no workers; start some, and try again"):
            ask_for_a_while(engine)
        with pytest.raises(ClusterError, match="has no workers"):
            bl.DaskEngine(client, [asia])
        cluster.close()
        with pytest.raises(ClusterError, match="is gone; start it again, and make the engine anew"):
            ask_for_a_while(engine)


def test_a_search_on_a_cluster_can_be_stopped(client: Any, asia: Table) -> None:  # noqa: ANN401
    engine = bl.DaskEngine(client, [asia.take(slice(0, 100))])
    stop = StopSignal()
    stopped = engine.until(stop)
    assert len(stopped.entropies(Batch.sets([(0,)]))) == 1
    stop.set()
    with pytest.raises(Stopped):
        stopped.entropies(Batch.sets([(0,)]))
    assert len(engine.entropies(Batch.sets([(0,)]))) == 1


def test_a_signal_is_heard_while_the_cluster_is_busy(client: Any, asia: Table) -> None:  # noqa: ANN401
    engine = bl.DaskEngine(client, [asia.take(slice(0, 100))])
    busy = client.map(time.sleep, [3.0, 3.1], pure=False)
    stop = StopSignal()
    threading.Timer(0.3, stop.set).start()
    began = time.monotonic()
    with pytest.raises(Stopped):
        engine.until(stop).entropies(Batch.sets([(0,)]))
    assert time.monotonic() - began < 2
    client.gather(busy)
