"""Maximum spanning trees by Prim, and maximum branchings by Edmonds."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bayesloom.arrays import Floats

TIE = 1e-12
"""Weights no further apart count as equal."""


def maximum_spanning_forest(n: int, weights: Floats, tie: float = TIE) -> list[tuple[int, int]]:
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


def maximum_branching(into: Floats) -> list[int | None]:
    """Return a parent for every node, or None, so that the edges are acyclic and weigh most.

    Every node takes its heaviest edge; a cycle becomes one node, whose edges weigh what they gain
    over the edge of the cycle they replace, until there is none.

    Parameters
    ----------
    into : array
        ``into[u, v]`` is the weight of u -> v, at least 0, or -inf if that is not allowed.

    Examples
    --------
    >>> maximum_branching(np.array([[-np.inf, 1.0, 3.0], [2.0, -np.inf, 1.0], [1.0, 5.0, -np.inf]]))
    [None, 2, 0]
    """
    n = len(into)
    weight = np.full((n + 1, n + 1), -np.inf)  # the last node stands for having no parent
    weight[:n, :n] = into
    weight[n, :n] = 0.0
    np.fill_diagonal(weight, -np.inf)
    alive = np.ones(n + 1, np.bool_)
    rounds = []
    while True:
        parent = np.argmax(np.where(alive[:, None], weight, -np.inf), axis=0)
        cycle = _find_cycle(parent, alive)
        if not cycle:
            break
        here = np.array(cycle)
        lost = weight[:, here] - weight[parent[here], here]
        enter, leave = here[np.argmax(lost, axis=1)], here[np.argmax(weight[here], axis=0)]
        rounds.append((cycle, parent[here], enter, leave))
        weight[:, cycle[0]] = lost.max(axis=1)
        weight[cycle[0]] = weight[here].max(axis=0)
        alive[cycle[1:]] = False
        weight[cycle[0], cycle[0]] = -np.inf
    for cycle, around, enter, leave in reversed(rounds):
        outside = np.flatnonzero(alive)
        below = outside[(parent[outside] == cycle[0]) & (outside != n)]
        parent[below] = leave[below]
        above = parent[cycle[0]]
        parent[cycle] = around
        parent[enter[above]] = above
        alive[cycle] = True
    return [None if u == n else int(u) for u in parent[:n]]


def _find_cycle(parent: npt.NDArray[np.intp], alive: npt.NDArray[np.bool_]) -> list[int]:
    """Return the nodes of a cycle, the smallest first; none if there is none."""
    top = len(parent) - 1
    state = np.where(alive, 0, 2).tolist()
    state[top] = 2
    up = parent.tolist()
    for start in range(top):
        walk = []
        v = start
        while state[v] == 0:
            state[v] = 1
            walk.append(v)
            v = up[v]
        if state[v] == 1:
            cycle = walk[walk.index(v) :]
            least = cycle.index(min(cycle))
            return cycle[least:] + cycle[:least]
        for w in walk:
            state[w] = 2
    return []


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
