"""Which causal effects the directions of a partially directed graph determine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bayesloom.graphs.masks import bits

if TYPE_CHECKING:
    from collections.abc import Sequence


def open_path(
    parents: Sequence[int], neighbours: Sequence[int], treatment: int, outcome: int
) -> list[int]:
    """Return a possibly directed path from the treatment that starts with an undirected edge.

    The effect of the treatment on the outcome is the same in all DAGs of the graph exactly if there
    is none (amenability). The rest of the path, from its second node on, is unshielded; no arrow of
    the path points back to the treatment.

    Parameters
    ----------
    parents, neighbours : sequence of int
        The masks of a graph that is closed under Meek's rules: a DAG, a CPDAG or a CPDAG with the
        arrows that knowledge adds.
    treatment, outcome : int
        The nodes.

    Returns
    -------
    list of int
        The nodes of a shortest such path, among equals the first in node order; empty if there is
        none.

    References
    ----------
    .. [1] E. Perkovic, J. Textor, M. Kalisch, M. H. Maathuis, Complete graphical characterization
       and construction of adjustment sets in Markov equivalence classes of ancestral graphs,
       Journal of Machine Learning Research 18, 2018.
    .. [2] E. Perkovic, Identifying causal effects in maximally oriented partially directed acyclic
       graphs, UAI 2020.

    Examples
    --------
    In 0 - 1 -> 2 <- 3 the edge 0 - 1 leaves the effect of 0 on 2 open, but not that of 1 on 2.

    >>> parents, neighbours = [0, 0, 0b1010, 0], [0b10, 0b1, 0, 0]
    >>> open_path(parents, neighbours, 0, 2), open_path(parents, neighbours, 1, 2)
    ([0, 1, 2], [])
    """
    n = len(parents)
    children = [0] * n
    for v, mask in enumerate(parents):
        for u in bits(mask):
            children[u] |= 1 << v
    adjacency = [parents[v] | children[v] | neighbours[v] for v in range(n)]
    closed = parents[treatment] | 1 << treatment
    paths = [[treatment, v] for v in bits(neighbours[treatment])]
    seen = {(treatment, v) for _, v in paths}
    while paths:
        longer = []
        for path in paths:
            before, here = path[-2:]
            if here == outcome:
                return path
            steps = (neighbours[here] | children[here]) & ~closed
            if before != treatment:  # the first triple may be shielded
                steps &= ~(adjacency[before] | 1 << before)
            for v in bits(steps):
                if (here, v) not in seen:
                    seen.add((here, v))
                    longer.append([*path, v])
        paths = longer
    return []
