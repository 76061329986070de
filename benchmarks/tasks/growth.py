"""How the time of whole searches grows with the number of variables."""

from __future__ import annotations

from task import PYAGRUM, US, Csv, Task

NODES = (250, 500, 1_000, 2_000)
ROWS = 5_000
SEARCHES = {
    "hc": ("Hill climbing, BIC", "hill_climbing", {"score": "bic"}),
    "ges": ("GES, BIC", "ges", {"score": "bic"}),
    "default": ("The default search", "learn", {"search": ""}),
}


def tasks() -> list[Task]:
    return [_growth(key, n) for key in SEARCHES for n in NODES]


def _growth(key: str, n: int) -> Task:
    title, call, options = SEARCHES[key]
    csv = Csv(f"syn{n}", ROWS)
    return Task(
        name=f"growth-{key}-{n}",
        page="growth",
        family="",
        table=f"{title}: drawn networks, {ROWS:,} rows",
        label=f"{n:,} variables",
        call=call,
        contenders=(US, PYAGRUM) if (key, n) == ("hc", NODES[0]) else (US,),
        options={"csv": csv, **options},
        score="bic",
        truth=csv.network,
        series=f"growth-{key}",
        size=(n,),
        core=n <= 1_000,
    )
