"""Measure bayesloom and other programs on the same tasks; see ``--help``."""

from __future__ import annotations

import argparse
import json
import sys
import time
from datetime import datetime
from fnmatch import fnmatch
from pathlib import Path

import dataset
import environments
import machine
import report
import runner
import tasks
from task import Task

RESULTS = dataset.HERE / "results"
DOCS = dataset.HERE.parent / "docs"


def main() -> None:
    options = parse()
    everything = tasks.every()
    chosen = [
        task
        for task in everything
        if (task.core or not options.core) and any(fnmatch(task.name, p) for p in options.only)
    ]
    if options.list:
        print("\n".join(f"{task.name:32} {task.table}: {task.label}" for task in chosen))
    elif options.page:
        write_page(newest(), everything)
    else:
        measure(chosen, everything, options)


def measure(chosen: list[Task], everything: list[Task], options: argparse.Namespace) -> None:
    """Run tasks and keep the results, unless they are a draft's."""
    if (changed := environments.changes()) and not options.draft:
        lines = ["the tree has changes; commit them, or measure with --draft:", *changed]
        sys.exit("\n".join(lines))
    ours, peers = environments.ours(), environments.peers()
    facts = machine.facts(ours, peers)
    results = load(RESULTS / f"{facts['version']}.json", facts["version"])
    commit = environments.commit_of() + (" with changes" if changed else "")
    results["runs"][commit] = {
        "date": datetime.now().astimezone().isoformat(timespec="seconds"),
        "limit": runner.LIMIT,
        "machine": facts,
    }
    work = runner.Runner(ours, peers, environments.find_r())
    end = time.monotonic() + 60 * options.budget
    try:
        for task in chosen:
            if not options.again and results["tasks"].get(task.name, {}).get("commit") == commit:
                continue
            if time.monotonic() > end:
                print("the budget is used up; the rest was not run", file=sys.stderr)
                break
            results["tasks"][task.name] = {"commit": commit, "rows": work.run(task)}
            if not options.draft:
                keep(results, everything)
    except KeyboardInterrupt:
        print("interrupted; the finished tasks are kept", file=sys.stderr)
    finish(results, everything, chosen, draft=options.draft)


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description="Measure bayesloom, as committed, and other programs on the same tasks.",
        epilog=f"{environments.PEERS}=PYTHON names a Python that has the other programs.",
    )
    add = parser.add_argument
    add("--only", nargs="+", default=["*"], metavar="PATTERN", help="names or patterns, as 'hc-*'")
    add("--core", action="store_true", help="the subset that takes a quarter of an hour")
    add("--budget", type=float, default=float("inf"), metavar="MINUTES", help="then begin no task")
    add("--again", action="store_true", help="measure also what this commit has results of")
    add("--list", action="store_true", help="print the names of the tasks and stop")
    add("--page", action="store_true", help="write the page anew from the kept results and stop")
    add("--draft", action="store_true", help="allow a changed tree; keep no results, only print")
    return parser.parse_args()


def newest() -> dict:
    """Return the results with the latest run."""
    kept = [json.loads(path.read_text()) for path in RESULTS.glob("*.json")]
    return max(kept, key=lambda results: max(run["date"] for run in results["runs"].values()))


def load(path: Path, version: str) -> dict:
    """Return the kept results of a version, which have one file."""
    if path.exists():
        return json.loads(path.read_text())
    return {"version": version, "runs": {}, "tasks": {}}


def keep(results: dict, everything: list[Task]) -> None:
    """Write the results; a table keeps those of one commit only, the newest."""
    date_of = {commit: run["date"] for commit, run in results["runs"].items()}
    entries, newest_of = results["tasks"], {}
    known = [task for task in everything if task.name in entries]
    for task in known:
        commit = entries[task.name]["commit"]
        newest_of[task.table] = max(newest_of.get(task.table, commit), commit, key=date_of.get)
    kept = [task for task in known if entries[task.name]["commit"] == newest_of[task.table]]
    results["tasks"] = {task.name: entries[task.name] for task in kept}
    used = {one["commit"] for one in results["tasks"].values()}
    results["runs"] = {commit: run for commit, run in results["runs"].items() if commit in used}
    RESULTS.mkdir(exist_ok=True)
    replace_text(RESULTS / f"{results['version']}.json", json.dumps(results, indent=1) + "\n")


def finish(results: dict, everything: list[Task], chosen: list[Task], *, draft: bool) -> None:
    """Write the page, or print the tables, and fail if a task of ours failed."""
    if draft:
        print(report.summary(everything, results))
        print(report.tables(chosen, results))
    else:
        write_page(results, everything)
    for task in chosen:
        for row in results["tasks"].get(task.name, {"rows": []})["rows"]:
            if row["role"] == "us" and row["fault"].startswith("failed"):
                sys.exit(f"{task.name}: {row['contender']}: {row['fault']}")


def write_page(results: dict, everything: list[Task]) -> None:
    for name, text in report.pages(results, everything).items():
        (DOCS / name).parent.mkdir(exist_ok=True)
        replace_text(DOCS / name, text)


def replace_text(path: Path, text: str) -> None:
    """Write a file so that it is never half there."""
    part = path.with_suffix(".part")
    part.write_text(text)
    part.replace(path)


if __name__ == "__main__":
    main()
