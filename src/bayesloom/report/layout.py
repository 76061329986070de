"""Where everything in a picture goes: nodes, bends of edges, the size of the whole."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from bayesloom.graphs import bits, components, skeleton
from bayesloom.report.layers import Layered, layered

GAP = 18.0
ROW = 74.0
HEIGHT = 26.0
BEND = 14.0


@dataclass(frozen=True, slots=True)
class Layout:
    """Centres of the nodes, paths of the edges and the size of the picture, in pixels."""

    centres: tuple[tuple[float, float], ...]
    paths: dict[tuple[int, int], tuple[tuple[float, float], ...]]
    width: float
    height: float


def lay_out(parents: Sequence[int], widths: Sequence[float], wide: float = 1100.0) -> Layout:
    """Lay out a DAG in rows from top to bottom, its components side by side.

    Parameters
    ----------
    parents : sequence of int
        Parent masks.
    widths : sequence of float
        How wide every node is drawn.
    wide : float
        How wide a line of components may become before the next line begins.
    """
    blocks = sorted(components(skeleton(parents)), key=lambda mask: (-mask.bit_count(), mask))
    centres = [(0.0, 0.0)] * len(parents)
    paths: dict[tuple[int, int], tuple[tuple[float, float], ...]] = {}
    left = top = bottom = right = 0.0
    for block in blocks:
        nodes = bits(block)
        places, bends, width, height = _block(nodes, parents, widths)
        if left and left + width > wide:
            left, top = 0.0, bottom + ROW
        for v, (x, y) in places.items():
            centres[v] = x + left, y + top
        for edge, points in bends.items():
            paths[edge] = tuple((x + left, y + top) for x, y in points)
        left += width + 2 * GAP
        right, bottom = max(right, left - 2 * GAP), max(bottom, top + height)
    return Layout(tuple(centres), paths, right, bottom)


def _block(
    nodes: Sequence[int], parents: Sequence[int], widths: Sequence[float]
) -> tuple[
    dict[int, tuple[float, float]],
    dict[tuple[int, int], list[tuple[float, float]]],
    float,
    float,
]:
    """Lay out one component at the origin; return its nodes, edges, width and height."""
    index = {v: k for k, v in enumerate(nodes)}
    masks = [sum(1 << index[p] for p in bits(parents[v])) for v in nodes]
    graph = layered(masks)
    size = [widths[v] for v in nodes] + [BEND] * (len(graph.above) - len(nodes))
    x = _abscissas(graph, size)
    shift = min(x[k] - size[k] / 2 for k in range(len(size)))
    row_of = {k: r for r, row in enumerate(graph.rows) for k in row}
    at = {k: (x[k] - shift, row_of[k] * ROW + HEIGHT / 2) for k in row_of}
    places = {v: at[index[v]] for v in nodes}
    paths = {(nodes[a], nodes[b]): [at[k] for k in chain] for (a, b), chain in graph.chains.items()}
    width = max(x[k] + size[k] / 2 for k in range(len(size))) - shift
    return places, paths, width, (len(graph.rows) - 1) * ROW + HEIGHT


def _abscissas(graph: Layered, size: Sequence[float], sweeps: int = 40) -> list[float]:
    """Move every node towards its neighbours, as far as the others in its row leave room."""
    x = [0.0] * len(size)
    for row in graph.rows:
        edge = 0.0
        for k in row:
            x[k] = edge + size[k] / 2
            edge += size[k] + GAP
        for k in row:
            x[k] -= edge / 2
    n = len(graph.chains)
    for sweep in range(sweeps):
        down = sweep % 2 == 0
        for row in graph.rows if down else reversed(graph.rows):
            wish, weight = [], []
            for k in row:
                near = (graph.above[k] if down else graph.below[k]) or (
                    graph.above[k] + graph.below[k]
                )
                if sweep > sweeps // 2:
                    near = graph.above[k] + graph.below[k]
                wish.append(sum(x[u] for u in near) / len(near) if near else x[k])
                # Bends pull hard, so that long edges are straight.
                weight.append(8.0 if size[k] == BEND else 1.0 + 0.1 * len(near))
            gaps = [
                (size[a] + size[b]) / 2 + (GAP if n else GAP / 2)
                for a, b in itertools.pairwise(row)
            ]
            for k, place in zip(row, spread(wish, weight, gaps), strict=True):
                x[k] = place
    return x


def spread(wish: Sequence[float], weight: Sequence[float], gaps: Sequence[float]) -> list[float]:
    """Place points in order, each as near as possible to its wish, at least ``gaps`` apart.

    The weighted sum of squares is minimal: pool adjacent violators.

    Examples
    --------
    >>> spread([0.0, 0.0, 10.0], [1.0, 1.0, 1.0], [4.0, 4.0])
    [-2.0, 2.0, 10.0]
    """
    offset = [0.0]
    for gap in gaps:
        offset.append(offset[-1] + gap)
    pools: list[list[float]] = []  # mean, weight, number of points
    for k, goal in enumerate(wish):
        pools.append([goal - offset[k], weight[k], 1.0])
        while len(pools) > 1 and pools[-2][0] > pools[-1][0]:
            mean, load, count = pools.pop()
            pool = pools[-1]
            total = pool[1] + load
            pool[0] = (pool[0] * pool[1] + mean * load) / total
            pool[1], pool[2] = total, pool[2] + count
    placed = [mean for mean, _, count in pools for _ in range(int(count))]
    return [mean + offset[k] for k, mean in enumerate(placed)]
