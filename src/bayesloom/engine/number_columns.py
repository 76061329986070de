"""From columns of numbers to exact sums: ranges first, then a pass, and one more if one is wide."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from bayesloom import _native
from bayesloom.arrays import Bools, Floats
from bayesloom.engine.batch import NONE, Batch

if TYPE_CHECKING:
    from bayesloom._native import StopSignal
    from bayesloom.data import Table


def exact_sums(
    columns: Sequence[Floats], threads: int, stop: StopSignal | None = None
) -> _native.GridSums:
    """Return the exact sums of complete columns and of their products.

    Columns whose range is 64 standard deviations or more are put on a finer grid, in a second pass.
    """
    ranges = [_native.number_range(column) for column in columns]
    low = np.array([each[0] for each in ranges])
    high = np.array([each[1] for each in ranges])
    wide = np.zeros(len(ranges), np.uint8)
    while True:
        sums = _native.GridSums(low, high, wide, len(columns[0]))
        sums.add(list(columns), threads, stop)
        too_coarse = np.array(sums.wide, np.uint8)
        if not too_coarse.any():
            return sums
        wide |= too_coarse


def number_rows(table: Table, threads: int) -> _native.NumberRows:
    """Return the rows of a table in the form that the native module groups."""
    numeric = table.numeric
    numbers = np.cumsum(numeric, dtype=np.int32) - np.int32(1)
    categories = -np.cumsum(~numeric, dtype=np.int32)
    place = np.where(numeric, numbers, categories)
    return _native.NumberRows(
        place,
        [column for column, number in zip(table.codes, numeric, strict=True) if number],
        [
            column.astype(np.uint16)
            for column, number in zip(table.codes, numeric, strict=True)
            if not number
        ],
        table.cardinality[~numeric].astype(np.int64),
        threads,
    )


def indicator_columns(table: Table) -> tuple[list[Floats], list[int]]:
    """Return the columns of every variable one after the other, and where each begins.

    A number is a column; a category has one of zeros and ones for every state that occurs but the
    first (Andrews, Ramsey and Cooper 2019: the degenerate Gaussian).
    """
    columns: list[Floats] = []
    start = [0]
    for codes, states in zip(table.codes, table.states, strict=True):
        if states:
            columns.extend((codes == k).astype(np.float64) for k in np.unique(codes)[1:])
        else:
            columns.append(codes)
        start.append(len(columns))
    return columns, start


def holds_numbers(batch: Batch, numeric: Bools) -> Bools:
    """Return which tables of a batch have a number among their variables.

    Examples
    --------
    >>> batch = Batch.of([(0, (1,), (2, -1)), (2, (), (0,))])
    >>> holds_numbers(batch, np.array([False, False, True])).tolist()
    [True, False, True]
    """
    base = numeric[batch.target].copy()
    filled = np.flatnonzero(batch.n_given)
    if len(filled):
        base[filled] |= np.logical_or.reduceat(numeric[batch.given], batch.given_start[filled])
    partner = (batch.partner != NONE) & numeric[batch.partner]
    found: Bools = base[batch.request_of] | partner
    return found
