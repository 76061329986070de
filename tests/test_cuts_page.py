"""The page on cuts: its example runs, and what it says of its tables is what they say."""

from __future__ import annotations

import doctest
from pathlib import Path

PAGE = Path(__file__).parents[1] / "docs" / "cuts.md"


def test_the_example_of_the_page_runs() -> None:
    found = doctest.testfile(str(PAGE), module_relative=False)
    assert found.attempted > 3
    assert found.failed == 0


def test_the_page_counts_its_own_tables() -> None:
    text = PAGE.read_text()
    rows = [line.replace("*", "").split("|")[1:-1] for line in text.splitlines() if "| " in line]
    numbers = [[float(x) for x in row[1:]] for row in rows if row[1].strip()[-1:].isdigit()]
    shared, even = numbers[:18], numbers[18:]
    assert len(shared) == len(even) == 18
    won = [sum(row[4] < row[k] for row in shared) for k in range(6)]
    assert f"lose less than equal frequency in {won[0]} of 18 sets" in text
    assert (
        f"equal frequency they lose less in {won[5]} of 18, against equal width in {won[1]}" in text
    )
    assert f"`mdl` in {won[3]}." in text
    lost = [sum(row[k] < row[4] for row in even) for k in range(6)]
    assert f"in {lost[0]} of 18 sets, and with eight in {lost[5]}" in text
