"""The page on exact learning: its examples run and print what it says."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "exact.md"


def test_the_examples_of_the_page_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    found = doctest.testfile(str(PAGE), module_relative=False)
    assert found.attempted > 8
    assert found.failed == 0


def test_the_page_counts_its_own_table() -> None:
    rows = [line.split("|")[1:-1] for line in PAGE.read_text().splitlines() if "| BDeu 1 |" in line]
    rows += [line.split("|")[1:-1] for line in PAGE.read_text().splitlines() if "| BIC |" in line]
    proven = [row for row in rows if row[4].strip() == "proven"]
    at_best = sum("**0**" in row[-1] for row in proven)
    said = f"Of the {len(proven)} cells with a proof `XGES` is at the optimum in {at_best}."
    assert said in PAGE.read_text()
