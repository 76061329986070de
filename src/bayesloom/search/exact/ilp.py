"""Integer linear programming with cluster cuts: branch and cut with a bound at any time."""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from bayesloom import _native
from bayesloom.arrays import Floats
from bayesloom.graphs import bits
from bayesloom.search.exact.cluster_program import ClusterProgram
from bayesloom.search.exact.component import Component
from bayesloom.search.exact.separation import find_cluster
from bayesloom.search.watch import Watch

Mask = npt.NDArray[np.bool_]

_ENOUGH = 1e-9  # nats by which a node must promise more than the best network
_FRACTION = 1e-6
_MOST_CUTS = 200  # of one round
_BROKEN = 1e-4  # by how much a cluster must be broken to be worth a cut
_PATIENCE = 2.0  # seconds between looks at the watch
_TAIL = 1e-4  # nats that a round of cuts must lower the bound by, on average of some rounds


@dataclass(slots=True)
class BranchAndCut:
    """Find the best network of a component and prove it.

    The linear program is solved, clusters that its solution breaks are cut off, and so on until none
    is broken; then the node is split: an edge must be there, or must not. Columns that cannot be
    part of a better network are left out on the way (reduced-cost fixing).

    References
    ----------
    J. Cussens: Bayesian network learning with cutting planes, UAI 2011. M. Bartlett, J. Cussens:
    Integer linear programming for the Bayesian network structure learning problem, Artificial
    Intelligence 244, 2017.

    Parameters
    ----------
    component : Component
        The problem.
    parents : list of int
        A network to start from, as masks over places; the best one found, later on.
    watch : Watch
        When to stop.
    report : callable
        Called with the score and the bound whenever one of them moves.
    """

    component: Component
    parents: list[int]
    watch: Watch
    report: Callable[[float, float], None]
    program: ClusterProgram = field(init=False)
    lost: float = field(init=False)
    nodes: int = field(init=False, default=0)
    _open: list[tuple[float, int, Mask]] = field(init=False, default_factory=list)
    _at: float = field(init=False, default=0.0)
    _closed: float = field(init=False, default=-math.inf)

    def __post_init__(self) -> None:
        self.program = ClusterProgram(self.component)
        self.lost = self._loss(self.parents)

    @property
    def ceiling(self) -> float:
        """The score that losses are taken from."""
        return self.component.ceiling

    @property
    def bound(self) -> float:
        """What no network of the component scores more than."""
        most = max(self._at, self._closed, self.lost, -self._open[0][0] if self._open else -math.inf)
        return self.ceiling + most

    def run(self) -> None:
        """Search until the best network is proven or the watch ends it."""
        self.program.add_cuts(two_way_pairs(self.component))
        self._open = [(-0.0, 0, np.ones(len(self.program.loss), np.bool_))]
        while self._open:
            bound, _, allowed = heapq.heappop(self._open)
            self._at = -bound
            branches = self._explored(allowed)
            if branches is None:
                return  # the bound of the node still counts
            for half in branches:
                self.nodes += 1
                heapq.heappush(self._open, (-self._at, self.nodes, half))
            if not branches:
                self._closed = max(self._closed, self._at)
            self._at = -math.inf
            self._tell()

    def _explored(self, allowed: Mask) -> list[Mask] | None:
        """Solve a node; return what it splits into, None if the watch has run out."""
        progress: list[float] = []
        while self._at > self.lost + _ENOUGH:
            if not self.watch.may_go_on():
                return None
            left = self.watch.budget.time_limit - self.watch.seconds
            solved = self.program.solve(allowed, min(left, _PATIENCE))
            if not np.logical_or.reduceat(allowed & self.program.alive, self.program.first[:-1]).all():
                self._at = -math.inf  # a variable has no choice left
                return []
            if solved is None:
                continue
            shares, prices = solved
            bound, each = self.program.bound(prices, allowed)
            self._at = min(self._at, bound)
            if shares is None:
                continue
            self._round(shares)
            keep = each > self.lost
            if not self._open:
                self.program.alive &= keep
            allowed = allowed & keep
            self._tell()
            progress.append(bound)
            clusters = self._broken(shares, progress)
            if not clusters:
                return self._split(shares, allowed)
            self.program.add_cuts(clusters)
        return []

    def _broken(self, shares: Floats, progress: list[float]) -> list[int]:
        """Return clusters that shares break."""
        masks, child = self.program.masks, self.program.child.tolist()
        support = np.flatnonzero(shares > _FRACTION).tolist()
        n = len(self.component.members)
        choices = [(child[j], masks[j], float(shares[j])) for j in support]
        found = _native.broken_clusters(n, choices, _BROKEN, _MOST_CUTS)
        known = set(self.program.cuts)
        clusters = [mask for _, mask in found if mask not in known]
        if clusters:
            return clusters
        is_whole = bool((shares[support] > 1 - _FRACTION).all())
        if is_whole:
            return []
        tail = progress[-6:]
        if len(tail) == 6 and tail[0] - tail[-1] < _TAIL:
            return []
        cluster = find_cluster(n, choices, _BROKEN)
        return [] if cluster is None or cluster in known else [cluster]

    def _split(self, shares: Floats, allowed: Mask) -> list[Mask]:
        """Split a node by the edge that is closest to being half there."""
        program = self.program
        weight = np.zeros((len(self.component.members),) * 2)
        for j in np.flatnonzero(shares > _FRACTION).tolist():
            weight[bits(program.masks[j]), program.child[j]] += shares[j]
        apart = np.abs(weight - 0.5)
        p, v = np.unravel_index(int(apart.argmin()), apart.shape)
        if apart[p, v] >= 0.5 - _FRACTION:
            return []
        has = program.member[:, p]
        of_child = program.child == v
        return [allowed & ~(of_child & ~has), allowed & ~(of_child & has)]

    def _round(self, shares: Floats) -> None:
        """Make a network of shares: next comes the variable that has most of its shares."""
        n, program = len(self.component.members), self.program
        support = np.flatnonzero(shares > _FRACTION).tolist()
        own: list[list[tuple[int, float]]] = [[] for _ in range(n)]
        for j in support:
            own[int(program.child[j])].append((program.masks[j], float(shares[j])))
        order: list[int] = []
        before = 0
        while len(order) < n:
            ready = [
                (sum(share for mask, share in own[v] if not mask & ~before), -v)
                for v in range(n)
                if not before >> v & 1 and self._has_a_set(v, before)
            ]
            v = -max(ready)[1]
            order.append(v)
            before |= 1 << v
        parents = self.component.chosen(order)
        lost = self._loss(parents)
        if lost > self.lost + _ENOUGH:
            self.parents, self.lost = parents, lost

    def _has_a_set(self, v: int, before: int) -> bool:
        return any(not s.parents & ~before for s in self.component.sets[v])

    def _loss(self, parents: list[int]) -> float:
        return self.component.score(parents) - self.ceiling

    def _tell(self) -> None:
        self.report(self.ceiling + self.lost, self.bound)


def two_way_pairs(component: Component) -> list[int]:
    """Return the pairs of members, as masks, that may be parents of each other."""
    possible = [0] * len(component.members)
    for v, sets in enumerate(component.sets):
        for s in sets:
            possible[v] |= s.parents
    return [1 << u | 1 << v for v, mask in enumerate(possible) for u in bits(mask) if u < v and possible[u] >> v & 1]
