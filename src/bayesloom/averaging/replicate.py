"""Bootstrap replicates: the same search on resamples of the rows, side by side."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from bayesloom.averaging.pair_tally import Joined
from bayesloom.engine import Engine, Resampling
from bayesloom.errors import OptionError, Stopped
from bayesloom.learning.crew import Crew
from bayesloom.search import Stop, Watch

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


@dataclass(frozen=True, slots=True)
class _Source:
    """What all replicates have in common."""

    engine: Engine
    act: Act
    seed: int


def run_replicates(
    engine: Engine,
    act: Act,
    wanted: int,
    *,
    seed: int,
    watch: Watch,
    crew: Crew,
    known: Mapping[int, Joined] | None = None,
    tell: Tell = lambda _done: None,
) -> Replicates:
    """Run replicates 0 to ``wanted - 1``, except those that are known, side by side.

    The result is the same whoever runs them. A replicate that is cut off by the watch does not
    count.
    """
    done = dict(known or {})
    todo = [number for number in range(wanted) if number not in done]
    for number, joined in crew.results(_replicate, _Source(engine, act, seed), todo, watch):
        if joined is not None:
            done[number] = joined
            tell(done)
    done = {number: done[number] for number in sorted(done)}
    whole = set(range(wanted)) <= set(done)
    return Replicates(done, Stop.COMPLETE if whole else watch.why(Stop.INTERRUPTED))


def _replicate(source: _Source, number: int, watch: Watch) -> Joined | None:
    """Return what one replicate joins; nothing if it is cut off."""
    engine = resampling(source.engine.until(watch.signal))
    try:
        rows = engine.resampled(replicate_seed(source.seed, number))
        joined, stop = source.act(rows, watch)
    except Stopped:
        return None
    return None if stop in _CUT_OFF else joined
