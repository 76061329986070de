"""The engine for tables in memory, on top of the native module."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Self, TypeVar

import numpy as np
import numpy.typing as npt

from bayesloom import _native
from bayesloom._native import StopSignal
from bayesloom.arrays import Floats, Ints
from bayesloom.data import Table
from bayesloom.data.number_column import refuse_numbers
from bayesloom.data.table import check_table
from bayesloom.engine.batch import Batch, Tables
from bayesloom.engine.batch_fault import explains_batches
from bayesloom.engine.contract import TEST_NUMBERS, FamilyKernel, TestKernel
from bayesloom.engine.described_engine import DescribedEngine
from bayesloom.errors import check_whole
from bayesloom.processor import n_processors

if TYPE_CHECKING:
    from bayesloom.engine.completion import Completions
    from bayesloom.engine.resample import Weights
    from bayesloom.engine.set_scan import DependentSets, SetRule

_MOST_THREADS = 256
_MOST_STATES = 32  # of a column that has bitmaps
_MOST_FREE = 1 << 13  # states of all columns together, without one of each: pairs of them are kept
_MOST_CELLS = 1 << 16  # of a set of columns

Codes = npt.NDArray[np.uint8] | npt.NDArray[np.uint16]


class NativeEngine(DescribedEngine):
    """Answer batches from a table in memory, with threads.

    Parameters
    ----------
    table : Table
        The data.
    threads : int, optional
        How many threads share a batch; by default as many as there are processors. The number
        changes the time, never a bit of an answer.

    Examples
    --------
    >>> from bayesloom.data import Table
    >>> from bayesloom.engine import Batch
    >>> table = Table.from_frame({"A": ["no", "yes", "yes"], "B": ["x", "y", "y"]})
    >>> NativeEngine(table).counts(Batch.pairs(2))[0].tolist()
    [[1, 0], [0, 2]]
    """

    def __init__(self, table: Table, threads: int | None = None) -> None:
        check_table("table", table)
        refuse_numbers("the engine that counts", table)
        if threads is not None:
            check_whole("threads", threads, 1)
        self._set_up(table, threads)

    def _set_up(self, table: Table, threads: int | None, seed: int | None = None) -> None:
        """Hold a table, with a seed the rows that are drawn of it."""
        self._table, self._seed = table, seed
        self._threads = min(threads or n_processors(), _MOST_THREADS)
        weights = None if seed is None else _drawn(seed, table.n_rows)
        self._store = self._store_of(list(table.codes), table.cardinality, weights)
        self._describe(
            table.names, table.states, table.n_rows, self._store.observed, self._store.missing
        )
        self._with_prior: list[tuple[Table, _native.Store]] = []

    def __reduce__(self) -> tuple[object, tuple[type[Self], Table, int, int | None]]:
        """Make copies, and what comes from another process, anew from the table."""
        return _made_again, (type(self), self._table, self._threads, self._seed)

    def resampled(self, seed: int) -> Self:
        """Return an engine over as many rows drawn from these with replacement; see `Resampling`.

        The native store takes the codes of the rows that are drawn; the table is not copied. What
        it takes to weigh rows in the counting instead was measured to be more
        (docs/decisions/0016-resampling.md).

        Examples
        --------
        >>> engine = NativeEngine(Table("A", ["ny"], [[0, 1] * 50]), threads=1)
        >>> engine.resampled(1).counts(Batch.sets([(0,)]))[0].tolist()
        [51, 49]
        """
        from bayesloom.engine.resample import check_draw

        check_draw(seed, again=self._seed is not None)
        return _made_again(type(self), self._table, self._threads, seed)

    def until(self, signal: StopSignal) -> Self:
        """Return a view of the engine whose answers raise `Stopped` once the signal is given.

        Examples
        --------
        >>> from bayesloom.engine import Batch, StopSignal
        >>> signal, table = StopSignal(), Table("AB", ["ny", "xz"], [[0, 1], [1, 1]])
        >>> engine = NativeEngine(table).until(signal)
        >>> signal.set()
        >>> engine.entropies(Batch.sets([(0,)]))
        Traceback (most recent call last):
        bayesloom.errors.Stopped: the work was stopped before it was done
        """
        return super().until(signal)

    @property
    def table(self) -> Table:
        """The table; of an engine that is resampled, one with the rows that were drawn."""
        if self._seed is None:
            return self._table
        return self._table.take(
            np.repeat(np.arange(self._n_rows), _drawn(self._seed, self._n_rows))
        )

    def completions(
        self, names: Sequence[str], parents: Sequence[int], **options: float
    ) -> Completions:
        """Return the rows of some variables made ready for a graph; see `completions_of`."""
        from bayesloom.engine.completion import Completions

        return Completions(self.table.select(names), parents, self._threads, **options)

    @explains_batches
    def counts(self, batch: Batch) -> Tables:
        """Return the tables themselves."""
        start = batch.table_starts(self._cardinality)
        cells = self._store.counts(*batch.arrays, start, self._threads, self._stop)
        return Tables(batch, self._cardinality, cells, start)

    @explains_batches
    def families(
        self, batch: Batch, kernel: FamilyKernel, ess: float = 1.0, price: float = 0.0
    ) -> Floats:
        """Return the local score of the target given (given..., partner)."""
        return self._store.families(*batch.arrays, kernel, ess, price, self._threads, self._stop)

    @explains_batches
    def families_with_prior(
        self, batch: Batch, prior: Table, ess: float = 1.0, price: float = 0.0
    ) -> Floats:
        """Return the local scores that BDeu gives after it has seen the rows of ``prior``."""
        asked = batch.with_given(self.n_variables)
        store = self._store_with(prior)
        return store.families_with_prior(*asked.arrays, ess, price, self._threads, self._stop)

    @explains_batches
    def informations(self, batch: Batch) -> Floats:
        """Return the mutual information of target and partner given the rest, in nats."""
        return self._store.informations(*batch.arrays, self._threads, self._stop)

    @explains_batches
    def tests(self, batch: Batch, kernel: TestKernel) -> Floats:
        """Return statistic, df, adjusted df, least expected count and rows, one line per table."""
        return self._store.tests(*batch.arrays, kernel, self._threads, self._stop).reshape(
            -1, TEST_NUMBERS
        )

    @explains_batches
    def entropies(self, batch: Batch) -> Floats:
        """Return the joint entropy of all variables of each table, in nats."""
        return self._store.entropies(*batch.arrays, self._threads, self._stop)

    def dependent_sets(self, rule: SetRule) -> DependentSets | None:
        """Return the sets that depend on each other together; see `SetRule`.

        None is returned where cells are missing, or columns have too many states for bitmaps.
        """
        from bayesloom.engine.set_scan import DependentSets

        widest = sorted(self._cardinality.tolist(), reverse=True)
        free = sum(widest) - len(widest)
        too_wide = not widest or widest[0] > _MOST_STATES or free > _MOST_FREE
        if too_wide or math.prod(widest[: rule.size]) > _MOST_CELLS or self.missing.any():
            return None
        levels = self._cardinality.astype(np.float64)
        share = np.ones(len(widest)) if rule.share is None else rule.share
        members, total, looked, bases = self._store.dependent_sets(
            rule.size,
            list(rule.apart),
            levels,
            share,
            rule.floor,
            rule.price,
            rule.least,
            self._threads,
            self._stop,
        )
        sets = members.reshape(-1, rule.size).astype(np.int64)
        return DependentSets(sets, total, looked, bases)

    def _store_of(
        self, columns: list[Codes], cardinality: Ints, weights: Weights | None = None
    ) -> _native.Store:
        return _native.Store(columns, cardinality, threads=self._threads, weights=weights)

    def _store_with(self, prior: Table) -> _native.Store:
        """Return a store of all rows and one more column: 0 in the data, 1 in ``prior``.

        The store of the latest prior table is kept.
        """
        for known, store in self._with_prior:
            if known is prior:
                return store
        from bayesloom.engine.prior import aligned_prior

        earlier = aligned_prior(prior, self._names, self._states)
        columns = [
            np.concatenate(both) for both in zip(self._table.codes, earlier.codes, strict=True)
        ]
        columns.append(np.repeat(np.array([0, 1], np.uint8), [self._n_rows, earlier.n_rows]))
        weights: Weights | None = None
        if self._seed is not None:
            drawn = _drawn(self._seed, self._n_rows)
            weights = np.append(drawn, np.ones(earlier.n_rows, np.uint32))
        store = self._store_of(columns, np.append(self._cardinality, np.int32(2)), weights)
        self._with_prior[:] = [(prior, store)]
        return store


def _drawn(seed: int, n_rows: int) -> Weights:
    """Return how often a seed draws every row."""
    from bayesloom.engine.resample import row_weights

    return row_weights(seed, n_rows)


_Kind = TypeVar("_Kind", bound=NativeEngine)


def _made_again(kind: type[_Kind], table: Table, threads: int, seed: int | None) -> _Kind:
    engine = kind.__new__(kind)
    engine._set_up(table, threads, seed)  # noqa: SLF001 - of this class
    return engine
