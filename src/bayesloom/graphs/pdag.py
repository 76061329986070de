"""Partially directed graphs as values: patterns, moral graphs, what knowledge leaves open."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from bayesloom.errors import GraphError, listed
from bayesloom.graphs.completion import pattern_of_dag, remove_sinks
from bayesloom.graphs.convert import names_and_arcs
from bayesloom.graphs.dag import DAG, check_dag
from bayesloom.graphs.masks import bits, moral_graph, transposed
from bayesloom.graphs.meek import close_under_meek
from bayesloom.graphs.named_graph import GraphWithArrows
from bayesloom.graphs.naming import (
    check_masks,
    check_names,
    check_symmetric,
    indexed_pairs,
    listed_edges,
    names_in,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    import networkx as nx


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PDAG(GraphWithArrows):
    """A graph in which each edge is either an arrow or undirected.

    Two nodes have at most one edge. The arrows may form a cycle; then there is no extension.

    Parameters
    ----------
    names : tuple of str
        The nodes; node v is ``names[v]``.
    parent_masks : tuple of int
        For each node the bitmask of the nodes whose arrows point at it.
    neighbour_masks : tuple of int
        For each node the bitmask of the nodes joined to it by an undirected edge.

    Raises
    ------
    GraphError
        If names repeat, a mask leaves the graph, or two nodes have two edges.

    Examples
    --------
    >>> graph = PDAG.from_edges([("A", "B")], undirected=[("B", "C")])
    >>> graph
    PDAG(3 nodes, 2 edges: A -> B, B - C)
    >>> graph.extension()
    DAG(3 nodes, 2 edges: A -> B, B -> C)
    """

    _masks = ("parent_masks", "neighbour_masks")
    names: tuple[str, ...]
    parent_masks: tuple[int, ...]
    neighbour_masks: tuple[int, ...]

    def __post_init__(self) -> None:
        check_names(self.names)
        check_masks(self.names, self.parent_masks, "parents")
        check_masks(self.names, self.neighbour_masks, "neighbours")
        check_symmetric(self.names, self.neighbour_masks)
        for v, (pa, ch, ne) in enumerate(
            zip(self.parent_masks, self.child_masks, self.neighbour_masks, strict=True)
        ):
            twice = pa & ch | pa & ne | ch & ne
            if twice:
                other = self.names[bits(twice)[0]]
                msg = f"nodes {self.names[v]!r} and {other!r} have two edges; keep one of them"
                raise GraphError(msg)

    @classmethod
    def from_edges(
        cls,
        directed: Iterable[tuple[str, str]],
        undirected: Iterable[tuple[str, str]] = (),
        nodes: Iterable[str] | None = None,
    ) -> Self:
        """Build a graph from (tail, head) pairs and unordered pairs.

        Parameters
        ----------
        directed, undirected : iterable of pairs of str
            The edges; one that is given twice counts once.
        nodes : iterable of str, optional
            As for `DAG.from_edges`.

        Raises
        ------
        GraphError
            If two nodes have two different edges or a node has an edge to itself.
        UnknownVariableError
            If an edge names what is not in ``nodes``.

        Examples
        --------
        >>> PDAG.from_edges([], [("B", "A")], nodes=["A", "B", "C"])
        PDAG(3 nodes, 1 edge: A - B)
        """
        arrows = listed_edges(directed)
        names, pairs = indexed_pairs([*arrows, *listed_edges(undirected)], nodes)
        parents, neighbours = [0] * len(names), [0] * len(names)
        for tail, head in pairs[: len(arrows)]:
            parents[head] |= 1 << tail
        for a, b in pairs[len(arrows) :]:
            neighbours[a] |= 1 << b
            neighbours[b] |= 1 << a
        return cls(names, tuple(parents), tuple(neighbours))

    @classmethod
    def from_networkx(cls, graph: nx.Graph[str]) -> Self:
        """Build a graph from networkx: arcs both ways, and edges of a ``Graph``, are undirected.

        Examples
        --------
        >>> import networkx as nx
        >>> PDAG.from_networkx(nx.DiGraph([("A", "B"), ("B", "A"), ("B", "C")]))
        PDAG(3 nodes, 2 edges: A - B, B -> C)
        """
        names, arcs = names_and_arcs(graph)
        if not graph.is_directed():
            return cls.from_edges([], arcs, names)
        back = {(b, a) for a, b in arcs}
        return cls.from_edges(
            [arc for arc in arcs if arc not in back], [arc for arc in arcs if arc in back], names
        )

    @staticmethod
    def _sorted(into: list[int]) -> list[list[int]]:
        both = [a & b for a, b in zip(into, transposed(into), strict=True)]
        return [[a & ~b for a, b in zip(into, both, strict=True)], both]

    @staticmethod
    def pattern_of(dag: DAG) -> PDAG:
        """Return a DAG's adjacencies with the arrowheads of its v-structures only.

        Examples
        --------
        >>> PDAG.pattern_of(DAG.from_edges([("A", "C"), ("B", "C"), ("C", "D")]))
        PDAG(4 nodes, 3 edges: A -> C, C - D, B -> C)
        """
        check_dag(dag)
        parents, neighbours = pattern_of_dag(dag.parent_masks)
        return PDAG(dag.names, tuple(parents), tuple(neighbours))

    @staticmethod
    def moral_graph_of(dag: DAG) -> PDAG:
        """Return the undirected graph in which each node's parents are adjacent.

        Examples
        --------
        >>> PDAG.moral_graph_of(DAG.from_edges([("A", "C"), ("B", "C")]))
        PDAG(3 nodes, 3 edges: A - C, A - B, C - B)
        """
        check_dag(dag)
        return PDAG(dag.names, (0,) * dag.n, tuple(moral_graph(dag.parent_masks)))

    @property
    def _links(self) -> tuple[int, ...]:
        return self.neighbour_masks

    @property
    def adjacency(self) -> tuple[int, ...]:
        """For each node the bitmask of the nodes it shares any edge with."""
        triples = zip(self.parent_masks, self.child_masks, self.neighbour_masks, strict=True)
        return tuple(pa | ch | ne for pa, ch, ne in triples)

    @property
    def directed(self) -> tuple[tuple[str, str], ...]:
        """The arrows as (tail, head), ordered by tail and then head in node order."""
        return tuple((a, b) for a, mark, b in self._marked_edges() if mark == "->")

    @property
    def undirected(self) -> tuple[tuple[str, str], ...]:
        """The undirected edges, each once and in node order."""
        return tuple((a, b) for a, mark, b in self._marked_edges() if mark == "-")

    def skeleton(self) -> PDAG:
        """Return the graph with every edge undirected.

        Examples
        --------
        >>> PDAG.from_edges([("A", "B")], [("B", "C")]).skeleton()
        PDAG(3 nodes, 2 edges: A - B, B - C)
        """
        return PDAG(self.names, (0,) * self.n, self.adjacency)

    def neighbours(self, name: str) -> tuple[str, ...]:
        """Return the nodes joined to a node by an undirected edge."""
        return self._named(self.neighbour_masks, name)

    def extension(self) -> DAG:
        """Return a DAG with the same adjacencies, arrows and v-structures.

        Of several the one is taken that Dor and Tarsi's algorithm finds when it looks at nodes in
        node order.

        Raises
        ------
        GraphError
            If there is none.

        Examples
        --------
        >>> PDAG.from_edges([("A", "C")], [("C", "B")]).extension()
        DAG(3 nodes, 2 edges: A -> C, C -> B)
        """
        parents, _, left = remove_sinks(self.parent_masks, self.neighbour_masks)
        if left:
            stuck = listed(names_in(self.names, left))
            msg = (
                "no DAG has the same adjacencies, arrows and v-structures;"
                f" no order was found for the nodes {stuck}"
            )
            raise GraphError(msg)
        return DAG(self.names, tuple(parents))

    def closed(self, *, fourth_rule: bool = False) -> PDAG:
        """Return the graph with every edge directed that Meek's rules direct.

        Parameters
        ----------
        fourth_rule : bool, default False
            Use R4 besides R1 to R3: needed when arrows come from background knowledge.

        Examples
        --------
        >>> PDAG.from_edges([("A", "B")], [("B", "C")]).closed()
        PDAG(3 nodes, 2 edges: A -> B, B -> C)
        """
        parents, neighbours = close_under_meek(
            self.parent_masks, self.neighbour_masks, fourth_rule=fourth_rule
        )
        return PDAG(self.names, tuple(parents), tuple(neighbours))
