"""Adjacency matrices and networkx graphs to masks and back; both libraries are imported late."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bayesloom.errors import GraphError, MissingExtraError
from bayesloom.graphs.masks import bits
from bayesloom.graphs.naming import as_names

if TYPE_CHECKING:
    from collections.abc import Sequence

    import networkx as nx
    import numpy as np
    import numpy.typing as npt


def matrix_from_masks(parents: Sequence[int]) -> npt.NDArray[np.int8]:
    """Return the matrix with a 1 in row i, column j for each i in the mask of j.

    Examples
    --------
    >>> matrix_from_masks([0b00, 0b01]).tolist()
    [[0, 1], [0, 0]]
    """
    import numpy as np

    matrix = np.zeros((len(parents), len(parents)), dtype=np.int8)
    for v, mask in enumerate(parents):
        matrix[bits(mask), v] = 1
    return matrix


def masks_from_matrix(matrix: npt.ArrayLike, n: int) -> list[int]:
    """Return for each column of a matrix of zeros and ones the mask of the rows that hold a 1.

    Examples
    --------
    >>> masks_from_matrix([[0, 1], [0, 0]], 2)
    [0, 1]
    """
    import numpy as np

    try:
        cells = np.asarray(matrix)
    except ValueError:
        msg = f"the rows of the adjacency matrix of {n} nodes differ in length"
        raise GraphError(msg) from None
    if n == 0 and cells.size == 0:
        return []
    if cells.shape != (n, n):
        msg = f"the adjacency matrix of {n} nodes must have shape ({n}, {n}), got {cells.shape}"
        raise GraphError(msg)
    ones = cells == 1
    strange = np.argwhere(~(ones | (cells == 0)))
    if len(strange):
        i, j = (int(k) for k in strange[0])
        msg = f"an adjacency matrix holds 0 and 1, got {cells[i, j]!s} in row {i}, column {j}"
        raise GraphError(msg)
    packed = np.packbits(ones, axis=0, bitorder="little")
    return [int.from_bytes(packed[:, v].tobytes(), "little") for v in range(n)]


def networkx_digraph(names: Sequence[str], parents: Sequence[int]) -> nx.DiGraph[str]:
    """Return a networkx graph with every node, and an arc from each parent."""
    graph: nx.DiGraph[str] = _networkx().DiGraph()
    graph.add_nodes_from(names)
    graph.add_edges_from((names[p], names[v]) for v, mask in enumerate(parents) for p in bits(mask))
    return graph


def networkx_graph(names: Sequence[str], adjacency: Sequence[int]) -> nx.Graph[str]:
    """Return an undirected networkx graph with every node and every edge."""
    graph: nx.Graph[str] = _networkx().Graph()
    graph.add_nodes_from(names)
    graph.add_edges_from(
        (names[u], names[v]) for u, mask in enumerate(adjacency) for v in bits(mask) if u < v
    )
    return graph


def names_and_arcs(graph: nx.Graph[str]) -> tuple[tuple[str, ...], list[tuple[str, str]]]:
    """Return the nodes and the edges of a networkx graph in its own order.

    An edge of an undirected graph comes as one pair.
    """
    try:
        return as_names(graph.nodes), [(a, b) for a, b in graph.edges()]
    except AttributeError:
        msg = f"expected a networkx graph, got {type(graph).__name__}"
        raise GraphError(msg) from None


def _networkx() -> Any:  # noqa: ANN401 - the module itself
    try:
        import networkx as nx
    except ImportError:
        msg = "networkx is not installed; install it with: pip install 'bayesloom[networkx]'"
        raise MissingExtraError(msg) from None
    return nx
