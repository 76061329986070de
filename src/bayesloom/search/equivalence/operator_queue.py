"""A priority queue of the operators of a class that improve its score, kept up to date."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from bayesloom._native import (
    CPDAGState,
    NodeOperators,
    Operator,
    OperatorCache,
    OperatorKind,
)
from bayesloom.graphs import transposed
from bayesloom.search.limits import Limits
from bayesloom.search.local_scores import LocalScores

MOST_LISTED = 1024
"""How many operators of a node are listed at a time."""


class Queued(NamedTuple):
    """An operator in the queue. The fields stand in the order of the queue.

    Parameters
    ----------
    key : tuple
        Rank, x, y and the other nodes; the rank is the gain in units of a tie.
    stamp : int
        Which list of its node the operator stems from: the lists are numbered.
    place : int
        Where it stands in that list.
    leads : bool
        Whether the next operator of the list is to follow when this one is taken.
    listed : NodeOperators
        The list, or the part of it that holds the operator.
    """

    key: tuple[float, int, int, tuple[int, ...]]
    stamp: int
    place: int
    leads: bool
    listed: NodeOperators

    def alone(self) -> Queued:
        """Return the operator without those that follow it."""
        return Queued(self.key, self.stamp, self.place, False, self.listed)


class Parked(NamedTuple):
    """An operator that waits until one of some nodes is touched; a banned one waits for none."""

    until: int
    queued: Queued


class Taken(NamedTuple):
    """An operator that was taken from the queue, and how it comes back if it is not applied."""

    op: Operator
    queued: Queued


@dataclass(slots=True)
class OperatorQueue:
    """The priority queue of the operators of one kind: a heap of the best of every node.

    The operators at a node are asked for anew when a change has touched it; what stems from an
    older list is recognised by its stamp. An operator that fails only because a semi-directed path
    is open, or because its result breaks the limits, is parked and comes back when that may have
    changed.

    No operator puts a -> b where (a, b) is banned. The order is: gain (gains within a tie are
    equal), then x, y and the other nodes.
    """

    kind: OperatorKind
    scores: LocalScores
    limits: Limits
    floor: float
    """What every operator gains at least."""
    cache: OperatorCache
    stamps: list[int]
    lists: dict[int, NodeOperators] = field(default_factory=dict)
    """The operators at every node, the best ones of them."""
    banned: frozenset[tuple[int, int]] = frozenset()
    heap: list[Queued] = field(default_factory=list)
    parked: list[Parked] = field(default_factory=list)

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
    ) -> OperatorQueue:
        """Return a queue without any operators yet; ``most`` of a node are listed at a time."""
        must = limits.required
        both = [into | out for into, out in zip(must, transposed(must), strict=True)]
        cache = OperatorCache(kind, limits.pairs, both, limits.most, floor, tie, most)
        return cls(kind, scores, limits, floor, cache, [0] * len(limits.names))

    def copy(self, banned: frozenset[tuple[int, int]] = frozenset()) -> OperatorQueue:
        """Return a queue that goes on from here on its own."""
        return OperatorQueue(
            self.kind,
            self.scores,
            self.limits,
            self.floor,
            self.cache,
            self.stamps[:],
            self.lists.copy(),
            banned,
            self.heap[:],
            self.parked[:],
        )

    def renew(self, state: CPDAGState, touched: int) -> None:
        """Ask for the operators at the touched nodes and bring back what waited: one batch."""
        self.cache.ask(state, touched)
        for y, listed in self.scores.operators(self.cache):
            if listed is not self.lists.get(y):
                self.lists[y] = listed
                self.stamps[y] += 1
                if key := listed.key(0):
                    heapq.heappush(self.heap, Queued(key, self.stamps[y], 0, True, listed))
        back = [each.queued for each in self.parked if each.until & touched]
        if back:
            self.parked = [each for each in self.parked if not each.until & touched]
            for queued in back:
                if queued.stamp == self.stamps[queued.key[2]]:
                    heapq.heappush(self.heap, queued.alone())

    def lift_bans(self) -> None:
        """Let the banned edges in again."""
        self.banned = frozenset()
        for each in self.parked:
            if not each.until:
                heapq.heappush(self.heap, each.queued.alone())
        self.parked = [each for each in self.parked if each.until]

    def pop(self, state: CPDAGState) -> Taken | None:
        """Take the best operator that can be applied."""
        while (queued := self._next()) is not None:
            op = queued.listed.operator(queued.place, self.kind)
            until = self._obstacle(op, state)
            if until is None:
                return Taken(op, queued)
            self.parked.append(Parked(until, queued))
        return None

    def push(self, taken: Taken) -> None:
        """Put back an operator that was taken while the class was this one."""
        heapq.heappush(self.heap, taken.queued.alone())

    def operators(self) -> Iterator[Operator]:
        """Take all operators, the best first, whether they can be applied or not."""
        while (queued := self._next()) is not None:
            yield queued.listed.operator(queued.place, self.kind)

    def _next(self) -> Queued | None:
        """Take the first operator of the heap; the next one at its node follows it there."""
        while self.heap:
            queued = self.heap[0]
            key, stamp, _, leads, _ = queued
            is_current = stamp == self.stamps[key[2]]
            follower = self._follower(queued) if is_current and leads else None
            if follower is None:
                heapq.heappop(self.heap)
            else:
                heapq.heapreplace(self.heap, follower)
            if is_current:
                return queued
        return None

    def _follower(self, queued: Queued) -> Queued | None:
        """Return the next operator at the same node; None behind the last."""
        _, stamp, place, leads, listed = queued
        key = listed.key(place + 1)
        if key is None and listed.is_cut:
            self.cache.ask_following(listed)
            ((_, listed),) = self.scores.operators(self.cache)
            key = listed.key(place + 1)
        return None if key is None else Queued(key, stamp, place + 1, leads, listed)

    def _obstacle(self, op: Operator, state: CPDAGState) -> int | None:
        """Return of which nodes one must be touched before an operator can be applied, if any."""
        if (op.x, op.y) in self.banned:
            return 0
        if path := state.open_path(op):
            return path
        if self.limits.are_symmetric:
            return None
        after = state.after(op)
        keeps = self.limits.extend(after.parents, after.neighbours) is not None
        return None if keeps else -1
