"""Work done by a Dask cluster for a client that can be stopped and hears what goes wrong."""

from __future__ import annotations

import asyncio
import concurrent.futures
import time
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, NoReturn

import bayesloom
from bayesloom.engine.cluster.share import other_version
from bayesloom.engine.cluster.waiting import (
    LostError,
    Pinned,
    Until,
    Waiting,
    gone,
    without_workers,
)
from bayesloom.errors import (
    BayesloomError,
    ClusterError,
    MissingExtraError,
    OptionError,
    check_kind,
    shown,
)

if TYPE_CHECKING:
    from distributed import Client, Future

_PATIENCE = 5.0  # seconds to wait for a scheduler
_PARTING = 0.5  # seconds to wait for a client that has not found one
_LOOK = 0.05  # seconds between two looks at the signal


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
            raise ClusterError(without_workers(self.client))
        return sorted(found)

    def wait_for_workers(self, until: Until) -> None:
        """Wait until there are workers.

        Raises
        ------
        Stopped, ClusterError
            As `Waiting.check`.
        """
        waiting = self.waiting(until)
        while not waiting.workers:
            waiting.check()
            time.sleep(_LOOK)

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

    def everywhere(self, sent: object, waiting: Waiting) -> Future[Any]:
        """Send an object to all workers.

        Raises
        ------
        Stopped, ClusterError, LostError
            As `results`.
        """
        options = {"broadcast": True, "hash": False, "timeout": 2 * self.patience + 60}
        there: list[Future[Any]] = self._awaited(self._scattered([sent], options), waiting)
        return there[0]

    def results(self, futures: Sequence[Future[Any]], waiting: Waiting) -> list[Any]:
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
        try:
            found: list[Any] = self._awaited(self._gathered(list(futures)), waiting)
        except (BayesloomError, LostError):
            self.give_up(futures)  # ends the gathering; cancelled itself, it would complain of that
            raise
        return found

    def waiting(self, until: Until | None = None, pinned: Pinned | None = None) -> Waiting:
        """Begin to wait for something; see `Waiting`."""
        return Waiting(self.client, self.patience, until or Until(), pinned)

    def _awaited(self, work: Coroutine[Any, Any, Any], waiting: Waiting) -> Any:  # noqa: ANN401
        """Return what the client's own loop makes of some work, unless there is no sense in it."""
        coming = asyncio.run_coroutine_threadsafe(work, self.client.loop.asyncio_loop)
        while True:
            try:
                return coming.result(_LOOK)
            except concurrent.futures.TimeoutError as error:
                if coming.done():
                    self._tell(error)
            except BaseException as error:  # noqa: BLE001 - told, in other words
                self._tell(error)
            waiting.check()

    def give_up(self, futures: Sequence[Future[Any]]) -> None:
        """Tell the cluster that some results are not wanted any more, if it is there."""
        if futures and self.client.status == "running":
            work = self._cancelled(list(futures))
            asyncio.run_coroutine_threadsafe(work, self.client.loop.asyncio_loop)

    async def _gathered(self, futures: list[Future[Any]]) -> list[Any]:
        return list(await self.client.gather(futures, asynchronous=True))

    async def _cancelled(self, futures: list[Future[Any]]) -> None:
        reason = "not wanted any more"
        await self.client.cancel(futures, asynchronous=True, reason=reason)

    async def _scattered(self, sent: list[object], options: dict[str, Any]) -> list[Future[Any]]:
        return list(await self.client.scatter(sent, asynchronous=True, **options))

    def _sync(self, call: Callable[..., Any], *args: object, **options: object) -> Any:  # noqa: ANN401
        """Call something of the client; a cluster that is not there is told."""
        try:
            return call(*args, **options)
        except BayesloomError:
            raise
        except Exception as error:
            if isinstance(error, OSError) or self.client.status != "running":
                raise ClusterError(gone(self.client)) from error
            raise

    def _tell(self, error: BaseException) -> NoReturn:
        """Raise what a user should read for an error of the cluster."""
        from distributed import KilledWorker, scheduler
        from distributed.client import FutureCancelledError
        from distributed.comm.core import CommClosedError

        if isinstance(error, BayesloomError | KeyboardInterrupt | MemoryError):
            raise error
        if self.client.status != "running":
            raise ClusterError(gone(self.client)) from error
        lost = (KilledWorker, FutureCancelledError, CommClosedError, asyncio.CancelledError)
        no_worker = getattr(scheduler, "NoValidWorkerError", KilledWorker)  # not in all versions
        if isinstance(error, (*lost, no_worker, concurrent.futures.CancelledError)):
            raise LostError(str(error)) from error
        self.check_versions()
        raise error


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
