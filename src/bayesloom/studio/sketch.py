"""Pictures of edges that are no network (yet): laid out as networks are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from bayesloom.errors import DataError, shown
from bayesloom.report.drawing import Drawing, Line
from bayesloom.report.page.geometry import pictured

_LINES = {"arrow": Line.ARROW, "free": Line.OPEN, "link": Line.LINK}


def sketched(names: Sequence[str], edges: Iterable[tuple[int, int, str]]) -> dict[str, Any]:
    """Lay out nodes and edges (from, to, and "arrow", "free" or "link"), in any order.

    Edges need not be free of circles: one that closes a circle with those before it is laid out
    the other way round.

    Raises
    ------
    DataError
        If an edge is no pair of different nodes, or of no known kind.

    Examples
    --------
    >>> drawn = sketched(["A", "B"], [(0, 1, "arrow"), (1, 0, "arrow")])
    >>> [edge["ends"] for edge in drawn["edges"]]
    [[0, 1]]
    """
    n = len(names)
    parents, above = [0] * n, [1 << v for v in range(n)]
    lines, upward = {}, set()
    for edge in edges:
        x, y, line = _checked(edge, n)
        closes = bool(above[x] >> y & 1)
        p, v = (y, x) if closes else (x, y)
        if parents[v] >> p & 1:
            continue
        parents[v] |= 1 << p
        lines[p, v] = line
        if closes:
            upward.add((p, v))
        above = [mask | above[p] if mask >> v & 1 else mask for mask in above]
    drawing = Drawing(tuple(names), tuple(parents), lines, upward=frozenset(upward))
    return pictured(drawing, {name: v for v, name in enumerate(names)})


def _checked(edge: object, n: int) -> tuple[int, int, Line]:
    """Return an edge that a page tells, if it is one between n nodes."""
    match edge:
        case [int(x), int(y), str(kind)] if x != y and 0 <= x < n and 0 <= y < n:
            if kind in _LINES:
                return x, y, _LINES[kind]
    msg = (
        "an edge must be two different nodes and one of arrow, free and link, got "
        f"{shown(repr(edge))}"
    )
    raise DataError(msg)
