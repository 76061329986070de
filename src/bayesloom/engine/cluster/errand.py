"""Work of any kind that workers of a cluster do for a client, each piece on one of them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import bayesloom
from bayesloom._native import StopSignal
from bayesloom.engine.cluster.connection import ClusterConnection
from bayesloom.engine.cluster.share import check_version
from bayesloom.engine.cluster.waiting import LostError, Until
from bayesloom.errors import ClusterError, Stopped

if TYPE_CHECKING:
    from distributed import Future

_LOOK = 0.05  # seconds between two looks at what is done, and whether to go on
_LOOK_AT_CLIENT = 0.2  # seconds between two looks of a worker at whether its work is still wanted
_ATTEMPTS = 3  # at pieces that the cluster has given up, without one of them done

Errand = Callable[[Any, Any, StopSignal], Any]
"""Does a piece of work: what all have in common, the piece, and a signal to end."""


def errands(
    connection: ClusterConnection,
    run: Errand,
    common: object,
    pieces: Sequence[object],
    *,
    may_go_on: Callable[[], bool],
    until: Until,
) -> Generator[tuple[int, Any], None, None]:
    """Let workers do pieces of work; yield the number and the result of each when it is done.

    What all have in common travels to every worker once. Pieces that are lost with a worker are
    done again. When the work may not go on, or the caller ends it, pieces that run get a signal.

    Raises
    ------
    ClusterError
        If the cluster is gone, has no workers for too long, or its workers die of the work.
    """
    todo, failures = list(range(len(pieces))), 0
    while todo and may_go_on():
        waiting: dict[Future[Any], int] = {}
        try:
            sent = connection.everywhere(common, connection.waiting(until))
            begun = connection.start(
                _errand,
                *([each] * len(todo) for each in (run, sent)),
                [pieces[k] for k in todo],
                [bayesloom.__version__] * len(todo),
            )
            waiting.update(zip(begun, todo, strict=True))
            for k, result in _done(connection, waiting, may_go_on):
                failures = 0
                todo.remove(k)
                yield k, result
            if not waiting:
                return
        except Stopped:
            return
        except LostError as error:
            failures += 1
            if failures == _ATTEMPTS:
                msg = (
                    "workers die whenever they do this work; give them more memory, or use more "
                    "of them"
                )
                raise ClusterError(msg) from error
        finally:
            connection.give_up(list(waiting))


def _done(
    connection: ClusterConnection,
    waiting: dict[Future[Any], int],
    may_go_on: Callable[[], bool],
) -> Generator[tuple[int, Any], None, None]:
    """Yield what is done as long as there is something to wait for and the work may go on."""
    patience = connection.waiting()
    while waiting and may_go_on():
        ready = [future for future in waiting if future.done()]  # type: ignore[no-untyped-call]
        if not ready:
            patience.check()
            time.sleep(_LOOK)
            continue
        patience = connection.waiting()
        for future in ready:
            (result,) = connection.results([future], patience)
            yield waiting.pop(future), result


def _errand(run: Errand, common: object, piece: object, version: str) -> object:
    """Do a piece of work in a worker."""
    check_version(version)
    signal = StopSignal()
    with _given_when_unwanted(signal):
        return run(common, piece, signal)


@contextmanager
def _given_when_unwanted(signal: StopSignal) -> Iterator[None]:
    """Give a signal when the client has given up the work that is being done, or is gone."""
    from distributed import get_worker

    worker = get_worker()
    key, is_done = worker.get_current_task(), threading.Event()

    def look() -> None:
        while not is_done.wait(_LOOK_AT_CLIENT):
            task = worker.state.tasks.get(key)
            if task is None or task.state in ("cancelled", "released", "forgotten"):
                signal.set()
                return

    looking = threading.Thread(target=look, daemon=True)
    looking.start()
    try:
        yield
    finally:
        is_done.set()
        looking.join()
