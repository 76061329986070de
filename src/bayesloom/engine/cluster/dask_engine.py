"""The engine for rows in the workers of a Dask cluster."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Self

import numpy as np

from bayesloom._native import StopSignal
from bayesloom.data import Reading, Table
from bayesloom.engine.batch import Batch, Tables
from bayesloom.engine.batch_fault import explains_batches
from bayesloom.engine.cluster.connection import Connection
from bayesloom.engine.cluster.counted import Counted, Listed, Question, blocks_of
from bayesloom.engine.cluster.partitions import Partitions
from bayesloom.engine.cluster.shares import Shares
from bayesloom.engine.contract import FamilyKernel, TestKernel
from bayesloom.engine.native import NativeEngine
from bayesloom.engine.prior import aligned_prior
from bayesloom.engine.reductions import Reductions, SparseTables
from bayesloom.errors import check_kind, check_number

if TYPE_CHECKING:
    from distributed import Client

    from bayesloom.arrays import Floats, Ints

_PROBES = 5  # round trips that are timed


class DaskEngine:
    """Answer batches from rows that are spread over the workers of a Dask cluster.

    Every worker holds a share of the rows in memory and counts it; a batch goes out once, and the
    counts come back summed. The answers are those of `NativeEngine`, bit for bit. When a worker
    dies, others read its share again. `round_trip` is measured when the engine is made, and
    searches adapt to it.

    Parameters
    ----------
    client : distributed.Client
        A client of any cluster: local, Kubernetes, SLURM, YARN.
    source : path, glob, folder, list of paths, dask dataframe or list of Table
        The rows. Workers read files themselves, so paths must mean the same to all of them. Tables
        have the same variables and states, and travel to the workers.
    reading : Reading, optional
        How files and frames are read; see `bayesloom.Reading`.
    patience : float
        How many seconds to wait for a cluster that has lost all its workers.

    Raises
    ------
    DataError, FileFormatError
        If the rows break the data contract, or a file cannot be read.
    ClusterError
        If the cluster is gone, has no workers, or workers with another version of bayesloom.

    Examples
    --------
    >>> from bayesloom.data import Table
    >>> from distributed import Client  # doctest: +SKIP
    >>> client = Client("tcp://scheduler:8786")  # doctest: +SKIP
    >>> engine = DaskEngine(client, "big/*.parquet")  # doctest: +SKIP
    >>> bayesloom.learn(engine)  # doctest: +SKIP
    """

    def __init__(
        self,
        client: Client,
        source: object,
        reading: Reading | None = None,
        *,
        patience: float = 60.0,
    ) -> None:
        check_number("patience", patience, above=0)
        check_kind("reading", reading, Reading | None, "a Reading, such as Reading(missing='drop')")
        connection = Connection(client, patience)
        connection.workers()
        connection.check_versions()
        partitions = Partitions.of(source, connection, reading or Reading())
        self._names, self._states = partitions.names, partitions.states
        self._shares = Shares(partitions, connection)
        self._stop: StopSignal | None = None
        known = self._shares.facts()
        self._n_rows = sum(each.n_rows for each in known)
        seen = [np.sum(counts, axis=0) for counts in zip(*(k.seen for k in known), strict=True)]
        self._cardinality = np.array([len(states) for states in self._states], np.int32)
        self._observed = np.array([np.count_nonzero(n) for n in seen], np.int32)
        for array in (self._cardinality, self._observed):
            array.flags.writeable = False  # they are handed out
        self._round_trip = self._measured()

    def _measured(self) -> float:
        """Return how long a round trip takes."""
        probe = Question.of(Batch.sets([(0,)]), self._cardinality)
        seconds = []
        for _ in range(_PROBES):
            started = time.monotonic()
            self._shares.ask(probe, None)
            seconds.append(time.monotonic() - started)
        return statistics.median(seconds)

    def until(self, signal: StopSignal) -> Self:
        """Return a view of the engine whose answers raise `Stopped` once the signal is given.

        Workers finish the batch that they are counting; its answer is left there.
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
    def round_trip(self) -> float:
        """How many seconds a batch costs besides the counting, as measured at the beginning."""
        return self._round_trip

    @explains_batches
    def counts(self, batch: Batch) -> Tables:
        """Return the tables themselves."""
        batch.table_starts(self._cardinality)  # refuses what does not fit
        question = Question.of(batch, self._cardinality, np.inf)
        counted = self._shares.ask(question, self._stop)
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
        earlier = NativeEngine(aligned_prior(prior, self._names, self._states), 1)
        question = Question.of(batch, self._cardinality, 0)
        mine = self._shares.ask(question, self._stop)
        seen = Counted.by(earlier, question.packed())
        places = np.diff(batch.given_start)[batch.request_of].tolist()
        joined = map(_told_apart, places, mine.listed(), seen.listed())
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
                self._answer(Question.of(block, self._cardinality), reduce)
                for block in blocks_of(batch, self._cardinality)
            ]
        )

    def _answer(
        self, question: Question, reduce: Callable[[Tables | SparseTables], Floats]
    ) -> Floats:
        counted = self._shares.ask(question, self._stop)
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
