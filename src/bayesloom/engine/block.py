"""An engine for rows that come block by block; plainly written, as a pattern for other engines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Self, TypeVar

import numpy as np
import numpy.typing as npt

from bayesloom.arrays import Floats, Ints, Longs
from bayesloom.data import Table
from bayesloom.data.number_column import refuse_numbers
from bayesloom.data.table import check_table
from bayesloom.engine.batch import Batch, Tables
from bayesloom.engine.batch_fault import explains_batches
from bayesloom.engine.described_engine import Reduce, ReducingEngine
from bayesloom.engine.prior import aligned_prior
from bayesloom.engine.reductions import Reductions, SparseTables
from bayesloom.engine.resample import check_draw, row_weights
from bayesloom.errors import DataError, OptionError, Stopped, check_kind, shown

Columns = Sequence[npt.NDArray[np.generic]]

_MOST_CELLS = 1 << 16  # of a table whose cells are counted by their numbers


class BlockEngine(ReducingEngine):
    """Answer batches from blocks of rows, of which one at a time has to be in memory.

    It gives the answers of `NativeEngine`, bit for bit, and is far slower. Every batch is one pass
    over the blocks.

    Parameters
    ----------
    blocks : iterable of Table
        Tables with the same variables and states. They are asked for anew for every batch, so an
        object whose ``__iter__`` reads them from files will do, an iterator will not.

    Raises
    ------
    DataError
        If there is no block, or one has other variables or states than the first.

    Examples
    --------
    >>> from bayesloom.data import Table
    >>> from bayesloom.engine import Batch
    >>> blocks = [
    ...     Table("AB", ["ny", "xz"], [[0], [0]]),
    ...     Table("AB", ["ny", "xz"], [[1, 1], [1, 1]]),
    ... ]
    >>> BlockEngine(blocks).counts(Batch.pairs(2))[0].tolist()
    [[1, 0], [0, 2]]
    """

    def __init__(self, blocks: Iterable[Table]) -> None:
        if isinstance(blocks, Table) or not isinstance(blocks, Iterable):
            msg = f"blocks must be a list of tables, got {shown(repr(blocks))}"
            raise OptionError(msg)
        if iter(blocks) is blocks:
            msg = "blocks are read once per batch, and an iterator can be read once; give a list"
            raise OptionError(msg)
        self._set_up(blocks)

    def _set_up(self, blocks: Iterable[Table], seed: int | None = None) -> None:
        """Look through the blocks, with a seed at the rows that are drawn of them."""
        self._blocks, self._seed = blocks, None
        first: Table | None = None
        self._n_rows, seen = 0, [np.zeros(0, np.int64)]
        for number, block in enumerate(blocks):
            check_table(f"block {number}", block)
            if first is None:
                refuse_numbers("an engine that counts", block)
                first = block
                seen = [np.zeros(len(states) + 1, np.int64) for states in block.states]
            if (block.names, block.states) != (first.names, first.states):
                msg = (
                    f"block {number} has other variables or states than the first; declare the same"
                )
                raise DataError(msg)
            self._n_rows += block.n_rows
            for v, codes in enumerate(block.codes):
                seen[v] += np.bincount(codes, minlength=len(seen[v]))
        if first is None:
            msg = "there is no block; an engine needs at least one"
            raise DataError(msg)
        if seed is not None:
            self._seed = seed
            seen = [np.zeros_like(n) for n in seen]
            for columns in self._columns():
                for v, codes in enumerate(columns):
                    seen[v] += np.bincount(codes, minlength=len(seen[v]))
        self._describe_by_counts(first.names, first.states, seen)

    def __reduce__(self) -> tuple[object, tuple[type[Self], Iterable[Table], int | None]]:
        """Make copies anew from the blocks; a signal stays behind."""
        return _made_anew, (type(self), self._blocks, self._seed)

    def resampled(self, seed: int) -> Self:
        """Return an engine over as many rows drawn from these with replacement; see `Resampling`.

        Every pass draws the weights of a block's rows when the block comes.
        """
        check_draw(seed, again=self._seed is not None)
        return _made_anew(type(self), self._blocks, seed)

    @explains_batches
    def counts(self, batch: Batch) -> Tables:
        """Return the tables themselves."""
        self._check(batch)
        start = batch.table_starts(self._cardinality)
        cells = np.zeros(start[-1], np.int64)
        for columns in self._columns():
            for i, axes in enumerate(batch.axes):
                self._look()
                known = known_rows([columns[v] for v in axes], self._cardinality[axes])
                numbers = _cell_numbers(known, self._cardinality[axes])
                np.add.at(cells, start[i] + numbers, 1)
        return Tables(batch, self._cardinality, cells, start)

    @explains_batches
    def families_with_prior(
        self, batch: Batch, prior: Table, ess: float = 1.0, price: float = 0.0
    ) -> Floats:
        """Return the local scores that BDeu gives after it has seen the rows of ``prior``."""
        self._check(batch)
        earlier = aligned_prior(prior, self._names, self._states)
        tables = _listed(
            batch.with_given(self.n_variables),
            np.append(self._cardinality, np.int32(2)),
            self._columns(earlier),
            self._look,
        )
        both = [*self._cardinality, 2], [*self._observed, 2]
        return Reductions(*both).families_with_prior(tables, ess, price)

    def _reduced(self, batch: Batch, reduce: Reduce) -> Floats:
        self._check(batch)
        return reduce(_listed(batch, self._cardinality, self._columns(), self._look))

    def _check(self, batch: Batch) -> None:
        check_kind("batch", batch, Batch, "a Batch, such as Batch.families([(child, parents)])")
        batch.check(self.n_variables)
        self._look()

    def _look(self) -> None:
        if self._stop is not None and self._stop.is_set:
            raise Stopped

    def _columns(self, prior: Table | None = None) -> Iterator[Columns]:
        """Pass over the blocks; with a prior table, one more column tells its rows (1) apart."""
        first = 0
        for block in self._blocks:
            own = [np.zeros(block.n_rows, np.uint8)] if prior is not None else []
            columns = [*block.codes, *own]
            if self._seed is not None:
                weights = row_weights(self._seed, self._n_rows, first, first + block.n_rows)
                columns = [np.repeat(codes, weights) for codes in columns]
            first += block.n_rows
            yield columns
        if prior is not None:
            yield [*prior.codes, np.ones(prior.n_rows, np.uint8)]


_Kind = TypeVar("_Kind", bound=BlockEngine)


def _made_anew(kind: type[_Kind], blocks: Iterable[Table], seed: int | None) -> _Kind:
    engine = kind.__new__(kind)
    engine._set_up(blocks, seed)  # noqa: SLF001 - of this class
    return engine


def _listed(
    batch: Batch, cardinality: Ints, blocks: Iterable[Columns], look: Callable[[], None]
) -> SparseTables:
    """Count the tables of a batch as lists of the cells that occur, over all blocks."""
    lists: list[list[tuple[Longs, Longs]]] = [[] for _ in range(len(batch))]
    for columns in blocks:
        for listed, axes in zip(lists, batch.axes, strict=True):
            look()
            known = known_rows([columns[v] for v in axes], cardinality[axes])
            listed.append(occupied_cells(known, cardinality[axes]))
    joined = ([np.concatenate(part) for part in zip(*listed, strict=True)] for listed in lists)
    return SparseTables.of(batch, ((codes, counts) for codes, counts in joined))


def known_rows(columns: Columns, states: Ints) -> Columns:
    """Return the rows without a hole, whose code is one past the last state."""
    holes = [codes == r for codes, r in zip(columns, states.tolist(), strict=True)]
    missing = np.logical_or.reduce(holes)
    return [codes[~missing] for codes in columns] if missing.any() else columns


def occupied_cells(columns: Columns, states: Ints) -> tuple[Longs, Longs]:
    """Return the cells that occur, one row of codes each, and how often."""
    if np.prod(states, dtype=np.float64) > _MOST_CELLS:
        return np.unique(np.stack(columns, axis=1).astype(np.int64), axis=0, return_counts=True)
    counts = np.bincount(_cell_numbers(columns, states))
    cells = np.flatnonzero(counts)
    return np.stack(np.unravel_index(cells, states), axis=1), counts[cells]


def _cell_numbers(columns: Columns, states: Ints) -> Longs:
    """Return the number of every row's cell, the first variable slowest."""
    numbers = np.zeros(len(columns[0]), np.int64)
    for codes, r in zip(columns, states.tolist(), strict=True):
        numbers = numbers * r + codes
    return numbers
