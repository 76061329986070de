"""What is asked of engines more than once: batches that threads cut, and scores with a prior."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from hypothesis import assume

from bayesloom.arrays import Floats
from bayesloom.data import Table
from bayesloom.engine import Batch, Reductions, TestKernel
from bayesloom.engine.batch import NONE
from every_engine import EngineOf
from strategies import with_source

CELL_TESTS = (TestKernel.CHI_SQUARE, TestKernel.G_SQUARE)
"""The statistics of tests on tables of counts."""

CUT = {
    "bitmaps, by rows": (500_000, 500_000, [2, 3, 4] * 3),
    "indices, by rows": (500_000, 500_000, [40, 50, 33, 2, 60]),
    "indices of repeated rows, by rows": (120_000, 900_000, [40, 50, 33, 2, 60]),
    "lists, by partners": (20_000, 20_000, [300, 257, 300, 40, 2]),
}
"""Distinct rows, rows and states of batches that threads share in different ways."""


def cut_case(case: str, drawn: Callable[[int, int, list[int]], Table]) -> tuple[Table, Batch, int]:
    """Return a table, a batch that threads cut, and how often to ask until rows are collapsed."""
    n_distinct, n_rows, states = CUT[case]
    table = drawn(5, n_distinct, states)
    if n_rows > n_distinct:
        table = table.take(np.random.default_rng(8).integers(0, n_distinct, n_rows))
    n = len(states)
    batch = Batch.of(
        [
            (0, given, [*(v for v in range(1, n) if v not in given), NONE])
            for given in ((), (n - 1,), (n - 1, n - 2), (n - 1, n - 2, 2))
        ]
    )
    return table, batch, 6 if n_rows > n_distinct else 1


def score_after(engine_of: EngineOf, table: Table, batch: Batch, seed: int) -> tuple[Table, Floats]:
    """Score after earlier rows, check it by the counts of all rows, and return both."""
    rows = np.random.default_rng(seed).permutation(np.arange(table.n_rows).repeat(2))
    earlier = table.take(rows[: 1 + seed % 50])
    together = engine_of(with_source(table, earlier))
    assume(batch.n_cells(together.cardinality).sum() < 5e5)
    counted = together.counts(batch.with_given(table.n_columns))
    reduced = Reductions(together.cardinality, together.observed)
    expected = reduced.families_with_prior(counted, 0.7, 0.25)
    found = engine_of(table).families_with_prior(batch, earlier, 0.7, 0.25)
    assert found.tobytes() == expected.tobytes()
    return earlier, found
