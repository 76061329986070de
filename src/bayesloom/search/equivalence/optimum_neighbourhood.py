"""The neighbourhood of the optimum of XGES, as a constrained search walks on from there."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import ClassVar, Self

from bayesloom._native import OperatorKind
from bayesloom.search.equivalence.climb import EquivalenceClimb
from bayesloom.search.equivalence.neighbourhood import EquivalenceNeighbourhood
from bayesloom.search.equivalence.second_thoughts import Failures, first_success, still_failing
from bayesloom.search.neighbourhood import Phase
from bayesloom.search.watch import Watch


@dataclass(slots=True)
class OptimumNeighbourhood(EquivalenceNeighbourhood):
    """A walk that begins where a climb has ended; it also turns edges and has second thoughts."""

    failed: Failures | None = field(default_factory=dict)
    """The trials that failed; None if there are no second thoughts."""
    regions: bool = True
    """Whether second thoughts look at regions, too."""
    phases: ClassVar[tuple[Phase, ...]] = (
        *EquivalenceNeighbourhood.phases,
        Phase(OperatorKind.REVERSE, covers=False, uncovers=True),
    )

    @classmethod
    def of(cls, climb: EquivalenceClimb, failed: Failures | None, regions: bool) -> Self:  # noqa: FBT001 - as the field
        """Go on where a climb has ended, of which these trials failed."""
        return cls(
            climb.state,
            climb.score,
            climb.scores,
            climb.limits,
            climb.epsilon,
            climb.start,
            climb.queues,
            climb.behind,
            dag=climb.member(),
            failed=failed,
            regions=regions,
        )

    def think_again(self, watch: Watch, admits: Callable[[list[int]], bool]) -> bool:
        """Go where the first trial leads that scores higher and is admitted, if there is one.

        Only what a move has touched since the last time is tried: the rest failed then.
        """
        if self.failed is None or not self.reach:
            return False
        self._put_back()
        if self.queues[OperatorKind.INSERT].floor == -math.inf:
            self.open_queue(OperatorKind.INSERT, floor=self.epsilon)  # a trial only climbs
        self.failed, self.reach = still_failing(self.failed, self.reach), 0
        better = first_success(
            self,
            watch,
            self.failed,
            regions=self.regions,
            admits=lambda other: admits(other.member()),
        )
        if better is None:
            return False
        better.lift_bans()
        self.state, self.score = better.state, better.score
        self.queues, self.behind, self.reach = better.queues, better.behind, better.reach
        self.dag, self.latest = better.member(), None
        return True
