"""The climb of I-map learning: moves that raise the score or cover dependencies."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum

from bayesloom.graphs import moral_graph
from bayesloom.search.facts.moves import Alternative, Reason
from bayesloom.search.imap.dependencies import Detected, Pair
from bayesloom.search.neighbourhood import Candidate, Neighbourhood, Phase
from bayesloom.search.watch import Watch


class Mode(Enum):
    """How growing and shrinking alternate.

    REPEAT: until a whole round makes no move; a deletion that reveals new dependencies stands and
    the next growth covers them. BOUNDARY: a deletion is refused if a Markov-blanket hypothesis of
    its result is rejected. ONCE: one growth, one shrinking; dependencies found while shrinking may
    stay uncovered.
    """

    REPEAT = "repeat"
    BOUNDARY = "boundary"
    ONCE = "once"


@dataclass(slots=True)
class CoveringClimb:
    """A walk, what its tests have detected, and how the one limits the other."""

    walk: Neighbourhood
    detected: Detected
    mode: Mode
    watch: Watch
    blankets: list[int] = field(default_factory=list)

    def start(self) -> None:
        """Test all pairs, and what the graph to start from claims."""
        if self.detected.engine.round_trip > 0:
            self.detected.foresee(self._sets_ahead)
        self.blankets = moral_graph(self.walk.dag)
        self.detected.go_to(self.walk.dag)
        self.detected.add_uncovered(self.detected.look_at_all_pairs())
        everything = range(len(self.blankets))
        self.detected.add_uncovered(self.detected.look_around(self.blankets, everything))
        self.detected.settle()

    def choose(self, phase: Phase) -> Candidate | None:
        """Return the best move that loses no dependency, or the best that covers one more."""
        passed: Candidate | None = None
        moves = self.walk.moves(phase, self.walk.epsilon)
        for move in moves:
            if self._holds(phase, move):
                following = self._following(phase, moves, move, Reason.SCORE)
                return self._told(move, Reason.SCORE, passed, following)
            passed = passed or move
        if not phase.covers or not self.detected.n_uncovered:
            return None
        moves = self.walk.moves(phase, -math.inf, back=True)
        for move in moves:
            if self._covers_more(move) and self._holds(phase, move):
                following = self._following(phase, moves, move, Reason.DEPENDENCY)
                return self._told(move, Reason.DEPENDENCY, passed, following)
            passed = passed or move
        return None

    def _covers_more(self, move: Candidate) -> bool:
        if move.step.operator == "delete":
            return False
        if move.step.operator == "insert" and self.detected.joins(move.step.x, move.step.y):
            return True
        pair = pair_of(move)
        return self.detected.may_gain(pair) and self.detected.gains(self.walk.after(move), pair)

    def _holds(self, phase: Phase, move: Candidate) -> bool:
        """Say whether a move keeps every dependency covered that is covered now."""
        if not phase.uncovers or move.step.operator == "insert":
            return True
        return self._admits(self.walk.after(move), pair_of(move))

    def _admits(self, after: list[int], pair: Pair | None = None) -> bool:
        """Say whether a graph, which differs by a pair, covers every dependency covered now."""
        if not self.detected.keeps(after, pair):
            return False
        if self.mode is not Mode.BOUNDARY:
            return True
        blankets = moral_graph(after)
        changed = changed_nodes(self.blankets, blankets)
        self.detected.add_uncovered(self.detected.look_around(blankets, changed))
        self.detected.settle()
        return not self.detected.any_rejected(blankets, changed)

    def _following(
        self, phase: Phase, moves: Iterator[Candidate], chosen: Candidate, reason: Reason
    ) -> Candidate | None:
        """Return the next move on another pair if it could have been taken for the same reason.

        On the same pair it often leads to the same class. Whether a deletion holds in boundary mode
        would take tests, so none is told there.
        """
        pair = {chosen.step.x, chosen.step.y}
        move = next((move for move in moves if {move.step.x, move.step.y} != pair), None)
        if move is None or (reason is Reason.DEPENDENCY and not self._covers_more(move)):
            return None
        if not phase.uncovers or move.step.operator == "insert":
            return move
        if self.mode is Mode.BOUNDARY:
            return None
        return move if self.detected.keeps(self.walk.after(move), pair_of(move)) else None

    def _told(
        self,
        move: Candidate,
        reason: Reason,
        passed: Candidate | None,
        following: Candidate | None,
    ) -> Candidate:
        """Add to a move why it was chosen and what else there was; ties were not passed over."""
        if passed is not None and passed.step.gain <= move.step.gain + self.walk.epsilon:
            passed = None
        step = replace(
            move.step,
            reason=reason,
            passed_over=None if passed is None else Alternative.of(passed.step),
            runner_up=None if following is None else Alternative.of(following.step),
        )
        return replace(move, step=step)

    def adopt(self, move: Candidate) -> None:
        """Make a move, test what it changed and find out what is covered."""
        self.walk.take(move)
        step = move.step
        # What a deletion leaves is checked before it is made, and it covers nothing new.
        grows = step.operator != "delete"
        changed = self.detected.go_to(self.walk.dag, pair_of(move), grows=grows)
        gained = self.detected.settle() if grows else {}
        if gained:
            step = replace(step, covered=self.detected.places(gained))
        self.watch.saw(step, self.walk.score, self.walk.dag)
        self._test(changed)

    def think_again(self) -> bool:
        """Make a larger change that the walk finds, test what it changed, and say whether it did.

        It raises the score and keeps covered what is covered.
        """
        if not self.walk.think_again(self.watch, self._admits):
            return False
        changed = self.detected.go_to(self.walk.dag)
        if gained := self.detected.settle():
            last = replace(self.watch.steps[-1], covered=self.detected.places(gained))
            self.watch.steps[-1] = last
        self._test(changed)
        return True

    def _test(self, changed: dict[int, int]) -> None:
        """Test all variables whose Markov blanket has changed."""
        for v, blanket in changed.items():
            self.blankets[v] = blanket
        self.detected.add_uncovered(self.detected.look_around(self.blankets, changed))

    def _sets_ahead(self) -> Iterator[int]:
        """Yield the sets that tests will be about in the graphs that probably come next."""
        before = self.blankets
        for parents in self.walk.ahead():
            after = moral_graph(parents)
            for v in changed_nodes(before, after):
                yield after[v] | 1 << v
            before = after

    def wander(self) -> int:
        """Go on past the optimum as long as the walk is patient, and then cover what is left.

        The walk remembers the best graph: the one that leaves the fewest of the dependencies
        found so far uncovered, then the one that scores highest.

        Returns
        -------
        int
            How many steps led to the best graph.
        """
        best, kept = self._note(), len(self.watch.steps)
        since = 0
        phase = self.walk.phases[0]
        with self.watch.heeded():
            while self.watch.may_go_on():
                move = self.choose(phase)
                if move is None and since < self.walk.patience:
                    move = next(self._anywhere(phase), None)
                if move is None or (since >= self.walk.patience and not self.detected.n_uncovered):
                    break
                self.adopt(move)
                since += 1
                if self._is_better(best):
                    best, kept, since = self._note(), len(self.watch.steps), 0
        return kept

    def _note(self) -> tuple[list[int], float]:
        self.walk.remember()
        return self.walk.dag[:], self.walk.score

    def _is_better(self, best: tuple[list[int], float]) -> bool:
        lost = len(self.detected.missing(best[0]))
        left = self.detected.n_uncovered
        return left < lost or (left == lost and self.walk.score > best[1] + self.walk.epsilon)

    def _anywhere(self, phase: Phase) -> Iterator[Candidate]:
        moves = self.walk.moves(phase, -math.inf)
        return (move for move in moves if self._holds(phase, move))


def pair_of(move: Candidate) -> Pair:
    """Return the ends of the edge that a move changes."""
    return move.step.x, move.step.y


def changed_nodes(before: Sequence[int], after: Sequence[int]) -> list[int]:
    """List the variables with another mask than before."""
    return [v for v, (old, new) in enumerate(zip(before, after, strict=True)) if old != new]
