"""The examples on the pages about bootstrap, posterior and comparison run as they stand."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("page", ["bootstrap", "posterior", "compare", "chance-edges"])
def test_every_example_on_the_page_does_what_it_says(page: str) -> None:
    done = doctest.testfile(str(ROOT / "docs" / f"{page}.md"), module_relative=False)
    assert done.attempted > 2
    assert done.failed == 0
