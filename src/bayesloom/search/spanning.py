"""Maximum spanning trees and forests of the complete graph, by Prim and by Kruskal."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bayesloom.engine.batch import Floats


def maximum_spanning_forest(n: int, weights: Floats, tie: float = 1e-12) -> list[tuple[int, int]]:
    """Return the edges ``(a, b)``, a < b, of a maximum spanning tree, outward from node 0 (Prim).

    Parameters
    ----------
    n : int
        The number of nodes.
    weights : array
        The weights of the pairs ``a < b`` in order; pairs of weight -inf are never joined.
    tie : float
        Weights no further apart count as equal; the smaller pair is taken.

    Returns
    -------
    list of pairs
        In the order of joining, each as (node in the tree, new node); the trees of a forest start
        at their smallest node.

    Examples
    --------
    >>> maximum_spanning_forest(3, np.array([0.5, 0.1, 0.4]))
    [(0, 1), (1, 2)]
    """
    weight = _square(n, weights)
    best = np.full(n, -np.inf)
    via = np.zeros(n, np.intp)
    out = np.ones(n, np.bool_)
    edges = []
    for _ in range(n):
        top = best[out].max()
        if top == -np.inf:
            v = int(np.argmax(out))
        else:
            near = np.flatnonzero(out & (best >= top - tie))
            v = min((int(k) for k in near), key=lambda k: (min(via[k], k), max(via[k], k)))
            edges.append((int(via[v]), v))
        out[v] = False
        closer = out & ((weight[v] > best + tie) | ((weight[v] >= best - tie) & _before(v, via, n)))
        via[closer] = v
        best = np.where(out, np.maximum(best, weight[v]), -np.inf)
    return edges


def kruskal_forest(n: int, weights: Floats, tie: float = 1e-12) -> list[tuple[int, int]]:
    """Return the same tree by joining pairs in the order of their weights (Kruskal).

    Examples
    --------
    >>> kruskal_forest(3, np.array([0.5, 0.1, 0.4]))
    [(0, 1), (1, 2)]
    """
    a, b = np.triu_indices(n, 1)
    ranked = np.round(weights / tie) if tie else weights
    tree = list(range(n))

    def root(v: int) -> int:
        while tree[v] != v:
            tree[v] = tree[tree[v]]
            v = tree[v]
        return v

    edges = []
    for k in np.lexsort((b, a, -ranked)):
        if weights[k] == -np.inf:
            break
        x, y = root(int(a[k])), root(int(b[k]))
        if x != y:
            tree[y] = x
            edges.append((int(a[k]), int(b[k])))
    return edges


def _square(n: int, weights: Floats) -> Floats:
    square = np.full((n, n), -np.inf)
    square[np.triu_indices(n, 1)] = weights
    return np.maximum(square, square.T)


def _before(v: int, via: npt.NDArray[np.intp], n: int) -> npt.NDArray[np.bool_]:
    """Say for which nodes k the pair {v, k} comes before the pair {via[k], k}."""
    k = np.arange(n)
    mine = np.minimum(v, k) * n + np.maximum(v, k)
    theirs = np.minimum(via, k) * n + np.maximum(via, k)
    return mine < theirs
