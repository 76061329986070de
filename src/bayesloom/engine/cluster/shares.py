"""The rows of all partitions in the memory of the workers, asked together."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

import bayesloom
from bayesloom.engine.cluster.connection import ClusterConnection, LostError
from bayesloom.engine.cluster.counted import Counted, SplitBatch, added
from bayesloom.engine.cluster.share import count, draw, read_share, seen
from bayesloom.errors import ClusterError, Stopped, listed

if TYPE_CHECKING:
    from distributed import Future

    from bayesloom._native import StopSignal
    from bayesloom.arrays import Longs
    from bayesloom.engine.cluster.partitions import Partitions

FAN_IN = 8
"""Answers that are summed at a time; the client fetches no more."""

_ATTEMPTS = 3  # at reading partitions that the cluster has given up
_LARGE = 1 << 20  # bytes of the copies of a question; more are sent to the workers beforehand


class HeldShares(ABC):
    """Shares of the rows in the memory of the workers, and how they are counted together."""

    def __init__(self, connection: ClusterConnection) -> None:
        self._connection = connection
        self._holding = threading.Lock()
        self._held = self._hold()

    @property
    @abstractmethod
    def titles(self) -> list[str]:
        """How messages call the partitions."""

    @abstractmethod
    def _hold(self) -> list[Future[Any]]:
        """Let workers make the shares."""

    @abstractmethod
    def resampled(self, seed: int, n_rows: int) -> DrawnShares:
        """Let every worker draw from its share, and hold what it has drawn."""

    @property
    def held(self) -> list[Future[Any]]:
        """The shares, as they are held now."""
        return self._held

    def hold_again(self, lost: list[Future[Any]]) -> None:
        """Let the shares be made again, unless that was done since they were lost."""
        with self._holding:
            if self._held is lost:
                self._held = self._hold()

    def seen(self) -> list[Longs]:
        """Return for every variable how many rows are in each state, and missing."""
        found = self._insist(lambda held: self._connection.start(seen, held), None)
        return [np.sum(counts, axis=0) for counts in zip(*found, strict=True)]

    def ask(self, question: SplitBatch, stop: StopSignal | None) -> Counted:
        """Return the counts of all rows: one round trip."""
        if stop is not None and stop.is_set:
            raise Stopped
        packed = question.packed()
        return added(self._insist(lambda held: self._counting(held, packed), stop))

    def _counting(self, held: Sequence[Future[Any]], packed: bytes) -> list[Future[Any]]:
        """Let all shares be counted, and summed in a tree until few answers are left."""
        n = len(held)
        sent = self._connection.everywhere(packed) if len(packed) * n > _LARGE else packed
        answers = self._connection.start(count, held, [sent] * n)
        while len(answers) > FAN_IN:
            groups = [answers[k : k + FAN_IN] for k in range(0, len(answers), FAN_IN)]
            answers = self._connection.start(added, groups)
        return answers

    def _insist(
        self, begin: Callable[[list[Future[Any]]], list[Future[Any]]], stop: StopSignal | None
    ) -> list[Any]:
        """Return results; make the shares again if the cluster has lost them for itself."""
        for _ in range(_ATTEMPTS):
            held = self._held
            try:
                return self._connection.results(begin(held), stop)
            except LostError:
                self.hold_again(held)
        msg = (
            f"workers die whenever they read or count the partitions {listed(self.titles)}; give "
            "them more memory, or use more of them"
        )
        raise ClusterError(msg)


class Shares(HeldShares):
    """One share of the rows per worker, and the way to read it again when it is lost.

    The cluster itself runs a lost share's reading anew, on another worker. Only if it gives up,
    because workers died several times, the shares are asked for again from here.
    """

    def __init__(self, partitions: Partitions, connection: ClusterConnection) -> None:
        self._scan = partitions.scan
        self._groups = partitions.divided(len(connection.workers()))
        super().__init__(connection)

    @property
    def titles(self) -> list[str]:
        """How messages call the partitions."""
        return [part.about.title for group in self._groups for part in group]

    def resampled(self, seed: int, n_rows: int) -> DrawnShares:
        """Let every worker draw from its share, and hold what it has drawn."""
        return DrawnShares(self, self._connection, seed, n_rows)

    def _hold(self) -> list[Future[Any]]:
        """Let every worker read its share."""
        workers = self._connection.workers()
        return [
            self._connection.start_at(
                workers[k % len(workers)],
                read_share,
                [part.rows for part in group],
                [part.about for part in group],
                self._scan,
                bayesloom.__version__,
            )
            for k, group in enumerate(self._groups)
        ]


class DrawnShares(HeldShares):
    """What was drawn from every share for one replicate; workers hold it as long as this is."""

    def __init__(
        self, shares: Shares, connection: ClusterConnection, seed: int, n_rows: int
    ) -> None:
        self._shares, self._seed, self._n_rows = shares, seed, n_rows
        self._source: list[Future[Any]] | None = None
        super().__init__(connection)

    @property
    def titles(self) -> list[str]:
        """How messages call the partitions."""
        return self._shares.titles

    def resampled(self, seed: int, n_rows: int) -> DrawnShares:
        """Let every worker draw anew from its share."""
        return self._shares.resampled(seed, n_rows)

    def _hold(self) -> list[Future[Any]]:
        """Let every worker draw; if that is done again, from shares that are read again."""
        if self._source is not None:
            self._shares.hold_again(self._source)
        self._source = self._shares.held
        n = len(self._source)
        return self._connection.start(draw, self._source, [self._seed] * n, [self._n_rows] * n)
