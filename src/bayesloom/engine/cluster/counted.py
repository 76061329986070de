"""Counted tables as they travel: whole numbers in a few arrays, which add up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from bayesloom.engine.batch import Batch, Tables
from bayesloom.engine.reductions import SparseTables, StateCodes

if TYPE_CHECKING:
    from bayesloom.arrays import Bools, Ints, Longs
    from bayesloom.data import Table
    from bayesloom.engine.resample import Weights

MOST_DENSE = 1 << 16
"""Cells of a table that travels whole; of larger ones only the cells that occur do."""

MOST_AT_ONCE = 1 << 24
"""Cells of dense tables that travel in one answer."""

_MOST_KEYS = 1 << 62

_Cells = npt.NDArray[np.unsignedinteger[Any]]
Listed = tuple[StateCodes, npt.NDArray[np.int64]]


@dataclass(frozen=True, slots=True, eq=False)
class SplitBatch:
    """A batch, as two: tables that are counted whole, and tables whose cells are listed."""

    dense: Batch
    sparse: Batch
    is_sparse: Bools
    """Which tables of the batch are listed."""

    @classmethod
    def of(cls, batch: Batch, cardinality: Ints, most: float = MOST_DENSE) -> SplitBatch:
        """Divide a batch; tables with more than ``most`` cells are listed."""
        is_sparse = batch.n_cells(cardinality) > most
        if not is_sparse.any():
            return cls(batch, Batch.of(()), is_sparse)
        return cls(batch.only(~is_sparse), batch.only(is_sparse), is_sparse)

    def packed(self) -> bytes:
        """Return the question as one row of bytes."""
        parts: list[Ints | Longs] = [*self.dense.arrays, *self.sparse.arrays]
        sizes = np.array([len(part) for part in parts], np.int64)
        return b"".join([sizes.tobytes(), *(part.astype(np.int32).tobytes() for part in parts)])


def blocks_of(batch: Batch, cardinality: Ints) -> list[Batch]:
    """Cut a batch into parts whose answers are not too large to travel; mostly there is one."""
    cells = np.minimum(batch.n_cells(cardinality), MOST_DENSE)
    if cells.sum() <= MOST_AT_ONCE:
        return [batch]
    block = np.cumsum(cells) // MOST_AT_ONCE
    return [batch.only(block == k) for k in np.unique(block)]


def unpacked(packed: bytes) -> tuple[Batch, Batch]:
    """Return the two batches of a packed question."""
    sizes = np.frombuffer(packed, np.int64, count=10)
    every = np.frombuffer(packed, np.int32, offset=sizes.nbytes)
    parts = np.split(every, np.cumsum(sizes[:-1]))
    kinds = (np.int32, np.int64, np.int32, np.int64, np.int32)
    arrays = [part.astype(kind) for part, kind in zip(parts, kinds * 2, strict=True)]
    return Batch(*arrays[:5]), Batch(*arrays[5:])


@dataclass(frozen=True, slots=True, eq=False)
class Counted:
    """What some rows answer to a question.

    Parameters
    ----------
    cells : array of unsigned int
        The cells of the dense tables, one after the other, as small as they can be written.
    codes, counts, start : arrays
        The cells of the listed tables, as `SparseTables` has them.
    width : array of int
        The number of variables of every listed table.
    """

    cells: _Cells
    codes: StateCodes
    counts: Longs
    start: Longs
    width: Longs

    @classmethod
    def of(cls, cells: Longs, lists: Sequence[Listed]) -> Counted:
        """Take the cells of the dense tables, and the listed tables."""
        return cls(_small(cells), *_joined(lists))

    def tables(self, batch: Batch, cardinality: Ints) -> Tables:
        """Return the dense tables."""
        start = batch.table_starts(cardinality)
        return Tables(batch, cardinality, self.cells.astype(np.int64), start)

    def lists(self, batch: Batch) -> SparseTables:
        """Return the listed tables."""
        return SparseTables(batch, self.codes, self.counts, self.start)

    def listed(self) -> Iterator[Listed]:
        """Yield the listed tables: one row of codes per cell, and the counts."""
        at = 0
        for first, last, width in zip(self.start, self.start[1:], self.width, strict=False):
            end = at + int(last - first) * int(width)
            yield self.codes[at:end].reshape(-1, int(width)), self.counts[first:last]
            at = end


def added(parts: Sequence[Counted]) -> Counted:
    """Return the answer of all rows, given those of disjoint parts."""
    if len(parts) == 1:
        return parts[0]
    cells = parts[0].cells.astype(np.int64)
    for part in parts[1:]:
        cells += part.cells
    together = zip(*(part.listed() for part in parts), strict=True)
    return Counted(_small(cells), *_joined([_summed(lists) for lists in together]))


def lists_of(table: Table, batch: Batch, weights: Weights | None = None) -> list[Listed]:
    """Return for every table of a batch the cells that occur, in order, and how often each does.

    Rows with a missing cell are left out, and so are rows that were drawn no time.
    """
    lists = []
    for axes in batch.axes:
        columns = [table.codes[v] for v in axes]
        used = None if weights is None else weights > 0
        for v in axes:
            if table.missing[v]:
                known = table.codes[v] < len(table.states[v])
                used = known if used is None else used & known
        drawn = weights
        if used is not None:
            columns = [codes[used] for codes in columns]
            drawn = None if weights is None else weights[used]
        lists.append(_occupied(columns, drawn))
    return lists


def _occupied(columns: Sequence[npt.NDArray[Any]], weights: Longs | Weights | None) -> Listed:
    """Return the cells that occur in some rows, in order, and how many rows (or weights) each has.

    A row becomes one number. Where there would be too many, those that occur are numbered anew.
    """
    keys, size = np.zeros(len(columns[0]), np.int64), 1
    for codes in columns:
        r = int(codes.max(initial=0)) + 1
        if size > _MOST_KEYS // r:
            keys = np.unique(keys, return_inverse=True)[1].ravel()
            size = int(keys.max(initial=0)) + 1
        keys, size = keys * r + codes, size * r
    _, first, place = np.unique(keys, return_index=True, return_inverse=True)
    counts = np.zeros(len(first), np.int64)
    np.add.at(counts, place.ravel(), 1 if weights is None else weights)
    return np.stack([codes[first].astype(np.uint16) for codes in columns], axis=1), counts


def _summed(lists: Sequence[Listed]) -> Listed:
    """Return the cells that any list has, each once."""
    codes = np.concatenate([codes for codes, _ in lists])
    return _occupied(list(codes.T), np.concatenate([counts for _, counts in lists]))


def _joined(lists: Sequence[Listed]) -> tuple[StateCodes, Longs, Longs, Longs]:
    """Return lists of cells as flat arrays: codes, counts, starts and widths."""
    return (
        np.concatenate([np.zeros(0, np.uint16), *(codes.ravel() for codes, _ in lists)]),
        np.concatenate([np.zeros(0, np.int64), *(counts for _, counts in lists)]),
        np.cumsum([0, *(len(counts) for _, counts in lists)], dtype=np.int64),
        np.array([codes.shape[1] for codes, _ in lists], np.int64),
    )


def _small(cells: Longs) -> _Cells:
    """Return numbers in the fewest bytes that hold them."""
    most = int(cells.max(initial=0))
    kind = next(k for k in (np.uint8, np.uint16, np.uint32, np.uint64) if most <= np.iinfo(k).max)
    return cells.astype(kind)
