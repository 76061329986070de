"""An engine over several completions of the same rows, which counts them as the rows they stand for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np

from bayesloom._native import StopSignal
from bayesloom.arrays import Floats, Ints, Longs
from bayesloom.data import Table
from bayesloom.engine.batch import Batch, Tables
from bayesloom.engine.contract import FamilyKernel, TestKernel
from bayesloom.engine.native import NativeEngine
from bayesloom.errors import DataError

_LINEAR = (FamilyKernel.LOG_LIKELIHOOD, FamilyKernel.OCCUPIED)


class PooledEngine:
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
        self._m = len(copies)
        self._n_rows = first.n_rows
        columns = [np.concatenate(part) for part in zip(*(c.codes for c in copies), strict=True)]
        self._all = NativeEngine(Table(first.names, first.states, columns), threads)
        self._each = [NativeEngine(copy, threads) for copy in copies]

    def until(self, signal: StopSignal) -> Self:
        """Return a view of the engine whose answers raise `Stopped` once the signal is given."""
        view = type(self).__new__(type(self))
        view.__dict__.update(
            self.__dict__,
            _all=self._all.until(signal),
            _each=[engine.until(signal) for engine in self._each],
        )
        return view

    @property
    def names(self) -> tuple[str, ...]:
        """The variables' names."""
        return self._all.names

    @property
    def states(self) -> tuple[tuple[str, ...], ...]:
        """The labels of every variable's declared states."""
        return self._all.states

    @property
    def n_variables(self) -> int:
        """The number of variables."""
        return self._all.n_variables

    @property
    def n_rows(self) -> int:
        """The number of rows that the copies stand for, N."""
        return self._n_rows

    @property
    def cardinality(self) -> Ints:
        """The number of declared states of every variable."""
        return self._all.cardinality

    @property
    def observed(self) -> Ints:
        """The number of states of every variable that occur."""
        return self._all.observed

    @property
    def missing(self) -> Longs:
        """The number of rows in which every variable is missing: none."""
        return np.zeros(self.n_variables, np.int64)

    def counts(self, batch: Batch) -> Tables:
        """Return the mean tables, rounded."""
        found = self._all.counts(batch)
        cells = (found.cells + self._m // 2) // self._m
        return Tables(batch, self.cardinality, cells, found.start)

    def families(
        self, batch: Batch, kernel: FamilyKernel, ess: float = 1.0, price: float = 0.0
    ) -> Floats:
        """Return the local score of the target given (given..., partner)."""
        if kernel is FamilyKernel.OCCUPIED:
            return self._all.families(batch, kernel, ess, price)
        if kernel in _LINEAR:
            return self._all.families(batch, kernel, ess, price * self._m) / self._m
        parts = [engine.families(batch, kernel, ess, price) for engine in self._each]
        return np.mean(parts, axis=0)

    def families_with_prior(
        self, batch: Batch, prior: Table, ess: float = 1.0, price: float = 0.0
    ) -> Floats:
        """Return the mean of the copies' scores."""
        parts = [engine.families_with_prior(batch, prior, ess, price) for engine in self._each]
        return np.mean(parts, axis=0)

    def informations(self, batch: Batch) -> Floats:
        """Return the mutual information of target and partner given the rest, in nats."""
        return self._all.informations(batch)

    def tests(self, batch: Batch, kernel: TestKernel) -> Floats:
        """Return the answers of a table of the mean counts."""
        found = self._all.tests(batch, kernel).copy()
        found[:, 0] /= self._m  # the statistic
        found[:, 3:] /= self._m  # the least expected count, and the rows
        return found

    def entropies(self, batch: Batch) -> Floats:
        """Return the joint entropy of all variables of each table, in nats."""
        return self._all.entropies(batch)
