"""Reading files and starting up."""

from __future__ import annotations

from contenders.bayesloom import IMPORT, IMPORT_ALL
from task import Bif, Contender, Csv, Role, Task

LIBRARIES = ("pyarrow", "polars", "pandas")
MODULES = {
    "pyagrum": "pyagrum",
    "pgmpy": "pgmpy.estimators",
    "causal-learn": "causallearn.search.ScoreBased.GES",
    "xges": "xges",
    "scikit-learn": "sklearn.naive_bayes",
    "pandas": "pandas",
    "polars": "polars",
    "pyarrow": "pyarrow",
}


def tasks() -> list[Task]:
    return [
        _csv(100_000, threads=1),
        _csv(1_000_000, threads=1),
        _csv(1_000_000, threads=2),
        _imports(),
        _munin(),
    ]


def _csv(rows: int, threads: int) -> Task:
    readers = [
        Contender(
            f"{library}, {'categories' if categories else 'text'}",
            "readers",
            options={"library": library, "categories": categories},
            threads=threads,
        )
        for library in LIBRARIES
        for categories in (False, True)
    ]
    return Task(
        name=f"csv-alarm-{rows}" + f"-{threads}threads" * (threads > 1),
        group="Reading a CSV file (alarm, 37 columns)",
        label=f"{rows:,} rows, {threads} thread{'s' * (threads > 1)}",
        call="read_csv",
        contenders=(Contender("bayesloom", "bayesloom", Role.US, threads=threads), *readers),
        options={"csv": Csv("alarm", rows)},
        clock="cpu" if threads == 1 else "wall",
        quick=rows <= 100_000,
    )


def _imports() -> Task:
    floor = [
        Contender("python", role=Role.FLOOR, arguments=("-c", "pass")),
        Contender("numpy", role=Role.FLOOR, arguments=("-c", "import numpy")),
    ]
    peers = [Contender(name, arguments=("-c", f"import {m}")) for name, m in MODULES.items()]
    us = [
        Contender("bayesloom", role=Role.US, arguments=IMPORT),
        Contender("bayesloom, with learn loaded", role=Role.US, arguments=IMPORT_ALL),
    ]
    return Task(
        name="import",
        group="Start of Python and import",
        label="import",
        contenders=(*us, *floor, *peers),
        clock="wall",
        quick=True,
    )


def _munin() -> Task:
    names = ("pyagrum", "pgmpy")
    return Task(
        name="read-munin",
        group="Reading a network file",
        label="munin.bif, 1,041 nodes",
        call="read_network",
        contenders=(
            Contender("bayesloom", "bayesloom", Role.US),
            *(Contender(n, n) for n in names),
        ),
        options={"bif": Bif("munin")},
        quick=True,
    )
