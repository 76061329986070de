"""Where everything in a picture goes: nodes, curves of edges, the size of the whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bayesloom.graphs import bits, components, skeleton
from bayesloom.report.layers import layered
from bayesloom.report.placing import GAP, HEIGHT, abscissas, row_sides
from bayesloom.report.routes import Point, Routes

_ASPECT = 1.8
"""How much wider than high components are packed."""


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


def lay_out(
    parents: Sequence[int], widths: Sequence[float], heights: Sequence[float] | None = None
) -> Layout:
    """Lay out a DAG in rows from top to bottom, its components side by side.

    No curve meets the box of a node that is not one of its ends.

    Parameters
    ----------
    parents : sequence of int
        Parent masks.
    widths : sequence of float
        How wide every node is drawn.
    heights : sequence of float, optional
        How high; by default as high as its name needs.
    """
    boxes = [*zip(widths, heights or [HEIGHT] * len(widths), strict=True)]
    blocks = [bits(block) for block in components(skeleton(parents))]
    parts = [_component(block, parents, boxes) for block in blocks if len(block) > 1]
    alone = [block[0] for block in blocks if len(block) == 1]
    return _packed(parts, alone, boxes)


_Box = tuple[float, float]
"""Width and height."""


@dataclass(frozen=True, slots=True)
class _Part:
    """A component laid out at the origin."""

    centres: dict[int, Point]
    curves: dict[tuple[int, int], tuple[Point, ...]]
    width: float
    height: float


def _packed(parts: Sequence[_Part], alone: Sequence[int], boxes: Sequence[_Box]) -> Layout:
    """Put components on shelves, the tallest first, and single nodes in lines below."""
    singles = [_Part({v: (boxes[v][0] / 2, boxes[v][1] / 2)}, {}, *boxes[v]) for v in alone]
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


def _component(nodes: Sequence[int], parents: Sequence[int], boxes: Sequence[_Box]) -> _Part:
    """Lay out one component at the origin."""
    index = {v: k for k, v in enumerate(nodes)}
    graph = layered([sum(1 << index[p] for p in bits(parents[v])) for v in nodes])
    bends = [0.0] * (len(graph.above) - len(nodes))
    size = [*(boxes[v][0] for v in nodes), *bends]
    high = [*(boxes[v][1] for v in nodes), *bends]
    x = abscissas(graph, size)
    shift = min(x[k] - size[k] / 2 for k in range(len(size)))
    x = [place - shift for place in x]
    upper, lower = row_sides(graph, x, high)
    routes = Routes(graph, size, high, x, (upper, lower))
    return _Part(
        {v: (x[k], upper[k] + high[k] / 2) for v, k in index.items()},
        {(nodes[a], nodes[b]): routes.curve(chain) for (a, b), chain in graph.chains.items()},
        max(x[k] + size[k] / 2 for k in range(len(size))),
        max(lower),
    )
