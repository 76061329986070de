"""An engine that gets its counts from elsewhere, and all else from `Reductions`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol, Self

import numpy as np

from bayesloom._native import StopSignal
from bayesloom.data import Table
from bayesloom.engine.batch import Batch, Tables
from bayesloom.engine.batch_fault import explains_batches
from bayesloom.engine.cluster.counted import Counted, Listed, SplitBatch, blocks_of, lists_of
from bayesloom.engine.contract import FamilyKernel, TestKernel
from bayesloom.engine.prior import aligned_prior
from bayesloom.engine.reductions import Reductions, SparseTables
from bayesloom.errors import OptionError, check_kind, check_whole

if TYPE_CHECKING:
    from bayesloom.arrays import Floats, Ints, Longs


class Counter(Protocol):
    """Whoever counts: all rows of a table, wherever they are."""

    def ask(self, question: SplitBatch, stop: StopSignal | None) -> Counted:
        """Return the counts of all rows: one round trip."""

    def seen(self) -> list[Longs]:
        """Return for every variable how many rows are in each of its states, and then missing."""

    def resampled(self, seed: int, n_rows: int) -> Counter:
        """Return one that counts every row as often as `row_weights` says for the seed."""


class CountedEngine:
    """Answer batches from counts that somebody else makes, with the bits of every engine.

    Parameters
    ----------
    names, states : sequences
        The variables, in name order, and the labels of their states.
    counter : Counter
        Who counts.
    """

    def __init__(
        self, names: Sequence[str], states: Sequence[Sequence[str]], counter: Counter
    ) -> None:
        self._names = tuple(names)
        self._states = tuple(map(tuple, states))
        self._cardinality = np.array([len(each) for each in states], np.int32)
        self._cardinality.flags.writeable = False  # it is handed out
        self._stop: StopSignal | None = None
        self._seed: int | None = None
        self._count_with(counter)

    def _count_with(self, counter: Counter) -> None:
        """Let somebody count, and ask what there is."""
        seen = counter.seen()
        self._counter = counter
        self._n_rows = int(seen[0].sum())
        self._observed = np.array([np.count_nonzero(n[:-1]) for n in seen], np.int32)
        self._missing = np.array([n[-1] for n in seen], np.int64)
        for array in (self._observed, self._missing):
            array.flags.writeable = False  # they are handed out

    def resampled(self, seed: int) -> Self:
        """Return an engine over as many rows drawn from these with replacement; see `Resampling`.

        Whoever counts holds the rows that are drawn, beside those it has, as long as the engine is
        used: one round trip.
        """
        check_whole("seed", seed, 0)
        if self._seed is not None:
            msg = "rows that were drawn are not drawn from again; resample the engine itself"
            raise OptionError(msg)
        drawn = type(self).__new__(type(self))
        drawn.__dict__.update(self.__dict__, _seed=seed)
        counter = self._counter.resampled(seed, self._n_rows)
        drawn._count_with(counter)  # noqa: SLF001 - of this class
        return drawn

    def until(self, signal: StopSignal) -> Self:
        """Return a view of the engine whose answers raise `Stopped` once the signal is given.

        Whoever counts may finish the batch; its answer is left there.
        """
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
    def missing(self) -> Longs:
        """The number of rows in which every variable is missing."""
        return self._missing

    @property
    def round_trip(self) -> float:
        """How many seconds a batch costs besides the counting."""
        return 0.0

    @explains_batches
    def counts(self, batch: Batch) -> Tables:
        """Return the tables themselves."""
        batch.table_starts(self._cardinality)  # refuses what does not fit
        question = SplitBatch.of(batch, self._cardinality, np.inf)
        counted = self._counter.ask(question, self._stop)
        return counted.tables(batch, self._cardinality)

    @explains_batches
    def families(
        self, batch: Batch, kernel: FamilyKernel, ess: float = 1.0, price: float = 0.0
    ) -> Floats:
        """Return the local score of the target given (given..., partner)."""
        return self._reduced(batch, lambda t: self._reductions.families(t, kernel, ess, price))

    @explains_batches
    def families_with_prior(
        self, batch: Batch, prior: Table, ess: float = 1.0, price: float = 0.0
    ) -> Floats:
        """Return the local scores that BDeu gives after it has seen the rows of ``prior``."""
        earlier = aligned_prior(prior, self._names, self._states)
        question = SplitBatch.of(batch, self._cardinality, 0)
        mine = self._counter.ask(question, self._stop)
        places = np.diff(batch.given_start)[batch.request_of].tolist()
        joined = map(_told_apart, places, mine.listed(), lists_of(earlier, batch))
        tables = SparseTables.of(batch.with_given(self.n_variables), joined)
        reductions = Reductions([*self._cardinality, 2], [*self._observed, 2])
        return reductions.families_with_prior(tables, ess, price)

    @explains_batches
    def informations(self, batch: Batch) -> Floats:
        """Return the mutual information of target and partner given the rest, in nats."""
        return self._reduced(batch, self._reductions.informations)

    @explains_batches
    def tests(self, batch: Batch, kernel: TestKernel) -> Floats:
        """Return statistic, df, adjusted df and least expected count, one row per table."""
        return self._reduced(batch, lambda tables: self._reductions.tests(tables, kernel))

    @explains_batches
    def entropies(self, batch: Batch) -> Floats:
        """Return the joint entropy of all variables of each table, in nats."""
        return self._reduced(batch, self._reductions.entropies)

    @property
    def _reductions(self) -> Reductions:
        return Reductions(self._cardinality, self._observed)

    def _reduced(self, batch: Batch, reduce: Callable[[Tables | SparseTables], Floats]) -> Floats:
        """Count the tables of a batch and reduce them: one round trip, unless they are huge."""
        return np.concatenate(
            [
                self._answer(SplitBatch.of(block, self._cardinality), reduce)
                for block in blocks_of(batch, self._cardinality)
            ]
        )

    def _answer(
        self, question: SplitBatch, reduce: Callable[[Tables | SparseTables], Floats]
    ) -> Floats:
        counted = self._counter.ask(question, self._stop)
        dense = reduce(counted.tables(question.dense, self._cardinality))
        if not question.is_sparse.any():
            return dense
        answer = np.empty((len(question.is_sparse), *dense.shape[1:]))
        answer[~question.is_sparse] = dense
        answer[question.is_sparse] = reduce(counted.lists(question.sparse))
        return answer


def _told_apart(place: int, data: Listed, earlier: Listed) -> Listed:
    """Join the cells of the data and of earlier rows; a variable at a place tells them apart."""
    marked = [np.insert(codes, place, k, axis=1) for k, (codes, _) in enumerate((data, earlier))]
    return np.concatenate(marked), np.concatenate([data[1], earlier[1]])
