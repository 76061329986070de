"""What engines have in common: what they tell of their variables, and what follows from counts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Self

import numpy as np
import numpy.typing as npt

from bayesloom._native import StopSignal
from bayesloom.arrays import Bools, Floats, Ints, Longs
from bayesloom.engine.batch import Batch, Tables
from bayesloom.engine.batch_fault import explains_batches
from bayesloom.engine.contract import FamilyKernel, TestKernel
from bayesloom.engine.reductions import Reductions, SparseTables
from bayesloom.errors import check_kind

Reduce = Callable[[Tables | SparseTables], Floats]
"""Makes one answer per table of counted tables."""


class DescribedEngine:
    """The plain properties of an engine, and its views that can be stopped (base class).

    An engine calls `_describe` or `_describe_by_counts` when it is made; both may be called again
    for an engine over other rows, as one over rows that were drawn.

    Examples
    --------
    >>> class Two(DescribedEngine):
    ...     def __init__(self):
    ...         self._describe_by_counts(["A", "B"], [["n", "y"], ["x"]], [[3, 0, 1], [4]])
    >>> two = Two()
    >>> two.n_rows, two.cardinality.tolist(), two.observed.tolist(), two.missing.tolist()
    (4, [2, 1], [1, 1], [1, 0])
    """

    _stop: StopSignal | None = None

    def _describe(
        self,
        names: Sequence[str],
        states: Sequence[Sequence[str]],
        n_rows: int,
        observed: npt.ArrayLike,
        missing: npt.ArrayLike,
    ) -> None:
        """Set what the properties tell."""
        self._names = tuple(names)
        self._states = tuple(map(tuple, states))
        self._n_rows = int(n_rows)
        self._cardinality = np.array([len(each) for each in states], np.int32)
        self._observed = np.array(observed, np.int32)
        self._missing = np.array(missing, np.int64)
        self._constant = self._observed < 2  # noqa: PLR2004 - states that occur
        for array in (self._cardinality, self._observed, self._missing, self._constant):
            array.flags.writeable = False  # they are handed out

    def _describe_by_counts(
        self,
        names: Sequence[str],
        states: Sequence[Sequence[str]],
        seen: Sequence[npt.ArrayLike],
    ) -> None:
        """Set the same from how many rows are in each state; one number more is that of holes."""
        counts = [np.asarray(some) for some in seen]
        known = [some[: len(each)] for some, each in zip(counts, states, strict=True)]
        self._describe(
            names,
            states,
            int(counts[0].sum()),
            [np.count_nonzero(some) for some in known],
            [some.sum() - has.sum() for some, has in zip(counts, known, strict=True)],
        )

    def until(self, signal: StopSignal) -> Self:
        """Return a view of the engine whose answers raise `Stopped` once the signal is given."""
        check_kind("signal", signal, StopSignal, "a StopSignal")
        return self._view(_stop=signal)

    def _view(self, **changed: object) -> Self:
        """Return the same engine with some of its attributes changed; nothing is copied."""
        view = type(self).__new__(type(self))
        view.__dict__.update(self.__dict__, **changed)
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
    def missing(self) -> Longs:
        """The number of rows in which every variable is missing."""
        return self._missing

    @property
    def constant(self) -> Bools:
        """Whether each variable never varies in the rows."""
        return self._constant

    @property
    def round_trip(self) -> float:
        """How many seconds a batch costs besides the counting: none, where the rows are near."""
        return 0.0

    def free_parameters(self, batch: Batch) -> Floats:
        """Return (r - 1) q for every family: free parameters with all declared states.

        Examples
        --------
        >>> from bayesloom.engine import NativeEngine
        >>> from bayesloom.data import Table
        >>> engine = NativeEngine(Table("AB", ["nmy", "ny"], [[0, 1, 2], [0, 1, 1]]))
        >>> engine.free_parameters(Batch.families([(0, ()), (0, (1,)), (1, (0,))])).tolist()
        [2.0, 4.0, 3.0]
        """
        states = self._cardinality
        with np.errstate(over="ignore"):
            return batch.base_product(states - 1, states) * batch.partner_value(states)


class ReducingEngine(DescribedEngine, ABC):
    """An engine that counts, and leaves all else to `Reductions` (base class).

    It has to say how it counts: `counts`, `families_with_prior` and `_reduced`.
    """

    @abstractmethod
    def _reduced(self, batch: Batch, reduce: Reduce) -> Floats:
        """Count the tables of a batch, dense or as lists, and return what ``reduce`` makes."""

    @property
    def _reductions(self) -> Reductions:
        return Reductions(self._cardinality, self._observed)

    @explains_batches
    def families(
        self, batch: Batch, kernel: FamilyKernel, ess: float = 1.0, price: float = 0.0
    ) -> Floats:
        """Return the local score of the target given (given..., partner)."""
        return self._reduced(batch, lambda t: self._reductions.families(t, kernel, ess, price))

    @explains_batches
    def informations(self, batch: Batch) -> Floats:
        """Return the mutual information of target and partner given the rest, in nats."""
        return self._reduced(batch, self._reductions.informations)

    @explains_batches
    def tests(self, batch: Batch, kernel: TestKernel) -> Floats:
        """Return statistic, df, adjusted df, least expected count and rows, one line per table."""
        return self._reduced(batch, lambda t: self._reductions.tests(t, kernel))

    @explains_batches
    def entropies(self, batch: Batch) -> Floats:
        """Return the joint entropy of all variables of each table, in nats."""
        return self._reduced(batch, self._reductions.entropies)
