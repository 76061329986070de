"""Maximum spanning trees and forests of the complete graph, by Prim and by Kruskal."""

from __future__ import annotations

import numpy as np

from bayesloom.engine.batch import Floats


def maximum_spanning_forest(n: int, weights: Floats, tie: float = 1e-12) -> list[tuple[int, int]]:
    """Return the edges of a maximum spanning tree, outward from node 0 (Prim).

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
    weight = _square(n, -_places(weights, tie))
    best = np.full(n, -np.inf)
    via = np.zeros(n, np.intp)
    out = np.ones(n, np.bool_)
    edges = []
    for _ in range(n):
        v = int(np.argmax(best))
        if best[v] == -np.inf:
            v = int(np.argmax(out))
        else:
            edges.append((int(via[v]), v))
        out[v] = False
        best[v] = -np.inf
        closer = out & (weight[v] > best)
        via[closer] = v
        best[closer] = weight[v, closer]
    return edges


def kruskal_forest(n: int, weights: Floats, tie: float = 1e-12) -> list[tuple[int, int]]:
    """Return the same tree by joining pairs ``(a, b)``, a < b, in the order of weights (Kruskal).

    Examples
    --------
    >>> kruskal_forest(3, np.array([0.5, 0.1, 0.4]))
    [(0, 1), (1, 2)]
    """
    a, b = np.triu_indices(n, 1)
    tree = list(range(n))

    def root(v: int) -> int:
        while tree[v] != v:
            tree[v] = tree[tree[v]]
            v = tree[v]
        return v

    edges = []
    for k in np.argsort(_places(weights, tie)):
        if weights[k] == -np.inf:
            break
        x, y = root(int(a[k])), root(int(b[k]))
        if x != y:
            tree[y] = x
            edges.append((int(a[k]), int(b[k])))
    return edges


def _places(weights: Floats, tie: float) -> Floats:
    """Return the place of each pair when the heaviest comes first; infinite for weight -inf.

    Weights that a chain of gaps up to ``tie`` connects are equal, and equal ones keep their order.
    No two places are equal, so every algorithm finds the same tree.
    """
    joined = np.flatnonzero(weights > -np.inf)
    falling = joined[np.argsort(-weights[joined])]
    level = np.cumsum(np.diff(weights[falling], prepend=np.inf) < -tie)
    places = np.full(len(weights), np.inf)
    places[falling[np.argsort(level * len(weights) + falling)]] = np.arange(len(falling))
    return places


def _square(n: int, weights: Floats) -> Floats:
    square = np.full((n, n), -np.inf)
    above = np.triu_indices(n, 1)
    square[above] = weights
    square.T[above] = weights
    return square
