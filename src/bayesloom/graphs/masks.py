"""Node sets as int bitmasks: bit v of a mask stands for node v.

A graph is a sequence with one mask per node: its parents, its children or its neighbours.
Nothing here knows names; nothing is checked, callers hand in what the graph values accept.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bayesloom import _native

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


_MANY = 1024  # nodes; so many are found faster by looking at every bit than one after the other


def bits(mask: int) -> list[int]:
    """Return the nodes of a mask in ascending order.

    Examples
    --------
    >>> bits(0b10110)
    [1, 2, 4]
    """
    if mask.bit_count() > _MANY:
        return [v for v, bit in enumerate(reversed(f"{mask:b}")) if bit == "1"]
    nodes = []
    while mask:
        low = mask & -mask
        nodes.append(low.bit_length() - 1)
        mask ^= low
    return nodes


def mask_of(nodes: Iterable[int]) -> int:
    """Return the mask of some nodes.

    Examples
    --------
    >>> bin(mask_of([1, 2, 4]))
    '0b10110'
    """
    mask = 0
    for v in nodes:
        mask |= 1 << v
    return mask


def transposed(masks: Sequence[int]) -> list[int]:
    """Turn parent masks into child masks, or the other way round.

    Examples
    --------
    >>> transposed([0b000, 0b001, 0b011])
    [6, 4, 0]
    """
    return _native.transposed(masks)


def skeleton(parents: Sequence[int]) -> list[int]:
    """Return the adjacency masks of a DAG without its directions.

    Examples
    --------
    >>> skeleton([0b000, 0b001, 0b011])
    [6, 5, 3]
    """
    return [pa | ch for pa, ch in zip(parents, transposed(parents), strict=True)]


def moral_graph(parents: Sequence[int]) -> list[int]:
    """Return the adjacency masks of a DAG whose parents are married.

    The neighbours of a node in the moral graph are its Markov blanket.

    Examples
    --------
    >>> moral_graph([0b000, 0b000, 0b011])
    [6, 5, 3]
    """
    return _native.moral_graph(parents)


def reachable(successors: Sequence[int], sources: int, blocked: int = 0) -> int:
    """Return the sources and every node a path leads to that enters no blocked node.

    With child masks the paths are directed, with children and neighbours they are
    semi-directed, with adjacency masks they are undirected. Sources may be blocked.

    Examples
    --------
    >>> bits(reachable([0b010, 0b100, 0b1000, 0], sources=0b1, blocked=0b1000))
    [0, 1, 2]
    """
    found = front = sources
    free = ~(blocked | sources)
    while front:
        low = front & -front
        new = successors[low.bit_length() - 1] & free
        found |= new
        free ^= new
        front = (front ^ low) | new
    return found


def components(adjacency: Sequence[int], among: int | None = None) -> list[int]:
    """Return the connected components, ordered by their lowest node.

    Parameters
    ----------
    adjacency : sequence of int
        Neighbours of each node.
    among : int, optional
        Look only at the graph these nodes induce; default: all nodes.

    Examples
    --------
    >>> components([0b100, 0, 0b001])
    [5, 2]
    """
    everything = (1 << len(adjacency)) - 1
    rest = everything if among is None else among
    blocked = everything & ~rest
    found = []
    while rest:
        part = reachable(adjacency, rest & -rest, blocked)
        found.append(part)
        rest &= ~part
    return found


def is_clique(adjacency: Sequence[int], nodes: int) -> bool:
    """Say whether all pairs of the nodes are adjacent; true for none and for one.

    Examples
    --------
    >>> is_clique([0b110, 0b001, 0b001], 0b011), is_clique([0b110, 0b001, 0b001], 0b111)
    (True, False)
    """
    rest = nodes
    while rest:
        low = rest & -rest
        rest ^= low
        if rest & ~adjacency[low.bit_length() - 1]:
            return False
    return True


def relabelled(masks: Sequence[int], position: Sequence[int]) -> list[int]:
    """Move node v of a graph to ``position[v]``.

    Examples
    --------
    >>> relabelled([0b00, 0b01], position=[1, 0])
    [2, 0]
    """
    out = [0] * len(masks)
    for v, mask in enumerate(masks):
        out[position[v]] = mask_of(position[u] for u in bits(mask))
    return out
