"""A walk through orders of the variables: one after the other goes to its best place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import or_

import numpy as np

from bayesloom.graphs import bits, mask_of
from bayesloom.search.equivalence.grow_shrink_tree import (
    ForeseenTrees,
    GrowShrinkTrees,
    Question,
)
from bayesloom.search.facts.moves import Step
from bayesloom.search.foresight import Foresight
from bayesloom.search.watch import Watch

_LEAST_GAIN = 1e-6  # of a move, so that sums in another order are no reason for one


@dataclass(frozen=True, slots=True)
class _Around:
    """What is asked to find a variable its place: of those before it, after it, and of itself."""

    v: int
    near: list[int]
    """Those that the variable may be adjacent to, in their order."""
    place: int
    """After how many of these it stands."""
    without: list[Question]
    with_v: list[Question]
    own: list[Question]

    @classmethod
    def of(cls, v: int, order: VariableOrder, pairs: Sequence[int]) -> _Around:
        """Take a variable out of an order."""
        bit, at = 1 << v, order.place[v]
        near = sorted(bits(pairs[v]), key=order.place.__getitem__)
        without = [(w, order.before[w] & pairs[w] & ~bit) for w in near]
        with_v = [(w, among | bit) for w, among in without]
        own = [(v, 0), *((v, (order.before[w] | 1 << w) & pairs[v]) for w in near)]
        return cls(v, near, sum(order.place[w] < at for w in near), without, with_v, own)

    @property
    def questions(self) -> list[Question]:
        """All of them."""
        return [*self.without, *self.with_v, *self.own]


@dataclass(slots=True)
class VariableOrder:
    """An order of the variables, where each stands in it, and the mask of those before it.

    Examples
    --------
    >>> order = VariableOrder([2, 0, 1])
    >>> order.move(1, 0)
    >>> order.variables, order.place, order.before
    ([1, 2, 0], [2, 0, 1], [6, 0, 2])
    """

    variables: list[int]
    place: list[int] = field(init=False)
    before: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self.place = [0] * len(self.variables)
        self.before = self.place[:]
        self._renew(0, len(self.variables))

    def move(self, v: int, place: int) -> None:
        """Take a variable out and put it before the one that is then at a place."""
        first, last = sorted((self.place[v], place))
        self.variables.remove(v)
        self.variables.insert(place, v)
        self._renew(first, last + 1)

    def _renew(self, first: int, end: int) -> None:
        before = 0
        if first:
            previous = self.variables[first - 1]
            before = self.before[previous] | 1 << previous
        for place, v in enumerate(self.variables[first:end], first):
            self.place[v], self.before[v] = place, before
            before |= 1 << v


@dataclass(slots=True)
class OrderClimb:
    """An order of the variables that gets better move by move.

    An order stands for the network in which every variable has the parents that growing and
    shrinking finds among those before it. A variable matters only to those it may be adjacent to,
    so only their parents are looked for anew when it moves.

    References
    ----------
    B. Andrews, J. Ramsey, R. Sanchez Romero, J. Camchong, E. Kummerfeld: Fast scalable and accurate
    discovery of DAGs using the best order score search and grow-shrink trees, NeurIPS 2023.
    """

    trees: GrowShrinkTrees
    order: VariableOrder
    watch: Watch
    moves: int = 0
    ahead: ForeseenTrees | None = None
    """Where the rows are far: the trees of a copy that runs ahead."""

    def improved(self) -> list[int]:
        """Move variables until no move helps; return the parents in the network of the order."""
        parents, waiting = self._parents(), mask_of(self.order.variables)
        with self.watch.heeded():
            while waiting:
                for v in range(len(parents)):
                    if not waiting >> v & 1:
                        continue
                    if not self.watch.may_go_on(ahead=self.moves):
                        return parents
                    waiting &= ~(1 << v)
                    place, gain = self._best_place(v)
                    if gain > _LEAST_GAIN:
                        waiting |= self._move(v, place)
                        parents = self._parents()
        return parents

    def _move(self, v: int, place: int) -> int:
        """Move a variable; return the mask of those whose best places may be others now."""
        pairs, order = self.trees.limits.pairs, self.order
        old = order.before[v]
        order.move(v, place)
        self.moves += 1
        changed = (old ^ order.before[v]) & pairs[v] | 1 << v
        return reduce(or_, (pairs[w] for w in bits(changed)), changed)

    def steps(self) -> list[Step]:
        """Return the steps to the network of the order, variable by variable."""
        return [step for pair in self._predecessors() for step in self.trees.steps(*pair)]

    def _predecessors(self) -> list[Question]:
        """Return every variable with those before it that it may be adjacent to."""
        pairs, before = self.trees.limits.pairs, self.order.before
        return [(v, before[v] & pairs[v]) for v in self.order.variables]

    def _parents(self) -> list[int]:
        """Return the parents of every variable in the network of the order."""
        pairs = self._predecessors()
        self.trees.settle(pairs)
        masks = [0] * len(pairs)
        for v, before in pairs:
            masks[v] = self.trees.known[v, before][0]
        return masks

    def _best_place(self, v: int) -> tuple[int, float]:
        """Return where in the order a variable is best, and by how much the order is better."""
        around = _Around.of(v, self.order, self.trees.limits.pairs)
        with self.trees.scores.guessing(self._go_ahead, v):
            self.trees.settle(around.questions)
        return self._best_of(around)

    def _best_of(self, around: _Around) -> tuple[int, float]:
        """Return the best place for a variable, given the parents for all that it takes."""
        known = self.trees.known
        first = np.cumsum([0.0, *(known[pair][1] for pair in around.without)])
        after = np.cumsum([0.0, *(known[pair][1] for pair in reversed(around.with_v))])[::-1]
        values = first + after + np.array([known[pair][1] for pair in around.own])
        low, high = self._allowed_places(around)
        best = low + int(values[low : high + 1].argmax())
        place = 0
        if best:
            place = self.order.place[around.near[best - 1]] + (best <= around.place)
        return place, float(values[best] - values[around.place])

    def _go_ahead(self, sight: Foresight, v: int) -> None:
        """Note what the variables after one will ask for; move them where scores are known."""
        if self.ahead is None:
            self.ahead = ForeseenTrees(self.trees, sight)
        scout = OrderClimb(self.ahead, VariableOrder(self.order.variables[:]), self.watch)
        every = range(len(self.order.variables))
        for u in (*every[v:], *every[:v]):
            if not self.ahead.sight.has_room:
                return
            around = _Around.of(u, scout.order, self.ahead.limits.pairs)
            self.ahead.settle(around.questions)
            if all(question in self.ahead.known for question in around.questions):
                place, _ = scout._best_of(around)
                scout.order.move(u, place)

    def _allowed_places(self, around: _Around) -> tuple[int, int]:
        """Return the first and the last place that required edges leave a variable."""
        required, near, v = self.trees.limits.required, around.near, around.v
        low = max((k + 1 for k, w in enumerate(near) if required[v] >> w & 1), default=0)
        high = min((k for k, w in enumerate(near) if required[w] >> v & 1), default=len(near))
        return low, high
