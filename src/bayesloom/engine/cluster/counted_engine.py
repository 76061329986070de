"""An engine that gets its counts from elsewhere, and all else from `Reductions`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, Self

import numpy as np

from bayesloom._native import StopSignal
from bayesloom.data import Table
from bayesloom.engine.batch import Batch, Tables
from bayesloom.engine.batch_fault import explains_batches
from bayesloom.engine.cluster.counted import Counted, Listed, SplitBatch, blocks_of, lists_of
from bayesloom.engine.cluster.waiting import Until
from bayesloom.engine.described_engine import Reduce, ReducingEngine
from bayesloom.engine.prior import aligned_prior
from bayesloom.engine.reductions import Reductions, SparseTables
from bayesloom.engine.resample import check_draw

if TYPE_CHECKING:
    from bayesloom.arrays import Floats, Longs


class Counter(Protocol):
    """Whoever counts: all rows of a table, wherever they are."""

    def ask(self, question: SplitBatch, until: Until) -> Counted:
        """Return the counts of all rows: one round trip."""

    def seen(self, until: Until) -> list[Longs]:
        """Return for every variable how many rows are in each of its states, and then missing."""

    def resampled(self, seed: int, n_rows: int) -> Counter:
        """Return one that counts every row as often as `row_weights` says for the seed."""


class CountedEngine(ReducingEngine):
    """Answer batches from counts that somebody else makes, with the bits of every engine.

    Whoever counts may finish a batch after a signal to stop; its answer is left there.

    Parameters
    ----------
    names, states : sequences
        The variables, in name order, and the labels of their states.
    counter : Counter
        Who counts.
    """

    _over: StopSignal | None = None

    def __init__(
        self, names: Sequence[str], states: Sequence[Sequence[str]], counter: Counter
    ) -> None:
        self._counter = counter
        self._seed: int | None = None
        self._describe_by_counts(names, states, counter.seen(self._until))

    def resampled(self, seed: int) -> Self:
        """Return an engine over as many rows drawn from these with replacement; see `Resampling`.

        Whoever counts holds the rows that are drawn, beside those it has, as long as the engine is
        used: one round trip. Rows are drawn as if they were all in memory, in their order there.
        """
        check_draw(seed, again=self._seed is not None)
        counter = self._counter.resampled(seed, self._n_rows)
        drawn = self._view(_counter=counter, _seed=seed)
        seen = counter.seen(self._until)
        drawn._describe_by_counts(self._names, self._states, seen)  # noqa: SLF001
        return drawn

    def heeding(self, signal: StopSignal) -> Self:
        """Return a view that does not wait for long any more once the signal is given.

        A search that is over still asks what its result needs, and gets it. But if nobody is there
        who could count, or an answer takes longer than is usual, that is an error.
        """
        return self._view(_over=signal)

    @property
    def _until(self) -> Until:
        return Until(self._stop, self._over)

    @explains_batches
    def counts(self, batch: Batch) -> Tables:
        """Return the tables themselves."""
        batch.table_starts(self._cardinality)  # refuses what does not fit
        question = SplitBatch.of(batch, self._cardinality, np.inf)
        counted = self._counter.ask(question, self._until)
        return counted.tables(batch, self._cardinality)

    @explains_batches
    def families_with_prior(
        self, batch: Batch, prior: Table, ess: float = 1.0, price: float = 0.0
    ) -> Floats:
        """Return the local scores that BDeu gives after it has seen the rows of ``prior``."""
        earlier = aligned_prior(prior, self._names, self._states)
        question = SplitBatch.of(batch, self._cardinality, 0)
        mine = self._counter.ask(question, self._until)
        places = np.diff(batch.given_start)[batch.request_of].tolist()
        joined = map(_told_apart, places, mine.listed(), lists_of(earlier, batch))
        tables = SparseTables.of(batch.with_given(self.n_variables), joined)
        reductions = Reductions([*self._cardinality, 2], [*self._observed, 2])
        return reductions.families_with_prior(tables, ess, price)

    def _reduced(self, batch: Batch, reduce: Reduce) -> Floats:
        """Count the tables of a batch and reduce them: one round trip, unless they are huge."""
        return np.concatenate(
            [
                self._answer(SplitBatch.of(block, self._cardinality), reduce)
                for block in blocks_of(batch, self._cardinality)
            ]
        )

    def _answer(self, question: SplitBatch, reduce: Reduce) -> Floats:
        counted = self._counter.ask(question, self._until)
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
