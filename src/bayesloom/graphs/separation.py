"""d-separation and Markov blankets over parent masks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bayesloom.graphs.ancestry import topological_order
from bayesloom.graphs.masks import transposed

if TYPE_CHECKING:
    from collections.abc import Sequence


def d_connected(
    parents: Sequence[int], x: int, given: int, children: Sequence[int] | None = None
) -> int:
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
    children : sequence of int, optional
        Child masks, if the caller has them already.

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
    if children is None:
        children = transposed(parents)
    start = 1 << x
    from_child = go_up = start
    from_parent = go_down = 0
    while go_up or go_down:
        if go_up:
            low = go_up & -go_up
            go_up ^= low
            if low & given:
                continue
            v = low.bit_length() - 1
            up, down = parents[v], children[v]
        else:
            low = go_down & -go_down
            go_down ^= low
            v = low.bit_length() - 1
            # A given node turns trails from its parents back up: that opens colliders above it too.
            up, down = (parents[v], 0) if low & given else (0, children[v])
        up &= ~from_child
        from_child |= up
        go_up |= up
        down &= ~from_parent
        from_parent |= down
        go_down |= down
    return (from_child | from_parent) & ~(given | start)


def markov_blanket(parents: Sequence[int], v: int, children: Sequence[int] | None = None) -> int:
    """Return the parents, the children and the children's other parents of a node.

    Examples
    --------
    >>> markov_blanket([0, 0, 0b011, 0b100], 0)
    6
    """
    rest = (transposed(parents) if children is None else children)[v]
    blanket = parents[v] | rest
    while rest:
        low = rest & -rest
        blanket |= parents[low.bit_length() - 1]
        rest ^= low
    return blanket & ~(1 << v)


def marginally_connected(
    parents: Sequence[int], children: Sequence[int] | None = None
) -> list[int]:
    """Return for each node the mask of the others it is d-connected with given nothing.

    Two nodes are if one is an ancestor of the other or they share one: from each node one goes up
    any number of edges, then down any number. ``children`` saves work if the caller has them.

    Examples
    --------
    >>> [bin(mask) for mask in marginally_connected([0, 0, 0b011, 0b010])]
    ['0b100', '0b1100', '0b1011', '0b110']
    """
    order = topological_order(parents, children)
    below = [1 << v for v in range(len(parents))]
    for v in reversed(order):
        rest, mask = parents[v], below[v]
        while rest:
            low = rest & -rest
            below[low.bit_length() - 1] |= mask
            rest ^= low
    reach = below
    for v in order:
        rest = parents[v]
        while rest:
            low = rest & -rest
            reach[v] |= reach[low.bit_length() - 1]
            rest ^= low
    return [mask & ~(1 << v) for v, mask in enumerate(reach)]
