"""Maximum cardinality search over adjacency masks: chordality, cliques, junction forest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bayesloom.graphs.masks import bits, components

if TYPE_CHECKING:
    from collections.abc import Sequence


def maximum_cardinality_search(adjacency: Sequence[int]) -> tuple[list[int], list[int]]:
    """Visit all nodes, each time one with most visited neighbours, the lowest among equals.

    Returns
    -------
    order : list of int
        The nodes as visited; in a chordal graph its reverse is a perfect elimination order.
    before : list of int
        For each node the mask of its neighbours visited before it.

    References
    ----------
    R. E. Tarjan and M. Yannakakis, SIAM Journal on Computing 13, 1984.

    Examples
    --------
    >>> maximum_cardinality_search([0b110, 0b001, 0b001])
    ([0, 1, 2], [0, 1, 1])
    """
    n = len(adjacency)
    before, order = [0] * n, []
    # seen[k]: the unvisited nodes with k visited neighbours.
    seen = [(1 << n) - 1]
    level, visited = 0, 0
    for _ in range(n):
        while not seen[level]:
            level -= 1
        bit = seen[level] & -seen[level]
        seen[level] ^= bit
        v = bit.bit_length() - 1
        order.append(v)
        before[v] = adjacency[v] & visited
        visited |= bit
        rest = adjacency[v] & ~visited
        for k in range(level, -1, -1):
            moved = seen[k] & rest
            if moved:
                if k + 1 == len(seen):
                    seen.append(0)
                seen[k] ^= moved
                seen[k + 1] |= moved
                rest ^= moved
                if not rest:
                    break
        level = min(level + 1, len(seen) - 1)
    return order, before


def is_chordal(adjacency: Sequence[int]) -> bool:
    """Say whether every cycle of four or more nodes has a chord.

    Examples
    --------
    >>> is_chordal([0b1010, 0b0101, 0b1010, 0b0101]), is_chordal([0b110, 0b101, 0b011])
    (False, True)
    """
    order, before = maximum_cardinality_search(adjacency)
    rank = _ranks(order)
    for mask in before:
        if mask & (mask - 1):
            last = max(bits(mask), key=rank.__getitem__)
            if mask & ~(before[last] | 1 << last):
                return False
    return True


def clique_forest(adjacency: Sequence[int]) -> tuple[list[int], list[int], list[int]]:
    """Return the maximal cliques of a chordal graph and the forest that joins them.

    The forest is a maximum-weight spanning forest of the clique intersection graph, weighted by
    the size of the intersection: each clique but the first of its component hangs below an
    earlier clique that contains all it shares with earlier cliques.

    Returns
    -------
    cliques : list of int
        The maximal cliques, each after the clique it hangs below.
    above : list of int
        For each clique the index of the clique it hangs below, or -1 for the root of a tree.
    separators : list of int
        For each clique what it shares with the clique above; 0 for a root.

    References
    ----------
    J. R. S. Blair and B. Peyton, An introduction to chordal graphs and clique trees, 1993,
    algorithm 4.2.

    Examples
    --------
    >>> clique_forest([0b0110, 0b0101, 0b1011, 0b0100])
    ([7, 12], [-1, 0], [0, 4])
    """
    order, before = maximum_cardinality_search(adjacency)
    rank = _ranks(order)
    home = [0] * len(adjacency)
    cliques: list[int] = []
    above: list[int] = []
    separators: list[int] = []
    size = -1
    for v in order:
        mask = before[v]
        count = mask.bit_count()
        # A node extends the clique of the node before it, or fails to and starts the next.
        if count <= size or size < 0:
            last = max(bits(mask), key=rank.__getitem__, default=-1)
            above.append(home[last] if mask else -1)
            separators.append(mask)
            cliques.append(mask)
        home[v] = len(cliques) - 1
        cliques[-1] |= 1 << v
        size = count
    return cliques, above, separators


def find_hole(adjacency: Sequence[int]) -> list[int]:
    """Return the nodes of a cycle of four or more nodes without a chord, in order; empty if none.

    Examples
    --------
    >>> find_hole([0b1010, 0b0101, 0b1010, 0b0101])
    [0, 1, 2, 3]
    """
    everything = (1 << len(adjacency)) - 1
    for v, around in enumerate(adjacency):
        for part in components(adjacency, everything & ~(around | 1 << v)):
            # Two neighbours of v that touch this part and not each other close a hole.
            rim = around & _touching(adjacency, part)
            for u in bits(rim):
                apart = rim & ~(adjacency[u] | 1 << u)
                if apart:
                    w = (apart & -apart).bit_length() - 1
                    return [v, *_shortest_path(adjacency, u, w, part)]
    return []


def _touching(adjacency: Sequence[int], nodes: int) -> int:
    found = 0
    for v in bits(nodes):
        found |= adjacency[v]
    return found


def _shortest_path(adjacency: Sequence[int], start: int, end: int, through: int) -> list[int]:
    """Return a shortest path between two nodes whose inner nodes are in ``through``."""
    inside = through | 1 << start | 1 << end
    layers = [1 << start]
    left = inside ^ layers[0]
    while not layers[-1] >> end & 1:
        layers.append(_touching(adjacency, layers[-1]) & left)
        left &= ~layers[-1]
    path = [end]
    for layer in layers[-2::-1]:
        back = layer & adjacency[path[-1]]
        path.append((back & -back).bit_length() - 1)
    return path[::-1]


def _ranks(order: Sequence[int]) -> list[int]:
    rank = [0] * len(order)
    for place, v in enumerate(order):
        rank[v] = place
    return rank
