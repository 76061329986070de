"""Layers of a drawing: which row every node is in, and in which order the rows are."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from bayesloom.graphs import bits, topological_order
from bayesloom.report.crossings import with_few_crossings
from bayesloom.report.levels import levels


@dataclass(frozen=True, slots=True)
class Layered:
    """A graph whose edges all lead from one row to the next.

    Nodes 0 to n - 1 are the graph's own; later ones are bends of edges that cross several rows.

    Parameters
    ----------
    rows : tuple of tuples of int
        The nodes of each row, from left to right.
    above, below : tuple of tuples of int
        For each node its neighbours in the row above and in the row below.
    chains : dict
        For every edge (parent, child) the nodes it passes, both ends included.
    """

    rows: tuple[tuple[int, ...], ...]
    above: tuple[tuple[int, ...], ...]
    below: tuple[tuple[int, ...], ...]
    chains: dict[tuple[int, int], tuple[int, ...]]


def layered(parents: Sequence[int]) -> Layered:
    """Put the nodes of a DAG in rows, with short edges and few crossings.

    Parameters
    ----------
    parents : sequence of int
        Parent masks.

    References
    ----------
    K. Sugiyama, S. Tagawa, M. Toda: Methods for visual understanding of hierarchical system
    structures, IEEE Transactions on Systems, Man, and Cybernetics 11, 1981.

    Examples
    --------
    >>> layered([0, 0b001, 0b011]).rows
    ((0,), (1, 3), (2,))
    """
    level = levels(parents)
    n = len(parents)
    rows: list[list[int]] = [[] for _ in range(max(level, default=0) + 1)]
    for v in topological_order(parents):
        rows[level[v]].append(v)
    below: list[list[int]] = [[] for _ in range(n)]
    above: list[list[int]] = [[] for _ in range(n)]
    chains: dict[tuple[int, int], tuple[int, ...]] = {}
    for child, mask in enumerate(parents):
        for parent in bits(mask):
            bends = range(len(above), len(above) + level[child] - level[parent] - 1)
            for row, bend in enumerate(bends, level[parent] + 1):
                above.append([])
                below.append([])
                rows[row].append(bend)
            chain = (parent, *bends, child)
            for a, b in itertools.pairwise(chain):
                below[a].append(b)
                above[b].append(a)
            chains[parent, child] = chain
    ordered = with_few_crossings(rows, below, chains.values())
    return Layered(
        tuple(map(tuple, ordered)), tuple(map(tuple, above)), tuple(map(tuple, below)), chains
    )
