"""Our time against the fastest peer's, cell by cell."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from task import Task

CALLS = ("first", "warm")
START = "start"  # import and set-up, then the first call: wherever a program imports what it needs


@dataclass(frozen=True, slots=True)
class Ratio:
    """How many times faster we are: None without a result of ours, infinite without a peer's."""

    value: float | None
    peer: str = ""


def our_row(rows: list[dict]) -> dict:
    return next(row for row in rows if row["role"] == "us")


def seconds(row: dict, call: str, clock: str) -> float | None:
    """Return what a call took; None if there was none, or no set-up that could be told apart."""
    if call == START:
        first = row.get("first")
        return first["setup"] + first[clock] if first and first["setup"] else None
    return row[call][clock] if row.get(call) else None


def fastest(rows: list[dict], call: str, clock: str) -> dict | None:
    """Return the row of the fastest peer, or None if no peer has a result."""
    done = [row for row in rows if row["role"] == "peer" and seconds(row, call, clock)]
    return min(done, key=lambda row: seconds(row, call, clock), default=None)


def of(task: Task, rows: list[dict], call: str) -> Ratio | None:
    """Return the ratio of a cell, or None if the call is not there: a process has no warm one."""
    us = our_row(rows)
    if us["fault"]:
        return Ratio(None)
    ours = seconds(us, call, task.clock)
    if not ours:
        return None
    peer = fastest(rows, call, task.clock)
    if peer is None:
        return Ratio(math.inf)
    return Ratio(seconds(peer, call, task.clock) / ours, peer["contender"])


def lead(rows: list[dict]) -> float | None:
    """Return our score minus the best peer's; None without ours, infinite without a peer's."""
    us = our_row(rows)
    if "score" not in us:
        return None
    peers = [row["score"] for row in rows if row["role"] == "peer" and "score" in row]
    return us["score"] - max(peers, default=-math.inf)
