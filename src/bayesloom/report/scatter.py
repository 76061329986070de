"""Scatter plots as SVG: two measures of every case, and the line where they are equal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bayesloom.report.lettering import text_width, written
from bayesloom.report.scale import Scale, tick_label

_SIDE = 460.0
_LEFT, _TOP, _RIGHT, _BOTTOM = 70.0, 46.0, 30.0, 56.0
_INK, _GREY, _DOT = "#222222", "#dddddd", "#0072B2"
_FONT = 10.0
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
        ink = _INK if tick == 0 else _GREY
        parts += [
            _line(across(tick), _TOP, across(tick), _TOP + _SIDE, ink),
            _line(_LEFT, up(tick), _LEFT + _SIDE, up(tick), ink),
            _text(across(tick), _TOP + _SIDE + 18, tick_label(tick), anchor="middle"),
            _text(_LEFT - 8, up(tick) + 4, tick_label(tick), anchor="end"),
        ]
    ends = across(across.low), up(up.low), across(across.high), up(up.high)
    parts.append(_line(*ends, _INK, dashed=True))
    parts += _points(dots, across, up)
    parts.append(_text(_LEFT + _SIDE / 2, _TOP + _SIDE + 42, x, anchor="middle"))
    middle = _TOP + _SIDE / 2
    turned = f' transform="rotate(-90 18 {middle:.1f})"'
    parts.append(_text(18, middle, y, anchor="middle", more=turned))
    width, height = _LEFT + _SIDE + _RIGHT, _TOP + _SIDE + _BOTTOM
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
        f'viewBox="0 0 {width:g} {height:g}" font-family="sans-serif" role="img">'
        f"<title>{written(title)}</title>"
        '<rect width="100%" height="100%" fill="white"/>'
    )
    top = _text(16, 24, title, size=15, more=' font-weight="bold"')
    return "\n".join([head, top, *parts, "</svg>"]) + "\n"


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
            parts.append(_text(left, line, dot.name, size=_FONT))
    return parts


def _line(x1: float, y1: float, x2: float, y2: float, ink: str, *, dashed: bool = False) -> str:
    dash = ' stroke-dasharray="5 4"' if dashed else ""
    return f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="{ink}"{dash}/>'


def _text(
    x: float, y: float, text: str, *, anchor: str = "start", size: float = 12, more: str = ""
) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:g}" text-anchor="{anchor}" '
        f'fill="{_INK}"{more}>{written(text)}</text>'
    )
