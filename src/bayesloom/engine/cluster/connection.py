"""Work done by a Dask cluster for a client that can be stopped and hears what goes wrong."""

from __future__ import annotations

import asyncio
import concurrent.futures
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, NoReturn

import bayesloom
from bayesloom.engine.cluster.share import other_version
from bayesloom.errors import (
    BayesloomError,
    ClusterError,
    MissingExtraError,
    OptionError,
    Stopped,
    check_kind,
    shown,
)

if TYPE_CHECKING:
    from distributed import Client, Future

    from bayesloom._native import StopSignal

_PATIENCE = 5.0  # seconds to wait for a scheduler
_PARTING = 0.5  # seconds to wait for a client that has not found one
_LOOK = 0.05  # seconds between two looks at the signal
_LOOK_AT_WORKERS = 2.0  # seconds between two looks at whether there are workers


class LostError(Exception):
    """Results that the cluster held are gone, and it does not make them again by itself."""


class ClusterConnection:
    """A client of a cluster, as an engine needs it.

    Parameters
    ----------
    client : distributed.Client
        The client.
    patience : float
        How many seconds to wait for a cluster without workers, or for one that is not heard.
    option : str
        How messages call the client.
    """

    def __init__(self, client: Client | object, patience: float, option: str = "client") -> None:
        if not hasattr(client, "scheduler_info") or getattr(client, "asynchronous", False):
            what = shown(repr(client))
            known = " an address or" if option == "scheduler" else ""
            wanted = f"{known} a distributed.Client that is not asynchronous"
            msg = f"{option} must be{wanted}, got {what}"
            raise OptionError(msg)
        self.client: Any = client  # it has few types
        self.patience = patience

    def workers(self) -> list[str]:
        """Return the addresses of the workers.

        Raises
        ------
        ClusterError
            If there are none, or none is reached.
        """
        found = self._sync(self.client.nthreads)
        if not found:
            raise ClusterError(self.without_workers())
        return sorted(found)

    def has_workers(self) -> bool:
        """Say whether there are workers."""
        return bool(self._sync(self.client.nthreads))

    def check_versions(self) -> None:
        """Refuse workers that have another bayesloom than this program."""
        for worker, found in sorted(self._sync(self.client.run, _version_finder()).items()):
            if found != bayesloom.__version__:
                told = other_version(f"the worker {worker}", found, bayesloom.__version__)
                raise ClusterError(told)

    def start(self, function: Callable[..., object], *many: Sequence[object]) -> list[Future[Any]]:
        """Begin to call a function with each of some arguments; the results stay there."""
        started: list[Future[Any]] = self._sync(self.client.map, function, *many, pure=False)
        return started

    def start_at(self, worker: str, function: Callable[..., object], *given: object) -> Future[Any]:
        """Begin to call a function on one worker, or if that is gone, on another."""
        options = {"pure": False, "workers": [worker], "allow_other_workers": True}
        begun: Future[Any] = self._sync(self.client.submit, function, *given, **options)
        return begun

    def everywhere(self, sent: object) -> Future[Any]:
        """Send an object to all workers."""
        there: list[Future[Any]] = self._sync(
            self.client.scatter, [sent], broadcast=True, hash=False
        )
        return there[0]

    def results(self, futures: Sequence[Future[Any]], stop: StopSignal | None = None) -> list[Any]:
        """Wait for results and fetch them.

        Raises
        ------
        Stopped
            If the signal is given first.
        ClusterError
            If the cluster is gone, has no workers any more, or workers of another version.
        LostError
            If the cluster has given up what the results are made of.
        """
        coming = asyncio.run_coroutine_threadsafe(
            self._gather(list(futures)), self.client.loop.asyncio_loop
        )
        patience = self.waiting()
        while True:
            try:
                return coming.result(_LOOK)
            except concurrent.futures.TimeoutError:
                if coming.done():
                    raise
            except BaseException as error:  # noqa: BLE001 - told, in other words
                self._tell(error)
            try:
                if stop is not None and stop.is_set:
                    raise Stopped
                patience.check()
            except BayesloomError:
                coming.cancel()
                raise

    def waiting(self) -> Waiting:
        """Begin to wait for something."""
        return Waiting(self)

    def give_up(self, futures: Sequence[Future[Any]]) -> None:
        """Tell the cluster that some results are not wanted any more, if it is there."""
        if futures and self.client.status == "running":
            with suppress(OSError, TimeoutError):
                self.client.cancel(list(futures), reason="not wanted any more")

    async def _gather(self, futures: list[Future[Any]]) -> list[Any]:
        return list(await self.client.gather(futures, asynchronous=True))

    def _sync(self, call: Callable[..., Any], *args: object, **options: object) -> Any:  # noqa: ANN401
        """Call something of the client; a cluster that is not there is told."""
        try:
            return call(*args, **options)
        except BayesloomError:
            raise
        except Exception as error:
            if isinstance(error, OSError) or self.client.status != "running":
                raise ClusterError(self.gone()) from error
            raise

    def _tell(self, error: BaseException) -> NoReturn:
        """Raise what a user should read for an error of the cluster."""
        from distributed import KilledWorker
        from distributed.client import FutureCancelledError

        if isinstance(error, BayesloomError | KeyboardInterrupt | MemoryError):
            raise error
        if self.client.status != "running":
            raise ClusterError(self.gone()) from error
        lost = (KilledWorker, FutureCancelledError, asyncio.CancelledError)
        if isinstance(error, (*lost, concurrent.futures.CancelledError)):
            raise LostError(str(error)) from error
        self.check_versions()
        raise error

    def gone(self) -> str:
        """Say that the cluster is gone."""
        return f"the cluster at {self._address} is gone; start it again, and make the engine anew"

    def without_workers(self) -> str:
        """Say that the cluster has no workers."""
        return f"the cluster at {self._address} has no workers; start some, and try again"

    @property
    def _address(self) -> str:
        scheduler = getattr(self.client, "scheduler", None)
        return str(getattr(scheduler, "address", None) or "an unknown address")


class Waiting:
    """How long a client has waited for a cluster that does not answer, or has no workers."""

    def __init__(self, connection: ClusterConnection) -> None:
        self._connection = connection
        self._looked = self._heard = time.monotonic()

    def check(self) -> None:
        """End the waiting when it has been longer than the client is patient.

        Raises
        ------
        ClusterError
            If so.
        """
        connection, now = self._connection, time.monotonic()
        if connection.client.status != "running":
            self._end_after(now, connection.gone())
        elif now - self._looked > _LOOK_AT_WORKERS:
            self._looked = now
            if connection.has_workers():
                self._heard = now
            self._end_after(now, connection.without_workers())

    def _end_after(self, now: float, problem: str) -> None:
        if now - self._heard > self._connection.patience:
            raise ClusterError(problem)


def _version_finder() -> Callable[[], str | None]:
    """Return a function that travels whole, so that it runs where there is no bayesloom."""

    def version() -> str | None:
        try:
            import bayesloom as found
        except ImportError:
            return None
        return str(found.__version__)

    return version


@contextmanager
def connected(scheduler: object, patience: float) -> Iterator[ClusterConnection]:
    """Connect to a cluster: by the address of its scheduler, or by a client that is there already.

    Raises
    ------
    MissingExtraError
        If Dask is not installed.
    ClusterError
        If no scheduler answers there.
    """
    if not isinstance(scheduler, str):
        yield ClusterConnection(scheduler, patience, "scheduler")
        return
    client: Any = client_of(scheduler)
    with client:
        yield ClusterConnection(client, patience)


def client_of(scheduler: str) -> Client:
    """Return a client of the cluster whose scheduler has an address.

    Raises
    ------
    MissingExtraError
        If Dask is not installed.
    ClusterError
        If no scheduler answers there.
    """
    try:
        from distributed import Client
    except ImportError:
        msg = "a cluster needs Dask; install it with: pip install 'bayesloom[dask]'"
        raise MissingExtraError(msg) from None
    check_kind("scheduler", scheduler, str, "an address such as 'tcp://host:8786'")
    kind: Any = Client  # it has few types
    client = kind.__new__(kind)
    try:
        client.__init__(scheduler, timeout=_PATIENCE, set_as_default=False)
    except Exception as error:  # another server that answers may say anything
        with suppress(Exception):
            client.close(_PARTING)  # or it would be tried when the program ends, and take its time
        msg = (
            f"no scheduler answers at {shown(scheduler)}; check the address, or start one with: "
            "dask scheduler"
        )
        raise ClusterError(msg) from error
    found: Client = client
    return found
