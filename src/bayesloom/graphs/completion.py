"""From a partially directed graph to a DAG of its class, and from a DAG to its class (CPDAG).

A partially directed graph is two sequences of masks: ``parents`` (the arrows that point at a
node) and ``neighbours`` (its undirected edges).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bayesloom import _native
from bayesloom.errors import GraphError
from bayesloom.graphs.ancestry import topological_order
from bayesloom.graphs.masks import bits, skeleton, transposed

if TYPE_CHECKING:
    from collections.abc import Sequence


def remove_sinks(
    parents: Sequence[int], neighbours: Sequence[int]
) -> tuple[list[int], list[int], int]:
    """Run Dor and Tarsi's algorithm as far as it goes.

    Repeatedly take the lowest remaining node that has no remaining child and whose undirected
    neighbours are adjacent to everything else it is adjacent to; point its undirected edges at
    it and remove it.

    Parameters
    ----------
    parents, neighbours : sequence of int
        The partially directed graph.

    Returns
    -------
    parents : list of int
        Parent masks of the extension, complete if nothing is left.
    order : list of int
        The nodes in the order of removal: the reverse of a topological order.
    left : int
        The mask of the nodes that could not be removed; 0 if there is an extension.

    References
    ----------
    D. Dor and M. Tarsi, A simple algorithm to construct a consistent extension of a partially
    oriented graph, 1992.

    Examples
    --------
    >>> remove_sinks([0, 0b001, 0], [0, 0b100, 0b010])
    ([0, 1, 2], [2, 1, 0], 0)
    """
    return _native.remove_sinks(parents, neighbours)


def consistent_extension(parents: Sequence[int], neighbours: Sequence[int]) -> list[int]:
    """Return the parent masks of a DAG with the same skeleton, arrows and v-structures.

    Raises
    ------
    GraphError
        If there is none.

    Examples
    --------
    >>> consistent_extension([0, 0b001, 0], [0, 0b100, 0b010])
    [0, 1, 2]
    """
    extended, _, left = remove_sinks(parents, neighbours)
    if left:
        msg = f"there is no consistent extension; no order was found for the nodes {bits(left)}"
        raise GraphError(msg)
    return extended


def cpdag_of_dag(
    parents: Sequence[int], order: Sequence[int] | None = None
) -> tuple[list[int], list[int]]:
    """Return the completed partially directed graph of a DAG's equivalence class.

    Edges are labelled compelled or reversible child by child in topological order.

    Parameters
    ----------
    parents : sequence of int
        Parent masks of a DAG.
    order : sequence of int, optional
        A topological order, if the caller has one.

    Returns
    -------
    parents, neighbours : list of int
        The compelled arrows and the reversible edges.

    References
    ----------
    D. M. Chickering, A transformational characterization of equivalent Bayesian network
    structures, UAI 1995, procedures Order-Edges and Label-Edges.

    Examples
    --------
    >>> cpdag_of_dag([0, 0, 0b011, 0b100])
    ([0, 0, 3, 4], [0, 0, 0, 0])
    >>> cpdag_of_dag([0, 0b001, 0b010])
    ([0, 0, 0], [2, 5, 2])
    """
    return _native.class_of_dag(parents, order or topological_order(parents))


def collider_parents(parents: Sequence[int], adjacency: Sequence[int] | None = None) -> list[int]:
    """Return for each node the parents that share it with a parent they are not adjacent to.

    These are the arrowheads of the v-structures (unshielded colliders).

    Examples
    --------
    >>> collider_parents([0, 0, 0b011, 0b100])
    [0, 0, 3, 0]
    """
    if adjacency is None:
        adjacency = skeleton(parents)
    heads = [0] * len(parents)
    for v, family in enumerate(parents):
        if family & (family - 1):
            rest = family
            while rest:
                low = rest & -rest
                if family & ~(adjacency[low.bit_length() - 1] | low):
                    heads[v] |= low
                rest ^= low
    return heads


def pattern_of_dag(parents: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return a DAG's adjacencies with the arrowheads of v-structures only, not closed further.

    Examples
    --------
    >>> pattern_of_dag([0, 0, 0b011, 0b100])
    ([0, 0, 3, 0], [0, 0, 8, 4])
    """
    adjacency = skeleton(parents)
    heads = collider_parents(parents, adjacency)
    tails = transposed(heads)
    return heads, [a & ~(h | t) for a, h, t in zip(adjacency, heads, tails, strict=True)]


def equivalent(parents: Sequence[int], others: Sequence[int]) -> bool:
    """Say whether two DAGs have the same skeleton and the same v-structures.

    Examples
    --------
    >>> equivalent([0, 0b01], [0b10, 0]), equivalent([0, 0, 0b011], [0b100, 0b100, 0])
    (True, False)
    """
    adjacency = skeleton(parents)
    return adjacency == skeleton(others) and (
        collider_parents(parents, adjacency) == collider_parents(others, adjacency)
    )
