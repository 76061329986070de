"""Greedy equivalence search: Insert, Delete and Turn operators over CPDAGs."""

from __future__ import annotations

from dataclasses import dataclass

from bayesloom.engine import Engine
from bayesloom.scores import BIC, Score
from bayesloom.search.class_climb import ClassClimb, as_step, check_equivalent
from bayesloom.search.class_walk import ClassWalk
from bayesloom.search.limits import Limits
from bayesloom.search.result import SearchResult, Stop
from bayesloom.search.walk import Walk
from bayesloom.search.watch import Watch


@dataclass(frozen=True, slots=True)
class GES:
    """Search over equivalence classes: insert edges while the score rises, then delete them.

    Parameters
    ----------
    score : Score
        What is maximised; it has to give equivalent graphs the same value.
    turning : bool
        Turn edges after the deletions, and begin again as long as anything moves.

    References
    ----------
    D. M. Chickering: Optimal structure identification with greedy search, JMLR 3, 2002, theorems
    15 and 17. A. Hauser, P. Buehlmann: Characterization and greedy learning of interventional
    Markov equivalence classes, JMLR 13, 2012, for the turning phase.

    Examples
    --------
    >>> from bayesloom.scores import K2Score
    >>> GES(score=K2Score())
    Traceback (most recent call last):
    bayesloom.errors.OptionError: GES searches over equivalence classes and needs a score that is \
equal for equivalent graphs; K2Score is not: use BIC or BDeu, or HillClimbing
    """

    score: Score = BIC()
    turning: bool = False

    def __post_init__(self) -> None:
        check_equivalent(self.score, "GES")

    def search(self, engine: Engine, limits: Limits, watch: Watch) -> SearchResult:
        """Run the search; see `bayesloom.learn` for the everyday call."""
        kinds = ("insert", "delete", "reverse") if self.turning else ("insert", "delete")
        climb = ClassClimb.start(engine, self.score, limits, kinds)
        moved = True
        while moved:
            moved = False
            for kind in kinds:
                while watch.may_go_on() and (op := climb.step(kind)) is not None:
                    watch.saw(as_step(op), climb.score)
                    moved = self.turning
        return climb.result(engine, self.score, watch, Stop.LOCAL_OPTIMUM)

    def walk(self, engine: Engine, limits: Limits) -> Walk:
        """Lend the neighbourhood, growing and shrinking, to a constrained search."""
        return ClassWalk.start(engine, self.score, limits)
