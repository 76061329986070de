"""Turn results into Markdown: a short first page, and the tables on pages of their own."""

from __future__ import annotations

import csv
import math
import statistics
from itertools import groupby
from typing import TYPE_CHECKING

import dataset
import ratio
import runner
import targets

if TYPE_CHECKING:
    from task import Task

TOP = """\
# Benchmarks

How many times faster than the fastest other program: CPU seconds, one thread each, the same files.
**Warm**: a call that is not the first of its process. **First**: the first one, in which bayesloom
imports what it needs for it; others import all when they are imported. **Start**: importing the
program and reading the data, then the first call. Below 1 we are slower; without a result we lose.
Cells that were not run, and programs that could not be, are named below.
"""
RULES = f"""\
## How it is measured

Written by `benchmarks/run.py` from clean commits; each table names its own. One rule for all: a
process makes a first call and up to {runner.WARM} warm ones, each from a fresh set-up, within
{runner.LIMIT} CPU seconds. Each program gets a first and a warm call if they fit; then programs
take turns until each has had {runner.PROCESSES} processes or used {runner.ENOUGH} CPU seconds.
Figures are medians of CPU seconds; "calls" tells how many first + warm calls there were. The set-up
(import, reading, encoding) has a column of its own, first / warm; making our engine is in the call.
Scores and distances come from one scorer (`benchmarks/scorer.py`), natural logarithms, states =
labels that occur in the file; SHD is between equivalence classes.

Peers that ran out of time on a smaller cell are not asked for larger ones; we always are. Not
asked at all, to save time: pgmpy for Chow-Liu trees of 100,000 rows, pgmpy and
scikit-learn for mutual informations of 1,000,000, pyagrum for threads at 1,000,000 rows and for
growth but for hill climbing at 250 and 1,000 variables.

What is as shipped runs with all processors; numpy's own threads then wait busily for some tenths of
a second after it is imported, which shows in the CPU time of short calls of every program.

The package xges has no score for discrete data: it is given one in numpy that looks up n log n, and
one memory for all its trials. Chow-Liu by pyagrum is its mutual informations joined by Prim's
algorithm, since its own goes through a data frame.
"""
QUOTED = "bnlearn (R) 5.2.1, quoted"
QUOTED_NOTE = """\
**R's bnlearn was not measured**, since R or the package is not installed here. Rows marked "quoted"
come from another run on another, busy machine with 2 cores (same data files, first call, least of
up to three), so they have no ratio.
"""
BUSY = "**The machine was busy: wall times, and what threads gain, say little.** "
PAGES = {
    "learning": "Learning structure",
    "growth": "Growth with the number of variables",
    "threads": "Threads",
    "reading": "Reading and starting",
    "inference": "Inference and sampling",
    "counting": "Counting and scoring",
    "classifying": "Classifiers",
}
TITLES = (
    "",
    "program",
    "first: CPU s",
    "wall s",
    "warm: CPU s",
    "wall s",
    "set-up CPU s",
    "calls",
    "MB",
    "result",
    "score",
    "SHD",
    "vs best peer: first",
    "warm",
)


LEARNERS = """\
With scores, one table for every case: [all learners](learners.md). How far the searches are from
proven optima:
[exact learning](exact.md#how-far-from-the-optimum-are-the-other-searches).
"""


def pages(results: dict, everything: list[Task]) -> dict[str, str]:
    """Return the text of every page by its name below ``docs``."""
    links = [f"[{title}](benchmarks/{page}.md)" for page, title in PAGES.items()]
    front = [
        TOP,
        summary(everything, results),
        "Tables: " + ", ".join(links) + ".\n",
        (dataset.HERE / "results" / "learners.md").read_text(encoding="utf-8"),
        LEARNERS,
        losses(everything, results),
        targets.table(everything, results["tasks"]),
        not_run(everything, results),
        RULES,
        *(machine(commit, run) for commit, run in results["runs"].items()),
    ]
    found = {"benchmarks.md": "\n".join(front)}
    for page, title in PAGES.items():
        body = tables([task for task in everything if task.page == page], results)
        note = QUOTED_NOTE if QUOTED in body else ""
        head = f"# Benchmarks: {title.lower()}\n\nSee [the first page](../benchmarks.md).\n{note}"
        found[f"benchmarks/{page}.md"] = f"{head.strip()}\n\n{body}"
    return found


def summary(everything: list[Task], results: dict) -> str:
    """Return a line per family of tasks: cells, worst and median ratio, who is the fastest peer."""
    calls = (*reversed(ratio.CALLS), ratio.START)
    titles = [title for call in calls for title in (f"{call}: worst", "median")]
    lines = ["| " + " | ".join(["task", "cells run", *titles, "fastest peer"]) + " |"]
    lines += ["|---|" + "---:|" * (1 + len(titles)) + "---|"]
    for family in dict.fromkeys(task.family for task in everything if task.family):
        members = [task for task in everything if task.family == family]
        done = _measured(members, results)
        if not done:
            continue
        columns, peers = [], []
        for call in calls:
            ratios = [r for task, rows in done if (r := ratio.of(task, rows, call))]
            columns += _worst_and_median(ratios)
            peers += [r.peer for r in ratios if r.peer]
        best = statistics.mode(peers) if peers else ""
        cells = f"{len(done)} of {len(members)}"
        lines.append("| " + " | ".join([family, cells, *columns, best]) + " |")
    return "\n".join(lines) + "\n"


def _worst_and_median(ratios: list[ratio.Ratio]) -> tuple[str, str]:
    """Show a cell without a result of ours as a loss, one without a peer's as won by default."""
    if not ratios:
        return "", ""
    values = sorted(0.0 if r.value is None else r.value for r in ratios)
    worst = "no result" if values[0] == 0.0 else _times(values[0])
    return worst, _times(statistics.median_low(values))


def _times(value: float) -> str:
    if math.isinf(value):
        return "no peer"
    shown = f"{value:.2g}" if value < 10 else f"{value:,.0f}"
    return f"**{shown}**" if value < 1 else shown


def losses(everything: list[Task], results: dict) -> str:
    """Return every cell in which we are slower or without a result, and whose score is higher."""
    lines = ["## Where we lose", ""]
    done = _measured([task for task in everything if task.family], results)
    for task, rows in done:
        told = []
        for call in ratio.CALLS:
            found = ratio.of(task, rows, call)
            if found and found.value is None:
                told = [ratio.our_row(rows)["fault"]]
            elif found and found.value < 1:
                told.append(f"{call} call {found.value:.2f} ({found.peer})")
        if told:
            lines.append(f"- {task.table}, {task.label}: {', '.join(told)}")
    for family, members in groupby(done, key=lambda one: one[0].family):
        scored = [(t, rows, ratio.lead(rows)) for t, rows in members if t.score]
        behind = [one for one in scored if one[2] is not None and one[2] < targets.TINY]
        if behind:
            task, rows, lead = min(behind, key=lambda one: one[2] / abs(_score(one[1])))
            lines.append(
                f"- {family}, score: below the best peer's in {len(behind)} of {len(scored)} "
                f"cells, most in {task.label}: by {-lead:.1f} of {abs(_score(rows)):,.0f}"
            )
    return "\n".join([*lines, *(["- nowhere"] if len(lines) == 2 else []), ""])


def _score(rows: list[dict]) -> float:
    return ratio.our_row(rows)["score"]


def not_run(everything: list[Task], results: dict) -> str:
    """Return how much is not on the pages."""
    lines = ["## Not measured", ""]
    if QUOTED in tables(everything, results):
        lines.append(QUOTED_NOTE)
    for table, group in groupby(everything, key=lambda task: task.table):
        members = list(group)
        if missing := len(members) - len(_measured(members, results)):
            lines.append(f"- {table}: {missing} of {len(members)} cells")
    return "\n".join([*lines, ""])


def machine(commit: str, run: dict) -> str:
    """Return the facts of a run as text."""
    facts = run["machine"]
    return (
        f"Commit {commit}, {run['date'][:10]}: {facts['cpu']}, {facts['cores']} cores, "
        f"{facts['memory_gib']} GiB, {facts['system']}, load {facts['load']} at the start. "
        f"{BUSY if facts['load'] > 1 else ''}{run.get('note', '')}"
        f"Ours: {', '.join(facts['us'])}. Peers: {', '.join(facts['peers'])}.\n"
    )


def tables(chosen: list[Task], results: dict) -> str:
    """Return the tables of some tasks, each with its commit and with what was not run."""
    quoted = _quoted()
    parts = []
    for table, group in groupby(chosen, key=lambda task: task.table):
        members = list(group)
        done = _measured(members, results)
        parts.append(f"## {table}\n")
        if done:
            commit = results["tasks"][done[0][0].name]["commit"]
            run = results["runs"][commit]
            about = f"{run['date'][:10]}, at most {run['limit']} CPU seconds a process"
            lines = [line for task, rows in done for line in _lines(task, rows, quoted)]
            parts.append(f"Commit {commit}, {about}.\n\n{_markdown(lines)}")
        missing = [task.label for task in members if task.name not in results["tasks"]]
        if missing:
            parts.append(f"Not run: {'; '.join(missing)}.\n")
    return "\n".join(parts)


def _measured(chosen: list[Task], results: dict) -> list[tuple[Task, list[dict]]]:
    entries = results["tasks"]
    return [(task, entries[task.name]["rows"]) for task in chosen if task.name in entries]


def _quoted() -> dict[str, dict]:
    """Return the figures of other people's runs by task."""
    with (dataset.HERE / "quoted.csv").open() as lines:
        return {row["task"]: row for row in csv.DictReader(lines)}


def _lines(task: Task, rows: list[dict], quoted: dict[str, dict]) -> list[dict[int, str]]:
    """Return the cells of a task's rows by their column."""
    lines = []
    for row in rows:
        if row["fault"]:
            lines.append({1: row["contender"], 2: row["fault"]})
        else:
            lines.append(dict(enumerate(["", row["contender"], *_cells(task, row, rows)])))
    if task.name in quoted and not any(row["contender"] == "bnlearn (R)" for row in rows):
        figures = quoted[task.name]
        lines.append({1: QUOTED, 2: figures["cpu"], 10: figures["score"]})
    lines[0][0] = task.label
    return lines


def _cells(task: Task, row: dict, rows: list[dict]) -> list[str]:
    first, warm = row["first"], row["warm"]
    ratios = []
    for call in ratio.CALLS:
        peer = ratio.fastest(rows, call, task.clock)
        shown = row[call] and peer and row["role"] != "floor"
        ratios.append(f"{peer[call][task.clock] / row[call][task.clock]:.2f}" if shown else "")
    return [
        f"{first['cpu']:.3g}",
        f"{first['wall']:.3g}",
        f"{warm['cpu']:.3g}" if warm else "",
        f"{warm['wall']:.3g}" if warm else "",
        " / ".join(f"{one['setup']:.2g}" for one in (first, warm) if one and one["setup"]),
        " + ".join(str(one["calls"]) for one in (first, warm) if one),
        f"{row['rss']:.0f}",
        _result(row["result"]),
        f"{row['score']:.1f}" if "score" in row else "",
        str(row.get("shd", "")),
        *ratios,
    ]


def _result(result: dict) -> str:
    if "unextended" in result:
        return "no DAG extends it"
    if "difference" in result:
        return f"differs {result['difference']:.0e} from {result['from']}"
    if "sum" in result:
        return f"sum {result['sum']:.10g}"
    names = ("rows", "nodes")
    return ", ".join(f"{result[name]:,} {name}" for name in names if name in result)


def _markdown(lines: list[dict[int, str]]) -> str:
    used = [i for i in range(len(TITLES)) if i < 3 or any(line.get(i) for line in lines)]
    rows = [[line.get(i, "") for i in used] for line in lines]
    head = [TITLES[i] for i in used]
    rule = ["---" if i < 2 else "---:" for i in used]
    return "\n".join("| " + " | ".join(row) + " |" for row in [head, rule, *rows]) + "\n"
