"""Folds hold the same rows in whatever order rows come."""

from __future__ import annotations

from collections import Counter

import numpy as np

from bayesloom.averaging.fold import row_folds
from bayesloom.data import Table


def rows_of(table: Table, which: np.ndarray) -> Counter[tuple[int, ...]]:
    return Counter(zip(*(codes[which].tolist() for codes in table.codes), strict=True))


def test_folds_do_not_depend_on_the_order_of_rows() -> None:
    rng = np.random.default_rng(1)
    table = Table("ABC", ["xyz"] * 3, list(rng.integers(0, 3, (3, 200)).astype(np.uint8)))
    shuffled = table.take(rng.permutation(200))
    one, other = row_folds(table, 5, 7), row_folds(shuffled, 5, 7)
    for k in range(5):
        assert rows_of(table, one == k) == rows_of(shuffled, other == k)
    assert np.bincount(one).tolist() == [40] * 5
    assert (row_folds(table, 5, 8) != one).any()
