"""The engine for tables in memory, on top of the native module."""

from __future__ import annotations

import os

import numpy as np

from bayesloom import _native
from bayesloom.data import Table
from bayesloom.data.table import check_table
from bayesloom.engine.batch import Batch, Floats, Ints, Tables
from bayesloom.engine.contract import FamilyKernel
from bayesloom.errors import check_whole

_MOST_THREADS = 256


class NativeEngine:
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
        if threads is not None:
            check_whole("threads", threads, 1)
        self._names = table.names
        self._states = table.states
        self._n_rows = table.n_rows
        self._cardinality = np.array([len(states) for states in table.states], np.int32)
        self._store = _native.Store(list(table.codes), self._cardinality)
        self._observed = np.array(self._store.observed, np.int32)
        self._threads = min(threads or len(os.sched_getaffinity(0)), _MOST_THREADS)

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

    def counts(self, batch: Batch) -> Tables:
        """Return the tables themselves."""
        start = batch.table_starts(self._cardinality)
        cells = self._store.counts(*batch.arrays, start, self._threads)
        return Tables(batch, self._cardinality, cells, start)

    def families(
        self, batch: Batch, kernel: FamilyKernel, ess: float = 1.0, price: float = 0.0
    ) -> Floats:
        """Return the local score of the target given (given..., partner)."""
        return self._store.families(*batch.arrays, kernel, ess, price, self._threads)

    def informations(self, batch: Batch) -> Floats:
        """Return the mutual information of target and partner given the rest, in nats."""
        return self._store.informations(*batch.arrays, self._threads) / self._n_rows

    def tests(self, batch: Batch, *, g_square: bool) -> Floats:
        """Return statistic, df, adjusted df and least expected count, one row per table."""
        return self._store.tests(*batch.arrays, g_square, self._threads).reshape(-1, 4)

    def entropies(self, batch: Batch) -> Floats:
        """Return the joint entropy of all variables of each table, in nats."""
        return self._store.entropies(*batch.arrays, self._threads) / self._n_rows
