"""Turn results into a Markdown page."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

import targets

if TYPE_CHECKING:
    from collections.abc import Iterable

INTRODUCTION = """\
# Benchmarks

Written by `make bench` (`benchmarks/run.py`); do not edit by hand.

Every program gets the same data files and runs in a fresh process; the minimum of several runs is
shown. Reading the data and importing are not part of the time unless the heading says so; neither
are more threads than one. Scores and distances come from one scorer (`benchmarks/scorer.py`),
natural logarithms, states = labels that occur in the file; SHD is between equivalence classes.
"vs best peer" is the time of the fastest other program divided by this one's: above 1 is faster.
"""
TITLES = (
    "",
    "program",
    "CPU s",
    "wall s",
    "MB",
    "result",
    "score",
    "SHD",
    "vs best peer",
    "vs last run",
)


def page(runs: list[dict]) -> str:
    """Return the page for the newest results of every task, given runs from new to old."""
    entries = newest_entries(runs)
    parts = [INTRODUCTION, machine(runs[0]), targets.table(entries)]
    parts += [tables(entries.values())]
    return "\n".join(parts)


def newest_entries(runs: list[dict]) -> dict[str, dict]:
    """Return for every task its entry in the newest run that has it."""
    found: dict[str, dict] = {}
    for run in runs:
        for entry in run["tasks"]:
            found.setdefault(entry["task"], entry | {"run": run["name"]})
    return dict(sorted(found.items(), key=lambda item: item[1]["place"]))


def machine(run: dict) -> str:
    """Return the facts of a run as text."""
    facts = run["machine"]
    return (
        f"Newest run: {run['name']}. {facts['cpu']}, {facts['cores']} cores, "
        f"{facts['memory_gib']} GiB, {facts['system']}, load {facts['load']} at the start. "
        f"Up to {run['repeat']} runs each, at most {run['limit']} CPU seconds a run.\n"
        f"Ours: {', '.join(facts['us'])}. Peers: {', '.join(facts['peers'])}.\n"
    )


def tables(entries: Iterable[dict], before: dict[str, dict] | None = None) -> str:
    """Return one table per group of tasks, with the ratio to an earlier run where there is one."""
    parts = []
    for group, members in groupby(entries, key=lambda entry: entry["group"]):
        lines = [
            line for entry in members for line in _lines(entry, (before or {}).get(entry["task"]))
        ]
        parts.append(f"## {group}\n\n{_markdown(lines)}")
    return "\n".join(parts)


def best_peer(entry: dict) -> float | None:
    """Return the shortest time of another program."""
    times = [row[entry["clock"]] for row in entry["rows"] if row["role"] == "peer" and "cpu" in row]
    return min(times, default=None)


def _lines(entry: dict, before: dict | None) -> list[list[str]]:
    best = best_peer(entry)
    earlier = {row["contender"]: row for row in (before or {"rows": []})["rows"]}
    label, lines = entry["label"], []
    for row in entry["rows"]:
        if row["status"] != "ok":
            lines.append([label, row["contender"], f"{row['status']}: {row['note']}"])
        else:
            last = earlier.get(row["contender"], {}).get(entry["clock"])
            lines.append([label, row["contender"], *_cells(row, entry["clock"], best, last)])
        label = ""
    return lines


def _cells(row: dict, clock: str, best: float | None, last: float | None) -> list[str]:
    own = row[clock]
    return [
        f"{row['cpu']:.3g}",
        f"{row['wall']:.3g}",
        f"{row['rss']:.0f}",
        _result(row["result"]),
        f"{row['score']:.1f}" if "score" in row else "",
        str(row.get("shd", "")),
        f"{best / own:.2f}" if best and own and row["role"] != "floor" else "",
        f"{last / own:.2f}" if last and own and row["role"] == "us" else "",
    ]


def _result(result: dict) -> str:
    if "difference" in result:
        return f"differs {result['difference']:.0e} from {result['from']}"
    if "sum" in result:
        return f"sum {result['sum']:.10g}"
    names = ("rows", "nodes")
    return ", ".join(f"{result[name]:,} {name}" for name in names if name in result)


def _markdown(lines: list[list[str]]) -> str:
    filled = [line + [""] * (len(TITLES) - len(line)) for line in lines]
    used = [i for i in range(len(TITLES)) if i < 3 or any(line[i] for line in filled)]
    rows = [[line[i] for i in used] for line in filled]
    head = [TITLES[i] for i in used]
    rule = ["---" if i < 2 else "---:" for i in used]
    return "\n".join("| " + " | ".join(row) + " |" for row in [head, rule, *rows]) + "\n"
