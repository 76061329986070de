"""Equivalence classes of DAGs as values."""

from __future__ import annotations

from dataclasses import dataclass

from bayesloom.errors import GraphError, check_kind
from bayesloom.graphs.completion import cpdag_of_dag
from bayesloom.graphs.dag import DAG, check_dag
from bayesloom.graphs.pdag import PDAG


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class CPDAG(PDAG):
    """The completed graph of an equivalence class: compelled arrows and reversible edges.

    Parameters
    ----------
    names, parents, neighbours
        As for `PDAG`.

    Raises
    ------
    GraphError
        If the graph is not the completed graph of any class.

    Examples
    --------
    >>> from bayesloom.graphs import DAG
    >>> CPDAG.of(DAG.from_edges([("A", "C"), ("B", "C"), ("C", "D")]))
    CPDAG(4 nodes, 3 edges: A -> C, C -> D, B -> C)
    >>> CPDAG.of(DAG.from_edges([("A", "B"), ("B", "C")]))
    CPDAG(3 nodes, 2 edges: A - B, B - C)
    """

    def __post_init__(self) -> None:
        PDAG.__post_init__(self)
        parents, neighbours = cpdag_of_dag(self.extension().parent_masks)
        if tuple(parents) != self.parent_masks or tuple(neighbours) != self.neighbour_masks:
            wrong = zip(self.parent_masks, parents, self.neighbour_masks, neighbours, strict=True)
            v = next(v for v, (a, b, c, d) in enumerate(wrong) if a != b or c != d)
            msg = (
                f"the graph is not completed: the edges of node {self.names[v]!r} are marked"
                " otherwise in its class; use CPDAG.completing to correct it"
            )
            raise GraphError(msg)

    @staticmethod
    def of(dag: DAG) -> CPDAG:
        """Return the equivalence class of a DAG."""
        check_dag(dag)
        parents, neighbours = cpdag_of_dag(dag.parent_masks)
        return CPDAG(dag.names, tuple(parents), tuple(neighbours))

    @staticmethod
    def completing(graph: PDAG) -> CPDAG:
        """Return the class that contains the extensions of a partially directed graph.

        Raises
        ------
        GraphError
            If the graph has no extension.

        Examples
        --------
        >>> CPDAG.completing(PDAG.from_edges([("A", "B")], [("B", "C")]))
        CPDAG(3 nodes, 2 edges: A - B, B - C)
        """
        check_kind("graph", graph, PDAG, "a PDAG")
        return CPDAG.of(graph.extension())
