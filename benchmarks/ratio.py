"""Our time against the fastest peer's, cell by cell."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from task import Task

CALLS = ("first", "warm")


@dataclass(frozen=True, slots=True)
class Ratio:
    """How many times faster we are: None without a result of ours, infinite without a peer's."""

    value: float | None
    peer: str = ""


def our_row(rows: list[dict]) -> dict:
    return next(row for row in rows if row["role"] == "us")


def fastest(rows: list[dict], call: str, clock: str) -> dict | None:
    """Return the row of the fastest peer, or None if no peer has a result."""
    done = [row for row in rows if row["role"] == "peer" and row.get(call)]
    return min(done, key=lambda row: row[call][clock], default=None)


def of(task: Task, rows: list[dict], call: str) -> Ratio | None:
    """Return the ratio of a cell, or None if the call is not there: a process has no warm one."""
    us = our_row(rows)
    if us["fault"]:
        return Ratio(None)
    if not us[call]:
        return None
    peer = fastest(rows, call, task.clock)
    if peer is None:
        return Ratio(math.inf)
    return Ratio(peer[call][task.clock] / us[call][task.clock], peer["contender"])


def lead(rows: list[dict]) -> float | None:
    """Return our score minus the best peer's; None without ours, infinite without a peer's."""
    us = our_row(rows)
    if "score" not in us:
        return None
    peers = [row["score"] for row in rows if row["role"] == "peer" and "score" in row]
    return us["score"] - max(peers, default=-math.inf)
