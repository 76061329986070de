"""The pages of the site: what they show is run, what they link to is there."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
TOLD = [str(p.relative_to(DOCS)) for p in sorted(DOCS.glob("*/*.md"))]
RUN = [page for page in TOLD if ">>> " in (DOCS / page).read_text(encoding="utf-8")]


def test_pages_with_examples_are_found() -> None:
    assert {"systems/imap.md", "how-to/numbers.md"} <= set(RUN)


@pytest.mark.parametrize("page", RUN)
def test_the_examples_of_a_page_run(page: str) -> None:
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    found = doctest.testfile(str(DOCS / page), module_relative=False, optionflags=flags)
    assert found.attempted > 0
    assert found.failed == 0


@pytest.mark.parametrize("page", sorted(DOCS.glob("**/*.md")), ids=lambda page: page.name)
def test_a_page_links_to_what_is_there(page: Path) -> None:
    for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        made = link.removeprefix("../").startswith("api/")  # while the site is built
        assert made or (page.parent / link).exists(), link


def test_every_page_is_in_the_navigation() -> None:
    told = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    left_out = [page.name for page in DOCS.glob("*.md") if page.name not in told]
    assert left_out == []
