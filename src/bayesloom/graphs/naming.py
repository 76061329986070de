"""Names at the edge of the graph values: checking them, turning them into masks and back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from bayesloom.errors import GraphError, UnknownVariableError, listed, shown
from bayesloom.graphs.masks import bits, transposed

_T = TypeVar("_T")


def check_names(names: object) -> None:
    """Raise a GraphError unless the names are a tuple of different strings.

    Examples
    --------
    >>> check_names(("A", "B"))
    """
    if not isinstance(names, tuple):
        msg = f"node names must be a tuple of strings, got {type(names).__name__}"
        raise GraphError(msg)
    seen = set()
    for name in names:
        if not isinstance(name, str):
            msg = f"node names must be strings, got {name!r}; rename the node first"
            raise GraphError(msg)
        if name in seen:
            msg = f"node name {name!r} appears twice; names must differ"
            raise GraphError(msg)
        seen.add(name)


def check_masks(names: tuple[str, ...], masks: object, what: str) -> None:
    """Raise a GraphError unless there is one mask per node, inside the graph and without self loop.

    Examples
    --------
    >>> check_masks(("A", "B"), (0b00, 0b01), "parents")
    """
    if not isinstance(masks, tuple) or len(masks) != len(names):
        got = len(masks) if isinstance(masks, tuple) else type(masks).__name__
        msg = f"{what} must be a tuple with one mask for each of the {len(names)} nodes, got {got}"
        raise GraphError(msg)
    for v, mask in enumerate(masks):
        if not isinstance(mask, int) or mask < 0 or mask >> len(names):
            msg = f"the {what} of node {names[v]!r} are {mask!r}, not a mask of {len(names)} nodes"
            raise GraphError(msg)
        if mask >> v & 1:
            msg = f"node {names[v]!r} has an edge to itself; remove it"
            raise GraphError(msg)


def check_symmetric(names: tuple[str, ...], adjacency: Sequence[int]) -> None:
    """Raise a GraphError unless every undirected edge has a bit at both ends.

    Examples
    --------
    >>> check_symmetric(("A", "B"), (0b10, 0b01))
    """
    for v, (there, back) in enumerate(zip(adjacency, transposed(adjacency), strict=True)):
        if there != back:
            other = names[bits(there ^ back)[0]]
            msg = f"the undirected edge between {names[v]!r} and {other!r} is set at one end only"
            raise GraphError(msg)


def as_names(names: Iterable[str]) -> tuple[str, ...]:
    """Collect node names, refusing a lone string, whose letters nobody means.

    Examples
    --------
    >>> as_names(["A", "B"])
    ('A', 'B')
    """
    if isinstance(names, str) or not isinstance(names, Iterable):
        what = "the string " if isinstance(names, str) else ""
        msg = f"node names must be a list of strings, got {what}{shown(repr(names))}"
        raise GraphError(msg)
    return tuple(names)


def node_of(names: Sequence[str], name: str) -> int:
    """Return the index of a named node.

    Examples
    --------
    >>> node_of(("A", "B"), "B")
    1
    """
    if not isinstance(name, str):  # an array has no truth value to be compared by
        raise UnknownVariableError(name, names)
    try:
        return names.index(name)
    except ValueError:
        raise UnknownVariableError(name, names) from None


def mask_of_names(names: Sequence[str], chosen: str | Iterable[str]) -> int:
    """Return the mask of one name or of several.

    Examples
    --------
    >>> mask_of_names(("A", "B", "C"), ["A", "C"]), mask_of_names(("A", "B", "C"), "B")
    (5, 2)
    """
    mask = 0
    for name in (chosen,) if isinstance(chosen, str) else as_names(chosen):
        mask |= 1 << node_of(names, name)
    return mask


def names_in(names: Sequence[str], mask: int) -> tuple[str, ...]:
    """Return the names of the nodes in a mask, in node order.

    Examples
    --------
    >>> names_in(("A", "B", "C"), 0b101)
    ('A', 'C')
    """
    return tuple(names[v] for v in bits(mask))


def positions(names: Sequence[str], wanted: Sequence[str]) -> list[int]:
    """Return where each of ``names`` stands in ``wanted``, which must hold the same names.

    Examples
    --------
    >>> positions(("A", "B", "C"), ("C", "A", "B"))
    [1, 2, 0]
    """
    check_names(wanted)
    place = {name: i for i, name in enumerate(wanted)}
    known = set(names)
    missing = [name for name in names if name not in place]
    strange = [name for name in wanted if name not in known]
    if missing or strange:
        parts = [f"{listed(missing)} missing"] if missing else []
        parts += [f"{listed(strange)} unknown"] if strange else []
        msg = f"the same nodes are needed, in any order: {' and '.join(parts)}"
        raise GraphError(msg)
    return [place[name] for name in names]


def indexed_pairs(
    edges: Iterable[object], nodes: Iterable[str] | None
) -> tuple[tuple[str, ...], list[tuple[int, int]]]:
    """Turn pairs of names into pairs of indices.

    Without ``nodes`` the names stand in the order in which the edges mention them.

    Examples
    --------
    >>> indexed_pairs([("B", "A")], None)
    (('B', 'A'), [(0, 1)])
    """
    pairs = [_pair(edge) for edge in listed_edges(edges)]
    if nodes is None:
        names = tuple(dict.fromkeys(name for pair in pairs for name in pair))
    else:
        names = as_names(nodes)
    check_names(names)
    index = {name: v for v, name in enumerate(names)}
    for a, b in pairs:
        for name in (a, b):
            if name not in index:
                raise UnknownVariableError(name, names)
        if a == b:
            msg = f"node {a!r} has an edge to itself; remove it"
            raise GraphError(msg)
    return names, [(index[a], index[b]) for a, b in pairs]


def listed_edges(edges: Iterable[_T]) -> list[_T]:
    """Collect edges, refusing what is no list.

    Examples
    --------
    >>> listed_edges([("A", "B")])
    [('A', 'B')]
    """
    if not isinstance(edges, Iterable):
        msg = f"edges must be a list of pairs of node names, got {shown(repr(edges))}"
        raise GraphError(msg)
    return list(edges)


def _pair(edge: object) -> tuple[str, str]:
    match edge:
        case (str(a), str(b)):
            return a, b
    msg = f"an edge must be a pair of node names (strings), got {shown(repr(edge))}"
    raise GraphError(msg)
