"""Drawn tables, with the labels that readers of text stumble over."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from bayesloom.data import Table
from bayesloom.data.label import number_label

AWKWARD = ["None", "NA", "null", "?", "TRUE", "nan", " ", "a,b", 'say "x"', "a\nb", "\ufeff", "é"]


def labels() -> st.SearchStrategy[str]:
    """Draw any text a file can hold, often one of those that mean something elsewhere.

    A number is drawn in its one spelling: ``1``, never ``1.0``.
    """
    letters = st.characters(exclude_categories=["Cs"])
    text = st.text(letters, min_size=1, max_size=6)
    return st.sampled_from(AWKWARD) | text.filter(lambda t: number_label(t) in {None, t})


def words() -> st.SearchStrategy[str]:
    """Draw a text that is not a number, so that a reader has no other spelling for it."""
    return labels().filter(lambda text: not any(c.isdigit() for c in text))


@st.composite
def tables(
    draw: st.DrawFn,
    max_columns: int = 4,
    max_rows: int = 12,
    text: st.SearchStrategy[str] | None = None,
) -> Table:
    """Draw a table; one-state columns, one row and states that never occur included."""
    text = labels() if text is None else text
    names = draw(st.lists(text, min_size=1, max_size=max_columns, unique=True))
    states = [draw(st.lists(text, min_size=1, max_size=5, unique=True)) for _ in names]
    n_rows = draw(st.integers(1, max_rows))
    codes = [
        np.array(draw(st.lists(st.integers(0, len(s) - 1), min_size=n_rows, max_size=n_rows)))
        for s in states
    ]
    return Table(tuple(names), tuple(map(tuple, states)), tuple(codes))


def cells(table: Table) -> dict[str, list[str]]:
    """Return the labels of every column, row by row."""
    return {
        name: [states[k] for k in codes.tolist()]
        for name, states, codes in zip(table.names, table.states, table.codes, strict=True)
    }


def same(a: Table, b: Table) -> bool:
    """Tell whether two tables agree in names, states and codes, order included."""
    return (
        a.names == b.names
        and a.states == b.states
        and all(
            np.array_equal(x, y, equal_nan=x.dtype.kind == "f")
            for x, y in zip(a.codes, b.codes, strict=True)
        )
    )
