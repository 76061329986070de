"""Partially directed graphs as values: patterns, moral graphs, what knowledge leaves open."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from bayesloom.errors import GraphError, listed
from bayesloom.graphs.completion import pattern_of_dag, remove_sinks
from bayesloom.graphs.convert import (
    masks_from_matrix,
    matrix_from_masks,
    names_and_arcs,
    networkx_digraph,
)
from bayesloom.graphs.dag import DAG
from bayesloom.graphs.masks import bits, moral_graph, relabelled, transposed
from bayesloom.graphs.meek import close_under_meek
from bayesloom.graphs.naming import (
    as_names,
    check_masks,
    check_names,
    check_symmetric,
    indexed_pairs,
    names_in,
    node_of,
    positions,
)
from bayesloom.graphs.text import one_line, screen

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import networkx as nx
    import numpy as np
    import numpy.typing as npt


@dataclass(frozen=True, slots=True, repr=False)
class PDAG:
    """A graph in which each edge is either an arrow or undirected.

    Two nodes have at most one edge. The arrows may form a cycle; then there is no extension.

    Parameters
    ----------
    names : tuple of str
        The nodes; node v is ``names[v]``.
    parents : tuple of int
        For each node the bitmask of the nodes whose arrows point at it.
    neighbours : tuple of int
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

    names: tuple[str, ...]
    parents: tuple[int, ...]
    neighbours: tuple[int, ...]

    def __post_init__(self) -> None:
        check_names(self.names)
        check_masks(self.names, self.parents, "parents")
        check_masks(self.names, self.neighbours, "neighbours")
        check_symmetric(self.names, self.neighbours)
        for v, (pa, ch, ne) in enumerate(
            zip(self.parents, self.children, self.neighbours, strict=True)
        ):
            twice = pa & ch | pa & ne | ch & ne
            if twice:
                other = self.names[bits(twice)[0]]
                msg = f"nodes {self.names[v]!r} and {other!r} have two edges; keep one of them"
                raise GraphError(msg)

    @classmethod
    def empty(cls, names: Iterable[str]) -> Self:
        """Return the graph without edges."""
        nodes = as_names(names)
        return cls(nodes, (0,) * len(nodes), (0,) * len(nodes))

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
            All nodes in the order wanted, isolated ones too. Default: the nodes of the edges in
            the order in which they are mentioned.

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
        arrows = list(directed)
        names, pairs = indexed_pairs([*arrows, *undirected], nodes)
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

    @classmethod
    def from_matrix(cls, matrix: npt.ArrayLike, names: Iterable[str]) -> Self:
        """Build a graph from an adjacency matrix.

        A 1 in row i, column j alone is the arrow i -> j, together with a 1 in row j, column i
        the undirected edge.

        Examples
        --------
        >>> PDAG.from_matrix([[0, 1, 1], [1, 0, 0], [0, 0, 0]], ["A", "B", "C"])
        PDAG(3 nodes, 2 edges: A - B, A -> C)
        """
        nodes = as_names(names)
        into = masks_from_matrix(matrix, len(nodes))
        both = [a & b for a, b in zip(into, transposed(into), strict=True)]
        return cls(nodes, tuple(a & ~b for a, b in zip(into, both, strict=True)), tuple(both))

    @staticmethod
    def pattern_of(dag: DAG) -> PDAG:
        """Return a DAG's adjacencies with the arrowheads of its v-structures only.

        Examples
        --------
        >>> PDAG.pattern_of(DAG.from_edges([("A", "C"), ("B", "C"), ("C", "D")]))
        PDAG(4 nodes, 3 edges: A -> C, C - D, B -> C)
        """
        parents, neighbours = pattern_of_dag(dag.parents)
        return PDAG(dag.names, tuple(parents), tuple(neighbours))

    @staticmethod
    def moral_graph_of(dag: DAG) -> PDAG:
        """Return the undirected graph in which each node's parents are adjacent.

        Examples
        --------
        >>> PDAG.moral_graph_of(DAG.from_edges([("A", "C"), ("B", "C")]))
        PDAG(3 nodes, 3 edges: A - C, A - B, C - B)
        """
        return PDAG(dag.names, (0,) * dag.n, tuple(moral_graph(dag.parents)))

    @property
    def n(self) -> int:
        """The number of nodes."""
        return len(self.names)

    @property
    def children(self) -> tuple[int, ...]:
        """For each node the bitmask of the nodes its arrows point at."""
        return tuple(transposed(self.parents))

    @property
    def adjacency(self) -> tuple[int, ...]:
        """For each node the bitmask of the nodes it shares any edge with."""
        triples = zip(self.parents, self.children, self.neighbours, strict=True)
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

    def parents_of(self, name: str) -> tuple[str, ...]:
        """Return the nodes whose arrows point at a node."""
        return names_in(self.names, self.parents[node_of(self.names, name)])

    def children_of(self, name: str) -> tuple[str, ...]:
        """Return the nodes a node's arrows point at."""
        return names_in(self.names, self.children[node_of(self.names, name)])

    def neighbours_of(self, name: str) -> tuple[str, ...]:
        """Return the nodes joined to a node by an undirected edge."""
        return names_in(self.names, self.neighbours[node_of(self.names, name)])

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
        parents, _, left = remove_sinks(self.parents, self.neighbours)
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
            self.parents, self.neighbours, fourth_rule=fourth_rule
        )
        return PDAG(self.names, tuple(parents), tuple(neighbours))

    def reordered(self, names: Sequence[str]) -> Self:
        """Return the same graph with its nodes in another order.

        Raises
        ------
        GraphError
            If ``names`` does not hold exactly the nodes of the graph.
        """
        order = as_names(names)
        place = positions(self.names, order)
        parents, neighbours = relabelled(self.parents, place), relabelled(self.neighbours, place)
        return type(self)(order, tuple(parents), tuple(neighbours))

    def to_matrix(self) -> npt.NDArray[np.int8]:
        """Return the adjacency matrix that `from_matrix` reads."""
        both = zip(self.parents, self.neighbours, strict=True)
        return matrix_from_masks([pa | ne for pa, ne in both])

    def to_networkx(self) -> nx.DiGraph[str]:
        """Return a networkx ``DiGraph``; an undirected edge becomes two arcs."""
        both = zip(self.parents, self.neighbours, strict=True)
        return networkx_digraph(self.names, [pa | ne for pa, ne in both])

    def _marked_edges(self) -> list[tuple[str, str, str]]:
        names = self.names
        return [
            (names[v], "->" if out >> u & 1 else "-", names[u])
            for v, (out, free) in enumerate(zip(self.children, self.neighbours, strict=True))
            for u in bits(out | free >> v << v)
        ]

    def __repr__(self) -> str:
        return one_line(type(self).__name__, self.n, self._marked_edges())

    def __str__(self) -> str:
        return screen(type(self).__name__, self.names, self._marked_edges())
