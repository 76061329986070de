"""The page on decomposable Markov networks: its examples run and print what it says."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "decomposable.md"


def test_the_examples_of_the_page_run() -> None:
    found = doctest.testfile(str(PAGE), module_relative=False)
    assert found.attempted > 8
    assert found.failed == 0


def test_every_file_the_page_shows_is_there() -> None:
    links = re.findall(r"\]\(([^)#]+)\)", PAGE.read_text())
    assert len(links) >= 4
    for link in links:
        assert (PAGE.parent / link).exists(), link
