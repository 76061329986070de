"""The Dask engine on a real cluster of two processes gives the answers of a table in memory."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from pyarrow import parquet

import bayesloom as bl
from bayesloom.cli.learn import learn
from bayesloom.data import Reading, Table
from bayesloom.data.dataset import data_files
from bayesloom.data.scan import read_dataset
from bayesloom.engine import Batch, FamilyKernel, NativeEngine, Resampling, TestKernel
from bayesloom.errors import DataError
from bayesloom.scores import PNAL
from bayesloom.search import GES, IXGES, ThroughDMN
from bayesloom.search.limits import Limits
from bayesloom.search.watch import Watch
from click_runner import CliRunner
from every_search import NAMES, made
from local_cluster import as_files, cut
from strategies import Request, asked_tables, hollow_asked_tables, punched


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


@given(asked=hollow_asked_tables(paired=True))
@settings(max_examples=3, suppress_health_check=list(HealthCheck))
def test_a_cluster_counts_around_missing_cells_as_the_native_engine_does(
    client: Any,  # noqa: ANN401
    asked: tuple[Table, list[Request]],
) -> None:
    table, requests = asked
    engine, batch = bl.DaskEngine(client, cut(table, 3)), Batch.of(requests)
    native = NativeEngine(table.in_name_order(), 1)
    assert engine.missing.tolist() == native.missing.tolist()
    assert engine.observed.tolist() == native.observed.tolist()
    assert answers(engine, batch, table) == answers(native, batch, table)


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
    return bl.DaskEngine(client, cut(asia.take(slice(0, 1000)), 3))


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


def test_files_agree_on_states_although_each_lacks_some(client: Any, tmp_path: Path) -> None:  # noqa: ANN401
    rows = {"a": ["x", "y", "y", "z"], "b": ["1", "2", "10", "2"]}
    for k in range(4):
        (tmp_path / f"{k}.csv").write_text(f"b,a\n{rows['b'][k]},{rows['a'][k]}\n")
    engine = bl.DaskEngine(client, str(tmp_path / "*.csv"))
    whole = Table.from_frame(rows).in_name_order()
    assert (engine.names, engine.states, engine.n_rows) == (whole.names, whole.states, 4)
    expected = NativeEngine(whole).counts(Batch.pairs(2))[0]
    assert engine.counts(Batch.pairs(2))[0].tolist() == expected.tolist()


def test_one_parquet_file_is_divided_at_its_row_groups(
    client: Any,  # noqa: ANN401
    asia: Table,
    tmp_path: Path,
) -> None:
    few, path = asia.take(slice(0, 500)), tmp_path / "one.parquet"
    parquet.write_table(few.to_arrow(), path, row_group_size=60)
    engine = bl.DaskEngine(client, path)
    shares = client.gather(client.map(lambda share: share.table.n_rows, engine._counter.held))  # type: ignore[attr-defined]
    assert sorted(shares) == [240, 260]
    native = NativeEngine(few.in_name_order())
    for mine, other in ((engine, native), (engine.resampled(5), native.resampled(5))):
        cells = [each.counts(Batch.pairs(8)).cells.tolist() for each in (mine, other)]
        assert cells[0] == cells[1]


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
    engine = bl.DaskEngine(client, tmp_path, missing="drop", missing_markers=["?"])
    assert (engine.n_rows, engine.states) == (2, (("x", "y"), ("1", "2")))


def test_files_with_missing_cells_are_learned_from_as_in_memory(
    client: Any,  # noqa: ANN401
    asia: Table,
    tmp_path: Path,
) -> None:
    hollow = punched(asia.take(slice(0, 600)), [0.1, 0.0] * 4, 1)
    paths = as_files(hollow, tmp_path, 3)
    search = IXGES(score=PNAL())  # in memory the default would complete rows
    far = bl.learn(bl.DaskEngine(client, paths, missing="keep"), search)
    near = bl.learn(str(tmp_path), search, missing="keep")
    assert bl.learn(bl.DaskEngine(client, paths, missing="keep")).dag == far.dag
    assert far.engine is not None
    assert far.engine.missing.sum() == hollow.missing.sum() > 0
    assert far.dag == near.dag
    assert far.score == near.score


def test_a_cluster_certifies_as_memory_does_with_missing_cells_too(
    client: Any,  # noqa: ANN401
    asia: Table,
    tmp_path: Path,
) -> None:
    hollow = punched(asia.take(slice(0, 600)), [0.1, 0.0] * 4, 1)
    as_files(hollow, tmp_path, 3)
    net = bl.learn(str(tmp_path), GES(score=PNAL()), missing="keep")
    for missing in ("keep", "drop"):
        options = {"max_parents": 2, "missing": missing}
        near = bl.certify(net.dag, str(tmp_path), **options)  # type: ignore[arg-type]
        engine = bl.DaskEngine(client, tmp_path, missing=missing)
        assert bl.certify(net.dag, engine, max_parents=2).to_dict() == near.to_dict()


def test_rows_of_a_cluster_are_not_compared_and_the_reason_is_told(
    client: Any,  # noqa: ANN401
    asia: Table,
) -> None:
    engine = bl.DaskEngine(client, [asia.take(slice(0, 50))])
    with pytest.raises(DataError, match=r"goes through rows one by one, and DaskEngine does not"):
        bl.compare(engine, [GES()])


def test_rows_are_drawn_on_a_cluster_as_in_memory(
    client: Any,  # noqa: ANN401
    alarm: Table,
    tmp_path: Path,
) -> None:
    as_files(alarm.take(slice(0, 700)), tmp_path, 5)  # the larger share has files 0, 2 and 4
    engine = bl.DaskEngine(client, tmp_path)
    native = NativeEngine(read_dataset(data_files(tmp_path), Reading()).in_name_order(), 1)
    assert isinstance(engine, Resampling)
    batch = Batch.of([(0, tuple(range(1, 20)), (30, 31)), (4, (5,), (6, 7, -1))])
    for seed in (1, 2):
        drawn, wanted = engine.resampled(seed), native.resampled(seed)
        assert drawn.observed.tolist() == wanted.observed.tolist()
        for kernel in FamilyKernel:
            mine, other = (each.families(batch, kernel) for each in (drawn, wanted))
            assert mine.tolist() == other.tolist()
    few = Batch.sets([(0,)])
    one, two = (engine.resampled(seed).counts(few).cells.tolist() for seed in (1, 2))
    assert one != two


def test_a_bootstrap_over_a_cluster_is_that_of_memory(
    client: Any,  # noqa: ANN401
    asia: Table,
    tmp_path: Path,
) -> None:
    as_files(asia.take(slice(0, 300)), tmp_path, 3)
    far = bl.bootstrap(bl.DaskEngine(client, tmp_path), GES(), replicates=4, seed=3)
    near = bl.bootstrap(str(tmp_path), GES(), replicates=4, seed=3)
    assert far.to_dict() | {"seconds": 0} == near.to_dict() | {"seconds": 0}


def test_a_search_that_hears_how_far_the_rows_are_asks_less_often(
    client: Any,  # noqa: ANN401
    asia: Table,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    engine = bl.DaskEngine(client, cut(asia.take(slice(0, 1000)), 2))
    assert 0 < engine.round_trip < 5
    whole, asked = type(engine._counter).ask, list[float]()

    def ask(*question: Any) -> Any:  # noqa: ANN401
        asked.append(engine.round_trip)
        return whole(engine._counter, *question)

    monkeypatch.setattr(engine._counter, "ask", ask)
    for seconds in (0.0, 5.0):
        monkeypatch.setattr(engine, "_seconds", seconds)
        GES().search(engine, Limits.none(engine.names), Watch())
    assert 0 < asked.count(5.0) <= asked.count(0.0) / 2
