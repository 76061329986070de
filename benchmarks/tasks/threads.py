"""Whole searches on many rows: one thread, and as many as a program takes by itself."""

from __future__ import annotations

from task import Contender, Csv, Role, Task

SEARCHES = {
    "chow-liu": ("Chow-Liu tree", "chow_liu", {}),
    "hc": ("Hill climbing, BIC", "hill_climbing", {"score": "bic"}),
    "ges": ("GES, BIC", "ges", {"score": "bic"}),
    "xges": ("XGES, BIC", "xges", {"score": "bic"}),
    "default": ("The default search", "learn", {"search": ""}),
}
MOST_FOR_PEERS = 100_000  # rows that pyagrum, which has threads too, climbs on within the limit
ROWS = (5_000, 100_000, 1_000_000)


def tasks() -> list[Task]:
    return [_threads(key, rows) for key in SEARCHES for rows in ROWS]


def _threads(key: str, rows: int) -> Task:
    title, call, options = SEARCHES[key]
    peers = [("pyagrum", Role.PEER)] if key == "hc" and rows <= MOST_FOR_PEERS else []
    contenders = tuple(
        Contender(f"{name}, {label}", name, role, {"threads": threads}, threads=threads)
        for name, role in [("bayesloom", Role.US), *peers]
        for label, threads in (("one thread", 1), ("as shipped", None))
    )
    return Task(
        name=f"threads-{key}-{rows}",
        page="threads",
        family="",
        table=f"Threads: {title} (alarm)",
        label=f"{rows:,} rows",
        call=call,
        contenders=contenders,
        options={"csv": Csv("alarm", rows), **options},
        clock="wall",
        series=f"threads-{key}",
        size=(rows,),
        core=(key in ("hc", "ges", "default") and rows == 1_000_000)
        or (key, rows) == ("hc", 5_000),
    )
