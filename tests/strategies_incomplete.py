"""Drawn graphs with tables and rows with holes, small enough to be enumerated."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from hypothesis import strategies as st

from bayesloom.data import Table
from bayesloom.graphs.masks import bits


@dataclass(frozen=True)
class Incomplete:
    """A graph, its tables, and rows with holes."""

    sizes: list[int]
    parents: list[int]
    tables: list[npt.NDArray[np.float64]]
    rows: list[list[int | None]]

    @property
    def families(self) -> list[tuple[int, ...]]:
        """For each variable its parents and itself."""
        return [(*bits(mask), v) for v, mask in enumerate(self.parents)]

    @property
    def table(self) -> Table:
        """The rows as a table."""
        return table_of(self.rows, self.sizes)


def table_of(rows: list[list[int | None]], sizes: list[int]) -> Table:
    """Rows as a table with columns A, B, ... and states 0, 1, ..."""
    columns = zip(*rows, strict=True)
    codes = [
        [r if x is None else x for x in column] for column, r in zip(columns, sizes, strict=True)
    ]
    names = [chr(ord("A") + v) for v in range(len(sizes))]
    states = [[str(k) for k in range(r)] for r in sizes]
    return Table(names, states, [np.array(part, np.int64) for part in codes], holes=True)


@st.composite
def incomplete(
    draw: st.DrawFn, *, most_variables: int = 5, most_rows: int = 12, zeros: bool = False
) -> Incomplete:
    """Draw a graph with tables and rows; ``zeros`` lets cells of the tables be 0."""
    n = draw(st.integers(1, most_variables))
    sizes = draw(st.lists(st.integers(1, 3), min_size=n, max_size=n))
    order = draw(st.permutations(range(n)))
    place = {v: k for k, v in enumerate(order)}
    parents = [
        sum(1 << u for u in range(n) if place[u] < place[v] and draw(st.booleans()))
        for v in range(n)
    ]
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    tables = []
    for v, mask in enumerate(parents):
        shape = [sizes[u] for u in bits(mask)]
        table = rng.dirichlet(np.ones(sizes[v]), shape)
        if zeros:
            table = np.where(rng.random(table.shape) < 0.2, 0.0, table)
            table[..., 0] = np.where(table.sum(axis=-1) == 0, 1.0, table[..., 0])
            table = table / table.sum(axis=-1, keepdims=True)
        tables.append(table)
    rate = draw(st.sampled_from([0.0, 0.2, 0.5, 1.0]))
    rows: list[list[int | None]] = [
        [None if rng.random() < rate else int(rng.integers(r)) for r in sizes]
        for _ in range(draw(st.integers(1, most_rows)))
    ]
    return Incomplete(sizes, parents, tables, rows)
