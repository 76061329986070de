"""The crux of links added to a chordal graph: the nodes on which all that changes depends."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from bayesloom.errors import GraphError, check_kind
from bayesloom.graphs.cardinality_search import clique_forest, find_hole, is_chordal
from bayesloom.graphs.chordal import ChordalGraph
from bayesloom.graphs.masks import bits, mask_of
from bayesloom.graphs.naming import indexed_pairs, names_in
from bayesloom.graphs.text import closed_walk


@dataclass(frozen=True, slots=True)
class Crux:
    """What links change in a chordal graph, made by `crux`.

    Parameters
    ----------
    links : tuple of pairs of str
        The links added.
    clique : tuple of str
        The one clique of the larger graph that contains all ends of the links.
    generating : tuple of tuples of str
        The cliques of the larger graph that meet ``clique`` and are no cliques of the smaller.
    members : tuple of str
        The crux: the union of the generating cliques.
    before, after : ChordalGraph
        The graph without and with the links, restricted to the crux.
    """

    links: tuple[tuple[str, str], ...]
    clique: tuple[str, ...]
    generating: tuple[tuple[str, ...], ...]
    members: tuple[str, ...]
    before: ChordalGraph
    after: ChordalGraph

    @classmethod
    def of(
        cls, names: Sequence[str], after: Sequence[int], links: Sequence[tuple[int, int]]
    ) -> Crux:
        """Return the crux of links that are in a chordal graph, looking at no more than it.

        Nothing is checked; see `crux` for links that are still to be added.
        """
        found = crux_of_links(after, links)
        inside = bits(found.members)
        place = {v: k for k, v in enumerate(inside)}
        here = _induced(after, inside)
        before = list(here)
        for x, y in links:
            before[place[x]] &= ~(1 << place[y])
            before[place[y]] &= ~(1 << place[x])
        members = names_in(names, found.members)
        return cls(
            tuple((names[x], names[y]) for x, y in links),
            names_in(names, found.clique),
            tuple(names_in(names, clique) for clique in found.generating),
            members,
            ChordalGraph(members, tuple(before)),
            ChordalGraph(members, here),
        )


def crux(graph: ChordalGraph, links: Iterable[tuple[str, str]]) -> Crux:
    """Return the crux that links induce in a chordal graph.

    By how much the entropy of a decomposable Markov network falls when links are added, and how
    many more parameters it has, depends on the crux alone.

    Parameters
    ----------
    graph : ChordalGraph
        The graph.
    links : pairs of str
        The links to add: new ones, that leave the graph chordal, with all ends in one new clique.

    Raises
    ------
    GraphError
        If there are no links, one is there already, the larger graph is not chordal, or the ends
        are not in one clique.
    UnknownVariableError
        If an end is not a node of the graph.

    References
    ----------
    Y. Xiang, J. Lee: Local score computation in learning belief networks, 2001, definition 2.

    Examples
    --------
    >>> graph = ChordalGraph.from_edges([("A", "B"), ("B", "C"), ("C", "D")])
    >>> found = crux(graph, [("A", "C")])
    >>> found.members, found.generating
    (('A', 'B', 'C'), (('A', 'B', 'C'),))
    >>> crux(graph, [("A", "D")])
    Traceback (most recent call last):
    bayesloom.errors.GraphError: with the links the cycle A - B - C - D - A has no chord
    """
    check_kind("graph", graph, ChordalGraph, "a ChordalGraph")
    _, pairs = indexed_pairs(links, graph.names)
    return Crux.of(graph.names, _with_links(graph, pairs), pairs)


@dataclass(frozen=True, slots=True)
class CruxMasks:
    """The unique clique, the generating set and the crux, as masks."""

    clique: int
    generating: tuple[int, ...]
    members: int


def crux_of_links(after: Sequence[int], links: Sequence[tuple[int, int]]) -> CruxMasks:
    """Return the crux of links that are in a chordal graph, looking at no more than it.

    A clique of the larger graph is new if and only if it contains a link, and the union of the
    cliques that contain a link is that link with its common neighbours.

    Examples
    --------
    >>> crux_of_links([0b0110, 0b0101, 0b1011, 0b0100], [(0, 2)])
    CruxMasks(clique=7, generating=(7,), members=7)
    """
    clique, members = -1, 0
    for x, y in links:
        around = after[x] & after[y] | 1 << x | 1 << y
        members |= around
        clique &= (after[x] | 1 << x) & (after[y] | 1 << y)
    inside = bits(members)
    cliques = [
        mask_of(inside[k] for k in bits(small))
        for small in clique_forest(_induced(after, inside))[0]
    ]
    ends = [1 << x | 1 << y for x, y in links]
    new = (mask for mask in cliques if any(not end & ~mask for end in ends))
    return CruxMasks(clique, tuple(sorted(new, key=bits)), members)


def _induced(adjacency: Sequence[int], nodes: Sequence[int]) -> tuple[int, ...]:
    """Return the graph that some nodes induce, renumbered in their order."""
    place = {v: k for k, v in enumerate(nodes)}
    inside = mask_of(nodes)
    return tuple(mask_of(place[u] for u in bits(adjacency[v] & inside)) for v in nodes)


def _with_links(graph: ChordalGraph, links: Sequence[tuple[int, int]]) -> list[int]:
    """Return the neighbours with the links, if these may be added."""
    names, after = graph.names, list(graph.adjacency)
    if not links:
        msg = "a crux needs at least one link, got none"
        raise GraphError(msg)
    for x, y in links:
        if after[x] >> y & 1:
            msg = f"the link {names[x]} - {names[y]} is there already; give only new links, once"
            raise GraphError(msg)
        after[x] |= 1 << y
        after[y] |= 1 << x
    if not is_chordal(after):
        hole = closed_walk([names[v] for v in find_hole(after)], "-")
        msg = f"with the links the cycle {hole} has no chord"
        raise GraphError(msg)
    for x, y in combinations(sorted({v for link in links for v in link}), 2):
        if not after[x] >> y & 1:
            msg = (
                f"the ends of the links must lie in one clique, but {names[x]} - {names[y]} would "
                "not be linked"
            )
            raise GraphError(msg)
    return after
