"""Counting and scoring: mutual informations and BDeu families on alarm."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import dataset
from task import PGMPY, PYAGRUM, US, Contender, Csv, Task

ROWS = (1_000, 5_000, 100_000, 1_000_000)
N_FAMILIES = 2_000
FAMILY = "mutual informations, BDeu families"
NUMPY = Contender("numpy bincount loop", "numpy_loop")
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
    ]


def _mutual_information(rows: int) -> Task:
    return Task(
        name=f"mi-alarm-{rows}",
        page="counting",
        family=FAMILY,
        table="All pairwise mutual informations (alarm; our engine is made in the call)",
        label=f"{rows:,} rows",
        call="pairwise_mi",
        contenders=(US, PYAGRUM, NUMPY, *((SCIKIT_LEARN, PGMPY) if rows <= 100_000 else ())),
        options={"csv": Csv("alarm", rows)},
        series="mi",
        size=(rows,),
        core=rows in (5_000, 1_000_000),
    )


def _families(parents: int, rows: int) -> Task:
    what = "every family" if parents == 1 else f"{N_FAMILIES:,} drawn families"
    return Task(
        name=f"bdeu{parents}-alarm-{rows}",
        page="counting",
        family=FAMILY,
        table=f"BDeu(10), {parents} parent{'s' * (parents > 1)}, {what} (alarm)",
        label=f"{rows:,} rows",
        call="family_scores",
        contenders=(US, PYAGRUM, NUMPY, PGMPY, CAUSAL_LEARN),
        options={"csv": Csv("alarm", rows), "families": Families(Csv("alarm", rows), parents)},
        series=f"bdeu{parents}",
        size=(rows,),
        core=rows == 5_000 and parents == 1,
    )
