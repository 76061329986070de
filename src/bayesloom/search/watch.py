"""The watch of a search: budgets, interruption, progress, and the record of steps."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bayesloom.engine import StopSignal
from bayesloom.errors import Stopped, check_number, check_whole
from bayesloom.search.facts.moves import Step
from bayesloom.search.result import Stop

if TYPE_CHECKING:
    from bayesloom._native import CPDAGState


@dataclass(frozen=True, slots=True)
class Budget:
    """How much a search may spend.

    Parameters
    ----------
    time_limit : float
        Seconds; a search that reaches it returns the best graph so far.
    max_steps : int, optional
        Moves of the search; for a search over orders, swaps of neighbours.
    """

    time_limit: float = math.inf
    max_steps: int | None = None

    def __post_init__(self) -> None:
        if self.time_limit != math.inf:
            check_number("time_limit", self.time_limit, above=0)
        if self.max_steps is not None:
            check_whole("max_steps", self.max_steps, 0)


@dataclass(slots=True)
class Watch:
    """Keep the budget of one search and the record of what it did.

    Parameters
    ----------
    budget : Budget
        When to stop.
    report : callable, optional
        Called with the watch itself before the first step and after every step and every trial; it
        draws the progress line. It may end the search by `interrupt`, and hold it by `pause`.

    Examples
    --------
    >>> watch = Watch(Budget(max_steps=1))
    >>> watch.may_go_on()
    True
    >>> watch.saw(Step("insert", 0, 1, gain=2.5), score=-10.0)
    >>> watch.may_go_on(), watch.stopped
    (False, <Stop.STEP_LIMIT: 'the step limit was reached'>)
    """

    budget: Budget = field(default_factory=Budget)
    report: Callable[[Watch], object] | None = None
    steps: list[Step] = field(default_factory=list)
    score: float = -math.inf
    bound: float | None = None
    candidates: int = 0
    trials: int = 0
    """How many changes have been tried since the last step."""
    graph: list[int] | CPDAGState | None = None
    """What the last step led to, if the search tells it: parent masks, or the class.

    It is the search's own and changes with the next step: copy it where the watch is told.
    """
    tests: int = 0
    """How many tests a search has made that only tests."""
    stopped: Stop | None = None
    interrupted: bool = False
    cramped: bool = False
    started: float = field(default_factory=time.monotonic)
    signal: StopSignal = field(default_factory=StopSignal)
    """Given when time is over or `interrupt` is called; native loops look at it."""
    _running: threading.Event = field(default_factory=threading.Event, repr=False)

    def __post_init__(self) -> None:
        self._running.set()
        if self.budget.time_limit != math.inf:
            self.signal.deadline(self.budget.time_limit)

    def interrupt(self) -> None:
        """End the search as soon as possible, in the middle of a batch if need be."""
        self.interrupted = True
        self.signal.set()
        self._running.set()

    def pause(self) -> None:
        """Hold the search at its next step or trial, until `resume`; call it from any thread."""
        if not self.interrupted:
            self._running.clear()

    def resume(self) -> None:
        """Let a search that is held go on; the time it was held is not counted."""
        self._running.set()

    def _hold(self) -> None:
        """Wait while the search is paused."""
        began = time.monotonic()
        self._running.wait()
        self.started += time.monotonic() - began
        if self.budget.time_limit != math.inf:
            self.signal.deadline(max(0.0, self.budget.time_limit - self.seconds))

    @property
    def seconds(self) -> float:
        """How long the search has been running."""
        return time.monotonic() - self.started

    def may_go_on(self, ahead: int = 0) -> bool:
        """Say whether another step fits the budget; remember the reason if not.

        Parameters
        ----------
        ahead : int
            How many steps have been taken that are not recorded yet.
        """
        if not self._running.is_set():
            self._hold()
        taken, most = len(self.steps) + ahead, self.budget.max_steps
        if self.interrupted:
            self.stopped = Stop.INTERRUPTED
        elif most is not None and taken >= most:
            self.stopped = Stop.STEP_LIMIT
        elif self.signal.is_set:
            self.stopped = self._why_set()
        return self.stopped is None

    def _why_set(self) -> Stop:
        """Return why the signal was given."""
        in_time = self.seconds < self.budget.time_limit
        return Stop.INTERRUPTED if self.interrupted or in_time else Stop.TIME_LIMIT

    @contextmanager
    def heeded(self) -> Iterator[None]:
        """End the block where a batch is cut off because the signal was given.

        What the search has done before the batch stays as it is, so that it can be told.
        """
        try:
            yield
        except Stopped:
            self.stopped = self._why_set()

    def has_room(self, ahead: int) -> bool:
        """Say whether steps that are only tried fit the budget; a search may try others."""
        most = self.budget.max_steps
        fits = most is None or len(self.steps) + ahead <= most
        self.cramped = self.cramped or not fits
        return fits

    def saw(self, step: Step, score: float, graph: list[int] | CPDAGState | None = None) -> None:
        """Record a step, and the score and the graph it led to."""
        self.steps.append(step)
        self.score, self.graph = score, graph
        self.trials = 0
        self.tell()

    def tries(self) -> None:
        """Count a change that is only tried, for those who watch."""
        self.trials += 1
        self.tell()
        if not self._running.is_set():
            self._hold()

    def tested(self, n: int) -> None:
        """Count tests, for those who watch."""
        self.tests += n
        if self.report is not None:
            self.report(self)

    def proved(self, best: float, bound: float) -> None:
        """Report a score and what no network scores more than."""
        self.score, self.bound = best, bound
        self.tell()

    def tell(self) -> None:
        """Call the report, if there is one."""
        if self.report is not None:
            self.report(self)

    def why(self, otherwise: Stop) -> Stop:
        """Return why the search ended: the budget, or ``otherwise``."""
        return self.stopped or (Stop.STEP_LIMIT if self.cramped else otherwise)
