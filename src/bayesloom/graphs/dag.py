"""Directed acyclic graphs as values: names, and one mask of parents per node."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bayesloom.errors import GraphError, check_kind, shown
from bayesloom.graphs.ancestry import find_cycle, topological_order
from bayesloom.graphs.completion import collider_parents, equivalent
from bayesloom.graphs.convert import names_and_arcs
from bayesloom.graphs.masks import bits, reachable, skeleton
from bayesloom.graphs.named_graph import GraphWithArrows
from bayesloom.graphs.naming import (
    check_masks,
    check_names,
    indexed_pairs,
    mask_of_names,
    names_in,
    node_of,
)
from bayesloom.graphs.separation import blanket_mask, d_connected
from bayesloom.graphs.text import closed_walk

if TYPE_CHECKING:
    from collections.abc import Iterable

    import networkx as nx


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class DAG(GraphWithArrows):
    """A directed acyclic graph.

    Two graphs are equal when their nodes and edges are, whatever the order of the nodes.

    Parameters
    ----------
    names : tuple of str
        The nodes; node v is ``names[v]``.
    parent_masks : tuple of int
        For each node the bitmask of its parents.

    Raises
    ------
    GraphError
        If names repeat, a mask leaves the graph, or the edges form a cycle.

    Examples
    --------
    >>> dag = DAG.from_edges([("rain", "wet"), ("sprinkler", "wet")])
    >>> dag
    DAG(3 nodes, 2 edges: rain -> wet, sprinkler -> wet)
    >>> dag.parent_masks
    (0, 5, 0)
    >>> dag.d_separated("rain", "sprinkler"), dag.d_separated("rain", "sprinkler", given="wet")
    (True, False)
    """

    _masks = ("parent_masks",)
    names: tuple[str, ...]
    parent_masks: tuple[int, ...]

    def __post_init__(self) -> None:
        check_names(self.names)
        check_masks(self.names, self.parent_masks, "parents")
        if len(topological_order(self.parent_masks)) < len(self.names):
            cycle = closed_walk([self.names[v] for v in find_cycle(self.parent_masks)], "->")
            msg = f"the edges form a cycle: {cycle}; remove one of them"
            raise GraphError(msg)

    @classmethod
    def from_edges(
        cls, edges: Iterable[tuple[str, str]], nodes: Iterable[str] | None = None
    ) -> DAG:
        """Build a graph from (parent, child) pairs.

        Parameters
        ----------
        edges : iterable of pairs of str
            The edges; one that is given twice counts once.
        nodes : iterable of str, optional
            All nodes in the order wanted, isolated ones too. Default: the nodes of the edges in
            the order in which they are mentioned.

        Raises
        ------
        GraphError
            If the edges form a cycle or a node points at itself.
        UnknownVariableError
            If an edge names what is not in ``nodes``.

        Examples
        --------
        >>> DAG.from_edges([("A", "B")], nodes=["A", "B", "C"]).names
        ('A', 'B', 'C')
        """
        names, pairs = indexed_pairs(edges, nodes)
        parents = [0] * len(names)
        for parent, child in pairs:
            parents[child] |= 1 << parent
        return cls(names, tuple(parents))

    @classmethod
    def from_networkx(cls, graph: nx.DiGraph[str]) -> DAG:
        """Build a graph from a networkx ``DiGraph`` whose nodes are strings.

        Examples
        --------
        >>> import networkx as nx
        >>> DAG.from_networkx(nx.DiGraph([("A", "B")]))
        DAG(2 nodes, 1 edge: A -> B)
        """
        names, arcs = names_and_arcs(graph)
        if not graph.is_directed():
            msg = "a DAG needs a directed networkx graph; got an undirected one"
            raise GraphError(msg)
        return cls.from_edges(arcs, names)

    @property
    def n_edges(self) -> int:
        """The number of edges."""
        return sum(mask.bit_count() for mask in self.parent_masks)

    @property
    def edges(self) -> tuple[tuple[str, str], ...]:
        """The edges as (parent, child), ordered by parent and then child in node order.

        Examples
        --------
        >>> DAG.from_edges([("B", "C"), ("A", "C")], nodes=["A", "B", "C"]).edges
        (('A', 'C'), ('B', 'C'))
        """
        return tuple((parent, child) for parent, _, child in self._marked_edges())

    def has_edge(self, parent: str, child: str) -> bool:
        """Say whether the edge parent -> child is in the graph.

        Examples
        --------
        >>> DAG.from_edges([("A", "B")]).has_edge("B", "A")
        False
        """
        return bool(
            self.parent_masks[node_of(self.names, child)] >> node_of(self.names, parent) & 1
        )

    def with_edge(self, parent: str, child: str) -> DAG:
        """Return the graph with one more edge.

        Raises
        ------
        GraphError
            If the edge is there, either way round, or closes a cycle, which the message names.
        UnknownVariableError
            If a node is not there.

        Examples
        --------
        >>> dag = DAG.from_edges([("A", "B"), ("B", "C")])
        >>> dag.with_edge("A", "C")
        DAG(3 nodes, 3 edges: A -> B, A -> C, B -> C)
        >>> dag.with_edge("C", "A")
        Traceback (most recent call last):
        bayesloom.errors.GraphError: the edge C -> A would close the cycle A -> B -> C -> A; take \
another of its edges away first
        """
        if self.has_edge(parent, child):
            msg = f"the edge {shown(parent)} -> {shown(child)} is already there"
            raise GraphError(msg)
        if self.has_edge(child, parent):
            msg = (
                f"the edge {shown(child)} -> {shown(parent)} is there; turn it round with reversed"
            )
            raise GraphError(msg)
        return self._with_parent(node_of(self.names, parent), node_of(self.names, child))

    def without_edge(self, parent: str, child: str) -> DAG:
        """Return the graph without one of its edges; both nodes stay.

        Raises
        ------
        GraphError
            If the edge is not there.
        UnknownVariableError
            If a node is not there.

        Examples
        --------
        >>> DAG.from_edges([("A", "B"), ("B", "C")]).without_edge("A", "B")
        DAG(3 nodes, 1 edge: B -> C)
        """
        if not self.has_edge(parent, child):
            other = ", but its reverse is" if self.has_edge(child, parent) else ""
            msg = f"the edge {shown(parent)} -> {shown(child)} is not there{other}"
            raise GraphError(msg)
        masks = list(self.parent_masks)
        masks[node_of(self.names, child)] ^= 1 << node_of(self.names, parent)
        return DAG(self.names, tuple(masks))

    def reversed(self, parent: str, child: str) -> DAG:
        """Return the graph with the edge parent -> child turned round.

        Raises
        ------
        GraphError
            If the edge is not there, or closes a cycle the other way round.
        UnknownVariableError
            If a node is not there.

        Examples
        --------
        >>> DAG.from_edges([("A", "B"), ("B", "C")]).reversed("A", "B")
        DAG(3 nodes, 2 edges: B -> A, B -> C)
        """
        rest = self.without_edge(parent, child)
        return DAG._with_parent(rest, node_of(self.names, child), node_of(self.names, parent))

    def _with_parent(self, parent: int, child: int) -> DAG:
        """Return the graph with an edge that is not there, unless it closes a cycle."""
        if parent == child:
            msg = f"an edge from {shown(self.names[child])} to itself cannot be; name two nodes"
            raise GraphError(msg)
        masks = list(self.parent_masks)
        masks[child] |= 1 << parent
        if cycle := find_cycle(masks):
            edge = f"{shown(self.names[parent])} -> {shown(self.names[child])}"
            walk = closed_walk([self.names[v] for v in cycle], "->")
            msg = (
                f"the edge {edge} would close the cycle {walk}; take another of its edges away "
                "first"
            )
            raise GraphError(msg)
        return DAG(self.names, tuple(masks))

    def ancestors_of(self, names: str | Iterable[str]) -> tuple[str, ...]:
        """Return the ancestors of one node or of several, without these nodes.

        Examples
        --------
        >>> DAG.from_edges([("A", "B"), ("B", "C")]).ancestors_of("C")
        ('A', 'B')
        """
        chosen = mask_of_names(self.names, names)
        return names_in(self.names, reachable(self.parent_masks, chosen) & ~chosen)

    def descendants_of(self, names: str | Iterable[str]) -> tuple[str, ...]:
        """Return the descendants of one node or of several, without these nodes."""
        chosen = mask_of_names(self.names, names)
        return names_in(self.names, reachable(self.child_masks, chosen) & ~chosen)

    def topological_order(self) -> tuple[str, ...]:
        """List every node after its parents; the first in node order wins where several may come.

        Examples
        --------
        >>> DAG.from_edges([("C", "A"), ("A", "B")], nodes=["A", "B", "C"]).topological_order()
        ('C', 'A', 'B')
        """
        return tuple(self.names[v] for v in topological_order(self.parent_masks))

    def markov_blanket(self, name: str) -> tuple[str, ...]:
        """Return a node's parents, children and the other parents of its children.

        Examples
        --------
        >>> DAG.from_edges([("A", "C"), ("B", "C")]).markov_blanket("A")
        ('C', 'B')
        """
        return names_in(self.names, blanket_mask(self.parent_masks, node_of(self.names, name)))

    def d_connected(self, name: str, given: str | Iterable[str] = ()) -> tuple[str, ...]:
        """Return all nodes that are d-connected with a node given others.

        Raises
        ------
        GraphError
            If the node is itself given.

        Examples
        --------
        >>> DAG.from_edges([("A", "B"), ("B", "C")]).d_connected("A", given="B")
        ()
        """
        x, s = node_of(self.names, name), mask_of_names(self.names, given)
        if s >> x & 1:
            msg = f"node {name!r} is among the given nodes; ask about a node that is not"
            raise GraphError(msg)
        return names_in(self.names, d_connected(self.parent_masks, x, s))

    def d_separated(self, x: str, y: str, given: str | Iterable[str] = ()) -> bool:
        """Say whether two nodes are d-separated given others.

        Raises
        ------
        GraphError
            If the two nodes are the same or one of them is given.
        """
        s = mask_of_names(self.names, given)
        if x == y or s >> node_of(self.names, y) & 1:
            msg = f"d-separation needs two nodes that are not given; got {x!r} and {y!r}"
            raise GraphError(msg)
        return y not in self.d_connected(x, names_in(self.names, s))

    def v_structures(self) -> tuple[tuple[str, str, str], ...]:
        """List all (a, c, b) with a -> c <- b, a before b and not adjacent to it.

        Examples
        --------
        >>> DAG.from_edges([("A", "C"), ("B", "C")]).v_structures()
        (('A', 'C', 'B'),)
        """
        names, adjacency = self.names, skeleton(self.parent_masks)
        return tuple(
            (names[a], names[c], names[b])
            for c, heads in enumerate(collider_parents(self.parent_masks, adjacency))
            for a in bits(heads)
            for b in bits(heads >> a << a & ~(adjacency[a] | 1 << a))
        )

    def is_equivalent_to(self, other: DAG) -> bool:
        """Say whether two DAGs over the same nodes imply the same independencies.

        Examples
        --------
        >>> chain = DAG.from_edges([("A", "B"), ("B", "C")])
        >>> chain.is_equivalent_to(DAG.from_edges([("C", "B"), ("B", "A")]))
        True
        """
        check_dag(other)
        return equivalent(self.parent_masks, other.reordered(self.names).parent_masks)


def check_dag(dag: object) -> None:
    """Refuse what is no DAG.

    Examples
    --------
    >>> check_dag("net.bif")
    Traceback (most recent call last):
    bayesloom.errors.OptionError: dag must be a DAG, such as net.dag or DAG.from_edges(edges), got \
'net.bif'
    """
    check_kind("dag", dag, DAG, "a DAG, such as net.dag or DAG.from_edges(edges)")
