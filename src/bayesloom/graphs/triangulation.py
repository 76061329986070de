"""Elimination orders and the chordal graphs they make, over adjacency masks."""

from __future__ import annotations

from enum import Enum
from heapq import heapify, heappop, heappush
from math import prod
from typing import TYPE_CHECKING

from bayesloom.graphs.masks import bits

if TYPE_CHECKING:
    from collections.abc import Sequence


class Heuristic(Enum):
    """Which node to eliminate next; among equals the one with the lighter clique, then the lowest.

    The clique of a node is the node with its remaining neighbours, its weight the number of joint
    states of its members. Every heuristic first eliminates nodes that need no new edge.
    """

    MIN_FILL = "min-fill"
    """The node whose neighbours need the fewest new edges."""

    MIN_WEIGHT = "min-weight"
    """The node with the lightest clique."""

    WEIGHTED_MIN_FILL = "weighted-min-fill"
    """The node whose new edges have the least sum of joint states of their ends."""


def elimination_order(
    adjacency: Sequence[int],
    heuristic: Heuristic = Heuristic.MIN_FILL,
    cardinalities: Sequence[int] | None = None,
) -> list[int]:
    """Order the nodes so that eliminating them one by one makes small cliques.

    Parameters
    ----------
    adjacency : sequence of int
        Neighbours of each node.
    heuristic : Heuristic, default ``Heuristic.MIN_FILL``
        What to eliminate next.
    cardinalities : sequence of int, optional
        The number of states of each node; default: 2.

    Returns
    -------
    list of int
        All nodes; the same input gives the same order.

    Examples
    --------
    >>> elimination_order([0b1010, 0b0101, 0b1010, 0b0101])
    [0, 1, 2, 3]
    """
    states = [2] * len(adjacency) if cardinalities is None else cardinalities
    graph = _Elimination(adjacency, states)
    cost = {
        Heuristic.MIN_FILL: graph.fill_and_weight,
        Heuristic.MIN_WEIGHT: graph.weight_unless_simplicial,
        Heuristic.WEIGHTED_MIN_FILL: graph.fill_weight_and_weight,
    }[heuristic]
    latest = [(*cost(v), v) for v in range(len(adjacency))]
    heap = list(latest)
    heapify(heap)
    order = []
    while heap:
        entry = heappop(heap)
        v = entry[-1]
        if entry != latest[v]:
            continue
        order.append(v)
        latest[v] = (-1, -1, v)
        for u in bits(graph.eliminate(v)):
            entry = (*cost(u), u)
            if entry != latest[u]:
                latest[u] = entry
                heappush(heap, entry)
    return order


class _Elimination:
    """A graph that loses node after node, and what losing the next one would cost."""

    def __init__(self, adjacency: Sequence[int], states: Sequence[int]) -> None:
        self.adjacency = list(adjacency)
        self.states = states

    def eliminate(self, v: int) -> int:
        """Take a node out; return the nodes whose costs may have changed."""
        adjacency = self.adjacency
        around = changed = rest = adjacency[v]
        bit = 1 << v
        while rest:
            low = rest & -rest
            rest ^= low
            u = low.bit_length() - 1
            new = around & ~(adjacency[u] | low)
            adjacency[u] = (adjacency[u] | new) & ~bit
            new &= rest
            while new:
                one = new & -new
                changed |= adjacency[u] & adjacency[one.bit_length() - 1]
                new ^= one
        return changed & ~bit

    def fill(self, v: int) -> int:
        """Count the pairs of neighbours that are not adjacent."""
        adjacency = self.adjacency
        around = rest = adjacency[v]
        missing, others = 0, around.bit_count() - 1
        while rest:
            low = rest & -rest
            missing += others - (adjacency[low.bit_length() - 1] & around).bit_count()
            rest ^= low
        return missing // 2

    def weight(self, v: int) -> int:
        """Count the joint states of a node and its neighbours."""
        states = self.states
        rest, weight = self.adjacency[v], states[v]
        while rest:
            low = rest & -rest
            weight *= states[low.bit_length() - 1]
            rest ^= low
        return weight

    def fill_and_weight(self, v: int) -> tuple[int, int]:
        return self.fill(v), self.weight(v)

    def weight_unless_simplicial(self, v: int) -> tuple[int, int]:
        fill = self.fill(v)
        return (self.weight(v), fill) if fill else (0, 0)

    def fill_weight_and_weight(self, v: int) -> tuple[int, int]:
        adjacency, states = self.adjacency, self.states
        rest, total = adjacency[v], 0
        while rest:
            low = rest & -rest
            rest ^= low
            u = low.bit_length() - 1
            apart = rest & ~adjacency[u]
            if apart:
                total += states[u] * sum(states[w] for w in bits(apart))
        return total, self.weight(v)


def fill_in(adjacency: Sequence[int], order: Sequence[int]) -> list[int]:
    """Return the graph with the edges that eliminating the nodes in an order adds; it is chordal.

    Examples
    --------
    >>> fill_in([0b1010, 0b0101, 0b1010, 0b0101], [0, 1, 2, 3])
    [10, 13, 10, 7]
    """
    filled = list(adjacency)
    left = (1 << len(filled)) - 1
    for v in order:
        left ^= 1 << v
        around = rest = filled[v] & left
        while rest:
            low = rest & -rest
            filled[low.bit_length() - 1] |= around ^ low
            rest ^= low
    return filled


def elimination_cliques(adjacency: Sequence[int], order: Sequence[int]) -> list[int]:
    """Return the maximal cliques of the chordal graph that an elimination order makes.

    They come in the order of elimination of their first nodes.

    Examples
    --------
    >>> elimination_cliques([0b1010, 0b0101, 0b1010, 0b0101], [0, 1, 2, 3])
    [11, 14]
    """
    filled = fill_in(adjacency, order)
    later = [0] * len(filled)
    swallowed = set()
    left = 0
    for v in reversed(order):
        later[v] = filled[v] & left
        left |= 1 << v
    rank = {v: place for place, v in enumerate(order)}
    for v in order:
        if later[v]:
            # The next member of this clique to go leaves the rest of it: maximal only if more.
            heir = min(bits(later[v]), key=rank.__getitem__)
            if later[heir].bit_count() == later[v].bit_count() - 1:
                swallowed.add(heir)
    return [later[v] | 1 << v for v in order if v not in swallowed]


def lightest_order(adjacency: Sequence[int], cardinalities: Sequence[int]) -> list[int]:
    """Try every heuristic; return the order whose cliques have the fewest joint states in total.

    Among equals the heuristic that `Heuristic` lists first wins.

    Examples
    --------
    >>> lightest_order([0b1010, 0b0101, 0b1010, 0b0101], [9, 2, 9, 2])
    [0, 1, 2, 3]
    """
    orders = [elimination_order(adjacency, kind, cardinalities) for kind in Heuristic]
    return min(orders, key=lambda order: _total_states(adjacency, order, cardinalities))


def _total_states(
    adjacency: Sequence[int], order: Sequence[int], cardinalities: Sequence[int]
) -> int:
    cliques = elimination_cliques(adjacency, order)
    return sum(prod(cardinalities[v] for v in bits(clique)) for clique in cliques)
