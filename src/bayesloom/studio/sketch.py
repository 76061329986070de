"""Pictures of edges that are no network (yet): laid out as networks are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from bayesloom.errors import DataError
from bayesloom.report.drawing import Drawing, Line
from bayesloom.report.page.geometry import pictured


def sketched(names: Sequence[str], edges: Iterable[tuple[int, int, bool]]) -> dict[str, Any]:
    """Lay out nodes and edges (from, to, whether it is an arrow), in any order.

    Edges need not be free of circles: one that closes a circle with those before it is laid out
    the other way round.

    Raises
    ------
    DataError
        If an edge is no pair of different nodes.

    Examples
    --------
    >>> drawn = sketched(["A", "B"], [(0, 1, True), (1, 0, True)])
    >>> [edge["ends"] for edge in drawn["edges"]]
    [[0, 1]]
    """
    n = len(names)
    parents, above = [0] * n, [1 << v for v in range(n)]
    lines, upward = {}, set()
    for x, y, is_arrow in edges:
        if x == y or not (0 <= x < n and 0 <= y < n):
            msg = f"an edge must be a pair of different nodes, got {x!r} and {y!r}"
            raise DataError(msg)
        closes = bool(above[x] >> y & 1)
        p, v = (y, x) if closes else (x, y)
        if parents[v] >> p & 1:
            continue
        parents[v] |= 1 << p
        lines[p, v] = Line.ARROW if is_arrow else Line.LINK
        if closes:
            upward.add((p, v))
        above = [mask | above[p] if mask >> v & 1 else mask for mask in above]
    drawing = Drawing(tuple(names), tuple(parents), lines, upward=frozenset(upward))
    return pictured(drawing, {name: v for v, name in enumerate(names)})
