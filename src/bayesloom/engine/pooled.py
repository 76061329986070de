"""An engine over several completions of the same rows, which stand for these rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np

from bayesloom._native import StopSignal
from bayesloom.arrays import Floats
from bayesloom.data import Table
from bayesloom.engine.batch import Batch, Tables
from bayesloom.engine.contract import FamilyKernel, TestKernel
from bayesloom.engine.native import NativeEngine
from bayesloom.engine.view import EngineView
from bayesloom.errors import DataError


class PooledEngine(EngineView):
    """Answer batches from copies of a table whose missing cells were filled in differently.

    The copies stand for as many rows as one of them has. What grows with the counts
    (log-likelihoods, statistics of tests, expected counts) is that of all copies together, divided
    by their number, so it is that of the mean counts; prices of parameters are those of one copy.
    Scores that are no sums over rows (BDeu, K2, fNML, BDs) are the mean of the copies' scores.
    Counts are the mean ones, rounded.

    Parameters
    ----------
    copies : sequence of Table
        Tables without missing cells, with the same variables, states and number of rows.
    threads : int, optional
        How many threads count.

    Examples
    --------
    >>> from bayesloom.engine import Batch, FamilyKernel
    >>> no_yes = ["no", "yes"]
    >>> copies = [Table(["A"], [no_yes], [[0, 1]]), Table(["A"], [no_yes], [[1, 1]])]
    >>> engine = PooledEngine(copies)
    >>> engine.n_rows, engine.families(Batch.sets([[0]]), FamilyKernel.LOG_LIKELIHOOD).round(4)
    (2, array([-1.1247]))
    """

    def __init__(self, copies: Sequence[Table], threads: int | None = None) -> None:
        if not copies:
            msg = "there is no copy; an engine needs at least one"
            raise DataError(msg)
        first = copies[0]
        for copy in copies:
            if (copy.names, copy.states, copy.n_rows) != (first.names, first.states, first.n_rows):
                msg = "the copies have different variables, states or numbers of rows"
                raise DataError(msg)
        columns = [np.concatenate(part) for part in zip(*(c.codes for c in copies), strict=True)]
        super().__init__(NativeEngine(Table(first.names, first.states, columns), threads))
        self._each = [NativeEngine(copy, threads) for copy in copies]

    def until(self, signal: StopSignal) -> Self:
        """Return a view of the engine whose answers raise `Stopped` once the signal is given."""
        view = super().until(signal)
        view.__dict__["_each"] = [engine.until(signal) for engine in self._each]
        return view

    @property
    def n_rows(self) -> int:
        """The number of rows that the copies stand for, N."""
        return self._engine.n_rows // len(self._each)

    def counts(self, batch: Batch) -> Tables:
        """Return the mean tables, rounded."""
        found, m = self._engine.counts(batch), len(self._each)
        return Tables(batch, self.cardinality, (found.cells + m // 2) // m, found.start)

    def families(
        self, batch: Batch, kernel: FamilyKernel, ess: float = 1.0, price: float = 0.0
    ) -> Floats:
        """Return the local score of the target given (given..., partner)."""
        m = len(self._each)
        if kernel is FamilyKernel.LOG_LIKELIHOOD:
            return self._engine.families(batch, kernel, ess, price * m) / m
        if kernel in (FamilyKernel.NODE_AVERAGE, FamilyKernel.OCCUPIED):
            return self._engine.families(batch, kernel, ess, price)
        parts = [engine.families(batch, kernel, ess, price) for engine in self._each]
        return np.asarray(np.mean(parts, axis=0))

    def families_with_prior(
        self, batch: Batch, prior: Table, ess: float = 1.0, price: float = 0.0
    ) -> Floats:
        """Return the mean of the copies' scores."""
        parts = [engine.families_with_prior(batch, prior, ess, price) for engine in self._each]
        return np.asarray(np.mean(parts, axis=0))

    def tests(self, batch: Batch, kernel: TestKernel) -> Floats:
        """Return the answers of tables of the mean counts."""
        found = self._engine.tests(batch, kernel).copy()
        found[:, 0] /= len(self._each)  # the statistic
        found[:, 3:] /= len(self._each)  # the least expected count, and the rows
        return found
