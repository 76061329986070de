"""The rows of all partitions in the memory of the workers, asked together."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

import bayesloom
from bayesloom.engine.cluster.connection import ClusterConnection
from bayesloom.engine.cluster.counted import Counted, SplitBatch, added
from bayesloom.engine.cluster.share import count, draw, read_share, seen
from bayesloom.engine.cluster.waiting import LostError, Until, Waiting, deadly
from bayesloom.errors import ClusterError, Stopped

if TYPE_CHECKING:
    from distributed import Future

    from bayesloom.arrays import Longs
    from bayesloom.engine.cluster.partitions import Partitions

FAN_IN = 8
"""Answers that are summed at a time; the client fetches no more."""

_ATTEMPTS = 3  # at reading partitions that the cluster has given up
_Placed = Mapping["Future[Any]", str]  # shares, by the worker that each was first given to
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
    def pinned(self) -> _Placed:
        """Return what the shares are made of, by the worker that each was first given to."""

    @abstractmethod
    def _hold(self) -> _Placed:
        """Let workers make the shares."""

    @abstractmethod
    def resampled(self, seed: int, n_rows: int) -> DrawnShares:
        """Let every worker draw from its share, and hold what it has drawn."""

    @property
    def held(self) -> list[Future[Any]]:
        """The shares, as they are held now."""
        return list(self._held)

    def hold_again(self, lost: _Placed) -> None:
        """Let the shares be made again, unless that was done since they were lost."""
        with self._holding:
            if self._held is lost:
                self._held = self._hold()

    def seen(self, until: Until) -> list[Longs]:
        """Return for every variable how many rows are in each state, and missing."""
        found = self._insist(lambda held, _: self._connection.start(seen, held), until)
        return [np.sum(counts, axis=0) for counts in zip(*found, strict=True)]

    def ask(self, question: SplitBatch, until: Until) -> Counted:
        """Return the counts of all rows: one round trip."""
        if until.stop is not None and until.stop.is_set:
            raise Stopped
        packed = question.packed()
        return added(
            self._insist(lambda held, waiting: self._counting(held, packed, waiting), until)
        )

    def _counting(
        self, held: Sequence[Future[Any]], packed: bytes, waiting: Waiting
    ) -> list[Future[Any]]:
        """Let all shares be counted, and summed in a tree until few answers are left."""
        n = len(held)
        is_large = len(packed) * n > _LARGE
        sent = self._connection.everywhere(packed, waiting) if is_large else packed
        answers = self._connection.start(count, held, [sent] * n)
        while len(answers) > FAN_IN:
            groups = [answers[k : k + FAN_IN] for k in range(0, len(answers), FAN_IN)]
            answers = self._connection.start(added, groups)
        return answers

    def _insist(
        self,
        begin: Callable[[list[Future[Any]], Waiting], list[Future[Any]]],
        until: Until,
    ) -> list[Any]:
        """Return results; make the shares again if the cluster has lost them for itself."""
        for _ in range(_ATTEMPTS):
            held = self._held
            waiting = self._connection.waiting(until, self.pinned)
            try:
                return self._connection.results(begin(list(held), waiting), waiting)
            except LostError:
                self._connection.wait_for_workers(until)
                self.hold_again(held)
        raise ClusterError(deadly(self.titles))


class Shares(HeldShares):
    """One share of the rows per worker, and the way to read it again when it is lost.

    The cluster itself runs a lost share's reading anew, on another worker. Only if it gives up,
    because workers died several times or all at once, the shares are asked for again from here.
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

    def pinned(self) -> _Placed:
        """Return the shares themselves."""
        return self._held

    def _hold(self) -> _Placed:
        """Let every worker read its share."""
        workers, placed = self._connection.workers(), {}
        for k, group in enumerate(self._groups):
            worker = workers[k % len(workers)]
            share = self._connection.start_at(
                worker,
                read_share,
                [part.rows for part in group],
                [part.about for part in group],
                self._scan,
                bayesloom.__version__,
            )
            placed[share] = worker
        return placed


class DrawnShares(HeldShares):
    """What was drawn from every share for one replicate; workers hold it as long as this is."""

    def __init__(
        self, shares: Shares, connection: ClusterConnection, seed: int, n_rows: int
    ) -> None:
        self._shares, self._seed, self._n_rows = shares, seed, n_rows
        self._source: _Placed | None = None
        super().__init__(connection)

    @property
    def titles(self) -> list[str]:
        """How messages call the partitions."""
        return self._shares.titles

    def resampled(self, seed: int, n_rows: int) -> DrawnShares:
        """Let every worker draw anew from its share."""
        return self._shares.resampled(seed, n_rows)

    def pinned(self) -> _Placed:
        """Return the shares that were drawn from."""
        return self._source or {}

    def _hold(self) -> _Placed:
        """Let every worker draw; if that is done again, from shares that are read again."""
        if self._source is not None:
            self._shares.hold_again(self._source)
        self._source, n = self._shares.pinned(), len(self._shares.held)
        drawn = self._connection.start(
            draw, list(self._source), [self._seed] * n, [self._n_rows] * n
        )
        return dict(zip(drawn, self._source.values(), strict=True))
