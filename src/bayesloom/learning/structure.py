"""The edges of whatever graph a search is about, in the order of names."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, TypeAlias

from bayesloom.graphs import DAG, bits

if TYPE_CHECKING:
    from bayesloom.graphs import PDAG, ChordalGraph
    from bayesloom.search import Limits

Structure: TypeAlias = "DAG | PDAG | ChordalGraph"
"""What a search is about: a DAG, the graph of an equivalence class, or a Markov network."""

Pairs: TypeAlias = tuple[tuple[str, str], ...]


class Kind(Enum):
    """What kind of graph a search is about."""

    DAG = "dag"
    CLASS = "class"
    MARKOV_NETWORK = "markov_network"

    @classmethod
    def of(cls, graph: Structure) -> Kind:
        """Return the kind of a graph.

        Examples
        --------
        >>> from bayesloom.graphs import PDAG
        >>> Kind.of(PDAG.from_edges([], [("A", "B")]))
        <Kind.CLASS: 'class'>
        """
        if isinstance(graph, DAG):
            return cls.DAG
        from bayesloom.graphs import PDAG

        return cls.CLASS if isinstance(graph, PDAG) else cls.MARKOV_NETWORK


def class_of(dag: DAG, limits: Limits) -> PDAG:
    """Return the graph of the equivalence class of a DAG, with what the limits direct in it.

    Examples
    --------
    >>> from bayesloom.search import Limits
    >>> class_of(DAG.from_edges([("A", "B")]), Limits.none(("A", "B")))
    CPDAG(2 nodes, 1 edge: A - B)
    >>> class_of(DAG.from_edges([("A", "B")]), Limits(("A", "B"), allowed=(0, 1), required=(0, 0)))
    PDAG(2 nodes, 1 edge: A -> B)
    """
    from bayesloom.graphs import CPDAG, PDAG

    found = CPDAG.of(dag)
    oriented = limits.orient(found.parent_masks, found.neighbour_masks)
    if limits.are_symmetric or oriented is None:
        return found
    return PDAG(dag.names, tuple(oriented[0]), tuple(oriented[1]))


def extension_of(graph: Structure) -> DAG | None:
    """Return a DAG with the independencies of a graph; None if there is none.

    Examples
    --------
    >>> from bayesloom.graphs import PDAG
    >>> extension_of(PDAG.from_edges([], [("A", "B")]))
    DAG(2 nodes, 1 edge: B -> A)
    """
    from bayesloom.errors import GraphError
    from bayesloom.graphs import ChordalGraph

    if isinstance(graph, DAG):
        return graph
    if isinstance(graph, ChordalGraph):
        return graph.to_dag()
    try:
        return graph.extension()
    except GraphError:
        return None


def directed(graph: Structure) -> Pairs:
    """Return the arrows of a graph.

    Examples
    --------
    >>> directed(DAG.from_edges([("C", "B"), ("A", "B")]))
    (('A', 'B'), ('C', 'B'))
    """
    if isinstance(graph, DAG):
        return tuple(sorted(graph.edges))
    from bayesloom.graphs import PDAG

    return tuple(sorted(graph.directed)) if isinstance(graph, PDAG) else ()


def undirected(graph: Structure) -> Pairs:
    """Return the undirected edges of a graph, the names of each in order too.

    Examples
    --------
    >>> from bayesloom.graphs import PDAG
    >>> undirected(PDAG.from_edges([("A", "B")], [("C", "B")]))
    (('B', 'C'),)
    """
    if isinstance(graph, DAG):
        return ()
    from bayesloom.graphs import PDAG

    pairs = graph.undirected if isinstance(graph, PDAG) else graph.edges
    return tuple(sorted((min(pair), max(pair)) for pair in pairs))


def mark(graph: Structure, x: str, y: str) -> str:
    """Return how x and y are joined: ``->``, ``<-``, ``-``, or the empty text if they are not.

    Examples
    --------
    >>> mark(DAG.from_edges([("B", "A")]), "A", "B")
    '<-'
    """
    from bayesloom.graphs import ChordalGraph

    if not isinstance(graph, ChordalGraph):
        if y in graph.parents(x):
            return "<-"
        if x in graph.parents(y):
            return "->"
    return "-" if not isinstance(graph, DAG) and y in graph.neighbours(x) else ""


def cliques_and_separators(graph: ChordalGraph) -> tuple[list[list[str]], list[list[str]]]:
    """Return the cliques and the non-empty separators of a junction forest, by names in order.

    Examples
    --------
    >>> from bayesloom.graphs import ChordalGraph
    >>> cliques_and_separators(ChordalGraph.from_edges([("A", "B"), ("B", "C")]))
    ([['A', 'B'], ['B', 'C']], [['B']])
    """
    forest = graph.junction_forest()

    def named(masks: tuple[int, ...]) -> list[list[str]]:
        return sorted(sorted(graph.names[v] for v in bits(mask)) for mask in masks if mask)

    return named(forest.cliques), named(forest.separators)
