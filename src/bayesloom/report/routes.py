"""The curves of edges between boxes that are already placed."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

from bayesloom.report.layers import Layered

Point = tuple[float, float]
_AWAY = 3.0
_CORNER = 7.0


class Routes:
    """Smooth ways of edges through rows: straight beside boxes, cubic between rows.

    A box begins at the upper side of its row and reaches no further than its row, and in its row a
    curve keeps to the room between boxes; so no curve meets a box that is not at one of its ends.

    Parameters
    ----------
    graph : Layered
        The rows and the chains of the edges.
    size, high, x : sequences of float
        How wide and how high every node is, and where its middle is; a bend has no size.
    sides : pair of sequences of float
        The upper and the lower side of every node's row.
    """

    def __init__(
        self,
        graph: Layered,
        size: Sequence[float],
        high: Sequence[float],
        x: Sequence[float],
        sides: tuple[Sequence[float], Sequence[float]],
    ) -> None:
        self._size, self._high, self._x = size, high, x
        self._upper, self._lower = sides
        self._y = [(a + b) / 2 for a, b in zip(*sides, strict=True)]
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
        """Return a curve along a chain: its start, then handles and end of every cubic piece."""
        slopes = self._slopes(chain)
        points = self._leave(chain[0], slopes[0])
        for (a, b), (leaving, arriving) in zip(
            itertools.pairwise(chain), itertools.pairwise(slopes), strict=True
        ):
            start, end = self._side(a, leaving, 1), self._side(b, arriving, -1)
            if a != chain[0]:
                points += _straight(points[-1], start)
            down = end[1] - start[1]
            # At boxes a curve may take any direction: the straight one.
            straight = (end[0] - start[0]) / down
            first = straight if self._size[a] else leaving
            last = straight if self._size[b] else arriving
            points += [
                (start[0] + first * down / 3, start[1] + down / 3),
                (end[0] - last * down / 3, end[1] - down / 3),
                end,
            ]
        return tuple(points)

    def _slopes(self, chain: Sequence[int]) -> list[float]:
        """Return the direction at every node of a chain, in pixels sideways per pixel down."""
        x, y = self._x, self._y
        steps = [(x[b] - x[a]) / (y[b] - y[a]) for a, b in itertools.pairwise(chain)]
        slopes = [steps[0]]
        for k, (before, after) in zip(chain[1:-1], itertools.pairwise(steps), strict=True):
            most = self._room[k] / ((self._lower[k] - self._upper[k]) / 2)
            mean = 2 * before * after / (before + after) if before * after > 0 else 0.0
            slopes.append(min(max(mean, -most), most))
        return [*slopes, steps[-1]]

    def _leave(self, k: int, slope: float) -> list[Point]:
        """Start at the lower side of a box; one that is not as high as its row, straight down."""
        x, y = self._side(k, slope, 1)
        foot = self._upper[k] + self._high[k]
        return [(x, y)] if foot >= y else [(x, foot), *_straight((x, foot), (x, y))]

    def _side(self, k: int, slope: float, way: int) -> Point:
        """Return where a curve meets the lower (1) or upper (-1) side of its row."""
        side = self._lower[k] if way > 0 else self._upper[k]
        sideways = slope * (self._lower[k] - self._upper[k]) / 2
        if self._size[k]:
            most = self._size[k] / 2 - _CORNER
            sideways = min(max(slope * self._high[k] / 2, -most), most)
        return self._x[k] + way * sideways, side


def _straight(a: Point, b: Point) -> list[Point]:
    """Return the handles and the end of a straight piece."""
    return [
        (a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part) for part in (1 / 3, 2 / 3, 1)
    ]
