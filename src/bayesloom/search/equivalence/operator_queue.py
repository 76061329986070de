"""A priority queue of the operators of a class that improve its score, kept up to date."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from bayesloom._native import (
    CPDAGState,
    NodeOperators,
    Operator,
    OperatorCache,
    OperatorKind,
    rank_of,
)
from bayesloom.graphs import bits, transposed
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
    op : Operator
        The operator.
    """

    key: tuple[float, int, int, tuple[int, ...]]
    stamp: int
    place: int
    leads: bool
    op: Operator


class Parked(NamedTuple):
    """An operator that waits until one of some nodes is touched; a banned one waits for none."""

    until: int
    queued: Queued


@dataclass(slots=True)
class OperatorQueue:
    """The priority queue of the operators of one kind: a heap of the best of every node.

    The operators at a node are asked for anew when a change has touched it; what stems from an
    older list is recognised by its stamp. An operator that fails only because a semi-directed path
    is open, or because its result breaks the limits, is parked and comes back when that may have
    changed.

    No operator puts a -> b where (a, b) is banned. The order is: gain (gains within ``tie`` are
    equal), then x, y and the other nodes.
    """

    kind: OperatorKind
    scores: LocalScores
    limits: Limits
    floor: float
    """What every operator gains at least."""
    tie: float
    cache: OperatorCache
    stamps: list[int]
    lists: dict[int, NodeOperators] = field(default_factory=dict)
    """The operators at every node, or the part of them that the queue has come to."""
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
        return cls(kind, scores, limits, floor, tie, cache, [0] * len(limits.names))

    def copy(self, banned: frozenset[tuple[int, int]] = frozenset()) -> OperatorQueue:
        """Return a queue that goes on from here on its own."""
        return replace(
            self,
            stamps=self.stamps[:],
            lists=self.lists.copy(),
            banned=banned,
            heap=self.heap[:],
            parked=self.parked[:],
        )

    def renew(self, state: CPDAGState, touched: int) -> None:
        """Ask for the operators at the touched nodes and bring back what waited: one batch."""
        self.cache.ask(state, touched)
        for listed in self.scores.operators(self.cache):
            y = listed.y
            if listed is not self.lists.get(y):
                self.lists[y] = listed
                self.stamps[y] += 1
                if first := self._at(y, 0):
                    heapq.heappush(self.heap, first)
        current = [each for each in self.parked if self._is_current(each.queued)]
        self.parked = [each for each in current if not each.until & touched]
        for each in current:
            if each.until & touched:
                heapq.heappush(self.heap, each.queued)

    def lift_bans(self) -> None:
        """Let the banned edges in again."""
        self.banned = frozenset()
        for each in self.parked:
            if not each.until:
                heapq.heappush(self.heap, each.queued)
        self.parked = [each for each in self.parked if each.until]

    def pop(self, state: CPDAGState) -> Operator | None:
        """Take the best operator that can be applied."""
        while (queued := self._next()) is not None:
            until = self._obstacle(queued.op, state)
            if until is None:
                return queued.op
            parked = Queued(queued.key, queued.stamp, queued.place, leads=False, op=queued.op)
            self.parked.append(Parked(until, parked))
        return None

    def push(self, op: Operator) -> None:
        """Put back an operator that was taken while the class was this one."""
        key = rank_of(op.gain, self.tie), op.x, op.y, tuple(bits(op.others))
        heapq.heappush(self.heap, Queued(key, self.stamps[op.y], 0, leads=False, op=op))

    def operators(self) -> Iterator[Operator]:
        """Take all operators, the best first, whether they can be applied or not."""
        while (queued := self._next()) is not None:
            yield queued.op

    def _next(self) -> Queued | None:
        """Take the first operator of the heap; the next one at its node follows it there."""
        while self.heap:
            queued = self.heap[0]
            is_current = self._is_current(queued)
            follower = None
            if is_current and queued.leads:
                follower = self._at(queued.key[2], queued.place + 1)
            if follower is None:
                heapq.heappop(self.heap)
            else:
                heapq.heapreplace(self.heap, follower)
            if is_current:
                return queued
        return None

    def _is_current(self, queued: Queued) -> bool:
        return queued.stamp == self.stamps[queued.key[2]]

    def _at(self, y: int, place: int) -> Queued | None:
        """Return the operator at a place of a node's list; None behind the last."""
        listed = self.lists[y]
        if listed.is_cut and place == listed.end:
            self.cache.ask_following(listed)
            (listed,) = self.scores.operators(self.cache)
            self.lists[y] = listed
        key = listed.key(place)
        if key is None:
            return None
        return Queued(key, self.stamps[y], place, leads=True, op=listed.operator(place, self.kind))

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
