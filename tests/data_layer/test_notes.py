"""Tests of data/notes.py: what a user is told about data that were read."""

from __future__ import annotations

import csv
import pickle
from pathlib import Path

import pandas as pd
import pytest

from bayesloom.data import Table
from strict import from_frame, read_strictly


def test_whole_numbers_with_many_states_are_never_taken_silently(tables_dir: Path) -> None:
    (note,) = read_strictly(tables_dir / "satimage-644.csv").notes
    with (tables_dir / "satimage-644.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    different = {name: len({row[name] for row in rows}) for name in ("x_1", "x_2")}
    assert note.startswith("x_1 ({x_1} states), x_2 ({x_2} states), ".format(**different))
    assert note.endswith(
        "and 6 more hold whole numbers, taken as categories; discretize='auto' (--discretize auto) "
        "cuts them, or declare the states (states=, --states)"
    )
    cut = read_strictly(tables_dir / "satimage-644.csv", discretize="auto")
    assert cut.cardinality.tolist() == [5] * 12 + [6]
    assert cut.notes[0].startswith("cut into bins: x_1 at ")
    assert cut.notes[0].endswith("; and 6 more columns")


def test_adult_names_its_quantities(tables_dir: Path) -> None:
    table = read_strictly(tables_dir / "adult-500.csv", drop=["fnlwgt"], missing="drop")
    assert any(n.startswith("age (") and "hours_per_week (" in n for n in table.notes)


@pytest.mark.parametrize(
    "values",
    [
        [k % 20 for k in range(100)],
        [f"s{k % 200}" for k in range(400)],
        pd.Categorical([k % 50 for k in range(100)]),
        ["x"] * 4,
    ],
    ids=["few whole", "texts", "declared", "constant"],
)
def test_ordinary_categories_have_no_notes(values: object) -> None:
    assert from_frame({"A": values}).notes == ()


@pytest.mark.parametrize("form", ["%Y-%m-%d", "%d.%m.%Y", "%m/%d/%y", "%Y-%m-%d %H:%M"])
def test_dates_are_noted(form: str) -> None:
    days = pd.date_range("2020-01-01", periods=84).strftime(form)
    (note,) = from_frame({"day": [*days, *days]}).notes
    assert note.startswith("day (84 states) holds dates, taken as categories")


def test_texts_with_very_many_levels_are_noted() -> None:
    (note,) = from_frame({"city": [f"c{k % 300}" for k in range(900)]}).notes
    assert note == (
        "city (300 states) holds more than 200 states; group rare ones, or leave out with "
        "drop=['city']"
    )


def test_labels_that_often_mean_missing_are_noted() -> None:
    table = from_frame({"A": ["x", "NA", "?"], "B": ["None", "y", "y"], "C": ["?", "u", "u"]})
    (note,) = table.notes
    assert note == (
        "'?', 'NA' in A, C counts as a state; if it means missing, say "
        "missing_markers=['?', 'NA'] (--missing-marker '?' --missing-marker NA)"
    )
    assert from_frame({"A": ["x", "NA"]}, states={"A": ["x", "NA"]}).notes == ()


def test_notes_stay_with_the_table() -> None:
    table = from_frame({"A": [k % 30 for k in range(90)], "B": ["x"] * 90})
    assert table.notes
    for other in (table.select(["B", "A"]), table.take([0, 1]), table.in_name_order()):
        assert other.notes == table.notes
    assert pickle.loads(pickle.dumps(table)).notes == table.notes
    assert Table(["A"], [["x"]], [[0]]).notes == ()
