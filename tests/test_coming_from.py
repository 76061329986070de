"""The page for those who come from other programs: every line of ours in it runs."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

import bayesloom as bl
from bayesloom.errors import GraphError

PAGE = Path(__file__).parents[1] / "docs" / "coming-from.md"


@dataclass
class Section:
    """What a user of one program reads: lines to begin with, and a table of calls."""

    title: str
    head: str
    rows: list[tuple[str, str]] = field(default_factory=list)


def cells(line: str) -> list[str]:
    """Split a row of a table; a bar after a backslash belongs to its cell."""
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))]


def sections() -> list[Section]:
    """Read the page."""
    found = []
    for part in re.split(r"^## From ", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        title, _, body = part.partition("\n")
        block = re.search(r"^```python\n(.*?)^```", body, re.MULTILINE | re.DOTALL)
        assert block is not None
        section = Section(title.strip(), block[1])
        for line in body.splitlines():
            if line.startswith("| `") or (line.startswith("| ") and " | `" in line):
                theirs, ours, *_ = cells(line)
                section.rows.append((theirs, ours.strip("`")))
        found.append(section)
    return found


SECTIONS = sections()


def test_the_three_programs_are_there_and_every_row_of_their_tables_is_read() -> None:
    assert [section.title for section in SECTIONS] == ["pgmpy", "pyAgrum", "bnlearn"]
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    rows = [line for line in lines if line.startswith("|")]
    assert sum(len(section.rows) for section in SECTIONS) == len(rows) - 2 * len(SECTIONS)
    assert min(len(section.rows) for section in SECTIONS) > 20


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.title)
def test_every_line_of_ours_runs(
    section: Section, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    exec(section.head, names)
    for theirs, ours in section.rows:
        try:
            exec(ours, names)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is a fault of the page
            pytest.fail(f"{section.title}: {theirs}: {ours}: {error!r}")


def test_what_the_page_says_of_all_three_is_so() -> None:
    net = bl.network("a -> b")
    fitted = net.fit({"a": ["x", "y"], "b": ["x", "y"]})
    assert not hasattr(net, "net")
    assert hasattr(fitted, "net")
    with pytest.raises(GraphError, match="cycle"):
        bl.network("a -> b -> a")
    with pytest.raises(bl.errors.BayesloomError, match="sum"):
        bl.network({"a": (["x", "y"], [], [0.5, 0.6])})
