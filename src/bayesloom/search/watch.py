"""The watch of a search: budgets, interruption, progress, and the record of steps."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from bayesloom.errors import check_number, check_whole
from bayesloom.search.result import Step, Stop


@dataclass(frozen=True, slots=True)
class Budget:
    """How much a search may spend.

    Parameters
    ----------
    time_limit : float
        Seconds; a search that reaches it returns the best graph so far.
    max_steps : int, optional
        Moves of the search.
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
        Called after every step with the watch itself; draws the progress line.

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
    report: Callable[[Watch], None] | None = None
    steps: list[Step] = field(default_factory=list)
    score: float = -math.inf
    candidates: int = 0
    stopped: Stop | None = None
    interrupted: bool = False
    cramped: bool = False
    started: float = field(default_factory=time.monotonic)

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
        taken, most = len(self.steps) + ahead, self.budget.max_steps
        if self.interrupted:
            self.stopped = Stop.INTERRUPTED
        elif most is not None and taken >= most:
            self.stopped = Stop.STEP_LIMIT
        elif time.monotonic() - self.started >= self.budget.time_limit:
            self.stopped = Stop.TIME_LIMIT
        return self.stopped is None

    def has_room(self, ahead: int) -> bool:
        """Say whether steps that are only tried fit the budget; a search may try others."""
        most = self.budget.max_steps
        fits = most is None or len(self.steps) + ahead <= most
        self.cramped = self.cramped or not fits
        return fits

    def saw(self, step: Step, score: float) -> None:
        """Record a step and the score it led to."""
        self.steps.append(step)
        self.score = score
        if self.report is not None:
            self.report(self)

    def why(self, otherwise: Stop) -> Stop:
        """Return why the search ended: the budget, or ``otherwise``."""
        return self.stopped or (Stop.STEP_LIMIT if self.cramped else otherwise)
