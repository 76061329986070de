"""Order and ancestry in directed graphs over parent masks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bayesloom import _native
from bayesloom.graphs.masks import reachable

if TYPE_CHECKING:
    from collections.abc import Sequence


def topological_order(parents: Sequence[int]) -> list[int]:
    """List every node after its parents, the lowest index first among those that may come next.

    Nodes on a directed cycle and their descendants are left out, so the list is shorter than
    ``parents`` exactly when the graph is not acyclic.

    Parameters
    ----------
    parents : sequence of int
        Parent mask of each node.

    Examples
    --------
    >>> topological_order([0b100, 0b000, 0b010])
    [1, 2, 0]
    >>> topological_order([0b010, 0b001])
    []
    """
    return _native.topological_order(parents)


def find_cycle(parents: Sequence[int]) -> list[int]:
    """Return the nodes of a directed cycle in the direction of its edges; empty if there is none.

    Examples
    --------
    >>> find_cycle([0b100, 0b001, 0b010])
    [0, 1, 2]
    >>> find_cycle([0b00, 0b01])
    []
    """
    done = set(topological_order(parents))
    rest = sum(1 << v for v in range(len(parents)) if v not in done)
    if not rest:
        return []
    # Every remaining node has a remaining parent: walking to parents must run into a cycle.
    walk: list[int] = []
    place: dict[int, int] = {}
    v = (rest & -rest).bit_length() - 1
    while v not in place:
        place[v] = len(walk)
        walk.append(v)
        up = parents[v] & rest
        v = (up & -up).bit_length() - 1
    cycle = walk[place[v] :][::-1]
    first = cycle.index(min(cycle))
    return cycle[first:] + cycle[:first]


def ancestors(parents: Sequence[int], nodes: int) -> int:
    """Return the nodes of a mask and all their ancestors.

    Examples
    --------
    >>> ancestors([0b000, 0b001, 0b010], 0b010)
    3
    """
    return reachable(parents, nodes)
