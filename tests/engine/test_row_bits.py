"""The kernel that counts many partners at once, row by row, against numpy."""

from __future__ import annotations

from itertools import product

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bayesloom import _native
from bayesloom.arrays import Floats
from bayesloom.engine import Batch, FamilyKernel
from engine_cases import CELL_TESTS

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


def skewed_columns(n_columns: int, n_rows: int, seed: int) -> tuple[list[Codes], list[int]]:
    """Columns of 1 to 7 states, many of them rare, some constant, some copies of others."""
    rng = np.random.default_rng(seed)
    states = rng.integers(1, 8, n_columns).tolist()
    made = [
        np.minimum(rng.geometric(rng.uniform(0.2, 1.0), n_rows) - 1, r - 1).astype(np.uint8)
        for r in states
    ]
    for v in rng.integers(0, n_columns, n_columns // 4).tolist():
        made[v] = np.minimum(made[v - 1], states[v] - 1).astype(np.uint8)
    return made, states


def reduced(store: _native.Store, batch: Batch, threads: int) -> list[Floats]:
    """Reduce the tables of a batch in every way there is, one row per table."""
    arrays, n = batch.arrays, len(batch)
    scores = [store.families(*arrays, kernel, 0.7, 0.3, threads) for kernel in FamilyKernel]
    tests = [store.tests(*arrays, kernel, threads).reshape(n, -1) for kernel in CELL_TESTS]
    others = [store.informations(*arrays, threads), store.entropies(*arrays, threads)]
    return [np.column_stack([*scores, *others, *tests])]


@given(
    n_columns=st.integers(64, 100),
    n_rows=st.integers(1, 3_000),
    seed=st.integers(0, 2**32 - 1),
    threads=st.sampled_from([1, 3]),
)
@example(n_columns=64, n_rows=20_000, seed=1, threads=1)
@example(n_columns=100, n_rows=70_000, seed=2, threads=2)
@settings(max_examples=15, deadline=None)
def test_many_tables_at_once_are_reduced_to_the_bits_of_one_at_a_time(
    n_columns: int, n_rows: int, seed: int, threads: int
) -> None:
    made, states = skewed_columns(n_columns, n_rows, seed)
    rng = np.random.default_rng(seed)
    store = _native.Store(made, np.array(states, np.int32), threads=threads)
    requests = []
    for size in (1, 1, 2, 1, 2, 3, 4):  # neighbours of one size share the tiles
        target, *base = rng.permutation(n_columns)[:size].tolist()
        left = [v for v in range(n_columns) if v not in (target, *base)]
        requests.append((target, base, rng.permutation(left).tolist() if size == 2 else left))
    for _ in range(2):  # rows are laid out after some tables
        (together,) = reduced(store, Batch.of(requests), threads)
    first = 0
    for target, base, partners in requests:
        for k in range(0, len(partners), 50):  # too few columns for many at once
            axes = [target, *base, *partners[k : k + 50]]
            small = [states[v] for v in axes]
            alone = _native.Store([made[v] for v in axes], np.array(small, np.int32))
            asked = (0, range(1, 1 + len(base)), range(1 + len(base), len(axes)))
            (apart,) = reduced(alone, Batch.of([asked]), 1)
            assert together[first : first + len(apart)].tobytes() == apart.tobytes()
            assert alone.n_tiled_tables == 0
            first += len(apart)
    assert n_rows < 500 or store.n_tiled_tables > 0


def test_strata_in_pairs_are_reduced_to_the_bits_of_one_table_at_a_time() -> None:
    made, states = columns(80, 3_000, 5)
    partners = [v for v in range(80) if v not in (0, 7, 9)]
    store = _native.Store(made, np.array(states, np.int32))
    for _ in range(5):
        batch = Batch.of([(7, (9, 0), partners)])  # the last given variable has two states
        together = store.families_with_prior(*batch.arrays, 1.5, 0.1, 1)
    assert store.n_tiled_tables > 0
    for k, v in enumerate(partners):
        alone = _native.Store(
            [made[i] for i in (7, 9, 0, v)], np.array([states[i] for i in (7, 9, 0, v)], np.int32)
        )
        one = Batch.of([(0, (1, 2), (3,))])
        assert alone.families_with_prior(*one.arrays, 1.5, 0.1, 1)[0] == together[k]
