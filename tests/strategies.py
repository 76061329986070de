"""Drawn tables, batches and graphs over them.

Hypothesis draws the shape (columns, states, kinds, rows) and a seed; numpy fills in the codes.
Tables have one-state variables, single rows, copied and nearly copied columns, states that never
occur and columns with hundreds of states.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Any

import numpy as np
import numpy.typing as npt
from hypothesis import strategies as st

from bayesloom.data import Table
from bayesloom.engine.batch import NONE
from bayesloom.graphs import DAG
from bayesloom.graphs.masks import mask_of

Request = tuple[int, tuple[int, ...], tuple[int, ...]]
Family = tuple[int, tuple[int, ...]]

FEW_STATES = (1, 2, 2, 2, 3, 4, 5)
MANY_STATES = (*FEW_STATES, 7, 33, 40, 256, 257, 300)


class Kind(Enum):
    """How a column is filled."""

    UNIFORM = 1
    SKEWED = 2
    CONSTANT = 3
    PARTIAL = 4
    """Only the first half of its declared states occurs."""
    COPY = 5
    NEARLY_COPY = 6


def make_table(columns: Sequence[npt.ArrayLike], states: Sequence[int]) -> Table:
    """Return a table with columns v0, v1, ... and states 0, 1, ..."""
    names = [f"v{v}" for v in range(len(states))]
    labels = [[str(k) for k in range(r)] for r in states]
    return Table(names, labels, [np.asarray(c) for c in columns], holes=True)


def with_source(table: Table, earlier: Table) -> Table:
    """Return the rows of both tables and one more column that says which: 0 or 1."""
    columns = [np.append(a, b) for a, b in zip(table.codes, earlier.codes, strict=True)]
    source = np.repeat([0, 1], [table.n_rows, earlier.n_rows])
    return make_table([*columns, source], [*table.cardinality.tolist(), 2])


def punched(table: Table, shares: Sequence[float], seed: int) -> Table:
    """Return the table with a share of the cells of every column missing, completely at random."""
    rng = np.random.default_rng(seed)
    columns = [
        np.where(rng.random(table.n_rows) < share, len(labels), codes.astype(np.int64))
        for codes, labels, share in zip(table.codes, table.states, shares, strict=True)
    ]
    return Table(table.names, table.states, columns, table.notes, holes=True)


@st.composite
def tables(
    draw: st.DrawFn,
    min_columns: int = 1,
    max_columns: int = 5,
    max_rows: int = 80,
    states: Sequence[int] = MANY_STATES,
) -> Table:
    """Draw a table."""
    cardinality = draw(
        st.lists(st.sampled_from(states), min_size=min_columns, max_size=max_columns)
    )
    n_rows = draw(st.one_of(st.sampled_from((1, 2, 63, 64, 65)), st.integers(1, max_rows)))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    columns: list[npt.NDArray[Any]] = []
    for r in cardinality:
        kind = draw(st.sampled_from(Kind))
        columns.append(_column(rng, kind, r, columns, min(n_rows, max_rows)))
    return make_table(columns, cardinality)


def _column(
    rng: np.random.Generator, kind: Kind, r: int, before: Sequence[npt.NDArray[Any]], n_rows: int
) -> npt.NDArray[Any]:
    if kind is Kind.CONSTANT:
        return np.full(n_rows, rng.integers(r))
    if kind is Kind.SKEWED:
        return np.minimum(rng.geometric(0.6, n_rows) - 1, r - 1)
    if kind is Kind.PARTIAL:
        return rng.integers(0, (r + 1) // 2, n_rows)
    if kind in {Kind.COPY, Kind.NEARLY_COPY} and before:
        column: npt.NDArray[Any] = before[int(rng.integers(len(before)))] % r
        if kind is Kind.NEARLY_COPY:
            column[rng.integers(n_rows)] = rng.integers(r)
        return column
    return rng.integers(0, r, n_rows)


@st.composite
def requests(draw: st.DrawFn, n: int, *, max_given: int = 3, paired: bool = False) -> Request:
    """Draw a request over ``n`` variables; ``paired`` ones have real partners only."""
    order = draw(st.permutations(range(n)))
    given = tuple(order[1 : 1 + draw(st.integers(0, min(max_given, n - 1)))])
    others = [v for v in order[1:] if v not in given]
    choices = others if paired else [*others, NONE]
    partners = draw(st.lists(st.sampled_from(choices), max_size=4)) if choices else []
    return order[0], given, tuple(partners)


@st.composite
def asked_tables(
    draw: st.DrawFn,
    *,
    paired: bool = False,
    max_rows: int = 80,
    states: Sequence[int] = MANY_STATES,
) -> tuple[Table, list[Request]]:
    """Draw a table and requests to its engine."""
    table = draw(tables(min_columns=2, max_rows=max_rows, states=states))
    one = requests(table.n_columns, paired=paired)
    return table, draw(st.lists(one, min_size=1, max_size=4))


@st.composite
def hollow_asked_tables(
    draw: st.DrawFn,
    *,
    paired: bool = False,
    max_rows: int = 80,
    states: Sequence[int] = MANY_STATES,
) -> tuple[Table, list[Request]]:
    """Draw a table, some of whose columns miss few, half or all of their cells, and requests."""
    table, asked = draw(asked_tables(paired=paired, max_rows=max_rows, states=states))
    share = st.sampled_from((0.0, 0.1, 0.1, 0.5, 1.0))
    shares = draw(st.lists(share, min_size=table.n_columns, max_size=table.n_columns))
    return punched(table, shares, draw(st.integers(0, 2**32 - 1))), asked


@st.composite
def scored_tables(
    draw: st.DrawFn, *, max_rows: int = 80, states: Sequence[int] = MANY_STATES
) -> tuple[Table, list[Family]]:
    """Draw a table and families of its variables."""
    table = draw(tables(max_rows=max_rows, states=states))
    asked = draw(st.lists(requests(table.n_columns), min_size=1, max_size=4))
    return table, [(child, parents) for child, parents, _ in asked]


@st.composite
def graphs(draw: st.DrawFn, names: Sequence[str]) -> DAG:
    """Draw a DAG over the names: a node takes parents among those before it in a drawn order."""
    order = draw(st.permutations(range(len(names))))
    parents = [0] * len(names)
    for place, v in enumerate(order):
        parents[v] = mask_of(u for u in order[:place] if draw(st.booleans()))
    return DAG(tuple(names), tuple(parents))


def spelled_out(asked: Sequence[Request]) -> list[tuple[int, ...]]:
    """Return the variables of every table a batch of these requests asks for, in axis order."""
    return [
        (*given, target, partner) if partner != NONE else (*given, target)
        for target, given, partners in asked
        for partner in partners
    ]
