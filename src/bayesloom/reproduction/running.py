"""Run the trials of an experiment on all processors, and take up where it was left."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed

from bayesloom.reproduction.experiment import Experiment, Key, Rows
from bayesloom.reproduction.ledger import Ledger

_PARTS = 40  # parts of the work per process, so that all end at about the same time


def run_trials(
    experiment: Experiment,
    ledger: Ledger,
    *,
    reps: int,
    seed: int,
    jobs: int,
    report: Callable[[int, int], None] = lambda _done, _all: None,
) -> Rows:
    """Run the trials that the ledger does not hold yet, and return the rows of all.

    Parameters
    ----------
    experiment : Experiment
        What to run.
    ledger : Ledger
        Where finished trials are kept.
    reps, seed : int
        How often every constellation is repeated, and the seed of all randomness.
    jobs : int
        How many processes share the work; the result is the same for any number.
    report : callable
        Called with the number of finished and of all trials.

    Returns
    -------
    dict
        The rows of every table, in the order of the trials.
    """
    keys = experiment.keys(reps)
    todo = [key for key in keys if key not in ledger.done]
    report(len(keys) - len(todo), len(keys))
    finished = len(keys) - len(todo)
    for key, rows in _results(experiment, todo, seed, jobs):
        ledger.add(key, rows)
        finished += 1
        report(finished, len(keys))
    tables: Rows = {}
    for key in sorted(keys, key=lambda key: tuple(map(_rank, key))):
        for name, part in ledger.done[key].items():
            tables.setdefault(name, []).extend(part)
    return tables


def _rank(part: float | str) -> tuple[float, str]:
    return (0.0, part) if isinstance(part, str) else (float(part), "")


def _results(
    experiment: Experiment, keys: Sequence[Key], seed: int, jobs: int
) -> Iterator[tuple[Key, Rows]]:
    if jobs == 1 or len(keys) < jobs:
        yield from ((key, experiment.run(key, seed)) for key in keys)
        return
    size = max(1, len(keys) // (_PARTS * jobs))
    parts = [keys[start : start + size] for start in range(0, len(keys), size)]
    # A process that is forked would share the locks of this one's threads; a spawned one does not.
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(jobs, mp_context=context, initializer=_leave_signals_to_parent)
    try:
        waiting = [pool.submit(_run_part, experiment, part, seed) for part in parts]
        for part in as_completed(waiting):
            yield from part.result()
    finally:
        pool.shutdown(cancel_futures=True)


def _leave_signals_to_parent() -> None:
    """Let the parent say when to end, and end with it, however it ends."""
    for which in (signal.SIGINT, signal.SIGTERM):
        signal.signal(which, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _run_part(experiment: Experiment, keys: Sequence[Key], seed: int) -> list[tuple[Key, Rows]]:
    return [(key, experiment.run(key, seed)) for key in keys]
