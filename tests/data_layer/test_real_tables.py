"""The data contract on real files; the figures come from the descriptions of the data."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest

from bayesloom.data import Table, read
from bayesloom.errors import DataError
from strategies_data import cells, same


def refusal(path: Path, **options: object) -> str:
    with pytest.raises(DataError) as error:
        read(path, strict=True, **options)  # type: ignore[arg-type]
    return str(error.value).removeprefix(str(path))


def test_a_state_called_none_is_a_state(tables_dir: Path) -> None:
    path = tables_dir / "insurance-none.csv"
    table = read(path)
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert cells(table) == {name: [row[name] for row in rows] for name in table.names}
    assert table.states[table.index("Accident")] == ("Mild", "Moderate", "None", "Severe")
    assert "None" in table.states[table.index("ThisCarDam")]
    assert table.states[table.index("AntiTheft")] == ("False", "True")


def test_titanic_with_defaults_says_what_is_missing(tables_dir: Path) -> None:
    message = refusal(tables_dir / "titanic891.csv")
    assert message.startswith(
        ", line 2, column 'Cabin': this cell is missing, one of 866 in the table (Cabin 687, "
        "Age 177, Embarked 2); choose missing='drop' (--missing drop), which keeps 183 of 891 "
        "rows (at least 712 without 'Cabin': drop=['Cabin'], --drop Cabin), missing='state' "
        "(--missing state), which makes 'missing' a state, or missing='keep' (--missing keep), "
        "which learns from the cells that are there; besides, "
        "column 'PassengerId' is nearly all distinct, like an id (891 different values in 891 rows"
    )
    assert message.endswith(
        "; drop with drop=['PassengerId', 'Name', 'Ticket'] (--drop PassengerId --drop "
        "Name --drop Ticket), and discretise the others with discretize='auto' "
        "(--discretize auto)"
    )


def test_titanic_says_which_columns_are_ids_or_quantities(tables_dir: Path) -> None:
    message = refusal(tables_dir / "titanic891.csv", missing="state")
    for column, values in {"PassengerId": 891, "Name": 891, "Ticket": 681}.items():
        assert f"column {column!r} is nearly all distinct, like an id ({values} " in message
    for column, values in {"Age": 88, "Fare": 248}.items():
        assert f"column {column!r} is real-valued ({values} different values" in message
    assert "column 'Sex'" not in message


def test_titanic_follows_the_advice_of_the_messages(tables_dir: Path) -> None:
    table = read(
        tables_dir / "titanic891.csv",
        missing="state",
        drop=["PassengerId", "Name", "Ticket", "Cabin"],
        discretize="frequency",
        bins=4,
    )
    assert table.n_rows == 891
    assert table.states[table.index("class")] == ("0", "1")
    assert np.bincount(table.column("class")).tolist() == [549, 342]
    assert table.states[table.index("Embarked")] == ("C", "Q", "S", "missing")
    age = table.column("Age")
    assert table.states[table.index("Age")][-1] == "missing"
    assert np.count_nonzero(age == 4) == 177
    assert np.bincount(age)[:4].min() > 150


def test_names_with_commas_in_quotes_are_one_cell(tables_dir: Path) -> None:
    path = tables_dir / "titanic891.csv"
    with path.open(newline="") as file:
        names = [row["Name"] for row in csv.DictReader(file)]
    table = read(path, columns=["Name", "class"], states={"Name": names})
    assert cells(table)["Name"] == names
    assert names[0] == "Braund, Mr. Owen Harris"


def test_a_constant_column_is_kept(tables_dir: Path) -> None:
    table = read(tables_dir / "mushroom-407.csv", missing="drop")
    assert table.states[table.index("veil_type")] == ("p",)
    assert 0 < table.n_rows < 407
    assert read(tables_dir / "mushroom-407.csv", missing="state").n_rows == 407


def test_audiology_has_four_complete_rows_and_24_classes(tables_dir: Path) -> None:
    path = tables_dir / "audiology.csv"
    assert "one of 317 in the table (bser 222, " in refusal(path)
    assert read(path, missing="drop").n_rows == 4
    table = read(path, missing="state")
    assert table.cardinality[-1] == 24
    assert table.n_columns == 70


def test_columns_of_0_and_1_are_read_as_they_are(tables_dir: Path) -> None:
    table = read(tables_dir / "spect.csv")
    assert set(table.states) == {("0", "1")}
    assert np.bincount(table.column("class")).tolist() == [55, 212]


def test_titanic_of_2201_has_711_survivors(tables_dir: Path) -> None:
    table = read(tables_dir / "titanic2201.csv")
    assert table.n_rows == 2201
    assert np.bincount(table.codes[-1]).tolist() == [1490, 711]


def test_adult_needs_bins_for_its_weights_and_then_reads(tables_dir: Path) -> None:
    path = tables_dir / "adult-500.csv"
    assert "column 'fnlwgt' is nearly all distinct" in refusal(path, missing="state")
    table = read(path, missing="state", discretize="width")
    assert table.states[table.index("class")] == ("<=50K", ">50K")
    assert table.states[table.index("fnlwgt")][0].startswith("(-inf,")
    assert table.states[table.index("education_num")][:2] == ("1", "2")


@pytest.mark.parametrize("name", ["titanic2201", "spect", "insurance-none"])
def test_files_and_frames_of_other_readers_give_the_same_table(tables_dir: Path, name: str) -> None:
    path = tables_dir / f"{name}.csv"
    table = read(path)
    texts = pd.read_csv(path, dtype=str, keep_default_na=False)
    assert same(Table.from_frame(texts), table)
    assert same(Table.from_frame(texts.astype("category")), table)
    assert same(Table.from_frame(pl.read_csv(path, infer_schema=False)), table)
