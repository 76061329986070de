"""Measure bayesloom and other programs on the same tasks; see ``--help``."""

from __future__ import annotations

import argparse
import json
import sys
from datetime import datetime
from fnmatch import fnmatch
from pathlib import Path

import dataset
import environments
import machine
import report
import tasks
from runner import Runner

RESULTS = dataset.HERE / "results"
DOCUMENT = dataset.HERE.parent / "docs" / "benchmarks.md"


def main() -> None:
    options = parse()
    chosen = [
        (place, task)
        for place, task in enumerate(tasks.every())
        if (task.quick or not options.quick)
        and any(fnmatch(task.name, pattern) for pattern in options.tasks)
    ]
    if options.list:
        print("\n".join(f"{task.name:32} {task.group}: {task.label}" for _, task in chosen))
        return
    earlier = load_runs()
    ours, peers = options.python or environments.ours(), environments.peers()
    runner = Runner(ours, peers, options.repeat, options.limit)
    now = datetime.now().astimezone()
    run = {
        "name": f"{now:%Y-%m-%d}-{machine.commit()}",
        "time": now.isoformat(timespec="seconds"),
        "repeat": options.repeat,
        "limit": options.limit,
        "machine": machine.facts(ours, peers),
        "tasks": [],
    }
    try:
        for place, task in chosen:
            about = {"task": task.name, "group": task.group, "label": task.label}
            about |= {"clock": task.clock, "place": place}
            run["tasks"].append(about | {"rows": runner.run(task)})
            if not options.print_only:
                keep(run, earlier, document=not options.quick)
    except KeyboardInterrupt:
        print("interrupted; the finished tasks are kept", file=sys.stderr)
    print(report.machine(run))
    print(report.tables(run["tasks"], report.newest_entries(earlier)))


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description="Measure bayesloom and other programs on the same tasks.",
        epilog="bayesloom is installed whenever its sources have changed, the other programs once; "
        f"{environments.PEERS}=PYTHON names a Python that has them.",
    )
    add = parser.add_argument
    add("--tasks", nargs="+", default=["*"], metavar="PATTERN", help="names or patterns, as 'hc-*'")
    add("--quick", action="store_true", help="small tasks only; leaves docs/benchmarks.md alone")
    add("--list", action="store_true", help="print the names of the tasks and stop")
    add("--repeat", type=int, default=5, help="runs of a fast contender (default 5)")
    add(
        "--limit",
        type=int,
        default=120,
        help="CPU seconds for one run of one program (default 120)",
    )
    add("--print-only", action="store_true", help="keep no results, write no page")
    add("--python", help="a Python that has bayesloom, instead of installing it")
    return parser.parse_args()


def load_runs() -> list[dict]:
    """Return the results kept so far, newest first."""
    runs = [json.loads(path.read_text()) for path in RESULTS.glob("*.json")]
    return sorted(runs, key=lambda run: run["time"], reverse=True)


def keep(run: dict, earlier: list[dict], *, document: bool) -> None:
    """Write the results and, from these and earlier ones, the page of the documentation."""
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{run['name']}.json"
    tasks_of = {entry["task"]: entry for entry in run["tasks"]}
    if path.exists():  # a second run on the same day and commit replaces the tasks it repeats
        old = json.loads(path.read_text())["tasks"]
        tasks_of = {entry["task"]: entry for entry in old} | tasks_of
    merged = run | {"tasks": sorted(tasks_of.values(), key=lambda entry: entry["place"])}
    replace_text(path, json.dumps(merged, indent=1) + "\n")
    if document:
        DOCUMENT.parent.mkdir(exist_ok=True)
        replace_text(DOCUMENT, report.page([merged, *earlier]))


def replace_text(path: Path, text: str) -> None:
    """Write a file so that it is never half there."""
    part = path.with_suffix(".part")
    part.write_text(text)
    part.replace(path)


if __name__ == "__main__":
    main()
