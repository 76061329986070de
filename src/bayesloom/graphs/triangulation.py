"""Elimination orders and the chordal graphs they make, over adjacency masks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bayesloom import _native
from bayesloom.graphs.masks import bits

if TYPE_CHECKING:
    from collections.abc import Sequence


def elimination_order(adjacency: Sequence[int], cardinalities: Sequence[int]) -> list[int]:
    """Order the nodes so that eliminating them one by one makes small cliques.

    Several greedy orders are made, min-fill and weighted min-fill among them; the one is taken
    whose cliques have the fewest joint states.

    Parameters
    ----------
    adjacency : sequence of int
        Neighbours of each node.
    cardinalities : sequence of int
        The number of states of each node.

    Examples
    --------
    >>> elimination_order([0b1010, 0b0101, 0b1010, 0b0101], [9, 2, 9, 2])
    [0, 1, 2, 3]
    """
    import numpy as np

    ends = [end for v, mask in enumerate(adjacency) for u in bits(mask >> v << v) for end in (v, u)]
    order: list[int] = _native.elimination_order(
        np.array(cardinalities, np.int32),
        np.arange(0, len(ends) + 1, 2, dtype=np.int64),
        np.array(ends, np.int32),
    ).tolist()
    return order


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
