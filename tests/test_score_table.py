"""No change lowers a score that is checked in (`benchmarks/score_table.py`)."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from bayesloom.learning import DEFAULT_SEARCH
from bayesloom.registry import described
from bayesloom.search import facts_of

HARNESS = Path(__file__).parents[1] / "benchmarks"
FIGURES: dict[str, float | None]
FIGURES = json.loads((HARNESS / "results" / "scores.json").read_text(encoding="utf-8"))["figures"]
ROUNDING = 1e-9  # of a score, by which sums may differ from one processor to another


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Any:  # noqa: ANN401
    monkeypatch.syspath_prepend(HARNESS)
    return import_module("score_table")


def test_the_table_is_of_the_default_as_it_is(table: Any) -> None:  # noqa: ANN401
    """A decision that changes the default's score begins its figures anew."""
    assert table.recorded()["default"] == described(facts_of(DEFAULT_SEARCH).goal(1))


def test_every_cell_of_a_network_has_an_entry(table: Any) -> None:  # noqa: ANN401
    networks = {cell.split()[0] for cell in FIGURES}
    assert set(FIGURES) == {cell for network in networks for cell in table.cells(network)}


def test_the_page_shows_the_figures_that_are_checked_in(table: Any) -> None:  # noqa: ANN401
    page = Path(__file__).parents[1] / "docs" / "scores-reached.md"
    assert page.read_text(encoding="utf-8") == table.page()


@pytest.mark.slow
@pytest.mark.parametrize("cell", [cell for cell, value in FIGURES.items() if value is not None])
def test_no_score_is_lower_than_the_one_that_is_checked_in(
    table: Any,  # noqa: ANN401
    cell: str,
) -> None:
    before, now = FIGURES[cell], table.reached(cell)
    assert before is not None
    assert now >= before - ROUNDING * abs(before)
