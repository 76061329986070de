"""The neighbourhood of the optimum of XGES, as a constrained search walks on from there."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import ClassVar, Self

from bayesloom._native import OperatorKind
from bayesloom.search.equivalence.climb import EquivalenceClimb
from bayesloom.search.equivalence.neighbourhood import EquivalenceNeighbourhood
from bayesloom.search.equivalence.second_thoughts import Tried, first_success
from bayesloom.search.neighbourhood import Phase
from bayesloom.search.watch import Watch


@dataclass(slots=True)
class OptimumNeighbourhood(EquivalenceNeighbourhood):
    """A walk that begins where a climb has ended; it also turns edges and has second thoughts."""

    tried: Tried = field(default_factory=lambda: Tried(regions=True))
    """What second thoughts have tried."""
    phases: ClassVar[tuple[Phase, ...]] = (
        *EquivalenceNeighbourhood.phases,
        Phase(OperatorKind.REVERSE, covers=False, uncovers=True),
    )

    @classmethod
    def of(cls, climb: EquivalenceClimb, tried: Tried) -> Self:
        """Go on where a climb has ended that has tried this."""
        return cls(
            climb.state,
            climb.score,
            climb.scores,
            climb.limits,
            climb.epsilon,
            climb.start,
            climb.queues,
            climb.behind,
            caches=climb.caches,
            by_member=climb.by_member,
            dag=climb.member(),
            tried=tried,
        )

    def think_again(self, watch: Watch, admits: Callable[[list[int]], bool]) -> bool:
        """Go where the first trial leads that scores higher and is admitted, if there is one.

        Only what a move has touched since the last time is tried: the rest failed then.
        """
        if self.tried.left <= 0 or not self.reach:
            return False
        self._put_back()
        if self.queues[OperatorKind.INSERT].floor == -math.inf:
            self.open_queue(OperatorKind.INSERT, floor=self.epsilon)  # a trial only climbs
        self.tried.forget(self.reach)
        self.reach = 0
        better = first_success(self, watch, self.tried, lambda other: admits(other.member()))
        if better is None:
            return False
        better.lift_bans()
        self.state, self.score = better.state, better.score
        self.queues, self.behind, self.reach = better.queues, better.behind, better.reach
        self.dag, self.latest = better.member(), None
        return True
