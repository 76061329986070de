"""What a climb over equivalence classes will ask next: a copy of it runs ahead and notes it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

from bayesloom._native import CPDAGState, Operator, OperatorKind
from bayesloom.search.equivalence.climb import EquivalenceClimb
from bayesloom.search.equivalence.operator_queue import OperatorQueue
from bayesloom.search.foresight import FARTHEST, Foresight, Unforeseen
from bayesloom.search.local_scores import ForeseenScores

_MOST_STEPS = 1024  # of a copy; trials on public networks have taken up to 308


@dataclass(slots=True)
class ForeseenQueue(OperatorQueue):
    """A queue without the operators at nodes whose scores are not known yet."""

    def renew(self, state: CPDAGState, touched: int) -> None:
        """Note what the operators at the touched nodes need; without it they are left out."""
        try:
            OperatorQueue.renew(self, state, touched)
        except Unforeseen:
            self.heap.drop(touched)


@dataclass(slots=True)
class ForeseenClimb(EquivalenceClimb):
    """A copy of a climb that goes on with the scores that are known, and notes those that are not.

    It has caches of operators of its own: those of the climb hold what the climb has asked for.
    """

    kind_of_queue: ClassVar[type[OperatorQueue]] = ForeseenQueue
    left: int = _MOST_STEPS
    """How many steps it may still go: scores that do not add up may lead round in a circle."""

    def step(self, *kinds: OperatorKind) -> Operator | None:
        """Apply the best known operator of the first of some kinds that has one."""
        op = EquivalenceClimb.step(self, *kinds) if self.left else None
        self.left -= op is not None
        return op

    def at_the_place_of(self, climb: EquivalenceClimb) -> Self:
        """Return a copy that stands where a climb stands, with its queues."""
        return self._with(climb, frozenset())

    def copy(self, banned: frozenset[tuple[int, int]] = frozenset()) -> Self:
        """Return a climb that goes on from here on its own and keeps the banned edges out."""
        return self._with(self, banned)

    def _with(self, climb: EquivalenceClimb, banned: frozenset[tuple[int, int]]) -> Self:
        other = type(self)(
            climb.state.copy(),
            climb.score,
            self.scores,
            self.limits,
            self.epsilon,
            self.start,
            behind=dict(climb.behind),
            caches=self.caches,
        )
        for kind, queue in climb.queues.items():
            other.queues[kind] = other.new_queue(kind, queue.floor)
            other.queues[kind].heap = queue.heap.copy(banned)
        return other


def scout_of(climb: EquivalenceClimb, sight: Foresight) -> ForeseenClimb:
    """Return a copy of a climb that runs ahead of it, with caches that the climb's scouts share."""
    if climb.scout is None:
        climb.scout = ForeseenClimb(
            climb.state.copy(),
            climb.score,
            ForeseenScores(climb.scores, sight),
            climb.limits,
            climb.epsilon,
            climb.start,
        )
    assert isinstance(climb.scout, ForeseenClimb)
    return climb.scout.at_the_place_of(climb)


def go_ahead(climb: EquivalenceClimb, kinds: Sequence[OperatorKind], sight: Foresight) -> None:
    """Let a copy take the best known operators, and note what each step would ask for.

    The first of the kinds is preferred to the second, and so on.
    """
    scout = scout_of(climb, sight)
    for _ in range(FARTHEST):
        if not sight.has_room or scout.step(*kinds) is None:
            return


def members_ahead(climb: EquivalenceClimb, kind: OperatorKind) -> list[list[int]]:
    """Return members of the classes that a climb will probably come through, as far as it knows.

    Nothing is asked for. Near its rows a climb has no guess.
    """
    sight, found = climb.scores.foresight, list[list[int]]()
    if sight is None:
        return found
    scout = scout_of(climb, sight)

    def guess(sight: Foresight) -> None:
        for _ in range(FARTHEST):
            if not sight.has_room or scout.step(kind) is None:
                return
            found.append(scout.member())

    sight.peek(guess)
    return found
