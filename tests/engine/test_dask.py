"""The Dask engine on a real cluster of two processes: same answers, also after a worker's death."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from pyarrow import parquet

import bayesloom as bl
from bayesloom.cli.learn import learn
from bayesloom.data import Reading, Table
from bayesloom.data.dataset import data_files
from bayesloom.data.scan import read_dataset
from bayesloom.engine import Batch, FamilyKernel, NativeEngine, StopSignal, TestKernel
from bayesloom.engine.cluster.connection import client_of
from bayesloom.errors import ClusterError, DataError, FileFormatError, OptionError, Stopped
from bayesloom.search import GES, XGES, ThroughDMN
from bayesloom.search.limits import Limits
from bayesloom.search.watch import Watch
from every_search import NAMES, made
from strategies import Request, asked_tables

distributed = pytest.importorskip("distributed")


def local_cluster(n_workers: int = 2) -> Any:  # noqa: ANN401 - it has no types
    return distributed.LocalCluster(
        n_workers=n_workers, threads_per_worker=1, processes=True, dashboard_address=":0"
    )


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with local_cluster() as cluster, distributed.Client(cluster) as made_client:
        yield made_client


def cut(table: Table, n: int) -> list[Table]:
    """Cut a table into at most n parts."""
    size = -(-table.n_rows // n)
    return [table.take(slice(i, i + size)) for i in range(0, table.n_rows, size)]


def answers(engine: Any, batch: Batch, prior: Table) -> list[list[float]]:  # noqa: ANN401
    return [
        [float(x) for x in np.ravel(found)]
        for found in (
            engine.counts(batch).cells,
            engine.families(batch, FamilyKernel.BDEU, 2.0),
            engine.families(batch, FamilyKernel.LOG_LIKELIHOOD, price=0.5),
            engine.families_with_prior(batch, prior, 1.5),
            engine.informations(batch),
            engine.tests(batch, TestKernel.CHI_SQUARE),
            engine.entropies(batch),
        )
    ]


def as_files(table: Table, folder: Path, n: int) -> list[str]:
    paths = [str(folder / f"part-{k}.parquet") for k in range(n)]
    for path, part in zip(paths, cut(table, n), strict=True):
        parquet.write_table(part.to_arrow(), path)
    return paths


@given(asked=asked_tables(states=(1, 2, 3, 5, 33), paired=True))
@settings(max_examples=3, suppress_health_check=list(HealthCheck))
def test_a_cluster_gives_the_bits_of_the_native_engine(
    client: Any,  # noqa: ANN401
    asked: tuple[Table, list[Request]],
) -> None:
    table, requests = asked
    engine = bl.DaskEngine(client, cut(table, 3))
    prior = table.take(slice(0, 1))
    batch = Batch.of(requests)
    native = NativeEngine(table.in_name_order(), 1)
    assert engine.observed.tolist() == native.observed.tolist()
    assert engine.n_rows == table.n_rows
    assert answers(engine, batch, prior) == answers(native, batch, prior)


@pytest.mark.parametrize("n", [1, 2, 7])
def test_large_and_small_tables_of_any_number_of_parts_are_answered_alike(
    client: Any,  # noqa: ANN401
    alarm: Table,
    n: int,
) -> None:
    native = NativeEngine(alarm.in_name_order(), 1)
    engine = bl.DaskEngine(client, cut(alarm, n))
    wide = (36, tuple(range(20)), (30, 31))
    batch = Batch.of([(0, (1, 2), (3, 4)), wide, (5, (), (7, -1))])
    for kernel in FamilyKernel:
        mine, other = (each.families(batch, kernel) for each in (engine, native))
        assert mine.tolist() == other.tolist()
    mine, other = (
        each.tests(batch.only(batch.partner >= 0), TestKernel.G_SQUARE) for each in (engine, native)
    )
    assert mine.tolist() == other.tolist()
    assert len(engine.families(Batch.of(()), FamilyKernel.K2)) == 0


@pytest.fixture(scope="module")
def asia_engine(client: Any, asia: Table) -> bl.DaskEngine:  # noqa: ANN401
    return bl.DaskEngine(client, cut(asia.take(slice(0, 1000)), 4))


@pytest.mark.parametrize("name", [*NAMES, "through"])
def test_every_search_takes_the_same_steps_on_a_cluster(
    name: str, asia: Table, asia_engine: bl.DaskEngine
) -> None:
    table = asia.take(slice(0, 1000)).in_name_order()
    search = ThroughDMN() if name == "through" else made(name, table.names)
    limits = Limits.none(table.names)
    expected = search.search(NativeEngine(table, 1), limits, Watch())
    assert search.search(asia_engine, limits, Watch()) == expected


def test_a_network_is_learned_through_the_everyday_call(
    asia: Table, asia_engine: bl.DaskEngine
) -> None:
    near, far = bl.learn(asia.take(slice(0, 1000))), bl.learn(asia_engine)
    assert far.dag == near.dag
    assert far.score == near.score


def test_the_command_line_learns_on_a_cluster(
    client: Any,  # noqa: ANN401
    asia: Table,
    tmp_path: Path,
) -> None:
    as_files(asia.take(slice(0, 400)), tmp_path, 2)
    where = ["--engine", "dask", "--scheduler", client.scheduler.address]
    near, far = (
        json.loads(
            CliRunner().invoke(learn, [str(tmp_path), "--json", "--search", "ges", *more]).stdout
        )
        for more in ([], where)
    )
    for told in (near, far):
        told.pop("seconds", None)
    assert far == near


def test_an_engine_of_dask_needs_a_scheduler_that_answers(asia: Table) -> None:
    with pytest.raises(OptionError, match="go together; give both or none"):
        bl.learn(asia, engine="dask")
    with pytest.raises(OptionError, match="go together; give both or none"):
        bl.learn(asia, scheduler="tcp://127.0.0.1:1")
    with pytest.raises(ClusterError, match=r"no scheduler answers at tcp://127\.0\.0\.1:1; check"):
        client_of("tcp://127.0.0.1:1")
    with pytest.raises(ClusterError, match="no scheduler answers at nonsense"):
        client_of("nonsense")


def test_files_agree_on_states_although_each_lacks_some(client: Any, tmp_path: Path) -> None:  # noqa: ANN401
    rows = {"a": ["x", "y", "y", "z"], "b": ["1", "2", "10", "2"]}
    for k in range(4):
        (tmp_path / f"{k}.csv").write_text(f"b,a\n{rows['b'][k]},{rows['a'][k]}\n")
    engine = bl.DaskEngine(client, str(tmp_path / "*.csv"))
    whole = Table.from_frame(rows).in_name_order()
    assert (engine.names, engine.states, engine.n_rows) == (whole.names, whole.states, 4)
    expected = NativeEngine(whole).counts(Batch.pairs(2))[0]
    assert engine.counts(Batch.pairs(2))[0].tolist() == expected.tolist()


def test_a_frame_of_dask_is_read_where_it_lies(client: Any, asia: Table) -> None:  # noqa: ANN401
    frames = pytest.importorskip("dask.dataframe")
    few = asia.take(slice(0, 200))
    frame = frames.from_pandas(few.to_pandas(), npartitions=3)
    engine = bl.DaskEngine(client, frame)
    native = NativeEngine(few.in_name_order())
    assert engine.states == native.states
    batch = Batch.pairs(8)
    assert engine.counts(batch).cells.tolist() == native.counts(batch).cells.tolist()


def test_rows_with_missing_cells_are_dropped_everywhere(client: Any, tmp_path: Path) -> None:  # noqa: ANN401
    (tmp_path / "0.csv").write_text("a,b\nx,1\n?,2\n")
    (tmp_path / "1.csv").write_text("a,b\n?,1\n")
    (tmp_path / "2.csv").write_text("a,b\ny,2\n")
    reading = Reading(missing="drop", missing_markers=["?"])
    engine = bl.DaskEngine(client, tmp_path, reading)
    assert (engine.n_rows, engine.states) == (2, (("x", "y"), ("1", "2")))


def kill_one(client: Any, which: int) -> None:  # noqa: ANN401
    """Kill a worker as the kernel does when memory is short."""
    pids = sorted(client.run(os.getpid).values())
    os.kill(pids[which % len(pids)], signal.SIGKILL)


def wait_for_workers(client: Any, n: int = 2) -> None:  # noqa: ANN401
    client.wait_for_workers(n, timeout=180)  # a busy machine is slow to start them


def deaths(client: Any, paths: Sequence[str], seeds: Sequence[int]) -> None:  # noqa: ANN401
    """Search while a worker is killed at a random moment: same result every time."""
    table = read_dataset(data_files(paths), Reading())
    limits = Limits.none(sorted(table.names))
    expected = XGES().search(NativeEngine(table.in_name_order(), 1), limits, Watch())
    for seed in seeds:
        wait_for_workers(client)
        engine = bl.DaskEngine(client, paths)
        moment = float(np.random.default_rng(seed).uniform(0.0, 0.6))
        killer = threading.Timer(moment, kill_one, (client, seed))
        killer.start()
        assert XGES().search(engine, limits, Watch()) == expected
        killer.join()
        assert XGES().search(engine, limits, Watch()) == expected
    wait_for_workers(client)


def test_a_worker_that_dies_changes_nothing(client: Any, alarm: Table, tmp_path: Path) -> None:  # noqa: ANN401
    paths = as_files(alarm.take(slice(0, 1000)), tmp_path, 4)
    deaths(client, paths, range(2))


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
    engine = bl.DaskEngine(client, paths)
    for path in paths:
        Path(path).unlink()
    kill_one(client, 0)
    with pytest.raises(DataError, match=r"partition .*part-\d.parquet is lost and cannot be read"):
        ask_for_a_while(engine)
    wait_for_workers(client)


def test_a_partition_that_changes_before_it_is_read_again_is_named(
    client: Any,  # noqa: ANN401
    asia: Table,
    tmp_path: Path,
) -> None:
    wait_for_workers(client)
    paths = as_files(asia.take(slice(0, 100)), tmp_path, 2)
    engine = bl.DaskEngine(client, paths)
    as_files(asia.take(slice(100, 300)), tmp_path, 2)
    kill_one(client, 1)
    with pytest.raises(DataError, match=r"partition .*part-\d.parquet has changed since"):
        ask_for_a_while(engine)
    wait_for_workers(client)


def ask_for_a_while(engine: bl.DaskEngine) -> None:
    until = time.monotonic() + 30
    while time.monotonic() < until:
        engine.entropies(Batch.sets([(0,)]))


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


def test_a_round_trip_costs_something_and_searches_hear_of_it(asia_engine: bl.DaskEngine) -> None:
    assert 0 < asia_engine.round_trip < 5
    found = GES().search(asia_engine, Limits.none(asia_engine.names), Watch())
    assert found.dag.n_edges > 0


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
    cluster = local_cluster(1)
    with distributed.Client(cluster) as client:
        engine = bl.DaskEngine(client, [asia.take(slice(0, 50))], patience=1)
        cluster.scale(0)
        with pytest.raises(ClusterError, match="has no workers; start some, and try again"):
            ask_for_a_while(engine)
        with pytest.raises(ClusterError, match="has no workers"):
            bl.DaskEngine(client, [asia])
        cluster.close()
        with pytest.raises(ClusterError, match="is gone; start it again, and make the engine anew"):
            ask_for_a_while(engine)
