"""Reading files and starting up."""

from __future__ import annotations

from task import PGMPY, PYAGRUM, US, Bif, Contender, Csv, Role, Task

LIBRARIES = ("pyarrow", "polars", "pandas")
PROGRAMS = {
    "pyagrum": "pyagrum",
    "pgmpy": "pgmpy.estimators",
    "causal-learn": "causallearn.search.ScoreBased.GES",
    "xges": "xges",
}
FLOORS = tuple(
    Contender(name, role=Role.FLOOR, arguments=("-c", f"import {module}"))
    for name, module in (("python", "sys"), ("numpy", "numpy"), ("pandas", "pandas"))
)
NETWORKS = ("alarm", "andes", "link", "munin")


def tasks() -> list[Task]:
    return [
        _csv(100_000, 1),
        _csv(1_000_000, 1),
        _csv(1_000_000, None),
        _import("import", "import alone", "import bayesloom", FLOORS),
        _import("import-learn", "with what learning needs", "import bayesloom; bayesloom.learn"),
        *(_network(name) for name in NETWORKS),
    ]


def _csv(rows: int, threads: int | None) -> Task:
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
    us = Contender("bayesloom", "bayesloom", Role.US, threads=threads)
    return Task(
        name=f"csv-alarm-{rows}" + ("" if threads else "-shipped"),
        page="reading",
        family="reading a CSV file",
        table="Reading a CSV file (alarm, 37 columns)",
        label=f"{rows:,} rows, {'one thread' if threads else 'threads as shipped'}",
        call="read_csv",
        contenders=(us, *readers),
        options={"csv": Csv("alarm", rows)},
        clock="cpu" if threads else "wall",
        core=rows == 1_000_000,
    )


def _import(name: str, label: str, ours: str, floors: tuple[Contender, ...] = ()) -> Task:
    return Task(
        name=name,
        page="reading",
        family="import",
        table="Start of Python and import, whole process",
        label=label,
        contenders=(
            Contender("bayesloom", role=Role.US, arguments=("-c", ours)),
            *(Contender(n, arguments=("-c", f"import {m}")) for n, m in PROGRAMS.items()),
            *floors,
        ),
        core=True,
    )


def _network(name: str) -> Task:
    return Task(
        name=f"read-{name}",
        page="reading",
        family="reading a BIF file",
        table="Reading a BIF file",
        label=name,
        call="read_network",
        contenders=(US, PYAGRUM, PGMPY),
        options={"bif": Bif(name)},
        core=name in ("alarm", "munin"),
    )
