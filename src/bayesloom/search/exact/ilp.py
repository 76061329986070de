"""Integer linear programming with cluster cuts: branch and cut with a bound at any time."""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from bayesloom import _native
from bayesloom.arrays import Floats
from bayesloom.graphs import bits
from bayesloom.search.exact.cluster_program import ClusterCut, ClusterProgram
from bayesloom.search.exact.component import Component
from bayesloom.search.exact.separation import ClusterChoice, find_cluster
from bayesloom.search.watch import Watch

Mask = npt.NDArray[np.bool_]

_ENOUGH = 1e-14  # of the score, by which a node must promise more than the best network
_LEAST = 1e-12  # the same in nats, for small scores
_FRACTION = 1e-6
_MOST_CUTS = 200  # of one round
_BROKEN = 1e-4  # by how much a cluster must be broken to be worth a cut
_UNDECIDED = 0.05  # of both directions of an edge, so that the order of its ends is worth a branch
_TRIALS = 6  # pairs of variables that a branch is tried for
_FIRST = 3  # variables that clusters are looked at for
_ROUNDS = 6  # of cuts, on whose progress it depends whether there are more
_PATIENCE = 2.0  # seconds until the first look at the watch; then twice as many
_TAIL = 1e-4  # nats that so many rounds of cuts must lower the bound by


@dataclass(frozen=True, slots=True)
class Node:
    """A part of all networks: columns that they may use, and what must come before what.

    Parameters
    ----------
    allowed : array of bool
        The columns.
    before : tuple of int
        For every member those that come before it in causal order; closed under transitivity.
    bound : float
        What no network of the part loses less than, as a negative number.
    """

    allowed: Mask
    before: tuple[int, ...]
    bound: float = 0.0

    def ordered(self, u: int, v: int, program: ClusterProgram) -> Node:
        """Return the part in which u comes before v: what is after v is no parent of u."""
        first = self.before[u] | 1 << u
        later = [w for w, mask in enumerate(self.before) if w == v or mask >> v & 1]
        before = list(self.before)
        for w in later:
            before[w] |= first
        barred = np.isin(program.child, bits(first)) & program.member[:, later].any(axis=1)
        return Node(self.allowed & ~barred, tuple(before), self.bound)


@dataclass(slots=True)
class BranchAndCut:
    """Find the best network of a component and prove it.

    The linear program is solved, clusters that its solution breaks are cut off, and so on until
    none is broken; then the node is split: one of two variables comes first, or an edge is there or
    not. Columns that cannot be part of a better network are left out on the way (reduced-cost
    fixing).

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
    _open: list[tuple[float, int, Node]] = field(init=False, default_factory=list)
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
        most = max(
            self._at, self._closed, self.lost, -self._open[0][0] if self._open else -math.inf
        )
        return self.ceiling + most

    @property
    def _enough(self) -> float:
        """By how many nats a node must promise more than the best network; sums are not exact."""
        return max(_LEAST, _ENOUGH * abs(self.ceiling))

    @property
    def _seconds_left(self) -> float:
        return max(0.0, self.watch.budget.time_limit - self.watch.seconds)

    def run(self) -> None:
        """Search until the best network is proven or the watch ends it."""
        n = len(self.component.members)
        self.program.add_cuts(two_way_pairs(self.component))
        root = Node(np.ones(len(self.program.loss), np.bool_), (0,) * n)
        self._open = [(-0.0, 0, root)]
        while self._open:
            _, _, node = heapq.heappop(self._open)
            self._at = node.bound
            branches = self._explored(node)
            if branches is None:
                return  # the bound of the node still counts
            for half in branches:
                self.nodes += 1
                heapq.heappush(self._open, (-half.bound, self.nodes, half))
            if not branches:
                self._closed = max(self._closed, self._at)
            self._at = -math.inf
            self._tell()

    def _explored(self, node: Node) -> list[Node] | None:
        """Solve a node; return what it splits into, None if the watch has run out."""
        program, progress, patience = self.program, list[float](), _PATIENCE
        while self._at > self.lost + self._enough:
            if not self.watch.may_go_on():
                return None
            if not program.has_choices(node.allowed):
                self._at = -math.inf
                return []
            solved = program.solve(node.allowed, min(self._seconds_left, patience))
            if solved is None:
                patience *= 2
                continue
            shares, prices = solved
            bound, each = program.bound(prices, node.allowed)
            self._at = min(self._at, bound)
            if shares is None:
                return self._torn(node)
            if not progress:
                self._round(shares)
            keep = each > self.lost
            if not self._open:
                program.alive &= keep
            node = replace(node, allowed=node.allowed & keep)
            self._tell()
            progress.append(bound)
            cuts = self._broken(shares, progress)
            if not cuts:
                self._round(shares)
                return self._split(shares, node)
            program.add_cuts(cuts)
        return []

    def _torn(self, node: Node) -> list[Node]:
        """Return nothing for a node that its bound rules out, else split it without a solution."""
        if self._at <= self.lost + self._enough:
            return []
        shares = self.program.even_shares(node.allowed)
        halves = self._split(shares, node)
        if not halves and self._at > self.lost + self._enough:  # every variable has one choice left
            self._round(shares)
            chosen = [self.program.masks[j] for j in np.flatnonzero(shares)]
            self._at = -math.inf if cyclic_core(chosen) else self.lost
        return halves

    def _broken(self, shares: Floats, progress: list[float]) -> list[ClusterCut]:
        """Return cuts that shares break: found by growing clusters, else by an integer program."""
        masks, child = self.program.masks, self.program.child.tolist()
        support = np.flatnonzero(shares > _FRACTION).tolist()
        n = len(self.component.members)
        choices = [(child[j], masks[j], float(shares[j])) for j in support]
        known = set(self.program.cuts)
        found = []
        for first in range(1, _FIRST + 1):
            broken = _native.broken_clusters(n, first, choices, _BROKEN, _MOST_CUTS)
            found += [
                ClusterCut(mask, first)
                for _, mask in broken
                if ClusterCut(mask, first) not in known
            ]
        if bool((shares[support] > 1 - _FRACTION).all()):
            core = ClusterCut(cyclic_core([mask for _, mask, _ in sorted(choices)]), 1)
            return [*found, core] if core.cluster and core not in known else []
        tail = progress[-_ROUNDS:]
        if len(tail) == _ROUNDS and tail[0] - tail[-1] < _TAIL:
            return []
        if found or self.nodes:
            return found
        return self._searched(choices)

    def _searched(self, choices: list[ClusterChoice]) -> list[ClusterCut]:
        """Return a cut that shares break, found by an integer program."""
        known, n = set(self.program.cuts), len(self.component.members)
        for first in range(1, _FIRST + 1):
            cluster = find_cluster(n, first, choices, _BROKEN, self._seconds_left)
            if cluster is not None and ClusterCut(cluster, first) not in known:
                return [ClusterCut(cluster, first)]
        return []

    def _split(self, shares: Floats, node: Node) -> list[Node]:
        """Split a node: of two variables one comes first, or an edge is there or not.

        Of the pairs whose order is most open that one is taken for which the bounds of both halves
        fall most (strong branching).
        """
        program, n = self.program, len(self.component.members)
        weight = np.zeros((n, n))
        for j in np.flatnonzero(shares > _FRACTION).tolist():
            weight[bits(program.masks[j]), program.child[j]] += shares[j]
        both = np.triu(np.minimum(weight, weight.T))
        open_pairs = np.argsort(-both, axis=None, kind="stable")[:_TRIALS].tolist()
        pairs = [divmod(k, n) for k in open_pairs if both.flat[k] > _UNDECIDED]
        if pairs:
            trials = [
                [self._tried(node.ordered(u, v, program)), self._tried(node.ordered(v, u, program))]
                for u, v in pairs
            ]
            halves = max(trials, key=self._fall)
        else:
            apart = np.abs(weight - 0.5)
            p, v = divmod(int(apart.argmin()), n)
            if apart[p, v] >= 0.5 - _FRACTION:
                return []
            has, is_child = program.member[:, p], program.child == v
            joined = node.ordered(p, v, program)
            halves = [
                self._tried(replace(joined, allowed=joined.allowed & ~(is_child & ~has))),
                self._tried(replace(node, allowed=node.allowed & ~(is_child & has))),
            ]
        self._at = max(half.bound for half in halves)
        return [half for half in halves if half.bound > self.lost + self._enough]

    def _tried(self, node: Node) -> Node:
        """Return a node with its bound, before any cuts are looked for."""
        if not self.program.has_choices(node.allowed):
            return replace(node, bound=-math.inf)
        solved = self.program.solve(node.allowed, min(self._seconds_left, _PATIENCE))
        if solved is None:
            return replace(node, bound=self._at)
        bound, each = self.program.bound(solved[1], node.allowed)
        return replace(node, allowed=node.allowed & (each > self.lost), bound=min(bound, self._at))

    def _fall(self, halves: list[Node]) -> float:
        """Return how much the bounds of halves fall: the product rewards those alike."""
        least = self.lost - 1.0
        return math.prod(self._at - max(half.bound, least) + _FRACTION for half in halves)

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
        if lost > self.lost + self._enough:
            self.parents, self.lost = parents, lost

    def _has_a_set(self, v: int, before: int) -> bool:
        return any(not s.parents & ~before for s in self.component.sets[v])

    def _loss(self, parents: list[int]) -> float:
        return self.component.score(parents) - self.ceiling

    def _tell(self) -> None:
        self.report(self.ceiling + self.lost, self.bound)


def cyclic_core(parents: list[int]) -> int:
    """Return the members of a graph that are left when sources are taken away again and again.

    Examples
    --------
    >>> bin(cyclic_core([0b010, 0b001, 0b001, 0]))
    '0b111'
    """
    left = (1 << len(parents)) - 1
    while True:
        sources = sum(1 << v for v in bits(left) if not parents[v] & left)
        if not sources:
            return left
        left ^= sources


def two_way_pairs(component: Component) -> list[ClusterCut]:
    """Return the cuts of pairs of members that may be parents of each other."""
    possible = [0] * len(component.members)
    for v, sets in enumerate(component.sets):
        for s in sets:
            possible[v] |= s.parents
    return [
        ClusterCut(1 << u | 1 << v, 1)
        for v, mask in enumerate(possible)
        for u in bits(mask)
        if u < v and possible[u] >> v & 1
    ]
