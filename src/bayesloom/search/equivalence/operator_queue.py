"""A priority queue of the operators of a class that improve its score, kept up to date."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from bayesloom._native import (
    CPDAGState,
    Operator,
    OperatorCache,
    OperatorHeap,
    OperatorKind,
    QueuedOperator,
)
from bayesloom.graphs import transposed
from bayesloom.search.limits import Limits
from bayesloom.search.local_scores import LocalScores

MOST_LISTED = 1024
"""How many operators of a node are listed at a time."""


class Taken(NamedTuple):
    """An operator that was taken from the queue, and how it comes back if it is not applied."""

    op: Operator
    ticket: QueuedOperator


@dataclass(slots=True)
class OperatorQueue:
    """The priority queue of the operators of one kind: a heap of the best of every node.

    The operators at a node are asked for anew when a change has touched it. An operator that fails
    only because a semi-directed path is open, or because its result breaks the limits, is parked
    and comes back when that may have changed.

    No operator puts a -> b where (a, b) is banned. The order is: gain (gains within a tie are
    equal), then x, y and the other nodes.
    """

    scores: LocalScores
    limits: Limits
    floor: float
    """What every operator gains at least."""
    cache: OperatorCache
    heap: OperatorHeap

    @classmethod
    def of(
        cls,
        kind: OperatorKind,
        scores: LocalScores,
        limits: Limits,
        *,
        floor: float,
        tie: float,
        most: int = MOST_LISTED,
        cache: OperatorCache | None = None,
    ) -> OperatorQueue:
        """Return a queue without any operators yet; ``most`` of a node are listed at a time.

        What it asks for is looked up in the cache of another queue with the same options, if given.
        """
        cache = cache or operator_cache(kind, limits, floor=floor, tie=tie, most=most)
        heap = OperatorHeap(kind, len(limits.names))
        return cls(scores, limits, floor, cache, heap)

    def copy(self, banned: frozenset[tuple[int, int]] = frozenset()) -> OperatorQueue:
        """Return a queue that goes on from here on its own."""
        heap = self.heap.copy(banned)
        return OperatorQueue(self.scores, self.limits, self.floor, self.cache, heap)

    def renew(self, state: CPDAGState, touched: int) -> None:
        """Ask for the operators at the touched nodes and bring back what waited: one batch."""
        self.cache.ask(state, touched)
        self.scores.find_operators(self.cache)
        self.heap.renew(self.cache, touched)

    def lift_bans(self) -> None:
        """Let the banned edges in again."""
        self.heap.lift_bans()

    def pop(self, state: CPDAGState) -> Taken | None:
        """Take the best operator that can be applied."""
        while True:
            found = self.heap.pop(state)
            if found is None:
                return None
            if found is False:
                self._find_more()
            elif self._keeps_limits(found[0], state):
                return Taken(*found)
            else:
                self.heap.park(found[1])

    def push(self, taken: Taken) -> None:
        """Put back an operator that was taken while the class was this one."""
        self.heap.put_back(taken.ticket)

    def operators(self) -> Iterator[Operator]:
        """Take all operators, the best first, whether they can be applied or not."""
        while (found := self.heap.take_first()) is not None:
            if found is False:
                self._find_more()
            else:
                yield found[0]

    def _find_more(self) -> None:
        """Ask for more of the operators at a node whose list was cut."""
        self.heap.ask_more(self.cache)
        self.scores.find_operators(self.cache)
        self.heap.go_on(self.cache)

    def _keeps_limits(self, op: Operator, state: CPDAGState) -> bool:
        if self.limits.are_symmetric:
            return True
        after = state.after(op)
        return self.limits.extend(after.parents, after.neighbours) is not None


def operator_cache(
    kind: OperatorKind, limits: Limits, *, floor: float, tie: float, most: int
) -> OperatorCache:
    """Return a cache of the operators of a kind that keep to the limits of pairs and parents."""
    must = limits.required
    both = [into | out for into, out in zip(must, transposed(must), strict=True)]
    return OperatorCache(kind, limits.pairs, both, limits.most, floor, tie, most)
