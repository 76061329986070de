"""The rows of all partitions in the memory of the workers, asked together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

import bayesloom
from bayesloom.engine.cluster.connection import ClusterConnection, LostError
from bayesloom.engine.cluster.counted import Counted, SplitBatch, added
from bayesloom.engine.cluster.share import count, read_share, seen
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


class Shares:
    """One share of the rows per worker, and the way to read it again when it is lost.

    The cluster itself runs a lost share's reading anew, on another worker. Only if it gives up,
    because workers died several times, the shares are asked for again from here.
    """

    def __init__(self, partitions: Partitions, connection: ClusterConnection) -> None:
        workers = connection.workers()
        self._scan = partitions.scan
        self._connection = connection
        self._groups = partitions.divided(len(workers))
        self._held = self._load(workers)

    def seen(self) -> list[Longs]:
        """Return for every variable how many rows are in each state; wait until all are read."""
        found = self._insist(lambda: self._connection.start(seen, self._held), None)
        return [np.sum(counts, axis=0) for counts in zip(*found, strict=True)]

    def ask(self, question: SplitBatch, stop: StopSignal | None) -> Counted:
        """Return the counts of all rows: one round trip."""
        if stop is not None and stop.is_set:
            raise Stopped
        packed = question.packed()
        return added(self._insist(lambda: self._counting(packed), stop))

    def _counting(self, packed: bytes) -> list[Future[Any]]:
        """Let all shares be counted, and summed in a tree until few answers are left."""
        n = len(self._held)
        large = len(packed) * n > _LARGE
        sent = self._connection.everywhere(packed) if large else packed
        answers = self._connection.start(count, self._held, [sent] * n)
        while len(answers) > FAN_IN:
            groups = [answers[k : k + FAN_IN] for k in range(0, len(answers), FAN_IN)]
            answers = self._connection.start(added, groups)
        return answers

    def _insist(self, begin: Callable[[], list[Future[Any]]], stop: StopSignal | None) -> list[Any]:
        """Return results; read the shares again if the cluster has lost them for itself."""
        for _ in range(_ATTEMPTS):
            try:
                return self._connection.results(begin(), stop)
            except LostError:
                self._held = self._load(self._connection.workers())
        titles = listed([part.title for group in self._groups for part in group])
        msg = (
            f"workers die whenever they read or count the partitions {titles}; give them more "
            "memory, or use more of them"
        )
        raise ClusterError(msg)

    def _load(self, workers: Sequence[str]) -> list[Future[Any]]:
        """Let every worker read its share."""
        return [
            self._connection.start_at(
                workers[k % len(workers)],
                read_share,
                [part.rows for part in group],
                [(part.title, part.stamp) for part in group],
                self._scan,
                bayesloom.__version__,
            )
            for k, group in enumerate(self._groups)
        ]
