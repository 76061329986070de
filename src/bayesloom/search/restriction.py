"""Searches inside a graph: only its edges, or pairs that tests propose, may become edges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from bayesloom.errors import GraphError, KnowledgeError, OptionError, listed
from bayesloom.graphs import bits
from bayesloom.search.limits import Limits
from bayesloom.search.tally import TestTally

if TYPE_CHECKING:
    from bayesloom.engine import Engine
    from bayesloom.graphs import ChordalGraph
    from bayesloom.search.facts.finding import Finding
    from bayesloom.search.watch import Watch


@dataclass(frozen=True, slots=True)
class Candidates:
    """Who may be joined with whom, and what tests found on the way.

    Parameters
    ----------
    neighbours : tuple of int
        For every variable the mask of those it may be joined with.
    tests : TestTally
        How many tests were made.
    separations : tuple of Separation, Triangle or Weighing
        What took pairs apart.
    notes : tuple of str
        What the user should know besides, one sentence each.
    """

    neighbours: tuple[int, ...]
    tests: TestTally = TestTally()
    separations: tuple[Finding, ...] = ()
    notes: tuple[str, ...] = ()


@runtime_checkable
class CandidateRule(Protocol):
    """A rule that says who may be joined with whom, such as `MMPC`."""

    def candidates(self, engine: Engine, limits: Limits, watch: Watch) -> Candidates:
        """Return the candidates; the limits say which pairs may be joined at all."""


def chordal_graph(within: object) -> ChordalGraph | None:
    """Return the chordal graph a user names: itself, or that of a learned Markov network.

    Raises
    ------
    OptionError
        If it is neither.

    Examples
    --------
    >>> from bayesloom.graphs import ChordalGraph
    >>> chordal_graph(ChordalGraph.from_edges([("A", "B")]))
    ChordalGraph(2 nodes, 1 edge: A - B)
    >>> chordal_graph("A - B")
    Traceback (most recent call last):
    bayesloom.errors.OptionError: within must be a ChordalGraph or a learned Markov network, got \
'A - B'
    """
    if within is None:
        return None
    from bayesloom.graphs import ChordalGraph

    if isinstance(within, ChordalGraph):
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
    >>> from bayesloom.graphs import ChordalGraph
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
    >>> from bayesloom.graphs import ChordalGraph
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
    return confined(limits, adjacency)


def confined(limits: Limits, neighbours: Sequence[int]) -> Limits:
    """Return limits that allow only edges between neighbours, and required ones.

    Examples
    --------
    >>> confined(Limits.none(("A", "B", "C")), [2, 1, 0]).allowed
    (2, 1, 0)
    """
    allowed = tuple(
        mask & near | required
        for mask, near, required in zip(limits.allowed, neighbours, limits.required, strict=True)
    )
    return replace(limits, allowed=allowed)


def without_directions(limits: Limits) -> Limits:
    """Keep of the limits which pairs may be joined, and how many parents there may be.

    Examples
    --------
    >>> without_directions(Limits(("A", "B"), allowed=(0, 1), required=(0, 1))).allowed
    (2, 1)
    """
    return replace(limits, allowed=limits.pairs, required=(0,) * len(limits.names))
