"""Chordal graphs as values: the structures of decomposable Markov networks and junction trees."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Integral
from typing import TYPE_CHECKING

from bayesloom.errors import GraphError, OptionError, check_kind
from bayesloom.graphs.cardinality_search import (
    clique_forest,
    find_hole,
    is_chordal,
    maximum_cardinality_search,
)
from bayesloom.graphs.convert import names_and_arcs, networkx_graph
from bayesloom.graphs.dag import DAG
from bayesloom.graphs.junction import JunctionForest
from bayesloom.graphs.masks import moral_graph
from bayesloom.graphs.named_graph import NamedGraph
from bayesloom.graphs.naming import (
    as_names,
    check_masks,
    check_names,
    check_symmetric,
    indexed_pairs,
    listed_edges,
)
from bayesloom.graphs.pdag import PDAG
from bayesloom.graphs.text import closed_walk
from bayesloom.graphs.triangulation import elimination_order, fill_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import networkx as nx


_MOST_STATES = (1 << 31) - 1


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ChordalGraph(NamedGraph):
    """An undirected graph in which every cycle of four or more nodes has a chord.

    Parameters
    ----------
    names : tuple of str
        The nodes; node v is ``names[v]``.
    adjacency : tuple of int
        For each node the bitmask of its neighbours.

    Raises
    ------
    GraphError
        If names repeat, a mask leaves the graph, or a cycle has no chord.

    Examples
    --------
    >>> graph = ChordalGraph.from_edges([("A", "B"), ("B", "C"), ("A", "C"), ("C", "D")])
    >>> graph.cliques()
    (('A', 'B', 'C'), ('C', 'D'))
    """

    _masks = ("adjacency",)
    names: tuple[str, ...]
    adjacency: tuple[int, ...]

    def __post_init__(self) -> None:
        check_names(self.names)
        check_masks(self.names, self.adjacency, "neighbours")
        check_symmetric(self.names, self.adjacency)
        if not is_chordal(self.adjacency):
            hole = closed_walk([self.names[v] for v in find_hole(self.adjacency)], "-")
            msg = f"the cycle {hole} has no chord; add one, or use ChordalGraph.triangulating"
            raise GraphError(msg)

    @classmethod
    def from_edges(
        cls, edges: Iterable[tuple[str, str]], nodes: Iterable[str] | None = None
    ) -> ChordalGraph:
        """Build a graph from unordered pairs.

        Parameters
        ----------
        edges, nodes
            As for `DAG.from_edges`.

        Examples
        --------
        >>> ChordalGraph.from_edges([("B", "A")], nodes=["A", "B", "C"])
        ChordalGraph(3 nodes, 1 edge: A - B)
        """
        names, pairs = indexed_pairs(edges, nodes)
        adjacency = [0] * len(names)
        for a, b in pairs:
            adjacency[a] |= 1 << b
            adjacency[b] |= 1 << a
        return cls(names, tuple(adjacency))

    @classmethod
    def from_cliques(
        cls, cliques: Iterable[Iterable[str]], nodes: Iterable[str] | None = None
    ) -> ChordalGraph:
        """Build the graph in which the members of each clique are adjacent.

        Examples
        --------
        >>> ChordalGraph.from_cliques([["A", "B", "C"], ["D"]])
        ChordalGraph(4 nodes, 3 edges: A - B, A - C, B - C)
        """
        groups = [as_names(clique) for clique in listed_edges(cliques)]
        every = tuple(dict.fromkeys(name for group in groups for name in group))
        pairs = [(a, b) for group in groups for a in group for b in group if a != b]
        return cls.from_edges(pairs, every if nodes is None else nodes)

    @classmethod
    def from_networkx(cls, graph: nx.Graph[str]) -> ChordalGraph:
        """Build a graph from an undirected networkx ``Graph`` whose nodes are strings."""
        names, edges = names_and_arcs(graph)
        if graph.is_directed():
            msg = "a chordal graph needs an undirected networkx graph; got a directed one"
            raise GraphError(msg)
        return cls.from_edges(edges, names)

    @classmethod
    def triangulating(
        cls,
        graph: DAG | PDAG,
        cardinalities: Mapping[str, int] | None = None,
    ) -> ChordalGraph:
        """Add edges to an undirected graph, or to the moral graph of a DAG, until it is chordal.

        The nodes are eliminated in the best of several greedy orders: the one that visits the
        fewest joint states.

        Parameters
        ----------
        graph : DAG or PDAG
            The graph; a PDAG must be undirected.
        cardinalities : mapping from str to int, optional
            The number of states of each node; default: 2.

        Raises
        ------
        GraphError
            If a PDAG has arrows.
        OptionError
            If ``cardinalities`` lacks a node or gives it less than one state.

        Examples
        --------
        >>> dag = DAG.from_edges([("A", "B"), ("A", "C"), ("B", "D"), ("C", "D")])
        >>> ChordalGraph.triangulating(dag).cliques()
        (('A', 'B', 'C'), ('B', 'C', 'D'))
        """
        check_kind("graph", graph, DAG | PDAG, "a DAG or a PDAG")
        if isinstance(graph, DAG):
            adjacency = moral_graph(graph.parent_masks)
        elif any(graph.parent_masks):
            msg = "only an undirected graph can be triangulated; take its skeleton first"
            raise GraphError(msg)
        else:
            adjacency = list(graph.neighbour_masks)
        states = _states(graph.names, cardinalities)
        return cls(graph.names, tuple(fill_in(adjacency, elimination_order(adjacency, states))))

    @property
    def _links(self) -> tuple[int, ...]:
        return self.adjacency

    @property
    def edges(self) -> tuple[tuple[str, str], ...]:
        """The edges, each once and in node order."""
        return tuple((a, b) for a, _, b in self._marked_edges())

    def neighbours(self, name: str) -> tuple[str, ...]:
        """Return the neighbours of a node, in node order."""
        return self._named(self.adjacency, name)

    def cliques(self) -> tuple[tuple[str, ...], ...]:
        """Return the maximal cliques in the order of the junction forest."""
        return self.junction_forest().clique_names()

    def junction_forest(self) -> JunctionForest:
        """Return the cliques joined by a maximum-weight spanning forest of their intersections.

        Examples
        --------
        >>> ChordalGraph.from_edges([("A", "B"), ("B", "C")]).junction_forest().separator_names()
        ((), ('B',))
        """
        cliques, above, _ = clique_forest(self.adjacency)
        return JunctionForest(self.names, tuple(cliques), tuple(above))

    def perfect_elimination_order(self) -> tuple[str, ...]:
        """List the nodes so that each one's later neighbours are all adjacent.

        Examples
        --------
        >>> ChordalGraph.from_edges([("A", "B"), ("B", "C")]).perfect_elimination_order()
        ('C', 'B', 'A')
        """
        order, _ = maximum_cardinality_search(self.adjacency)
        return tuple(self.names[v] for v in reversed(order))

    def to_dag(self) -> DAG:
        """Direct the edges so that no v-structure arises: the DAG implies the same independencies.

        Examples
        --------
        >>> ChordalGraph.from_edges([("A", "B"), ("B", "C")]).to_dag()
        DAG(3 nodes, 2 edges: A -> B, B -> C)
        """
        _, before = maximum_cardinality_search(self.adjacency)
        return DAG(self.names, tuple(before))

    def to_networkx(self) -> nx.Graph[str]:
        """Return a networkx ``Graph`` with every node, isolated ones too."""
        return networkx_graph(self.names, self.adjacency)


def _states(names: Sequence[str], cardinalities: Mapping[str, int] | None) -> list[int]:
    if cardinalities is None:
        return [2] * len(names)
    check_kind("cardinalities", cardinalities, Mapping, "a mapping of nodes to numbers of states")
    for name in names:
        states = cardinalities.get(name, 0)
        if not isinstance(states, Integral) or not 1 <= states <= _MOST_STATES:
            msg = f"cardinalities must give node {name!r} a number of states, at least 1"
            raise OptionError(msg)
    return [cardinalities[name] for name in names]
