"""Meek's orientation rules over masks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bayesloom.graphs.masks import transposed

if TYPE_CHECKING:
    from collections.abc import Sequence


def close_under_meek(
    parents: Sequence[int], neighbours: Sequence[int], *, fourth_rule: bool = False
) -> tuple[list[int], list[int]]:
    """Direct every undirected edge that rules R1 to R3, or R1 to R4, direct.

    R1: a -> b - c, a and c not adjacent, gives b -> c. R2: a -> b -> c and a - c gives a -> c.
    R3: a - b, a - c, a - d, c -> b, d -> b, c and d not adjacent, gives a -> b.
    R4: a - b, a - d, d -> c -> b, a and c adjacent, b and d not, gives a -> b.

    The rules only add what follows; they never undo an arrow. If the graph has no consistent
    extension the result has none either, and may hold a directed cycle.

    Parameters
    ----------
    parents, neighbours : sequence of int
        The partially directed graph.
    fourth_rule : bool, default False
        Use R4 too: needed when some arrows come from background knowledge, not from v-structures.

    Returns
    -------
    parents, neighbours : list of int
        The closed graph.

    References
    ----------
    C. Meek, Causal inference and causal explanation with background knowledge, UAI 1995.

    Examples
    --------
    >>> close_under_meek([0, 0b001, 0], [0, 0b100, 0b010])
    ([0, 1, 2], [0, 0, 0])
    """
    into, free = list(parents), list(neighbours)
    out = transposed(parents)
    adjacency = [p | c | ne for p, c, ne in zip(into, out, free, strict=True)]
    dirty = (1 << len(into)) - 1
    while dirty:
        low = dirty & -dirty
        dirty ^= low
        v = low.bit_length() - 1
        rest = free[v]
        while rest:
            one = rest & -rest
            rest ^= one
            u = one.bit_length() - 1
            graph = (into, out, free, adjacency)
            if _points_at(graph, v, u, fourth_rule=fourth_rule):
                a, b = v, u
            elif _points_at(graph, u, v, fourth_rule=fourth_rule):
                a, b = u, v
            else:
                continue
            free[a] &= ~(1 << b)
            free[b] &= ~(1 << a)
            into[b] |= 1 << a
            out[a] |= 1 << b
            # An arrow decides edges at its ends; by R4 also edges at the children of its head.
            dirty |= 1 << a | 1 << b | (out[b] if fourth_rule else 0)
    return into, free


def _points_at(
    graph: tuple[list[int], list[int], list[int], list[int]], a: int, b: int, *, fourth_rule: bool
) -> bool:
    """Say whether a rule turns the undirected edge a - b into a -> b."""
    into, out, free, adjacency = graph
    if into[a] & ~adjacency[b] or out[a] & into[b]:
        return True
    both = rest = free[a] & into[b]
    while rest & (rest - 1):
        low = rest & -rest
        rest ^= low
        if both & ~(adjacency[low.bit_length() - 1] | low):
            return True
    return fourth_rule and _rule_four(graph, a, b)


def _rule_four(graph: tuple[list[int], list[int], list[int], list[int]], a: int, b: int) -> bool:
    into, out, free, adjacency = graph
    middle = into[b] & adjacency[a]
    rest = free[a] & ~(adjacency[b] | 1 << b) if middle else 0
    while rest:
        low = rest & -rest
        if out[low.bit_length() - 1] & middle:
            return True
        rest ^= low
    return False
