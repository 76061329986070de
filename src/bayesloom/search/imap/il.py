"""I-map learning: local search constrained to cover the significant dependencies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Protocol

from bayesloom.engine import Engine
from bayesloom.errors import OptionError, check_kind
from bayesloom.independence import ChiSquare, Control, FixedAlpha, IndependenceTest
from bayesloom.scores import Score
from bayesloom.search.imap.covering import CoveringClimb, Mode
from bayesloom.search.imap.dependencies import Detected
from bayesloom.search.limits import Limits
from bayesloom.search.neighbourhood import Neighbourhood
from bayesloom.search.result import ScoredResult, Stop
from bayesloom.search.search import BaseSearch, Search, Testing, facts_of
from bayesloom.search.watch import Watch


class LocalSearch(Search, Protocol):
    """A local search that can lend its neighbourhood."""

    def walk(self, engine: Engine, limits: Limits, watch: Watch) -> Neighbourhood:
        """Stand at the start of the search."""


@dataclass(frozen=True, slots=True)
class IL(BaseSearch):
    """Maximise the score of a local search among the graphs that cover significant dependencies.

    The search keeps the set D of dependencies that its tests have detected. A graph covers a
    dependency of X and Y given S if X and Y are d-connected given S. Moves that raise the score are
    taken as usual, unless they uncover a dependency; when none is left, moves that cover more are
    taken even though the score falls. After every move the variables whose Markov blanket has
    changed are tested against everything outside of it. Only rejections count: a test that does
    not reject, or has too few rows, says nothing.

    `XGES` first climbs to its optimum and is tested there. What is then uncovered is covered at
    least cost; deletions, reversals and second thoughts follow, as long as they uncover nothing.

    With knowledge or a limit on parents some dependencies may stay uncovered; the result says
    which.

    Parameters
    ----------
    local : GES, XGES, HillClimbing or Tabu
        The local search and its score.
    test : IndependenceTest
        The test; its coverage rule says when a verdict counts.
    control : Control
        Which p-values reject. Tests are chosen by looking at the data, so no control guarantees a
        false discovery rate for the whole search.
    mode : Mode
        How growing and shrinking alternate.

    References
    ----------
    O. Schulte, G. Frigo, R. Greiner, W. Luo, H. Khosravi: A new hybrid method for Bayesian network
    learning with dependency constraints, IEEE CIDM 2009.
    """

    local: LocalSearch
    test: IndependenceTest = ChiSquare()
    control: Control = FixedAlpha()
    mode: Mode = Mode.REPEAT

    def __post_init__(self) -> None:
        if isinstance(self.local, type) or not hasattr(self.local, "walk"):
            msg = f"IL wraps GES(), XGES(), HillClimbing() or Tabu(), got {self.local!r}"
            raise OptionError(msg)
        for option in ("restarts", "turning"):
            if getattr(self.local, option, None):
                msg = f"IL climbs once and does not turn edges in classes; leave {option} out"
                raise OptionError(msg)
        check_kind("test", self.test, IndependenceTest, "a value such as ChiSquare()")
        check_kind("control", self.control, Control, "a value such as FixedAlpha(0.05)")
        check_kind("mode", self.mode, Mode, "a Mode such as Mode.REPEAT")

    def parts(self) -> Iterator[Search]:
        """Yield the search and the local search in it."""
        yield self
        yield from facts_of(self.local).parts()

    def goal(self, n_rows: int) -> Score | None:
        """Return what the local search maximises."""
        return facts_of(self.local).goal(n_rows)

    def testing(self) -> Testing:
        """Return the test and its control."""
        return Testing(self.test, self.control)

    def search(self, engine: Engine, limits: Limits, watch: Watch) -> ScoredResult:
        """Run the search; see `bayesloom.learn` for the everyday call."""
        walk = self.local.walk(engine, limits, watch)
        detected = Detected(engine, self.test, self.control.decider(), watch.signal)
        climb = CoveringClimb(walk, detected, self.mode, watch)
        with watch.heeded():
            climb.start()
            moved = True
            while moved and watch.may_go_on():
                known = len(detected.found)
                moved = False
                for phase in walk.phases:
                    while watch.may_go_on() and (move := climb.choose(phase)):
                        climb.adopt(move)
                        moved = True
                # In boundary mode a refused deletion can reveal something to cover.
                moved = self.mode is not Mode.ONCE and (
                    moved or len(detected.found) > known or climb.think_again()
                )
        kept = climb.wander() if walk.patience else len(watch.steps)
        found = walk.result(watch, Stop.LOCAL_OPTIMUM)
        return replace(
            found,
            steps=found.steps[:kept],
            dependencies=detected.report(found.dag.parent_masks),
            tests=detected.tally,
        )
