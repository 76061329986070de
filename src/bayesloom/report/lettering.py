"""Texts in pictures: how wide they are, what of them fits, and that they are well-formed."""

from __future__ import annotations

import unicodedata
from html import escape

from bayesloom.graphs.text import writable

_NARROW, _BROAD = frozenset("iIjl.,:;'|!()[] tfr1-"), frozenset("mwMW@%")
_DELETE = 0x7F


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
