"""Bootstrap replicates: the same search on resamples of the rows, side by side."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass

import numpy as np

from bayesloom.averaging.pair_tally import Joined
from bayesloom.engine import Engine, Resampling
from bayesloom.errors import OptionError, Stopped
from bayesloom.search import Stop, Watch

_LOOK = 0.05  # seconds between two looks at the watch
_CUT_OFF = (Stop.TIME_LIMIT, Stop.INTERRUPTED)

Act = Callable[[Engine, Watch], tuple[Joined, Stop]]
"""What is done with one resample: the edges found, and why the search ended."""

Tell = Callable[[Mapping[int, Joined]], None]
"""Called with the replicates that are done, after each."""


@dataclass(frozen=True, slots=True)
class Replicates:
    """The replicates that were done, by their numbers, and why there are no more."""

    done: Mapping[int, Joined]
    stop: Stop


def replicate_seed(seed: int, number: int) -> int:
    """Return the seed of a replicate's rows; it depends on nothing else.

    Examples
    --------
    >>> replicate_seed(1, 0) != replicate_seed(1, 1) != replicate_seed(2, 1)
    True
    """
    return int(np.random.SeedSequence([seed, number]).generate_state(1, np.uint64)[0])


def resampling(engine: Engine) -> Resampling:
    """Return an engine that can resample its rows.

    Raises
    ------
    OptionError
        If it cannot.
    """
    if isinstance(engine, Resampling):
        return engine
    kind = type(engine).__name__
    msg = f"{kind} cannot resample its rows: it has no method resampled(seed); see bl.Resampling"
    raise OptionError(msg)


def run_replicates(
    engine: Engine,
    act: Act,
    wanted: int,
    *,
    seed: int,
    watch: Watch,
    workers: int,
    known: Mapping[int, Joined] | None = None,
    tell: Tell = lambda _done: None,
) -> Replicates:
    """Run replicates 0 to ``wanted - 1``, except those that are known, on threads.

    Searches spend most of their time in native code without the lock of the interpreter, so threads
    do for them what processes would do, and share the table. The result is the same for any number
    of workers. A replicate that is cut off by the watch does not count.
    """
    rows = resampling(engine)
    done = dict(known or {})

    def run(number: int) -> Joined | None:
        own = Watch(signal=watch.signal)
        try:
            joined, stop = act(rows.resampled(replicate_seed(seed, number)), own)
        except Stopped:
            return None
        return None if stop in _CUT_OFF else joined

    todo = [number for number in range(wanted) if number not in done][::-1]
    waiting: dict[Future[Joined | None], int] = {}
    with ThreadPoolExecutor(workers) as pool:
        try:
            while waiting or (todo and watch.may_go_on()):
                while todo and len(waiting) < 2 * workers and watch.may_go_on():
                    number = todo.pop()
                    waiting[pool.submit(run, number)] = number
                ready, _ = wait(waiting, timeout=_LOOK, return_when=FIRST_COMPLETED)
                for future in sorted(ready, key=waiting.__getitem__):
                    number, joined = waiting.pop(future), future.result()
                    if joined is not None:
                        done[number] = joined
                        tell(done)
        except BaseException:
            watch.signal.set()  # the others end soon
            raise
    done = {number: done[number] for number in sorted(done)}
    whole = set(range(wanted)) <= set(done)
    return Replicates(done, Stop.COMPLETE if whole else watch.why(Stop.INTERRUPTED))
