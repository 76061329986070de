"""I-map learning: local search constrained to cover the significant dependencies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Protocol

from bayesloom.engine import Engine
from bayesloom.errors import OptionError
from bayesloom.graphs import moral_graph
from bayesloom.independence import ChiSquare, Control, FixedAlpha, IndependenceTest
from bayesloom.scores import BDeu, Score
from bayesloom.search.dependencies import Detected, Key
from bayesloom.search.ges import GES
from bayesloom.search.hill_climbing import HillClimbing
from bayesloom.search.limits import Limits
from bayesloom.search.result import Reason, SearchResult, Stop
from bayesloom.search.walk import Candidate, Phase, Walk
from bayesloom.search.watch import Watch


class Mode(Enum):
    """How growing and shrinking alternate.

    REPEAT: until a whole round makes no move; a deletion that reveals new dependencies stands and
    the next growth covers them. BOUNDARY: such deletions are refused. ONCE: one growth, one
    shrinking; dependencies found while shrinking may stay uncovered.
    """

    REPEAT = "repeat"
    BOUNDARY = "boundary"
    ONCE = "once"


class LocalSearch(Protocol):
    """A local search that can lend its neighbourhood."""

    def walk(self, engine: Engine, limits: Limits) -> Walk:
        """Stand at the start of the search."""


@dataclass(frozen=True, slots=True)
class IL:
    """Maximise the score of a local search among the graphs that cover significant dependencies.

    The search keeps the set D of dependencies that its tests have detected. A graph covers a
    dependency of X and Y given S if X and Y are d-connected given S. Moves that raise the score are
    taken as usual, unless they uncover a dependency; when none is left, moves that cover more are
    taken even though the score falls. After every move the variables whose Markov blanket has
    changed are tested against everything outside of it. Only rejections count: a test that does
    not reject, or has too few rows, says nothing.

    With knowledge or a limit on parents some dependencies may stay uncovered; the result says
    which.

    Parameters
    ----------
    local : GES, HillClimbing or Tabu
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
        if not hasattr(self.local, "walk"):
            msg = f"IL wraps GES, HillClimbing or Tabu, got {type(self.local).__name__}"
            raise OptionError(msg)
        if not isinstance(self.mode, Mode):
            msg = f"mode must be a Mode such as Mode.REPEAT, got {self.mode!r}"
            raise OptionError(msg)

    def search(self, engine: Engine, limits: Limits, watch: Watch) -> SearchResult:
        """Run the search; see `bayesloom.learn` for the everyday call."""
        walk = self.local.walk(engine, limits)
        detected = Detected(engine, self.test, self.control.decider())
        detected.look_at_all_pairs()
        detected.look_around(walk.dag, range(engine.n_variables))
        detected.update(walk.dag, only_uncovered=False)
        moved = True
        while moved and watch.may_go_on():
            moved = False
            for phase in walk.phases:
                while watch.may_go_on() and (move := self._choose(walk, phase, detected)):
                    self._adopt(walk, move, detected, watch)
                    moved = self.mode is not Mode.ONCE
        if walk.patience:
            self._wander(walk, detected, watch)
        found = walk.result(watch, Stop.LOCAL_OPTIMUM)
        detected.update(found.dag.parents, only_uncovered=False)
        dependencies = tuple(
            replace(dependency, covered=key not in detected.uncovered)
            for key, dependency in detected.found.items()
        )
        return replace(found, dependencies=dependencies, tests=detected.tally)

    def _wander(self, walk: Walk, detected: Detected, watch: Watch) -> None:
        """Go on past the optimum as long as the walk is patient; it remembers the best graph.

        A graph is better if it leaves fewer dependencies uncovered, then if it scores higher.
        """
        phase = walk.phases[0]
        best, since = (-len(detected.uncovered), walk.score), 0
        walk.remember()
        while since < walk.patience and watch.may_go_on():
            move = self._choose(walk, phase, detected) or next(
                (
                    move
                    for move in walk.moves(phase.name, float("-inf"))
                    if self._holds(phase, walk, move, detected)
                ),
                None,
            )
            if move is None:
                return
            self._adopt(walk, move, detected, watch)
            now = -len(detected.uncovered), walk.score
            since += 1
            if now[0] > best[0] or (now[0] == best[0] and now[1] > best[1] + walk.epsilon):
                best, since = now, 0
                walk.remember()

    def _choose(self, walk: Walk, phase: Phase, detected: Detected) -> Candidate | None:
        """Return the best move that loses no dependency, or the best that covers one more."""
        for move in walk.moves(phase.name, walk.epsilon):
            if self._holds(phase, walk, move, detected):
                return move
        if not phase.covers or not detected.uncovered:
            return None
        for move in walk.moves(phase.name, float("-inf")):
            if detected.gains(move.dag) and self._holds(phase, walk, move, detected):
                return replace(move, step=replace(move.step, reason=Reason.DEPENDENCY))
        return None

    def _holds(self, phase: Phase, walk: Walk, move: Candidate, detected: Detected) -> bool:
        if not phase.uncovers or move.step.operator == "insert":
            return True
        if not detected.keeps(move.dag):
            return False
        if self.mode is Mode.BOUNDARY:
            changed = changed_blankets(walk.dag, move.dag)
            new = detected.look_around(move.dag, changed)
            detected.uncovered |= detected.split(walk.dag, new)[1]
            return not detected.split(move.dag, new)[1]
        return True

    def _adopt(self, walk: Walk, move: Candidate, detected: Detected, watch: Watch) -> None:
        """Make a move, test what it changed and find out what is covered."""
        changed = changed_blankets(walk.dag, move.dag)
        walk.take(move)
        inserted = move.step.operator == "insert"
        gained = detected.update(move.dag, only_uncovered=inserted)
        new = detected.look_around(move.dag, changed)
        detected.uncovered |= detected.split(move.dag, new)[1]
        watch.saw(replace(move.step, covered=_places(detected, gained)), walk.score)


def _places(detected: Detected, keys: set[Key]) -> tuple[int, ...]:
    return tuple(k for k, key in enumerate(detected.found) if key in keys) if keys else ()


def changed_blankets(before: Sequence[int], after: Sequence[int]) -> list[int]:
    """List the variables whose Markov blanket differs between two graphs."""
    pairs = zip(moral_graph(before), moral_graph(after), strict=True)
    return [v for v, (old, new) in enumerate(pairs) if old != new]


@dataclass(frozen=True, slots=True)
class IGES:
    """I-map learning with greedy equivalence search: ``IL(GES(score))``.

    Parameters
    ----------
    score : Score
        What is maximised; it has to give equivalent graphs the same value.
    test, control, mode
        As in `IL`.

    Examples
    --------
    >>> IGES(score=BDeu(ess=10, kappa=0.001), control=FixedAlpha(0.01)).control
    FixedAlpha(alpha=0.01)
    """

    score: Score = BDeu()
    test: IndependenceTest = ChiSquare()
    control: Control = FixedAlpha()
    mode: Mode = Mode.REPEAT

    def __post_init__(self) -> None:
        self.schema()

    def schema(self) -> IL:
        """Return the same search in its general form."""
        return IL(GES(score=self.score), self.test, self.control, self.mode)

    def search(self, engine: Engine, limits: Limits, watch: Watch) -> SearchResult:
        """Run the search; see `bayesloom.learn` for the everyday call."""
        return self.schema().search(engine, limits, watch)


@dataclass(frozen=True, slots=True)
class IHC:
    """I-map learning with hill climbing over DAGs: ``IL(HillClimbing(score))``.

    Parameters
    ----------
    score : Score
        What is maximised.
    test, control, mode
        As in `IL`.
    """

    score: Score = BDeu()
    test: IndependenceTest = ChiSquare()
    control: Control = FixedAlpha()
    mode: Mode = Mode.REPEAT

    def __post_init__(self) -> None:
        self.schema()

    def schema(self) -> IL:
        """Return the same search in its general form."""
        return IL(HillClimbing(score=self.score), self.test, self.control, self.mode)

    def search(self, engine: Engine, limits: Limits, watch: Watch) -> SearchResult:
        """Run the search; see `bayesloom.learn` for the everyday call."""
        return self.schema().search(engine, limits, watch)
