"""Tasks side by side: on threads of this process, or on the workers of a Dask cluster."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from bayesloom.errors import OptionError, check_whole
from bayesloom.processor import n_processors
from bayesloom.search import Watch

if TYPE_CHECKING:
    from bayesloom.engine.cluster.connection import ClusterConnection

_LOOK = 0.05  # seconds between two looks at the watch
_PATIENCE = 60.0  # seconds to wait for a cluster without workers

_Common = TypeVar("_Common")
_Task = TypeVar("_Task")
_Result = TypeVar("_Result")

Duty = Callable[[_Common, _Task, Watch], _Result]
"""What is done with a task, given what all have in common and a watch of its own."""


class Crew(Protocol):
    """Whoever does tasks side by side (executor)."""

    def results(
        self,
        job: Duty[_Common, _Task, _Result],
        common: _Common,
        tasks: Sequence[_Task],
        watch: Watch,
    ) -> Generator[tuple[_Task, _Result], None, None]:
        """Do tasks, and yield each with its result as soon as it is done, in any order.

        When the watch ends the work, tasks that have not begun are left out; those that have begun
        are told to end, and may be yielded with what they return then.
        """


@dataclass(frozen=True, slots=True)
class ThreadCrew:
    """Threads of this process.

    Searches spend most of their time in native code without the lock of the interpreter, so threads
    do for them what processes would do, and share the table.

    Parameters
    ----------
    n_threads : int
        How many.

    Examples
    --------
    >>> def job(base, exponent, watch):
    ...     return base**exponent
    >>> sorted(ThreadCrew(2).results(job, 2, [1, 2, 3], Watch()))
    [(1, 2), (2, 4), (3, 8)]
    """

    n_threads: int

    def results(
        self,
        job: Duty[_Common, _Task, _Result],
        common: _Common,
        tasks: Sequence[_Task],
        watch: Watch,
    ) -> Generator[tuple[_Task, _Result], None, None]:
        """Do tasks on threads."""
        todo, waiting = list(tasks)[::-1], dict[Future[_Result], _Task]()
        with ThreadPoolExecutor(self.n_threads) as pool:
            try:
                while waiting or (todo and watch.may_go_on()):
                    while todo and len(waiting) < self.n_threads and watch.may_go_on():
                        task = todo.pop()
                        own = Watch(signal=watch.signal)
                        waiting[pool.submit(job, common, task, own)] = task
                    ready, _ = wait(waiting, timeout=_LOOK, return_when=FIRST_COMPLETED)
                    for future in ready:
                        yield waiting.pop(future), future.result()
            except BaseException:
                watch.signal.set()  # the others end soon
                raise


@dataclass(frozen=True, slots=True)
class ClusterCrew:
    """The workers of a cluster: each gets what tasks have in common once.

    When a worker dies, its tasks are done by others. What a task returns depends on nothing else
    than the task, so the results are those of threads.

    Parameters
    ----------
    connection : ClusterConnection
        The way to the cluster.
    """

    connection: ClusterConnection

    def results(
        self,
        job: Duty[_Common, _Task, _Result],
        common: _Common,
        tasks: Sequence[_Task],
        watch: Watch,
    ) -> Generator[tuple[_Task, _Result], None, None]:
        """Do tasks on the workers."""
        from bayesloom.engine.cluster.errand import errands
        from bayesloom.engine.cluster.waiting import Until

        def run(shared: _Common, task: _Task, signal: Any) -> _Result:  # noqa: ANN401
            return job(shared, task, Watch(signal=signal))

        until, may_go_on = Until(watch.signal), watch.may_go_on
        done = errands(self.connection, run, common, tasks, may_go_on=may_go_on, until=until)
        for k, result in done:
            yield tasks[k], result


@contextmanager
def crew_of(threads: int | None, scheduler: object = None) -> Iterator[Crew]:
    """Return those who do tasks: threads, or the workers of a cluster.

    Parameters
    ----------
    threads : int, optional
        How many threads; by default as many as there are processors.
    scheduler : str or distributed.Client, optional
        The address of a cluster's scheduler, or a client of it.

    Raises
    ------
    OptionError
        If both are given.
    ClusterError
        If the cluster is not there, has no workers, or workers with another version of bayesloom.
    """
    if threads is not None:
        check_whole("threads", threads, 1)
    if scheduler is None:
        yield ThreadCrew(threads or n_processors())
        return
    if threads is not None:
        msg = (
            "threads (--threads) are those of this process, and scheduler (--scheduler) names a "
            "cluster whose workers have their own; give one of them"
        )
        raise OptionError(msg)
    from bayesloom.engine.cluster.connection import connected

    with connected(scheduler, _PATIENCE) as connection:
        connection.workers()
        connection.check_versions()
        yield ClusterCrew(connection)
