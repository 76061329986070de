"""What data look like before they are read, and the ways out where they break the contract."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bayesloom.data import Reading
from bayesloom.studio.profile import checked, profiled

ROWS = [
    ("a" if i % 2 else "b", f"k{i}", f"{i * 1.37:.2f}", "" if i % 5 == 0 else str(i % 3), i, "one")
    for i in range(60)
]


@pytest.fixture
def mixed(tmp_path: Path) -> str:
    path = tmp_path / "mixed.csv"
    lines = [",".join(map(str, row)) for row in [("x", "id", "q", "h", "n", "c"), *ROWS]]
    path.write_text("\n".join(lines))
    return str(path)


def test_columns_are_told_with_kind_holes_and_values(mixed: str) -> None:
    told = profiled(mixed, Reading())
    assert told["rows"] == 60
    by_name = {column["name"]: column for column in told["columns"]}
    kinds = {name: column["kind"] for name, column in by_name.items()}
    assert kinds == {
        "x": "category",
        "id": "id",
        "q": "quantity",
        "h": "number",
        "n": "id",
        "c": "constant",
    }
    assert {name: column["missing"] for name, column in by_name.items() if column["missing"]} == {
        "h": 12
    }
    assert by_name["x"]["bars"] == [["a", 30], ["b", 30]]
    assert sum(height for _, height in by_name["q"]["bars"]) == 60
    assert len(by_name["id"]["bars"]) == 12
    assert by_name["id"]["values"] == 60


def test_markers_make_holes(mixed: str) -> None:
    told = profiled(mixed, Reading(missing_markers=["a"]))
    assert told["columns"][0]["missing"] == 30


def applied(reading: dict[str, Any], way: dict[str, Any]) -> dict[str, Any]:
    """Do what the page does with a way that is clicked."""
    changes = {key: value for key, value in way.items() if key != "label"}
    if "cut" in changes:
        rules = {**reading.get("discretize", {}), changes.pop("cut"): ("frequency", 5)}
        return {**reading, "discretize": rules}
    if "drop" in changes:
        changes["drop"] = [*reading.get("drop", []), *changes["drop"]]
    return {**reading, **changes}


def test_clicking_through_the_first_ways_leads_to_a_table(mixed: str) -> None:
    reading: dict[str, Any] = {}
    for _ in range(5):
        told = checked(mixed, Reading(**reading))
        if "problem" not in told:
            break
        assert told["ways"]
        reading = applied(reading, told["ways"][0])
    assert told["columns"]
    assert told["rows"] in (48, 60)


def test_every_way_helps(mixed: str) -> None:
    before = checked(mixed, Reading())
    labels = [way["label"] for way in before["ways"]]
    assert "Leave out id" in labels
    assert "Cut q into bins" in labels
    assert "Drop rows with holes (keeps 48 rows of 60)" in labels
    for way in before["ways"]:
        after = checked(mixed, Reading(**applied({}, way)))
        assert after["problem"] != before["problem"]


def test_what_was_read_is_told_with_states_and_notes(mixed: str) -> None:
    told = checked(mixed, Reading(drop=["id", "n"], discretize={"q": 3}, missing="state"))
    states = {column["name"]: column["states"] for column in told["columns"]}
    assert states == {"x": 2, "q": 3, "h": 4, "c": 1}
    assert any("cut into bins" in note for note in told["notes"])
    assert all(sum(n for _, n in column["bars"]) == 60 for column in told["columns"])


def test_a_file_that_is_no_table_has_a_sentence_and_no_ways(tmp_path: Path) -> None:
    path = tmp_path / "bad.csv"
    path.write_text("a,a\n1,2\n")
    told = checked(str(path), Reading())
    assert "same name 'a'" in told["problem"]
    assert told["ways"] == []


def test_numbers_with_a_decimal_comma_are_a_quantity_with_a_way_out(tmp_path: Path) -> None:
    path = tmp_path / "heights.csv"
    lines = [f"{150 + i * 0.3:.1f}".replace(".", ",") + f";{'ab'[i % 2]}" for i in range(120)]
    path.write_text("\n".join(["height;x", *lines]))
    column, _ = profiled(str(path), Reading())["columns"]
    assert column["kind"] == "quantity"
    assert column["histogram"]
    told = checked(str(path), Reading())
    assert "real-valued" in told["problem"]
    assert any("height" in way["label"] and "Cut" in way["label"] for way in told["ways"])
