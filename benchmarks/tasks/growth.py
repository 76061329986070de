"""How the time of whole searches grows with the number of variables, and a dense cell."""

from __future__ import annotations

from task import PYAGRUM, US, Csv, Task

NODES = (250, 500, 1_000, 2_000, 5_000)
ROWS = 5_000
WITH_PEER = (("hc", 250), ("hc", 1_000))
SEARCHES = {
    "hc": ("Hill climbing, BIC", "hill_climbing", {"score": "bic"}),
    "ges": ("GES, BIC", "ges", {"score": "bic"}),
    "default": ("The default search", "learn", {"search": ""}),
}


def tasks() -> list[Task]:
    return [
        *(_growth(key, n) for key in SEARCHES for n in NODES),
        _growth("ges", 10_000, 1_000),
        *map(_hidden_cause, SEARCHES),
    ]


def _growth(key: str, n: int, rows: int = ROWS) -> Task:
    title, call, options = SEARCHES[key]
    csv = Csv(f"syn{n}", rows)
    return Task(
        name=f"growth-{key}-{n}",
        page="growth",
        family="",
        table=f"{title}: drawn networks, {rows:,} rows",
        label=f"{n:,} variables",
        call=call,
        contenders=(US, PYAGRUM) if (key, n) in WITH_PEER else (US,),
        options={"csv": csv, **options},
        score="bic",
        truth=csv.network,
        series=f"growth-{key}",
        size=(n,),
        core=n <= 1_000,
    )


def _hidden_cause(key: str) -> Task:
    """Return the task of 100 items that all depend on each other."""
    title, call, options = SEARCHES[key]
    return Task(
        name=f"hidden-cause-{key}",
        page="growth",
        family="",
        table="100 items with one hidden cause, 20,000 rows",
        label=title,
        call=call,
        contenders=(US,),
        options={"csv": Csv("items100", 20_000), **options},
        score="bic",
        core=key != "default",
    )
