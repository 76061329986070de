"""Searches over DAGs inside a chordal graph: only its links may become edges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bayesloom.errors import GraphError, KnowledgeError, OptionError, listed
from bayesloom.graphs import ChordalGraph, bits
from bayesloom.search.limits import Limits


def chordal_graph(within: object) -> ChordalGraph | None:
    """Return the chordal graph a user names: itself, or that of a learned Markov network.

    Raises
    ------
    OptionError
        If it is neither.

    Examples
    --------
    >>> chordal_graph(ChordalGraph.from_edges([("A", "B")]))
    ChordalGraph(2 nodes, 1 edge: A - B)
    >>> chordal_graph("A - B")
    Traceback (most recent call last):
    bayesloom.errors.OptionError: within must be a ChordalGraph or a learned Markov network, got \
'A - B'
    """
    if within is None or isinstance(within, ChordalGraph):
        return within
    graph = getattr(within, "graph", None)
    if isinstance(graph, ChordalGraph):
        return graph
    msg = f"within must be a ChordalGraph or a learned Markov network, got {within!r}"
    raise OptionError(msg)


def aligned(graph: ChordalGraph, names: Sequence[str], what: str) -> list[int]:
    """Return the neighbours of every variable in a graph over the same variables.

    Raises
    ------
    GraphError
        If the graph has other variables than the data.

    Examples
    --------
    >>> aligned(ChordalGraph.from_edges([("A", "B")]), ("B", "C"), "the start graph")
    Traceback (most recent call last):
    bayesloom.errors.GraphError: the start graph must have the variables of the data: it lacks C \
and has A besides
    """
    lacks = [name for name in names if name not in graph.names]
    besides = [name for name in graph.names if name not in names]
    if lacks or besides:
        parts = [f"lacks {listed(lacks)}"] if lacks else []
        parts += [f"has {listed(besides)} besides"] if besides else []
        msg = f"{what} must have the variables of the data: it {' and '.join(parts)}"
        raise GraphError(msg)
    return list(graph.reordered(tuple(names)).adjacency)


def narrowed(limits: Limits, within: ChordalGraph | None, *, keep_required: bool = False) -> Limits:
    """Return limits that allow only edges which are links of a chordal graph, if there is one.

    With ``keep_required`` edges that are required are allowed besides.

    Raises
    ------
    GraphError
        If the graph has other variables than the data.
    KnowledgeError
        If a required edge is not a link of the graph.

    Examples
    --------
    >>> graph = ChordalGraph.from_edges([("A", "B")], nodes=["A", "B", "C"])
    >>> narrowed(Limits.none(("A", "B", "C")), graph).allowed
    (2, 1, 0)
    """
    if within is None:
        return limits
    adjacency = aligned(within, limits.names, "the graph to stay within")
    for v, (required, mask) in enumerate(zip(limits.required, adjacency, strict=True)):
        for p in bits(required & ~mask) if not keep_required else ():
            edge = f"{limits.names[p]} -> {limits.names[v]}"
            msg = f"the edge {edge} is required, but it is no link of the graph to stay within"
            raise KnowledgeError(msg)
    allowed = tuple(
        mask & links | required
        for mask, links, required in zip(limits.allowed, adjacency, limits.required, strict=True)
    )
    return replace(limits, allowed=allowed)
