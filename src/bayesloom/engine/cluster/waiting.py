"""How long a client waits for a cluster: until it is stopped, or the cluster is no use any more."""

from __future__ import annotations

import asyncio
import concurrent.futures
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from bayesloom.errors import ClusterError, Stopped, listed

if TYPE_CHECKING:
    from distributed import Future

    from bayesloom._native import StopSignal

_LOOK_AT_WORKERS = 1.0  # seconds between two looks at the workers
_GRACE = 5.0  # seconds to wait for workers once nothing but the end of a search is waited for
_BUSY = 10.0  # seconds that a scheduler may take to say who the workers are


class LostError(Exception):
    """Results that the cluster held are gone, and it does not make them again by itself."""


class Until(NamedTuple):
    """The signals that end the waiting for an answer."""

    stop: StopSignal | None = None
    """Once it is given, nothing is waited for."""
    over: StopSignal | None = None
    """Once it is given, an answer is only waited for as long as it may well come."""


Pinned = Callable[[], Mapping["Future[Any]", str]]
"""Returns results that the cluster should hold, with the worker that each was first given to."""


class Waiting:
    """Waiting for something of a cluster: `check` is called again and again.

    Parameters
    ----------
    client : distributed.Client
        The client.
    patience : float
        How many seconds to wait for a cluster without workers, or for one that is not heard; also
        for an answer after the signal ``over``.
    until : Until
        The signals.
    pinned : callable, optional
        What the cluster must hold for the answer.
    """

    def __init__(
        self,
        client: Any,  # noqa: ANN401 - it has few types
        patience: float,
        until: Until,
        pinned: Pinned | None = None,
    ) -> None:
        self._client, self._patience, self._until, self._pinned = client, patience, until, pinned
        self._over_since: float | None = None
        self._heard = time.monotonic()
        self._looked = -_LOOK_AT_WORKERS
        self._look: concurrent.futures.Future[tuple[frozenset[str], bool]] | None = None
        self.workers: frozenset[str] | None = None
        """The addresses of the workers, once they have been looked at."""

    def check(self) -> None:
        """End the waiting if there is no sense in it.

        Raises
        ------
        Stopped
            If the signal to stop is given.
        ClusterError
            If the cluster is gone, has no workers or does not answer, for too long.
        LostError
            If it does not make anew what its workers held.
        """
        stop, over = self._until
        if stop is not None and stop.is_set:
            raise Stopped
        now = time.monotonic()
        patience = self._patience
        if over is not None and over.is_set:
            self._over_since = self._over_since or now
            if now - self._over_since > patience:
                raise ClusterError(self._told("does not answer; look at its workers"))
            patience = min(patience, _GRACE)
        silent = now - self._heard
        if silent > patience and self._client.status != "running":
            raise ClusterError(gone(self._client))
        if silent > patience and self.workers is not None and not self.workers:
            raise ClusterError(without_workers(self._client))
        if silent > patience + _BUSY:
            raise ClusterError(self._told("does not answer; look at its scheduler"))
        self._look_at_workers(now)

    def _look_at_workers(self, now: float) -> None:
        """Look whether there are workers, without waiting for what the scheduler says of them."""
        if self._look is not None and self._look.done():
            look, self._look = self._look, None
            if look.exception() is None:
                before = self.workers
                self.workers, stranded = look.result()
                if self.workers:
                    self._heard = now
                if stranded and self.workers == before:  # and nobody comes or goes any more
                    raise LostError
        if self._look is None and now - self._looked > _LOOK_AT_WORKERS:
            self._looked = now
            if self._client.status == "running":
                loop = self._client.loop.asyncio_loop
                self._look = asyncio.run_coroutine_threadsafe(self._asked(), loop)

    async def _asked(self) -> tuple[frozenset[str], bool]:
        """Return the workers, and whether something that was lost waits for one that is gone.

        Dask may give a task to another worker than the one that it was meant for; but not a task
        that it runs again when there is no worker at all.
        """
        workers = frozenset(await self._client.nthreads())
        waiting = {
            future.key
            for future, worker in (self._pinned() if self._pinned else {}).items()
            if worker not in workers and future.status not in ("finished", "error")
        }
        if not (workers and waiting):
            return workers, False
        processing = await self._client.processing()
        return workers, not waiting.issubset(key for keys in processing.values() for key in keys)

    def _told(self, problem: str) -> str:
        return f"the cluster at {address(self._client)} {problem}"


def gone(client: object) -> str:
    """Say that the cluster is gone."""
    return f"the cluster at {address(client)} is gone; start it again, and make the engine anew"


def without_workers(client: object) -> str:
    """Say that the cluster has no workers."""
    return f"the cluster at {address(client)} has no workers; start some, and try again"


def deadly(titles: Sequence[str]) -> str:
    """Say that workers do not survive some partitions."""
    return (
        f"workers die whenever they read or count the partitions {listed(titles)}; give them more "
        "memory, or use more of them"
    )


def address(client: object) -> str:
    """Return the address of a client's scheduler."""
    scheduler = getattr(client, "scheduler", None)
    return str(getattr(scheduler, "address", None) or "an unknown address")
