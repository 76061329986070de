"""What an engine has that answers from another engine."""

from __future__ import annotations

from typing import Self

from bayesloom._native import StopSignal
from bayesloom.arrays import Bools, Floats, Ints, Longs
from bayesloom.data import Table
from bayesloom.engine.batch import Batch, Tables
from bayesloom.engine.contract import CountingEngine, FamilyKernel, TestKernel


class EngineView:
    """Hand all questions on to another engine (proxy).

    Parameters
    ----------
    engine : CountingEngine
        Who answers.
    """

    def __init__(self, engine: CountingEngine) -> None:
        self._engine = engine

    def until(self, signal: StopSignal) -> Self:
        """Return a view whose answers raise `Stopped` once the signal is given."""
        view = type(self).__new__(type(self))
        view.__dict__.update(self.__dict__, _engine=self._engine.until(signal))
        return view

    @property
    def names(self) -> tuple[str, ...]:
        """The variables' names."""
        return self._engine.names

    @property
    def states(self) -> tuple[tuple[str, ...], ...]:
        """The labels of every variable's declared states."""
        return self._engine.states

    @property
    def n_variables(self) -> int:
        """The number of variables."""
        return self._engine.n_variables

    @property
    def n_rows(self) -> int:
        """The number of rows, N."""
        return self._engine.n_rows

    @property
    def cardinality(self) -> Ints:
        """The number of declared states of every variable."""
        return self._engine.cardinality

    @property
    def observed(self) -> Ints:
        """The number of states of every variable that occur."""
        return self._engine.observed

    @property
    def missing(self) -> Longs:
        """The number of rows in which every variable is missing."""
        return self._engine.missing

    @property
    def constant(self) -> Bools:
        """Whether each variable never varies in the rows."""
        return self._engine.constant

    @property
    def round_trip(self) -> float:
        """How many seconds a batch costs besides the counting."""
        return self._engine.round_trip

    def counts(self, batch: Batch) -> Tables:
        """Return the tables themselves."""
        return self._engine.counts(batch)

    def families(
        self, batch: Batch, kernel: FamilyKernel, ess: float = 1.0, price: float = 0.0
    ) -> Floats:
        """Return the local score of the target given (given..., partner)."""
        return self._engine.families(batch, kernel, ess, price)

    def free_parameters(self, batch: Batch) -> Floats:
        """Return how many free parameters the target has given (given..., partner)."""
        return self._engine.free_parameters(batch)

    def families_with_prior(
        self, batch: Batch, prior: Table, ess: float = 1.0, price: float = 0.0
    ) -> Floats:
        """Return the local scores that BDeu gives after it has seen the rows of ``prior``."""
        return self._engine.families_with_prior(batch, prior, ess, price)

    def informations(self, batch: Batch) -> Floats:
        """Return the mutual information of target and partner given the rest, in nats."""
        return self._engine.informations(batch)

    def tests(self, batch: Batch, kernel: TestKernel) -> Floats:
        """Return what the other engine says of each test."""
        return self._engine.tests(batch, kernel)

    def entropies(self, batch: Batch) -> Floats:
        """Return the joint entropy of all variables of each table, in nats."""
        return self._engine.entropies(batch)
