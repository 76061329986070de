"""Layers of a drawing: which row every node is in, and in which order the rows are."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from bayesloom.graphs import bits, topological_order, transposed


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


def layered(parents: Sequence[int], sweeps: int = 24) -> Layered:
    """Put the nodes of a DAG in rows, with few long edges and few crossings.

    Parameters
    ----------
    parents : sequence of int
        Parent masks.
    sweeps : int
        How often the rows are put in order, down and up by turns.

    References
    ----------
    K. Sugiyama, S. Tagawa, M. Toda: Methods for visual understanding of hierarchical system
    structures, IEEE Transactions on Systems, Man, and Cybernetics 11, 1981.

    Examples
    --------
    >>> layered([0, 0b001, 0b011]).rows
    ((0,), (1, 3), (2,))
    """
    level = _levels(parents)
    n = len(parents)
    rows: list[list[int]] = [[] for _ in range(max(level, default=0) + 1)]
    for v in topological_order(parents):
        rows[level[v]].append(v)
    above: list[list[int]] = [[] for _ in range(n)]
    below: list[list[int]] = [[] for _ in range(n)]
    chains: dict[tuple[int, int], tuple[int, ...]] = {}
    for child, mask in enumerate(parents):
        for parent in bits(mask):
            chain = [parent]
            for row in range(level[parent] + 1, level[child]):
                bend = len(above)
                above.append([])
                below.append([])
                rows[row].append(bend)
                chain.append(bend)
            chain.append(child)
            for a, b in itertools.pairwise(chain):
                below[a].append(b)
                above[b].append(a)
            chains[parent, child] = tuple(chain)
    ordered = _with_few_crossings(rows, above, below, sweeps)
    return Layered(
        tuple(map(tuple, ordered)), tuple(map(tuple, above)), tuple(map(tuple, below)), chains
    )


def _levels(parents: Sequence[int]) -> list[int]:
    """Give every node a row below all its parents, as near to its children as its edges like."""
    order = topological_order(parents)
    children = transposed(parents)
    level = [0] * len(parents)
    for v in order:
        level[v] = max((level[p] + 1 for p in bits(parents[v])), default=0)
    for v in reversed(order):
        # A node with more edges below than above moves down: its edges become shorter.
        if children[v] and children[v].bit_count() > parents[v].bit_count():
            level[v] = min(level[c] for c in bits(children[v])) - 1
    return level


def _with_few_crossings(
    rows: list[list[int]], above: list[list[int]], below: list[list[int]], sweeps: int
) -> list[list[int]]:
    """Sort each row by the mean place of its neighbours, down and up, and keep the best order."""
    place = {v: k for row in rows for k, v in enumerate(row)}
    best, fewest = [row[:] for row in rows], _crossings(rows, below, place)
    for sweep in range(sweeps):
        down = sweep % 2 == 0
        near = above if down else below
        for row in rows[1:] if down else reversed(rows[:-1]):
            means = {
                v: sum(place[u] for u in near[v]) / len(near[v]) if near[v] else place[v]
                for v in row
            }
            row.sort(key=means.__getitem__)
            place.update({v: k for k, v in enumerate(row)})
        _swap_neighbours(rows, above, below, place)
        crossings = _crossings(rows, below, place)
        if crossings < fewest:
            best, fewest = [row[:] for row in rows], crossings
        if not fewest:
            break
    return best


def _swap_neighbours(
    rows: list[list[int]], above: list[list[int]], below: list[list[int]], place: dict[int, int]
) -> None:
    """Swap neighbours in a row where that takes away crossings."""
    for row in rows:
        for k in range(len(row) - 1):
            u, v = row[k], row[k + 1]
            now = _between(above[u], above[v], place) + _between(below[u], below[v], place)
            then = _between(above[v], above[u], place) + _between(below[v], below[u], place)
            if then < now:
                row[k], row[k + 1] = v, u
                place[u], place[v] = k + 1, k


def _between(left: Sequence[int], right: Sequence[int], place: dict[int, int]) -> int:
    """Count the crossings of the edges of two neighbours in a row."""
    return sum(place[a] > place[b] for a in left for b in right)


def _crossings(rows: list[list[int]], below: list[list[int]], place: dict[int, int]) -> int:
    total = 0
    for row in rows[:-1]:
        ends = [place[w] for v in row for w in sorted(below[v], key=place.__getitem__)]
        total += _inversions(ends)
    return total


def _inversions(values: list[int]) -> int:
    """Count the pairs that are out of order (merge sort)."""
    if len(values) < 2:  # noqa: PLR2004 - nothing to compare
        return 0
    middle = len(values) // 2
    left, right = values[:middle], values[middle:]
    count = _inversions(left) + _inversions(right)
    left.sort()
    right.sort()
    i = 0
    for value in right:
        while i < len(left) and left[i] <= value:
            i += 1
        count += len(left) - i
    return count
