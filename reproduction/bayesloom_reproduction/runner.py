"""Run the trials of an experiment on all processors, and take up where it was left."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import suppress
from multiprocessing.connection import Connection

from bayesloom.learning.crew import crew_of
from bayesloom.search import Watch
from bayesloom_reproduction.experiment import Experiment, Key, Rows, Trial
from bayesloom_reproduction.ledger import Ledger

_PARTS = 40  # parts of the work per process, so that all end at about the same time


def run_trials(
    experiment: Experiment,
    ledger: Ledger,
    *,
    jobs: int,
    report: Callable[[int, int], None] = lambda _done, _all: None,
    scheduler: object = None,
) -> Rows:
    """Run the trials that the ledger does not hold yet, and return the rows of all.

    Parameters
    ----------
    experiment : Experiment
        What to run.
    ledger : Ledger
        Where finished trials are kept.
    jobs : int
        How many processes share the work; the result is the same for any number.
    report : callable
        Called with the number of finished and of all trials.
    scheduler : str or distributed.Client, optional
        The address of a Dask cluster's scheduler, or a client: its workers run the trials, which
        takes ``bayesloom_reproduction`` on all of them, and no processes are started here.

    Returns
    -------
    dict
        The rows of every table, in the order of the trials.
    """
    trials = {tuple(trial.values()): trial for trial in reversed(experiment.trials())}
    todo = [trial for key, trial in trials.items() if key not in ledger.done][::-1]
    finished = len(trials) - len(todo)
    report(finished, len(trials))
    results = _results(experiment, todo, jobs)
    if scheduler is not None:
        results = _results_of_cluster(experiment, todo, scheduler)
    for key, rows in results:
        ledger.add(key, rows)
        finished += 1
        report(finished, len(trials))
    tables: Rows = {}
    for key in trials:
        for name, part in ledger.done[key].items():
            tables.setdefault(name, []).extend(part)
    return tables


def _results(
    experiment: Experiment, trials: Sequence[Trial], jobs: int
) -> Iterator[tuple[Key, Rows]]:
    if jobs == 1 or len(trials) < jobs:
        for trial in trials:
            yield from _run_part(experiment, [trial])
        return
    size = max(1, len(trials) // (_PARTS * jobs))
    parts = [trials[start : start + size] for start in range(0, len(trials), size)]
    # A process that is forked would share the locks of this one's threads; a spawned one does not.
    context = multiprocessing.get_context("spawn")
    held, ours = context.Pipe(duplex=False)
    pool = ProcessPoolExecutor(
        jobs, mp_context=context, initializer=_end_with_parent, initargs=(held,)
    )
    try:
        waiting = [pool.submit(_run_part, experiment, part) for part in parts]
        for part in as_completed(waiting):
            yield from part.result()
    except BaseException:
        ours.close()  # the workers end at once, whatever they are doing
        raise
    finally:
        pool.shutdown(cancel_futures=True)
        held.close()
        ours.close()


def _results_of_cluster(
    experiment: Experiment, trials: Sequence[Trial], scheduler: object
) -> Iterator[tuple[Key, Rows]]:
    with crew_of(None, scheduler) as crew:
        for _, part in crew.results(_run_one, experiment, trials, Watch()):
            yield from part


def _run_one(experiment: Experiment, trial: Trial, _watch: Watch) -> list[tuple[Key, Rows]]:
    return _run_part(experiment, [trial])


def _end_with_parent(lifeline: Connection) -> None:
    """Leave signals to the parent, and end when it lets go of the other end or is gone."""
    for which in (signal.SIGINT, signal.SIGTERM):
        signal.signal(which, signal.SIG_IGN)
    threading.Thread(target=_wait_for_end, args=(lifeline,), daemon=True).start()


def _wait_for_end(lifeline: Connection) -> None:
    with suppress(EOFError, OSError):
        lifeline.recv_bytes()
    os._exit(1)


def _run_part(experiment: Experiment, trials: Sequence[Trial]) -> list[tuple[Key, Rows]]:
    return [(tuple(trial.values()), experiment.run(trial)) for trial in trials]
