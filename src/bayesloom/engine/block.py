"""An engine for rows that come block by block; plainly written, as a pattern for other engines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Self

import numpy as np
import numpy.typing as npt

from bayesloom._native import StopSignal
from bayesloom.arrays import Floats, Ints, Longs
from bayesloom.data import Table
from bayesloom.data.table import check_table
from bayesloom.engine.batch import Batch, Tables
from bayesloom.engine.contract import FamilyKernel, TestKernel
from bayesloom.engine.prior import aligned_prior
from bayesloom.engine.reductions import Reductions, SparseTables
from bayesloom.errors import DataError, OptionError, Stopped, check_kind, shown

Columns = Sequence[npt.NDArray[np.generic]]

_MOST_CELLS = 1 << 16  # of a table whose cells are counted by their numbers


class BlockEngine:
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
        self._blocks = blocks
        self._stop: StopSignal | None = None
        first: Table | None = None
        self._n_rows, seen = 0, [np.zeros(0, np.int64)]
        for number, block in enumerate(blocks):
            check_table(f"block {number}", block)
            if first is None:
                first, seen = block, [np.zeros(len(states), np.int64) for states in block.states]
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
        self._names, self._states = first.names, first.states
        self._cardinality = np.array([len(n) for n in seen], np.int32)
        self._observed = np.array([np.count_nonzero(n) for n in seen], np.int32)
        for array in (self._cardinality, self._observed):
            array.flags.writeable = False  # they are handed out

    def __reduce__(self) -> tuple[type[BlockEngine], tuple[Iterable[Table]]]:
        """Make copies anew from the blocks; a signal stays behind."""
        return BlockEngine, (self._blocks,)

    def until(self, signal: StopSignal) -> Self:
        """Return a view of the engine whose answers raise `Stopped` once the signal is given."""
        check_kind("signal", signal, StopSignal, "a StopSignal")
        view = type(self).__new__(type(self))
        view.__dict__.update(self.__dict__, _stop=signal)
        return view

    @property
    def names(self) -> tuple[str, ...]:
        """The variables' names."""
        return self._names

    @property
    def states(self) -> tuple[tuple[str, ...], ...]:
        """The labels of every variable's declared states."""
        return self._states

    @property
    def n_variables(self) -> int:
        """The number of variables."""
        return len(self._names)

    @property
    def n_rows(self) -> int:
        """The number of rows, N."""
        return self._n_rows

    @property
    def cardinality(self) -> Ints:
        """The number of declared states of every variable."""
        return self._cardinality

    @property
    def observed(self) -> Ints:
        """The number of states of every variable that occur."""
        return self._observed

    @property
    def round_trip(self) -> float:
        """Nothing: the rows are near."""
        return 0.0

    def counts(self, batch: Batch) -> Tables:
        """Return the tables themselves."""
        self._check(batch)
        start = batch.table_starts(self._cardinality)
        cells = np.zeros(start[-1], np.int64)
        for columns in self._columns():
            for i, axes in enumerate(batch.axes):
                self._look()
                numbers = _cell_numbers([columns[v] for v in axes], self._cardinality[axes])
                np.add.at(cells, start[i] + numbers, 1)
        return Tables(batch, self._cardinality, cells, start)

    def families(
        self, batch: Batch, kernel: FamilyKernel, ess: float = 1.0, price: float = 0.0
    ) -> Floats:
        """Return the local score of the target given (given..., partner)."""
        return self._reductions.families(self._lists(batch), kernel, ess, price)

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

    def informations(self, batch: Batch) -> Floats:
        """Return the mutual information of target and partner given the rest, in nats."""
        return self._reductions.informations(self._lists(batch))

    def tests(self, batch: Batch, kernel: TestKernel) -> Floats:
        """Return statistic, df, adjusted df and least expected count, one row per table."""
        return self._reductions.tests(self._lists(batch), kernel)

    def entropies(self, batch: Batch) -> Floats:
        """Return the joint entropy of all variables of each table, in nats."""
        return self._reductions.entropies(self._lists(batch))

    @property
    def _reductions(self) -> Reductions:
        return Reductions(self._cardinality, self._observed)

    def _check(self, batch: Batch) -> None:
        check_kind("batch", batch, Batch, "a Batch, such as Batch.families([(child, parents)])")
        batch.check(self.n_variables)
        self._look()

    def _look(self) -> None:
        if self._stop is not None and self._stop.is_set:
            raise Stopped

    def _lists(self, batch: Batch) -> SparseTables:
        self._check(batch)
        return _listed(batch, self._cardinality, self._columns(), self._look)

    def _columns(self, prior: Table | None = None) -> Iterator[Columns]:
        """Pass over the blocks; with a prior table, one more column tells its rows (1) apart."""
        for block in self._blocks:
            own = [np.zeros(block.n_rows, np.uint8)] if prior is not None else []
            yield [*block.codes, *own]
        if prior is not None:
            yield [*prior.codes, np.ones(prior.n_rows, np.uint8)]


def _listed(
    batch: Batch, cardinality: Ints, blocks: Iterable[Columns], look: Callable[[], None]
) -> SparseTables:
    """Count the tables of a batch as lists of the cells that occur, over all blocks."""
    lists: list[list[tuple[Longs, Longs]]] = [[] for _ in range(len(batch))]
    for columns in blocks:
        for listed, axes in zip(lists, batch.axes, strict=True):
            look()
            listed.append(occupied_cells([columns[v] for v in axes], cardinality[axes]))
    joined = ([np.concatenate(part) for part in zip(*listed, strict=True)] for listed in lists)
    return SparseTables.of(batch, ((codes, counts) for codes, counts in joined))


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
