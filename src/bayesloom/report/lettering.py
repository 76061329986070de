"""Texts in pictures: how wide they are, what of them fits, where they stand, well-formed."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from html import escape

from bayesloom.graphs.text import writable

_NARROW, _BROAD = frozenset("iIjl.,:;'|!()[] tfr1-"), frozenset("mwMW@%")
INK, GREY = "#222222", "#dddddd"


def text_width(text: str, size: float) -> float:
    """Estimate how wide a text is drawn, in pixels.

    Examples
    --------
    >>> text_width("MMM", 10.0) > text_width("iii", 10.0)
    True
    """
    return sum(map(_units, text)) * size


def _units(c: str) -> float:
    if c in _NARROW:
        return 0.42
    if c in _BROAD:
        return 0.95
    if unicodedata.combining(c):
        return 0.0
    return 1.02 if unicodedata.east_asian_width(c) in "WF" else 0.66


def fitted(text: str, size: float, width: float) -> str:
    """Return a text, cut with an ellipsis if it is wider than there is room.

    Examples
    --------
    >>> fitted("temperature", 10.0, 50.0)
    'temper…'
    """
    if text_width(text, size) <= width:
        return text
    while text and text_width(text, size) > width - 0.9 * size:
        text = text[:-1]
    return f"{text}…"


def written(text: str) -> str:
    """Return a text as it stands in an SVG file; what a file cannot hold is shown by a sign.

    Examples
    --------
    >>> written("a < b"), written("bell" + chr(7))
    ('a &lt; b', 'bell␇')
    """
    return escape(writable(text))


def text_at(
    x: float,
    y: float,
    text: str,
    *,
    anchor: str = "start",
    weight: str = "normal",
    size: float = 12,
) -> str:
    """Return a text at a place of an SVG file."""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" '
        f'font-weight="{weight}" fill="{INK}">{written(text)}</text>'
    )


def turned_at(x: float, y: float, text: str) -> str:
    """Return a text that reads upwards, around a place of an SVG file."""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="12" text-anchor="middle" fill="{INK}" '
        f'transform="rotate(-90 {x:.1f} {y:.1f})">{written(text)}</text>'
    )


def svg_page(parts: Sequence[str], title: str, width: float, height: float) -> str:
    """Return a whole SVG file of parts, on white, with a title that is not drawn."""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
        f'viewBox="0 0 {width:g} {height:g}" font-family="sans-serif" role="img">'
        f"<title>{written(title)}</title>"
        '<rect width="100%" height="100%" fill="white"/>'
    )
    return "\n".join([head, *parts, "</svg>"]) + "\n"


def titled_page(parts: Sequence[str], title: str, width: float, height: float) -> str:
    """Return a whole SVG file of parts, with its title above them."""
    top = text_at(16, 24, title, weight="bold", size=15)
    return svg_page([top, *parts], title, width, height)
