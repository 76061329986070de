"""What graphs over names share: an order of nodes, arrows and links, matrices, text."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Self

from bayesloom.graphs.convert import masks_from_matrix, matrix_from_masks, networkx_digraph
from bayesloom.graphs.masks import bits, relabelled, transposed
from bayesloom.graphs.naming import as_names, names_in, node_of, positions
from bayesloom.graphs.text import one_line, screen

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import networkx as nx
    import numpy as np
    import numpy.typing as npt


class NamedGraph:
    """A frozen graph: names, and for every node a mask for each kind of edge.

    A graph value is a dataclass of ``names`` and of the fields in ``_masks``.
    """

    __slots__ = ()
    _masks: ClassVar[tuple[str, ...]]
    names: tuple[str, ...]

    @classmethod
    def _of(cls, names: tuple[str, ...], masks: Iterable[Iterable[int]]) -> Self:
        return cls(names, *map(tuple, masks))  # type: ignore[call-arg]

    @classmethod
    def empty(cls, names: Iterable[str]) -> Self:
        """Return the graph without edges.

        Examples
        --------
        >>> from bayesloom.graphs import DAG
        >>> DAG.empty(["A", "B"])
        DAG(2 nodes, no edges)
        """
        nodes = as_names(names)
        return cls._of(nodes, [[0] * len(nodes)] * len(cls._masks))

    @classmethod
    def from_matrix(cls, matrix: npt.ArrayLike, names: Iterable[str]) -> Self:
        """Build a graph from an adjacency matrix: 1 in row i, column j is the edge from i to j.

        An undirected edge has a 1 at both places.

        Examples
        --------
        >>> from bayesloom.graphs import DAG, PDAG
        >>> DAG.from_matrix([[0, 1], [0, 0]], ["A", "B"])
        DAG(2 nodes, 1 edge: A -> B)
        >>> PDAG.from_matrix([[0, 1, 1], [1, 0, 0], [0, 0, 0]], ["A", "B", "C"])
        PDAG(3 nodes, 2 edges: A - B, A -> C)
        """
        nodes = as_names(names)
        return cls._of(nodes, cls._sorted(masks_from_matrix(matrix, len(nodes))))

    @staticmethod
    def _sorted(into: list[int]) -> list[list[int]]:
        """Return the masks of the fields, given the nodes with an edge to each node."""
        return [into]

    @property
    def n(self) -> int:
        """The number of nodes."""
        return len(self.names)

    @property
    def _arrows(self) -> Sequence[int]:
        """For each node the bitmask of the nodes whose arrows point at it."""
        return (0,) * self.n

    @property
    def _links(self) -> Sequence[int]:
        """For each node the bitmask of the nodes joined to it by an undirected edge."""
        return (0,) * self.n

    def reordered(self, names: Sequence[str]) -> Self:
        """Return the same graph with its nodes in another order.

        Raises
        ------
        GraphError
            If ``names`` does not hold exactly the nodes of the graph.

        Examples
        --------
        >>> from bayesloom.graphs import DAG
        >>> DAG.from_edges([("A", "B")]).reordered(["B", "A"]).parent_masks
        (2, 0)
        """
        order = as_names(names)
        place = positions(self.names, order)
        return self._of(order, [relabelled(getattr(self, field), place) for field in self._masks])

    def to_matrix(self) -> npt.NDArray[np.int8]:
        """Return the adjacency matrix that `from_matrix` reads."""
        return matrix_from_masks(self._into())

    def _into(self) -> list[int]:
        return [a | b for a, b in zip(self._arrows, self._links, strict=True)]

    def _named(self, masks: Sequence[int], name: str) -> tuple[str, ...]:
        """Return the names in the mask of a node."""
        return names_in(self.names, masks[node_of(self.names, name)])

    def _marked_edges(self) -> list[tuple[str, str, str]]:
        """List first node, mark and second node of every edge, in node order."""
        names = self.names
        return [
            (names[v], "->" if out >> u & 1 else "-", names[u])
            for v, (out, free) in enumerate(zip(transposed(self._arrows), self._links, strict=True))
            for u in bits(out | free >> v << v)
        ]

    def __eq__(self, other: object) -> bool:
        """Say whether two graphs of one kind have the same nodes, in whatever order, and edges."""
        if self is other:
            return True
        if type(self) is not type(other):
            return NotImplemented
        assert isinstance(other, NamedGraph)
        if self.names != other.names:
            if len(self.names) != len(other.names) or set(self.names) != set(other.names):
                return False
            other = other.reordered(self.names)
        return all(getattr(self, field) == getattr(other, field) for field in self._masks)

    def __hash__(self) -> int:
        return hash((frozenset(self.names), sum(mask.bit_count() for mask in self._into())))

    def __repr__(self) -> str:
        return one_line(type(self).__name__, self.n, self._marked_edges())

    def __str__(self) -> str:
        return screen(type(self).__name__, self.names, self._marked_edges())


class GraphWithArrows(NamedGraph):
    """A graph that has parents and children."""

    __slots__ = ()
    parent_masks: tuple[int, ...]

    @property
    def _arrows(self) -> Sequence[int]:
        return self.parent_masks

    @property
    def child_masks(self) -> tuple[int, ...]:
        """For each node the bitmask of the nodes its arrows point at."""
        return tuple(transposed(self.parent_masks))

    def parents(self, name: str) -> tuple[str, ...]:
        """Return the nodes whose arrows point at a node, in node order.

        Examples
        --------
        >>> from bayesloom.graphs import DAG
        >>> DAG.from_edges([("rain", "wet"), ("sprinkler", "wet")]).parents("wet")
        ('rain', 'sprinkler')
        """
        return self._named(self.parent_masks, name)

    def children(self, name: str) -> tuple[str, ...]:
        """Return the nodes a node's arrows point at, in node order."""
        return self._named(self.child_masks, name)

    def to_networkx(self) -> nx.DiGraph[str]:
        """Return a networkx ``DiGraph`` with every node; an undirected edge becomes two arcs."""
        return networkx_digraph(self.names, self._into())
