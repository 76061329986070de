"""Scatter plots as SVG: two measures of every case, and the line where they are equal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bayesloom.report.lettering import (
    GREY,
    INK,
    text_at,
    text_width,
    titled_page,
    turned_at,
    written,
)
from bayesloom.report.scale import Scale, tick_label

_SIDE = 460.0
_LEFT, _TOP, _RIGHT, _BOTTOM = 70.0, 46.0, 30.0, 56.0
_DOT = "#0072B2"
_FONT = 10
_NAMED = 8  # points that get their name: those that are furthest from the line


@dataclass(frozen=True, slots=True)
class Dot:
    """A point of a scatter plot: its name and its two measures."""

    name: str
    x: float
    y: float


def scatter_plot(dots: Sequence[Dot], *, title: str, x: str, y: str) -> str:
    """Draw points with the same scale on both axes and the diagonal.

    The points furthest from the diagonal are named; the pointer tells the others.

    Parameters
    ----------
    dots : sequence of Dot
        The points, with measures from 0 on.
    title, x, y : str
        What is written above and along the axes.

    Returns
    -------
    str
        An SVG document.

    Examples
    --------
    >>> scatter_plot([Dot("iris", 6.0, 5.3)], title="t", x="a", y="b").startswith("<svg")
    True
    """
    most = [value for dot in dots for value in (dot.x, dot.y)]
    across = Scale.of([0.0, *most], start=_LEFT, end=_LEFT + _SIDE)
    up = Scale.of([0.0, *most], start=_TOP + _SIDE, end=_TOP)
    parts = []
    for tick in across.ticks:
        ink = INK if tick == 0 else GREY
        parts += [
            _line(across(tick), _TOP, across(tick), _TOP + _SIDE, ink),
            _line(_LEFT, up(tick), _LEFT + _SIDE, up(tick), ink),
            text_at(across(tick), _TOP + _SIDE + 18, tick_label(tick), anchor="middle"),
            text_at(_LEFT - 8, up(tick) + 4, tick_label(tick), anchor="end"),
        ]
    ends = across(across.low), up(up.low), across(across.high), up(up.high)
    parts.append(_line(*ends, INK, dashed=True))
    parts += _points(dots, across, up)
    parts.append(text_at(_LEFT + _SIDE / 2, _TOP + _SIDE + 42, x, anchor="middle"))
    parts.append(turned_at(18, _TOP + _SIDE / 2, y))
    return titled_page(parts, title, _LEFT + _SIDE + _RIGHT, _TOP + _SIDE + _BOTTOM)


def _points(dots: Sequence[Dot], across: Scale, up: Scale) -> list[str]:
    """Draw the points, and the names of some where there is room for them."""
    parts: list[str] = []
    taken: list[tuple[float, float, float]] = []
    far = sorted(dots, key=lambda dot: -abs(dot.x - dot.y))[:_NAMED]
    for dot in dots:
        tip = written(f"{dot.name}: {dot.x:.2f}, {dot.y:.2f}")
        parts.append(
            f'<circle cx="{across(dot.x)}" cy="{up(dot.y)}" r="4" fill="{_DOT}" '
            f'fill-opacity="0.75"><title>{tip}</title></circle>'
        )
    for dot in far:
        left, line = across(dot.x) + 7, up(dot.y) + 3.5
        wide = text_width(dot.name, _FONT)
        if left + wide > _LEFT + _SIDE:
            left = across(dot.x) - 7 - wide
        free = all(
            abs(line - other) > _FONT or left + wide < start or left > end
            for start, end, other in taken
        )
        if free:
            taken.append((left, left + wide, line))
            parts.append(text_at(left, line, dot.name, size=_FONT))
    return parts


def _line(x1: float, y1: float, x2: float, y2: float, ink: str, *, dashed: bool = False) -> str:
    dash = ' stroke-dasharray="5 4"' if dashed else ""
    return f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="{ink}"{dash}/>'
