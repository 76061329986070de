"""The pairs a maximum spanning forest is made of, found while their weights come in by blocks."""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from bayesloom.arrays import Floats, Ints, Longs
from bayesloom.graphs.spanning import TIE

BELOW_WEAKEST = 1e-9
"""How far below the weakest edge pairs are kept, since ties are chains of small gaps."""

_ENOUGH = 1 << 20  # pairs that are kept before it is looked which can go
_FEW = 1 << 17  # pairs of which it is not worth to look for the heaviest
_TRIED_FIRST = 16  # heaviest pairs per node, which often join everything


@dataclass(slots=True)
class HeaviestPairs:
    """Keep of all pairs those that the maximum spanning forest can be made of.

    Once the pairs that have come join all nodes that can be joined, one that weighs less than
    their weakest edge is in no maximum spanning forest. So few of many pairs are kept; where not
    all nodes can be joined, all pairs are that have a weight.

    Parameters
    ----------
    n : int
        The number of nodes.
    n_apart : int
        How many of them are in no pair.
    margin : float
        How far below the weakest edge pairs are kept.
    tie : float
        As in `maximum_spanning_forest`.

    Examples
    --------
    >>> pairs = HeaviestPairs(3)
    >>> pairs.add(np.array([0, 0], np.int32), np.array([1, 2], np.int32), np.array([0.5, 0.1]))
    >>> pairs.add(np.array([1], np.int32), np.array([2], np.int32), np.array([0.4]))
    >>> pairs.forest()
    [(0, 1), (1, 2)]
    """

    n: int
    n_apart: int = 0
    margin: float = BELOW_WEAKEST
    tie: float = TIE
    floor: float = field(init=False, default=-math.inf)
    """Pairs of less weight have been dropped."""
    _first: list[Ints] = field(init=False, default_factory=list)
    _second: list[Ints] = field(init=False, default_factory=list)
    _weights: list[Floats] = field(init=False, default_factory=list)
    _size: int = field(init=False, default=0)
    _left: int = field(init=False, default=0)
    """How many pairs were left when it was last looked which can go."""

    def __len__(self) -> int:
        return self._size

    def add(self, first: Ints, second: Ints, weights: Floats) -> None:
        """Take up pairs ``a < b`` in order, after all that have come; -inf joins no pair."""
        kept = weights > -np.inf if self.floor == -math.inf else weights >= self.floor
        self._put(first[kept], second[kept], weights[kept])
        if self._size > max(_ENOUGH, 2 * self._left):
            self._thin_out()
            self._left = self._size

    def forest(self) -> list[tuple[int, int]]:
        """Return the edges of the maximum spanning forest, in the order in which Kruskal adds them.

        Weights that a chain of gaps up to ``tie`` connects are equal; the smaller pair is taken.
        """
        first, second, weights = self._gather()
        weakest = -math.inf if len(self) <= _FEW else self._weakest()
        order = _falling(weights, weakest, self.tie)
        taken = _boruvka(self.n, first[order], second[order])
        edges = order[taken]
        return list(zip(first[edges].tolist(), second[edges].tolist(), strict=True))

    @property
    def is_certain(self) -> bool:
        """Whether no pair that was dropped could be equal to one that counts."""
        if self.floor == -math.inf:
            return True
        weights = self._gather()[2]
        chain = weights[_falling(weights, self._weakest(), self.tie)]
        return float(chain.min(initial=math.inf)) - self.tie > self.floor

    def _put(self, first: Ints, second: Ints, weights: Floats) -> None:
        self._first.append(first)
        self._second.append(second)
        self._weights.append(weights)
        self._size += len(weights)

    def _gather(self) -> tuple[Ints, Ints, Floats]:
        """Return all pairs that are kept, in order."""
        if len(self._weights) != 1:
            none = np.zeros(0, np.int32)
            self._first = [np.concatenate([none, *self._first])]
            self._second = [np.concatenate([none, *self._second])]
            self._weights = [np.concatenate([np.zeros(0), *self._weights])]
        return self._first[0], self._second[0], self._weights[0]

    def _thin_out(self) -> None:
        """Drop the pairs that weigh too little."""
        floor = self._weakest() - self.margin
        if floor <= self.floor:
            return
        self.floor = floor
        first, second, weights = self._gather()
        kept = weights >= floor
        self._first, self._second, self._weights, self._size = [], [], [], 0
        self._put(first[kept], second[kept], weights[kept])

    def _weakest(self) -> float:
        """Return the weight of the weakest edge; -inf if the pairs do not join everything."""
        first, second, weights = self._gather()
        wanted = self.n - self.n_apart - 1
        n_tried = _TRIED_FIRST * self.n
        while wanted > 0:
            heaviest = _heaviest(weights, n_tried)
            order = heaviest[np.argsort(-weights[heaviest], kind="stable")]
            taken = _boruvka(self.n, first[order], second[order])
            if len(taken) == wanted:
                return float(weights[order[taken[-1]]])
            if len(heaviest) == len(weights):
                break
            n_tried *= _TRIED_FIRST
        return -math.inf


def outward(n: int, edges: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the edges of a forest as Prim joins them: outward from node 0, and from the next.

    Parameters
    ----------
    n : int
        The number of nodes.
    edges : sequence of pairs
        The edges, the heaviest first.

    Examples
    --------
    >>> outward(4, [(0, 3), (2, 3), (1, 3)])
    [(0, 3), (3, 2), (3, 1)]
    """
    near: list[list[tuple[int, int]]] = [[] for _ in range(n)]
    for rank, (a, b) in enumerate(edges):
        near[a].append((rank, b))
        near[b].append((rank, a))
    joined, out = list[tuple[int, int]](), [True] * n
    for start in range(n):
        front = [(-1, start, start)]
        while front:
            _, via, v = heapq.heappop(front)
            if not out[v]:
                continue
            out[v] = False
            if via != v:
                joined.append((via, v))
            for rank, w in near[v]:
                if out[w]:
                    heapq.heappush(front, (rank, v, w))
    return joined


def _heaviest(weights: Floats, n_wanted: int) -> Longs:
    """Return the places of so many of the largest weights, and of those equal to the last."""
    if n_wanted >= len(weights):
        return np.arange(len(weights))
    last = len(weights) - n_wanted
    return np.flatnonzero(weights >= np.partition(weights, last)[last])


def _falling(weights: Floats, weakest: float, tie: float) -> Longs:
    """Return the places of all weights down to those equal to the weakest, the heaviest first.

    Weights that a chain of gaps up to ``tie`` connects are equal, and equal ones keep their order.
    """
    places = np.flatnonzero(weights >= weakest - BELOW_WEAKEST)
    falling, is_whole = _chained(weights, places, weakest, tie)
    if not is_whole and len(places) < len(weights):
        falling, _ = _chained(weights, np.arange(len(weights)), weakest, tie)
    return falling


def _chained(weights: Floats, places: Longs, weakest: float, tie: float) -> tuple[Longs, bool]:
    """Do so among the largest weights; say whether the chain at the end has an end among them."""
    falling = places[np.argsort(-weights[places], kind="stable")]
    down = -weights[falling]
    level = np.cumsum(np.diff(down, prepend=-np.inf) > tie)
    last = int(np.searchsorted(down, -weakest, side="right"))
    if 0 < last < len(level):
        last = int(np.searchsorted(level, level[last - 1], side="right"))
    is_whole = last == 0 or -down[last - 1] - tie > weakest - BELOW_WEAKEST
    falling, level = falling[:last], level[:last]
    place = level * len(weights) + falling
    if (place[1:] < place[:-1]).any():
        falling = falling[np.argsort(place)]
    return falling, is_whole


def _boruvka(n: int, first: Ints, second: Ints) -> Longs:
    """Return the places of the forest's edges among pairs that come with the heaviest first.

    Every tree takes its heaviest edge to another one, and those that are joined become one tree,
    until no edge is left between two. Heavy pairs come first, because they may join everything.
    """
    tree, done, n_taken = np.arange(n), 0, 0
    taken = [np.zeros(0, np.int64)]
    while done < len(first) and n_taken < n - 1:
        ahead = np.arange(done, min(len(first), 4 * done + 4 * n))
        done = int(ahead[-1]) + 1
        while True:
            x, y = tree[first[ahead]], tree[second[ahead]]
            apart = x != y
            ahead, x, y = ahead[apart], x[apart], y[apart]
            if not len(ahead):
                break
            edges, tree = _grown(tree, ahead, x, y)
            taken.append(edges)
            n_taken += len(edges)
    return np.sort(np.concatenate(taken))


def _grown(tree: Longs, edges: Longs, x: Longs, y: Longs) -> tuple[Longs, Longs]:
    """Let every tree take the first of the edges at it; return those and the tree of every node.

    ``x`` and ``y`` are the trees that the edges join, each called by one of its nodes.
    """
    nodes, none = np.arange(len(tree)), edges[-1] + 1
    best, other = np.full(len(tree), none), nodes.copy()
    best[y[::-1]] = edges[::-1]  # of several that are put into one place, the last stays
    other[y[::-1]] = x[::-1]
    at_x, across = np.full(len(tree), none), nodes.copy()
    at_x[x[::-1]] = edges[::-1]
    across[x[::-1]] = y[::-1]
    up = np.where(at_x < best, across, other)
    best = np.minimum(at_x, best)
    are_top = (up[up] == nodes) & (nodes < up)  # of two that take the same edge
    up[are_top] = nodes[are_top]
    while (up[up] != up).any():
        up = up[up]
    return np.unique(best[best < none]), up[tree]
