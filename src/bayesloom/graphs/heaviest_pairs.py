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
_TRIED_FIRST = 8  # heaviest pairs per node, which join most nodes


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
    is_certain: bool = field(init=False, default=True)
    """Whether no pair that was dropped could be equal to one that counts in the forest."""
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
        first, second, _ = self._gather()
        edges, lightest = self._span()
        # Else a pair that was dropped could be equal to one that counts.
        self.is_certain = self.floor == -math.inf or lightest - self.tie > self.floor
        return list(zip(first[edges].tolist(), second[edges].tolist(), strict=True))

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
        floor = self._span()[1] - self.margin
        if floor <= self.floor:
            return
        self.floor = floor
        first, second, weights = self._gather()
        kept = weights >= floor
        self._first, self._second, self._weights, self._size = [], [], [], 0
        self._put(first[kept], second[kept], weights[kept])

    def _span(self) -> tuple[Longs, float]:
        """Return the places of the edges in order, and the least weight that equals the last one's.

        That is -inf if more pairs may follow of any weight, because some nodes are not joined yet.
        """
        first, second, weights = self._gather()
        rising = np.sort(weights)
        starts = np.flatnonzero(rising[1:] - rising[:-1] > self.tie) + 1
        least = rising[
            np.append(np.zeros(min(1, len(rising)), np.intp), starts)
        ]  # of equal weights
        del rising, starts
        tree, left = np.arange(self.n), np.arange(len(weights))
        edges = [left[:0]]
        n_tried = _TRIED_FIRST * self.n
        while len(left):
            own = weights[left]
            cut = -math.inf
            if len(left) > n_tried:
                heavy = np.partition(own, len(left) - n_tried)[len(left) - n_tried]
                cut = least[np.searchsorted(least, heavy, side="right") - 1]
            some = left[own >= cut]
            level = len(least) - np.searchsorted(least, weights[some], side="right")
            some = some[np.lexsort((some, level))]
            taken, tree = _boruvka(tree, first[some], second[some])
            edges.append(some[taken])
            left = left[own < cut]
            left = left[tree[first[left]] != tree[second[left]]]
        found = np.concatenate(edges)
        if len(found) < max(1, self.n - self.n_apart - 1):
            return found, -math.inf
        return found, float(least[np.searchsorted(least, weights[found[-1]], side="right") - 1])


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


def _boruvka(tree: Longs, first: Ints, second: Ints) -> tuple[Longs, Longs]:
    """Join trees by pairs that come with the heaviest first (Boruvka).

    Every tree takes its heaviest edge to another one, and those that are joined become one tree,
    until no edge is left between two.

    Returns
    -------
    taken : array
        The places of the edges, in order.
    tree : array
        The tree of every node, called by one of its nodes.
    """
    ahead = np.arange(len(first))
    taken = [ahead[:0]]
    while True:
        x, y = tree[first[ahead]], tree[second[ahead]]
        apart = x != y
        ahead, x, y = ahead[apart], x[apart], y[apart]
        if not len(ahead):
            return np.sort(np.concatenate(taken)), tree
        edges, tree = _grown(tree, ahead, x, y)
        taken.append(edges)


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
    taken = np.sort(best[best < none])  # np.unique would import numpy.ma, which nothing else needs
    return taken[np.flatnonzero(np.diff(taken, prepend=-1))], up[tree]
