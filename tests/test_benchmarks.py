"""The rules of the benchmark: what counts as met, what a table keeps, when a process is ended."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

HARNESS = Path(__file__).parents[1] / "benchmarks"
US, PEER = {"contender": "bayesloom", "role": "us"}, {"contender": "other", "role": "peer"}


@pytest.fixture
def harness(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Any]:
    """Return a way to import a module of the harness, which is no package."""
    monkeypatch.syspath_prepend(HARNESS)
    return import_module


def took(first: float, warm: float) -> dict[str, Any]:
    times = {"first": first, "warm": warm}
    return {"fault": ""} | {call: {"cpu": cpu, "wall": cpu} for call, cpu in times.items()}


def make_task(harness: Callable[[str], Any], name: str, table: str = "a table") -> Any:  # noqa: ANN401
    return harness("task").Task(name, "page", "family", table, name, ())


def target_line(harness: Callable[[str], Any], entries: dict[str, Any]) -> str:
    targets = harness("targets")
    everything = [make_task(harness, f"hc-{n}") for n in (1, 2)]
    line: str = targets.Target("hc", "hc-*", 1.0, targets.against()).line(everything, entries)
    return line


def test_a_figure_takes_the_worse_of_first_and_warm_call(harness: Callable[[str], Any]) -> None:
    rows = [US | took(4.0, 1.0), PEER | took(2.0, 2.0)]
    assert "| 0.5 | 1 of 2 | **no** |" in target_line(harness, {"hc-1": {"rows": rows}})


def test_a_cell_without_a_result_of_ours_is_not_met(harness: Callable[[str], Any]) -> None:
    fine = [US | took(1.0, 1.0), PEER | took(2.0, 2.0)]
    lost = [US | {"fault": "no result in 60 s"}, PEER | took(2.0, 2.0)]
    line = target_line(harness, {"hc-1": {"rows": fine}, "hc-2": {"rows": lost}})
    assert "| 2 of 2 | **no**: 1 without a result |" in line


def test_a_cell_in_which_no_peer_finished_is_met(harness: Callable[[str], Any]) -> None:
    rows = [US | took(1.0, 1.0), PEER | {"fault": "no result in 60 s"}]
    assert "| no peer | 1 of 2 | so far |" in target_line(harness, {"hc-1": {"rows": rows}})


def test_a_table_keeps_the_results_of_its_newest_commit_only(
    harness: Callable[[str], Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = harness("run")
    monkeypatch.setattr(run, "RESULTS", tmp_path)
    everything = [make_task(harness, *names) for names in (("a", "x"), ("b", "x"), ("c", "y"))]
    results = {
        "version": "1.0",
        "runs": {"old": {"date": "2026-01-01"}, "new": {"date": "2026-01-02"}},
        "tasks": {name: {"commit": "old", "rows": []} for name in "abc"},
    }
    results["tasks"]["b"] = {"commit": "new", "rows": []}  # type: ignore[index]
    run.keep(results, everything)
    kept = json.loads((tmp_path / "1.0.json").read_text())["tasks"]
    assert {name: entry["commit"] for name, entry in kept.items()} == {"b": "new", "c": "old"}


@pytest.mark.parametrize(
    ("code", "fault"),
    [("pass", ""), ("while True: pass", "no result in 1 s"), ("raise SystemExit(3)", "failed")],
)
def test_a_process_is_timed_or_ended_at_the_limit_or_has_failed(
    harness: Callable[[str], Any], code: str, fault: str
) -> None:
    task = harness("task")
    asked = task.Contender("python", arguments=("-c", code))
    job = harness("runner").job_of(make_task(harness, "a"), asked, sys.executable)
    calls, found = harness("runner").run_worker(sys.executable, job | {"limit": 1})
    assert found.startswith(fault)
    assert bool(found) == bool(fault)
    assert len(calls) == (not fault)


def test_names_of_tasks_are_unique_and_every_family_has_a_core_task(
    harness: Callable[[str], Any],
) -> None:
    everything = harness("tasks").every()
    assert len({task.name for task in everything}) == len(everything)
    for kind in ("family", "page"):
        wanted = {getattr(task, kind) for task in everything}
        assert {getattr(task, kind) for task in everything if task.core} == wanted
