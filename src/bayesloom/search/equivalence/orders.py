"""Orders of the variables as places where a search over classes begins, or goes on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from bayesloom._native import CPDAGState
from bayesloom.graphs import mask_of, topological_order, transposed
from bayesloom.search.dag.order_search import random_order
from bayesloom.search.equivalence.climb import EquivalenceClimb, cpdag_state_of
from bayesloom.search.equivalence.exchange import go_to
from bayesloom.search.equivalence.grow_shrink_tree import GrowShrinkTrees
from bayesloom.search.equivalence.order_climb import OrderClimb, VariableOrder
from bayesloom.search.limits import Limits
from bayesloom.search.local_scores import LocalScores
from bayesloom.search.start import may_start_class
from bayesloom.search.watch import Watch

_FEW = 90  # variables: all parents are looked at, and orders that have nothing to do with the data
_DRAWN = 2  # of these


@dataclass(slots=True)
class Orders:
    """The networks of the best orders of the variables that are found from others.

    Over many variables parents are only those that score better as a pair, or that a climb joined.
    """

    climb: EquivalenceClimb
    trees: GrowShrinkTrees | None = None
    left: CPDAGState | None = None
    """The class that was left last."""

    def drawn(self) -> Iterator[Sequence[int]]:
        """Yield orders to begin at; from there the way is long, so over many variables none."""
        limits = self.climb.limits
        if len(limits.names) <= _FEW and not self.climb.by_member:
            rng = np.random.default_rng(0)
            for _ in range(_DRAWN):
                yield random_order(limits, rng)

    def network(self, order: Sequence[int], scores: LocalScores, watch: Watch) -> list[int]:
        """Return the network of the best order that moving one variable after the other finds."""
        if self.trees is None:
            limits = self.climb.limits
            few = len(limits.names) <= _FEW
            self.trees = GrowShrinkTrees(scores, limits if few else limits_near(self.climb))
        return OrderClimb(self.trees, VariableOrder(list(order)), watch).improved()

    def lead(self, climb: EquivalenceClimb, watch: Watch) -> bool:
        """Let a climb go on from a better order than its own; False if it stands there."""
        if climb.by_member or climb.state == self.left:
            return False
        self.left = climb.state.copy()
        with watch.heeded():
            parents = self.network(topological_order(climb.member()), climb.scores, watch)
            if cpdag_state_of(parents) != climb.state and may_start_class(parents):
                return go_to(climb, parents, watch)
        return False


def limits_near(climb: EquivalenceClimb) -> Limits:
    """Return the limits for those that a climb has joined or that score better as a pair."""
    scores, limits = climb.scores, climb.limits
    rows = [
        (v, must, mask & ~must)
        for v, (mask, must) in enumerate(zip(limits.allowed, limits.required, strict=True))
        if mask & ~must and must.bit_count() < limits.most
    ]
    scores.ask(rows)
    near = list(climb.state.adjacent)
    for v, must, _ in rows:
        better = scores.row(v, must) > scores[v, must] + climb.epsilon
        near[v] |= mask_of(better.nonzero()[0].tolist())
    both = zip(near, transposed(near), limits.allowed, strict=True)
    return replace(limits, allowed=tuple((one | other) & mask for one, other, mask in both))
