"""Tasks side by side give the same on threads and on the workers of a cluster."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import bayesloom as bl
from bayesloom.cli.bootstrap import bootstrap
from bayesloom.cli.compare import compare
from bayesloom.cli.reproduce import reproduce
from bayesloom.data import Table
from bayesloom.engine.cluster.connection import ClusterConnection
from bayesloom.errors import ClusterError, OptionError, UnknownVariableError
from bayesloom.learning.crew import ClusterCrew, Crew, crew_of
from bayesloom.search import GES, Budget, ChowLiu, HillClimbing, Stop, Watch
from bayesloom_reproduction.experiment import Experiment, Generator, Rows, Trial
from bayesloom_reproduction.ledger import Ledger
from bayesloom_reproduction.runner import run_trials
from click_runner import CliRunner
from local_cluster import kill_one, local_cluster, take_workers_away, wait_for_workers


@pytest.fixture(params=["threads", "cluster"])
def crew(request: pytest.FixtureRequest) -> Iterator[Crew]:
    far = None if request.param == "threads" else request.getfixturevalue("client")
    with crew_of(None, far) as made:
        yield made


def power(base: int, exponent: int, _watch: Watch) -> int:
    return int(base**exponent)


def fail(_common: object, task: int, _watch: Watch) -> int:
    if task == 3:
        raise UnknownVariableError(Path("X").name, ["A", "B"])
    return task


def wait(folder: str, task: int, watch: Watch) -> str:
    """Wait for the signal, and leave a mark when it has come."""
    Path(folder, f"begun-{task}").touch()
    until = time.monotonic() + 30
    while not watch.signal.is_set and time.monotonic() < until:
        time.sleep(0.01)
    if watch.signal.is_set:
        Path(folder, f"ended-{task}").touch()
    return "ended"


def doze(_common: object, task: int, _watch: Watch) -> tuple[int, int]:
    time.sleep(0.2)
    return task, os.getpid()


def test_every_task_is_done_once_and_comes_with_its_result(crew: Crew) -> None:
    found = sorted(crew.results(power, 3, [4, 1, 0, 2], Watch()))
    assert found == [(0, 1), (1, 3), (2, 9), (4, 81)]
    assert list(crew.results(power, 3, [], Watch())) == []


@pytest.mark.parametrize("common", [(1, 2), [1, 2], {"a": 1}])
def test_what_tasks_have_in_common_arrives_as_it_was(crew: Crew, common: object) -> None:
    assert list(crew.results(_given, common, [0], Watch())) == [(0, common)]


def _given(common: object, _task: int, _watch: Watch) -> object:
    return common


def test_what_goes_wrong_in_a_task_is_raised_with_its_words(crew: Crew) -> None:
    with pytest.raises(UnknownVariableError, match="unknown variable 'X'; known are A, B"):
        list(crew.results(fail, None, [1, 2, 3, 4], Watch()))


@pytest.mark.parametrize("how", [Watch.interrupt, None])
def test_tasks_that_run_hear_that_the_watch_has_ended_them(
    crew: Crew, tmp_path: Path, how: Callable[[Watch], None] | None
) -> None:
    watch = Watch(Budget(time_limit=2.0 if how is None else 60))

    def marks(what: str) -> int:
        return len(list(tmp_path.glob(f"{what}-*")))

    def wait_for(condition: Callable[[], bool]) -> None:
        until = time.monotonic() + 20
        while not condition() and time.monotonic() < until:
            time.sleep(0.05)

    def end() -> None:
        wait_for(lambda: marks("begun") > 0)
        if how is not None:
            how(watch)

    threading.Thread(target=end).start()
    list(crew.results(wait, str(tmp_path), range(20), watch))
    assert watch.stopped is (Stop.TIME_LIMIT if how is None else Stop.INTERRUPTED)
    wait_for(lambda: marks("ended") == marks("begun"))
    assert marks("ended") == marks("begun") in (1, 2)


def test_tasks_of_a_worker_that_dies_are_done_by_another(client: Any) -> None:  # noqa: ANN401
    wait_for_workers(client)
    with crew_of(None, client) as crew:
        killer = threading.Timer(0.3, kill_one, (client, 0))
        killer.start()
        found = dict(crew.results(doze, None, range(12), Watch()))
        killer.join()
    assert {task: result[0] for task, result in found.items()} == dict(
        zip(range(12), range(12), strict=True)
    )
    assert os.getpid() not in {pid for _, pid in found.values()}


def test_work_is_not_sent_to_a_cluster_without_workers_for_ever() -> None:
    distributed = pytest.importorskip("distributed")
    with local_cluster(1) as cluster, distributed.Client(cluster, set_as_default=False) as client:
        take_workers_away(client)
        began = time.monotonic()
        patient = ClusterCrew(ClusterConnection(client, 600))
        assert list(patient.results(power, 2, [1, 2], Watch(Budget(0.5)))) == []
        with pytest.raises(ClusterError, match="has no workers; start some, and try again"):
            list(ClusterCrew(ClusterConnection(client, 1)).results(power, 2, [1, 2], Watch()))
        assert time.monotonic() - began < 120


def untimed(found: Any) -> dict[str, Any]:  # noqa: ANN401
    told: dict[str, Any] = json.loads(json.dumps(found.to_dict()))
    for row in (told, *told.get("searches", [])):
        row["seconds"] = 0
    return told


def test_a_bootstrap_is_the_same_on_a_cluster_and_goes_on_from_its_checkpoint(
    client: Any,  # noqa: ANN401
    asia: Table,
    tmp_path: Path,
) -> None:
    few = asia.take(slice(0, 500))
    near = bl.bootstrap(few, GES(), replicates=6, seed=2)
    kept = tmp_path / "kept.json"
    bl.bootstrap(few, GES(), replicates=3, seed=2, scheduler=client, checkpoint=kept)
    assert len(json.loads(kept.read_text())["replicates"]) == 3
    far = bl.bootstrap(few, GES(), replicates=6, seed=2, scheduler=client, checkpoint=kept)
    assert untimed(far) == untimed(near)
    again = bl.bootstrap(few, GES(), replicates=6, seed=2, checkpoint=kept)
    assert untimed(again) == untimed(near)


def test_a_comparison_is_the_same_on_a_cluster(client: Any, asia: Table) -> None:  # noqa: ANN401
    few = asia.take(slice(0, 300))
    searches = [GES(), HillClimbing(), ChowLiu()]
    near, far = (
        bl.compare(few, searches, folds=3, seed=4, scheduler=where) for where in (None, client)
    )
    assert untimed(far) == untimed(near)


def test_commands_spread_their_work_over_a_cluster(
    client: Any,  # noqa: ANN401
    asia: Table,
    tmp_path: Path,
) -> None:
    data = tmp_path / "asia.csv"
    bl.write_csv(asia.take(slice(0, 200)), data)
    where = ["--scheduler", client.scheduler.address]
    for command, options in (
        (bootstrap, ["--search", "ges", "--replicates", "3"]),
        (compare, ["--search", "chow-liu,hc", "--folds", "2"]),
    ):
        near, far = (
            CliRunner().invoke(command, [str(data), "--json", *options, *more])
            for more in ([], where)
        )
        assert far.exit_code == near.exit_code == 0, far.output
        one, other = json.loads(near.stdout), json.loads(far.stdout)
        for told in (one, other):
            for row in (told, *told.get("searches", [])):
                row["seconds"] = 0
        assert other == one


def draw(_trial: Trial, rng: Generator) -> Rows:
    return {"draws": [{"value": rng.random(), "process": 0}]}


DRAWS = Experiment("draws", {"kind": ("a", "b")}, 5, draw)


def test_trials_of_an_experiment_are_the_same_on_a_cluster(client: Any, tmp_path: Path) -> None:  # noqa: ANN401
    near = run_trials(DRAWS, Ledger.at(tmp_path / "near", DRAWS), jobs=1)
    part = Ledger.at(tmp_path / "far", DRAWS)
    part.add(("a", 2), Ledger.at(tmp_path / "near", DRAWS).done["a", 2])
    assert run_trials(DRAWS, part, jobs=1, scheduler=client) == near
    assert Ledger.at(tmp_path / "far", DRAWS).done == Ledger.at(tmp_path / "near", DRAWS).done


def test_threads_and_a_cluster_do_not_go_together(client: Any, asia: Table) -> None:  # noqa: ANN401
    calls: list[Any] = [bl.bootstrap, partial(bl.compare, searches=[GES()])]
    for call in calls:
        with pytest.raises(OptionError, match=r"are those of this process.* give one of them"):
            call(asia, threads=2, scheduler=client)
        with pytest.raises(OptionError, match="scheduler must be an address or a distributed"):
            call(asia, scheduler=3)
    refused = CliRunner().invoke(reproduce, ["fig1", "--jobs", "2", "--scheduler", "tcp://h:1"])
    assert refused.exit_code == 2
    assert "give one of them" in refused.stderr


def test_rows_that_are_not_here_are_not_sent_to_workers(client: Any, asia: Table) -> None:  # noqa: ANN401
    engine = bl.DaskEngine(client, [asia.take(slice(0, 50))])
    with pytest.raises(OptionError, match="DaskEngine does not have them in memory; leave"):
        bl.bootstrap(engine, GES(), replicates=2, scheduler=client)


def test_workers_of_another_version_do_no_work(
    client: Any,  # noqa: ANN401
    asia: Table,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bl, "__version__", "9.9")
    with pytest.raises(ClusterError, match=r"has bayesloom .*, and this program 9\.9; install"):
        bl.bootstrap(asia, GES(), replicates=2, scheduler=client)


def test_a_scheduler_that_does_not_answer_is_told(
    asia: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bayesloom.engine.cluster.connection._PATIENCE", 0.5)
    with pytest.raises(ClusterError, match="no scheduler answers at tcp://127"):
        bl.bootstrap(asia, GES(), replicates=2, scheduler="tcp://127.0.0.1:1")
