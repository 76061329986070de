"""The kernel that counts many partners at once, row by row, against numpy."""

from __future__ import annotations

from itertools import product

import numpy as np
import numpy.typing as npt
import pytest

from bayesloom import _native
from bayesloom.engine import Batch

Codes = npt.NDArray[np.uint8]


def columns(n_columns: int, n_rows: int, seed: int) -> tuple[list[Codes], list[int]]:
    """Columns of 1 to 33 states; the last one depends on the first, some states never occur."""
    rng = np.random.default_rng(seed)
    states = [2, 33, 1, *rng.integers(2, 6, n_columns - 4).tolist(), 3]
    made = [rng.integers(0, r, n_rows).astype(np.uint8) for r in states]
    made[-1] = (made[0] + (rng.random(n_rows) < 0.1)).astype(np.uint8)
    made[5] = np.zeros(n_rows, np.uint8)
    return made, states


def counted(made: list[Codes], states: list[int], axes: list[int]) -> list[int]:
    """Count one table, the first axis slowest."""
    index = np.zeros(len(made[0]), np.int64)
    for v in axes:
        index = index * states[v] + made[v]
    size = int(np.prod([states[v] for v in axes]))
    found: list[int] = np.bincount(index, minlength=size).tolist()
    return found


@pytest.mark.parametrize(
    ("n_columns", "n_rows", "threads", "isa"),
    [
        *product((70, 300), (1, 7, 64, 500, 5_000), (1,), (-1, 0)),
        *product((150,), (16_384, 16_385, 40_000), (1, 2, 3), (-1,)),
    ],
)
def test_counts_are_those_of_numpy(n_columns: int, n_rows: int, threads: int, isa: int) -> None:
    made, states = columns(n_columns, n_rows, n_columns + n_rows)
    store = _native.Store(made, np.array(states, np.int32), isa=isa, threads=threads)
    backwards = list(range(n_columns - 1, -1, -1))
    requests = [
        (base[-1], base[:-1], [v for v in backwards if v not in base])
        for base in ([0], [n_columns - 1], [0, 7], [3, 0, n_columns - 1], [2, 5], [4, 6, 8, 9])
    ]
    for _ in range(3):  # rows are laid out after some tables
        batch = Batch.of(requests)
        starts = batch.table_starts(np.array(states, np.int32))
        found = store.counts(*batch.arrays, starts, threads)
    assert n_rows < 500 or store.n_tiled_tables > 0
    for i, axes in enumerate(batch.axes):
        assert found[starts[i] : starts[i + 1]].tolist() == counted(made, states, axes)


def test_rows_that_repeat_are_counted_once_they_are_collapsed() -> None:
    made, states = columns(70, 200, 3)
    made = [np.tile(codes, 50) for codes in made]
    store = _native.Store(made, np.array(states, np.int32))
    wide = [(0, tuple(range(3, 14)), (14, 15))] * 60  # tables that only the index kernel counts
    many = [(0, (7,), [v for v in range(70) if v not in (0, 7)])] * 5
    for requests in (many, wide, wide, many):
        batch = Batch.of(requests)
        kernel = store.families(*batch.arrays, 0, 1.0, 0.0, 1)
    assert store.n_distinct == 200
    fresh = _native.Store(made, np.array(states, np.int32))
    assert (
        kernel.tolist() == fresh.families(*Batch.of(many[:1]).arrays, 0, 1.0, 0.0, 1).tolist() * 5
    )
