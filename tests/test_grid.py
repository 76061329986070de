from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesloom.errors import MissingExtraError, OptionError
from bayesloom.grid import Grid, NamedColumns, Tabular, distinct, label


class Two(Tabular):
    """A table of two columns."""

    def _columns(self) -> NamedColumns:
        return [("a", ["x", "y"]), ("a", [1.5, 2.5])]

    def _grid(self, most: int | None) -> Grid:
        return Grid("two", ("a", "a"), [("x", "1.5"), ("y", "2.5")][:most], 1)


def wide(n_columns: int, n_rows: int = 2) -> Grid:
    heads = ("key", *(f"c{k}" for k in range(n_columns)))
    rows = [(f"r{k}", *("0.123456" for _ in range(n_columns))) for k in range(n_rows)]
    return Grid("title", heads, rows, 1)


@given(st.integers(1, 30), st.integers(40, 160))
def test_no_line_is_wider_than_the_room(n_columns: int, width: int) -> None:
    told = replace(wide(n_columns), title="a b c " * 30, notes=("d e f " * 30,))
    for wrap in (False, True):
        assert max(map(len, told.text(width, wrap=wrap).splitlines())) <= width


@given(st.integers(1, 30), st.integers(40, 160))
def test_wrapping_shows_every_column_once(n_columns: int, width: int) -> None:
    words = wide(n_columns).text(width, wrap=True).split()
    assert [words.count(f"c{k}") for k in range(n_columns)] == [1] * n_columns
    assert "more" not in words


def test_columns_that_do_not_fit_are_counted() -> None:
    lines = wide(30).text(80).splitlines()
    shown = sum(word.startswith("c") for word in lines[1].split())
    assert 0 < shown < 30
    assert lines[-1] == f"  and {30 - shown} more columns"


def test_the_terminal_says_how_wide_a_line_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "50")
    assert wide(30).text() == wide(30).text(50)


def test_html_cuts_what_no_page_would_show() -> None:
    html = wide(100).html()
    assert html.count("<th>") == 40
    assert "and 61 more columns" in html


def test_columns_of_one_name_are_told_apart_in_frames() -> None:
    assert Two().to_pandas().columns.tolist() == ["a", "a (2)"]
    assert Two().to_polars().columns == ["a", "a (2)"]
    assert Two().to_arrow().column_names == ["a", "a (2)"]


@given(st.lists(st.sampled_from(["a", "a (2)", "a (3)", "b"])))
def test_distinct_names_differ_and_names_that_differ_stay(names: list[str]) -> None:
    found = distinct(names)
    assert len(set(found)) == len(found)
    assert [name for k, name in enumerate(found) if names.index(names[k]) == k] == list(
        dict.fromkeys(names)
    )


def test_a_frame_is_of_the_library_named_or_of_the_first_installed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert type(Two().to_frame()).__module__.startswith("pandas")
    assert type(Two().to_frame("polars")).__module__.startswith("polars")
    assert type(Two().to_frame("arrow")).__module__.startswith("pyarrow")
    with pytest.raises(OptionError, match='library must be "pandas", "polars" or "arrow"'):
        Two().to_frame("R")  # type: ignore[arg-type]
    hide(monkeypatch, ["pandas"])
    assert type(Two().to_frame()).__module__.startswith("polars")
    hide(monkeypatch, ["pandas", "polars"])
    assert type(Two().to_frame()).__module__.startswith("pyarrow")
    with pytest.raises(MissingExtraError, match="to_polars needs polars, which is not installed"):
        Two().to_polars()


def hide(monkeypatch: pytest.MonkeyPatch, packages: Sequence[str]) -> None:
    """Let packages not be there."""
    import sys

    for package in packages:
        monkeypatch.setitem(sys.modules, package, None)


def test_polars_takes_a_table_without_asking() -> None:
    import polars as pl

    found: Any = pl.DataFrame(Two())
    assert found.shape == (2, 2)


def test_labels_show_blanks_at_their_ends_and_stay_on_one_line() -> None:
    assert label(" Husten") == "' Husten'"
    assert "\n" not in label("a\nb")
    assert len(label("x" * 500)) < 50
