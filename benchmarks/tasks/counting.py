"""Counting and scoring: mutual informations and BDeu families on alarm."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import dataset
from task import Contender, Csv, Role, Task

ROWS = (1_000, 5_000, 100_000, 1_000_000)
N_FAMILIES = 2_000
MAKING = {"engine": "made"}
US = (
    Contender("bayesloom", "bayesloom", Role.US),
    Contender("bayesloom, making the engine too", "bayesloom", Role.US, MAKING),
    Contender("bayesloom, an engine in use", "bayesloom", Role.US, {"engine": "in use"}),
)
NUMPY = Contender("numpy bincount loop", "numpy_loop")
PYAGRUM = Contender("pyagrum", "pyagrum")
PGMPY = Contender("pgmpy", "pgmpy")
CAUSAL_LEARN = Contender("causal-learn", "causallearn")
SCIKIT_LEARN = Contender("scikit-learn", "sklearn")


@dataclass(frozen=True, slots=True)
class Families:
    """Families as lists of names, child first: every one-parent family, or as many as drawn."""

    csv: Csv
    parents: int

    def make(self) -> list[list[str]]:
        """Return plain values, as a job carries them."""
        names = dataset.load_codes(dataset.csv_file(self.csv.network, self.csv.rows)).names
        if self.parents == 1:
            return [[child, parent] for child in names for parent in names if parent != child]
        rng = np.random.default_rng(self.parents)
        draws = (rng.choice(len(names), self.parents + 1, replace=False) for _ in range(N_FAMILIES))
        return [[names[v] for v in draw] for draw in draws]


def tasks() -> list[Task]:
    return [
        *(_mutual_information(rows) for rows in ROWS),
        *(_families(1, rows) for rows in ROWS),
        *(_families(parents, rows) for parents in (2, 3, 4) for rows in (5_000, 100_000)),
        _threads("pairwise_mi", "all mutual informations", {}),
        _threads(
            "family_scores", "all one-parent BDeu", {"families": Families(_alarm(100_000), 1)}
        ),
    ]


def _alarm(rows: int) -> Csv:
    return Csv("alarm", rows)


def _mutual_information(rows: int) -> Task:
    return Task(
        name=f"mi-alarm-{rows}",
        group="All pairwise mutual informations (alarm, 666 pairs)",
        label=f"{rows:,} rows",
        call="pairwise_mi",
        contenders=(*US, PYAGRUM, NUMPY, SCIKIT_LEARN, PGMPY),
        options={"csv": _alarm(rows)},
        series="mi",
        size=(rows,),
        quick=rows <= 5_000,
    )


def _families(parents: int, rows: int) -> Task:
    what = "every family" if parents == 1 else f"{N_FAMILIES:,} drawn families"
    return Task(
        name=f"bdeu{parents}-alarm-{rows}",
        group=f"BDeu(10), {parents} parent{'s' * (parents > 1)}, {what} (alarm)",
        label=f"{rows:,} rows",
        call="family_scores",
        contenders=(*US, PYAGRUM, NUMPY, PGMPY, CAUSAL_LEARN),
        options={"csv": _alarm(rows), "families": Families(_alarm(rows), parents)},
        series=f"bdeu{parents}",
        size=(rows,),
        quick=rows <= 5_000,
    )


def _threads(call: str, label: str, options: dict) -> Task:
    counts = [
        Contender(
            f"bayesloom, {n} thread{'s' * (n > 1)}",
            "bayesloom",
            Role.US,
            {"threads": n, "engine": "in use"},
            threads=n,
        )
        for n in (1, 2)
    ]
    return Task(
        name=f"threads-{call.replace('_', '-')}",
        group="One and two threads (alarm, 100,000 rows, an engine in use)",
        label=label,
        call=call,
        contenders=tuple(counts),
        options={"csv": _alarm(100_000), **options},
        clock="wall",
    )
