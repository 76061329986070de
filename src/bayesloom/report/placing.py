"""Where the nodes of a layered drawing go."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from bayesloom.report.layers import Layered

GAP = 16.0
"""Between boxes in a row."""
HEIGHT = 26.0
"""Of a box with nothing but its name."""
ROW_GAP = 34.0
"""Between rows, at least."""
_BESIDE = 9.0
_FLATTEST = 0.16
_LONG = 2.5
_FIRM = 1e6
_SWEEPS = 40

_Pulls = list[list[tuple[int, float]]]
"""For every node the nodes that pull it, and how hard."""


def abscissas(graph: Layered, size: Sequence[float]) -> list[float]:
    """Move every node towards its neighbours, as far as the others in its row leave room.

    Parameters
    ----------
    graph : Layered
        The rows.
    size : sequence of float
        How wide every node is; a bend has no width.
    """
    gaps = [[_gap(size[a], size[b]) for a, b in itertools.pairwise(row)] for row in graph.rows]
    x = [0.0] * len(size)
    for row, apart in zip(graph.rows, gaps, strict=True):
        places = list(itertools.accumulate(apart, initial=0.0))
        for k, place in zip(row, places, strict=True):
            x[k] = place - places[-1] / 2
    up, down = _pulls(graph.above, size), _pulls(graph.below, size)
    both = [a + b for a, b in zip(up, down, strict=True)]
    # In the end boxes stay, and long edges become smooth between them.
    firm = [[(k, _FIRM)] if size[k] else pulls for k, pulls in enumerate(both)]
    numbers = range(len(graph.rows))
    for sweep in range(_SWEEPS):
        forth = sweep % 2 == 0
        pulls = up if forth else down
        if sweep > _SWEEPS / 3:
            pulls = both if sweep < 0.8 * _SWEEPS else firm
        for r in numbers if forth else reversed(numbers):
            row = graph.rows[r]
            wish, weight = _wishes([pulls[k] or both[k] for k in row], x)
            for k, place in zip(row, spread(wish, weight, gaps[r]), strict=True):
                x[k] = place
    return x


def _wishes(pulls: _Pulls, x: Sequence[float]) -> tuple[list[float], list[float]]:
    """Return where the nodes are pulled to, and how hard."""
    weight = [sum(w for _, w in pulling) for pulling in pulls]
    wish = [
        sum(w * x[u] for u, w in pulling) / total
        for pulling, total in zip(pulls, weight, strict=True)
    ]
    return wish, weight


def _pulls(near: Sequence[Sequence[int]], size: Sequence[float]) -> _Pulls:
    """Say who pulls whom how hard; long edges pull harder, so that they are straight."""
    return [
        [(u, 1.0 if size[u] and size[k] else _LONG) for u in others]
        for k, others in enumerate(near)
    ]


def _gap(a: float, b: float) -> float:
    """Return how far apart the centres of neighbours in a row must be; a bend has no width."""
    between = GAP if a and b else _BESIDE
    return (a + b) / 2 + between


def row_sides(
    graph: Layered, x: Sequence[float], high: Sequence[float]
) -> tuple[list[float], list[float]]:
    """Return for every node the upper and the lower side of its row.

    A row is as high as its highest box. Rows have the distance that their flattest edges need,
    within bounds.
    """
    upper, lower = [0.0] * len(x), [0.0] * len(x)
    top = 0.0
    for row in graph.rows:
        bottom = top + max(high[k] for k in row)
        for k in row:
            upper[k], lower[k] = top, bottom
        spans = sorted(abs(x[w] - x[k]) for k in row for w in graph.below[k])
        flat = spans[int(0.9 * len(spans))] if spans else 0.0
        top = bottom + min(max(ROW_GAP, _FLATTEST * flat), 2 * ROW_GAP)
    return upper, lower


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
