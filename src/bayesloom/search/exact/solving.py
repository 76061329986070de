"""The best network among candidate sets of parents, part by part."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum

from bayesloom.engine.memory_size import usual_memory
from bayesloom.search.exact.candidates import CandidateSets
from bayesloom.search.exact.component import Component, order_of, strong_components
from bayesloom.search.exact.dynamic import MOST_VARIABLES, n_bytes, solve_dynamically
from bayesloom.search.exact.ilp import BranchAndCut
from bayesloom.search.watch import Watch

_FEW = 18  # variables up to which dynamic programming takes less time than an integer program
_MANY = 200  # candidates per variable from which on it does so with more variables


class ExactMethod(Enum):
    """How exact learning finds the optimum among candidate sets of parents."""

    DYNAMIC = "dynamic"
    ILP = "ilp"


@dataclass(slots=True)
class Solving:
    """Solve the components of a problem one after the other, small ones first.

    Parameters
    ----------
    candidates : CandidateSets
        The sets of parents; the best network consists of some of them.
    watch : Watch
        When to stop.
    method : ExactMethod, optional
        How to solve a component; by default its size decides.
    order : sequence of int
        Variables in causal order: the best network of this order is the first.
    """

    candidates: CandidateSets
    watch: Watch
    method: ExactMethod | None
    order: Sequence[int]
    parents: list[int] = field(init=False)
    _parts: list[Component] = field(init=False)
    _bounds: list[float] = field(init=False)

    def __post_init__(self) -> None:
        before, self.parents = 0, [0] * len(self.order)
        for v in self.order:
            self.parents[v] = self.candidates.best_within(v, before).parents
            before |= 1 << v
        slack = math.fsum(self.candidates.ceilings) - self._total(self.parents)
        self._parts = sorted(
            strong_components(self.candidates, slack), key=lambda p: len(p.members)
        )
        self._bounds = [part.ceiling for part in self._parts]

    @property
    def bound(self) -> float:
        """What no network of candidates scores more than."""
        return max(math.fsum(self._bounds), self._total(self.parents))

    def run(self) -> None:
        """Find the best network, or the best that the watch leaves time for."""
        for k, part in enumerate(self._parts):
            if not self.watch.may_go_on():
                return
            start = part.chosen(order_of(part, self.parents))
            if self._goes_dynamically(part):
                with self.watch.heeded():
                    start = solve_dynamically(part, self.watch.signal)
                    self._bounds[k] = part.score(start)
                self._keep(part, start)
                self._tell(0.0, 0.0)
            else:
                self._cut(k, part, start)

    def _goes_dynamically(self, part: Component) -> bool:
        """Say whether a component is solved by dynamic programming.

        Its steps double with every variable, whatever the candidates; an integer program grows
        with these. It must fit into the memory that is usually taken.
        """
        n = len(part.members)
        if n == 1 or self.method is not None:
            return n == 1 or self.method is ExactMethod.DYNAMIC
        if n <= _FEW:
            return True
        is_crowded = sum(map(len, part.sets)) >= _MANY * n
        return is_crowded and n <= MOST_VARIABLES and n_bytes(n) <= usual_memory()

    def _cut(self, k: int, part: Component, start: list[int]) -> None:
        """Solve a component by branch and cut."""
        bound, score = self._bounds[k], part.score(start)

        def told(found: float, most: float) -> None:
            self._tell(found - score, most - bound)

        cut = BranchAndCut(part, start, self.watch, told)
        cut.run()
        self._keep(part, cut.parents)
        self._bounds[k] = cut.bound

    def _keep(self, part: Component, parents: Sequence[int]) -> None:
        for place, mask in enumerate(parents):
            self.parents[part.members[place]] = part.origin[place][mask].parents

    def _total(self, parents: Sequence[int]) -> float:
        return math.fsum(self.candidates.score(v, mask) for v, mask in enumerate(parents))

    def _tell(self, gained: float, closed: float) -> None:
        """Report score and bound, with what has changed of the component at hand."""
        total = self._total(self.parents) + gained
        self.watch.proved(total, max(total, math.fsum(self._bounds) + closed))
