"""Classifiers: naive Bayes on codes, TAN's fit and its probabilities."""

from __future__ import annotations

from task import PGMPY, PYAGRUM, US, Contender, Csv, Task

TARGET = "HYPOVOLEMIA"
FAMILY = "naive Bayes and TAN"
SCIKIT_LEARN = Contender("scikit-learn", "sklearn")


def tasks() -> list[Task]:
    return [
        _naive_bayes(100_000),
        *(_tan(rows) for rows in (5_000, 100_000)),
        _probabilities(100_000),
        _wide(1_000, 10_000),
    ]


def _naive_bayes(rows: int) -> Task:
    return Task(
        name=f"classify-nb-alarm-{rows}",
        page="classifying",
        family=FAMILY,
        table="Naive Bayes: fit and predict all rows again (alarm, 36 attributes as codes)",
        label=f"{rows:,} rows",
        call="naive_bayes",
        contenders=(US, SCIKIT_LEARN),
        options={"csv": Csv("alarm", rows), "target": TARGET},
        core=True,
    )


def _tan(rows: int) -> Task:
    return Task(
        name=f"classify-tan-alarm-{rows}",
        page="classifying",
        family=FAMILY,
        table="TAN: tree and tables (alarm, 36 attributes)",
        label=f"{rows:,} rows",
        call="tan_fit",
        contenders=(US, PYAGRUM, PGMPY),
        options={"csv": Csv("alarm", rows), "target": TARGET},
        series="classify-tan",
        size=(rows,),
        core=rows == 5_000,
    )


def _probabilities(rows: int) -> Task:
    return Task(
        name=f"classify-proba-alarm-{rows}",
        page="classifying",
        family=FAMILY,
        table="TAN: the probabilities of all rows (alarm, fitted on the first 5,000)",
        label=f"{rows:,} rows",
        call="tan_probabilities",
        contenders=(US, PYAGRUM),
        options={"csv": Csv("alarm", rows), "target": TARGET, "training": 5_000},
    )


def _wide(variables: int, rows: int) -> Task:
    return Task(
        name=f"classify-tan-{variables}-{rows}",
        page="classifying",
        family="",
        table=f"TAN: tree and tables of a drawn network, {rows:,} rows",
        label=f"{variables:,} variables",
        call="tan_fit",
        contenders=(US,),
        options={"csv": Csv(f"syn{variables}", rows), "target": "v0000"},
    )
