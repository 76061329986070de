"""d-separation and Markov blankets over parent masks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bayesloom import _native
from bayesloom.graphs.masks import transposed

if TYPE_CHECKING:
    from collections.abc import Sequence


def d_connected(parents: Sequence[int], x: int, given: int) -> int:
    """Return every node that is d-connected with ``x`` given a set of nodes.

    One pass over (node, direction of arrival) answers all targets: a trail passes a node
    outside ``given`` unless both its edges point at it, and passes a node with both edges
    pointing at it exactly when the node or one of its descendants is in ``given``.

    Parameters
    ----------
    parents : sequence of int
        Parent masks of a DAG.
    x : int
        The node where trails start; not in ``given``.
    given : int
        The mask of the conditioning set.

    Returns
    -------
    int
        The mask of the d-connected nodes, without ``x`` and without members of ``given``.

    References
    ----------
    R. D. Shachter, Bayes-Ball, UAI 1998.

    Examples
    --------
    The collider 0 -> 2 <- 1 is closed until node 2 is given.

    >>> d_connected([0, 0, 0b011], 0, 0), d_connected([0, 0, 0b011], 0, 0b100)
    (4, 2)
    """
    return d_connections(parents, [(x, given)])[0]


def d_connections(parents: Sequence[int], questions: Sequence[tuple[int, int]]) -> list[int]:
    """Answer `d_connected` for many pairs of a node and a conditioning set.

    Examples
    --------
    >>> d_connections([0, 0, 0b011], [(0, 0), (0, 0b100)])
    [4, 2]
    """
    return _native.d_connected(parents, questions)


def blanket_mask(parents: Sequence[int], v: int, children: Sequence[int] | None = None) -> int:
    """Return the parents, the children and the children's other parents of a node.

    Examples
    --------
    >>> blanket_mask([0, 0, 0b011, 0b100], 0)
    6
    """
    rest = (transposed(parents) if children is None else children)[v]
    blanket = parents[v] | rest
    while rest:
        low = rest & -rest
        blanket |= parents[low.bit_length() - 1]
        rest ^= low
    return blanket & ~(1 << v)
