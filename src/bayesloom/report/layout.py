"""Where everything in a picture goes: nodes, curves of edges, the size of the whole."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

from bayesloom.graphs import bits, components, skeleton
from bayesloom.report.layers import Layered, layered

GAP = 16.0
HEIGHT = 26.0
_BESIDE = 9.0
ROW_GAP = 34.0
_CORNER = 7.0
_ASPECT = 1.8
_LONG = 2.5
_FIRM = 1e6
_AWAY = 3.0

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Layout:
    """Centres of the nodes, curves of the edges and the size of the picture, in pixels.

    A curve is a start, and then for every cubic piece its two handles and its end; it leads from
    the lower side of the parent's box to the upper side of the child's.
    """

    centres: tuple[Point, ...]
    curves: dict[tuple[int, int], tuple[Point, ...]]
    width: float
    height: float


def lay_out(parents: Sequence[int], widths: Sequence[float]) -> Layout:
    """Lay out a DAG in rows from top to bottom, its components side by side.

    No curve meets the box of a node that is not one of its ends.

    Parameters
    ----------
    parents : sequence of int
        Parent masks.
    widths : sequence of float
        How wide every node is drawn.
    """
    blocks = [bits(block) for block in components(skeleton(parents))]
    parts = [_component(block, parents, widths) for block in blocks if len(block) > 1]
    alone = [block[0] for block in blocks if len(block) == 1]
    return _packed(parts, alone, widths)


@dataclass(frozen=True, slots=True)
class _Part:
    """A component laid out at the origin."""

    centres: dict[int, Point]
    curves: dict[tuple[int, int], tuple[Point, ...]]
    width: float
    height: float


def _packed(parts: Sequence[_Part], alone: Sequence[int], widths: Sequence[float]) -> Layout:
    """Put components on shelves, the tallest first, and single nodes in lines below."""
    singles = [_Part({v: (widths[v] / 2, HEIGHT / 2)}, {}, widths[v], HEIGHT) for v in alone]
    area = sum((part.width + GAP) * (part.height + GAP) for part in [*parts, *singles])
    wide = max([(_ASPECT * area) ** 0.5, *(part.width for part in [*parts, *singles])])
    centres = [(0.0, 0.0)] * (sum(len(part.centres) for part in parts) + len(alone))
    curves: dict[tuple[int, int], tuple[Point, ...]] = {}
    bottom = right = 0.0
    for group in (sorted(parts, key=lambda part: -part.height), singles):
        left, top = 0.0, bottom + (GAP if bottom else 0.0)
        for part in group:
            if left and left + part.width > wide:
                left, top = 0.0, bottom + GAP
            for v, (x, y) in part.centres.items():
                centres[v] = x + left, y + top
            for edge, points in part.curves.items():
                curves[edge] = tuple((x + left, y + top) for x, y in points)
            right, bottom = max(right, left + part.width), max(bottom, top + part.height)
            left += part.width + GAP
    return Layout(tuple(centres), curves, right, bottom)


def _component(nodes: Sequence[int], parents: Sequence[int], widths: Sequence[float]) -> _Part:
    """Lay out one component at the origin."""
    index = {v: k for k, v in enumerate(nodes)}
    graph = layered([sum(1 << index[p] for p in bits(parents[v])) for v in nodes])
    size = [widths[v] for v in nodes] + [0.0] * (len(graph.above) - len(nodes))
    x = _abscissas(graph, size)
    shift = min(x[k] - size[k] / 2 for k in range(len(size)))
    x = [place - shift for place in x]
    y = _ordinates(graph, x)
    routes = _Routes(graph, size, x, y)
    return _Part(
        {v: (x[k], y[k]) for v, k in index.items()},
        {(nodes[a], nodes[b]): routes.curve(chain) for (a, b), chain in graph.chains.items()},
        max(x[k] + size[k] / 2 for k in range(len(size))),
        max(y) + HEIGHT / 2,
    )


def _ordinates(graph: Layered, x: Sequence[float]) -> list[float]:
    """Give rows the distance that their flattest edges need, within bounds."""
    y = [0.0] * len(x)
    at = HEIGHT / 2
    for row in graph.rows:
        for k in row:
            y[k] = at
        spans = sorted(abs(x[w] - x[k]) for k in row for w in graph.below[k])
        flat = spans[int(0.9 * len(spans))] if spans else 0.0
        at += HEIGHT + min(max(ROW_GAP, 0.16 * flat), 2 * ROW_GAP)
    return y


def _gap(a: float, b: float) -> float:
    """Return how far apart the centres of neighbours in a row must be; a bend has no width."""
    between = GAP if a and b else _BESIDE
    return (a + b) / 2 + between


def _abscissas(graph: Layered, size: Sequence[float], sweeps: int = 40) -> list[float]:
    """Move every node towards its neighbours, as far as the others in its row leave room."""
    x = [0.0] * len(size)
    for row in graph.rows:
        places = list(
            itertools.accumulate(
                (_gap(size[a], size[b]) for a, b in itertools.pairwise(row)), initial=0.0
            )
        )
        for k, place in zip(row, places, strict=True):
            x[k] = place - places[-1] / 2
    up, down = _pulls(graph.above, size), _pulls(graph.below, size)
    both = [a + b for a, b in zip(up, down, strict=True)]
    gaps = [[_gap(size[a], size[b]) for a, b in itertools.pairwise(row)] for row in graph.rows]
    numbers = range(len(graph.rows))
    for sweep in range(sweeps):
        forth = sweep % 2 == 0
        pulls = both if sweep > sweeps // 3 else up if forth else down
        boxes_stay = sweep > 0.8 * sweeps
        for r in numbers if forth else reversed(numbers):
            row = graph.rows[r]
            wish, weight = [], []
            for k in row:
                if boxes_stay and size[k]:
                    wish.append(x[k])
                    weight.append(_FIRM)
                    continue
                pulling = pulls[k] or both[k]
                total = sum(w for _, w in pulling)
                wish.append(sum(w * x[u] for u, w in pulling) / total)
                weight.append(total)
            for k, place in zip(row, spread(wish, weight, gaps[r]), strict=True):
                x[k] = place
    return x


def _pulls(near: Sequence[Sequence[int]], size: Sequence[float]) -> list[list[tuple[int, float]]]:
    """Say who pulls whom how hard; long edges pull harder, so that they are straight."""
    return [
        [(u, 1.0 if size[u] and size[k] else _LONG) for u in others]
        for k, others in enumerate(near)
    ]


class _Routes:
    """The curves of the edges between boxes that are already placed."""

    def __init__(
        self, graph: Layered, size: Sequence[float], x: Sequence[float], y: Sequence[float]
    ) -> None:
        self._size, self._x, self._y = size, x, y
        self._room = [math.inf] * len(x)
        for row in graph.rows:
            self._look(row, 1)
            self._look(row[::-1], -1)

    def _look(self, row: Sequence[int], way: int) -> None:
        """Note for the bends of a row how far the next box before them is."""
        side = -math.inf
        for k in row:
            if self._size[k]:
                side = way * self._x[k] + self._size[k] / 2
            else:
                self._room[k] = min(self._room[k], way * self._x[k] - side - _AWAY)

    def curve(self, chain: Sequence[int]) -> tuple[Point, ...]:
        """Return a smooth curve along a chain: straight beside boxes, cubic between rows."""
        x, y = self._x, self._y
        steep = [
            (x[b] - x[a]) / (y[b] - y[a]) for a, b in itertools.pairwise(chain)
        ]  # sideways per pixel down
        slopes = [steep[0]]
        for k, before, after in zip(chain[1:-1], steep[:-1], steep[1:], strict=True):
            most = self._room[k] / (HEIGHT / 2)
            mean = 2 * before * after / (before + after) if before * after > 0 else 0.0
            slopes.append(min(max(mean, -most), most))
        slopes.append(steep[-1])
        points: list[Point] = []
        for i, (a, b) in enumerate(itertools.pairwise(chain)):
            start = self._side(a, slopes[i], 1)
            end = self._side(b, slopes[i + 1], -1)
            third = (end[1] - start[1]) / 3
            secant = (end[0] - start[0]) / (end[1] - start[1])
            leave = self._tangent(a, slopes[i], secant)
            arrive = self._tangent(b, slopes[i + 1], secant)
            points += (
                [start]
                if not points
                else [_third(points[-1], start), _third(start, points[-1]), start]
            )
            points += [
                (start[0] + leave * third, start[1] + third),
                (end[0] - arrive * third, end[1] - third),
                end,
            ]
        return tuple(points)

    def _tangent(self, k: int, slope: float, secant: float) -> float:
        """Return the direction of a curve at a row: free at boxes, as through the row at bends."""
        return secant if self._size[k] else slope

    def _side(self, k: int, slope: float, way: int) -> Point:
        """Return where a curve meets the lower (1) or upper (-1) side of its row."""
        sideways = slope * HEIGHT / 2
        if self._size[k]:
            most = self._size[k] / 2 - _CORNER
            sideways = min(max(sideways, -most), most)
        return self._x[k] + way * sideways, self._y[k] + way * HEIGHT / 2


def _third(a: Point, b: Point) -> Point:
    return a[0] + (b[0] - a[0]) / 3, a[1] + (b[1] - a[1]) / 3


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
