"""Bars to the left and to the right of zero as an SVG picture: what speaks against and for."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from bayesloom.report.lettering import (
    GREY,
    INK,
    fitted,
    svg_page,
    text_at,
    text_width,
    written,
)
from bayesloom.report.picture import Picture
from bayesloom.report.scale import Scale, tick_label

_FONT = 12.0
_LINE = 22.0
_NAMES, _PLOT, _VALUES = 320.0, 380.0, 60.0
_TOP, _MARGIN = 62.0, 16.0
_FOR, _AGAINST = "#0072B2", "#D55E00"


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar: its name and its value, which may be infinite."""

    name: str
    value: float


def bar_picture(
    bars: Sequence[Bar],
    *,
    title: str,
    ends: tuple[str, str],
    axis: str = "change of the log-odds (nats)",
) -> Picture:
    """Draw bars below each other around a common zero.

    Parameters
    ----------
    bars : sequence of Bar
        The bars, from top to bottom; an infinite one reaches the edge.
    title : str
        What is written above.
    ends : pair of str
        What negative and positive values stand for.
    axis : str
        What is written below.

    Examples
    --------
    >>> bar_picture([Bar("fever = yes", 1.5), Bar("age", -0.5)], title="flu", ends=("no", "yes"))
    Picture(792 x 150: flu)
    """
    finite = [bar.value for bar in bars if math.isfinite(bar.value)]
    wide = max([abs(value) for value in finite] or [0.0]) or 1.0
    left = _MARGIN + _NAMES
    scale = Scale.of([-wide, wide], start=left, end=left + _PLOT)
    bottom = _TOP + _LINE * len(bars)
    parts = [
        text_at(_MARGIN, 24, fitted(title, 15.0, _NAMES + _PLOT + _VALUES), size=15, weight="bold"),
        text_at(scale(0.0) - 8, 46, f"\N{LEFTWARDS ARROW} {ends[0]}", anchor="end"),
        text_at(scale(0.0) + 8, 46, f"{ends[1]} \N{RIGHTWARDS ARROW}"),
    ]
    for tick in scale.ticks:
        ink = INK if tick == 0 else GREY
        parts.append(
            f'<line x1="{scale(tick)}" x2="{scale(tick)}" y1="{_TOP - 4}" y2="{bottom}" '
            f'stroke="{ink}"/>'
        )
        parts.append(text_at(scale(tick), bottom + 16, tick_label(tick), anchor="middle"))
    for k, bar in enumerate(bars):
        parts += _drawn_bar(bar, scale, _TOP + _LINE * k)
    width, height = math.ceil(left + _PLOT + _VALUES + _MARGIN), math.ceil(bottom + 44)
    middle = left + _PLOT / 2
    parts.append(text_at(middle, bottom + 34, axis, anchor="middle"))
    return Picture(svg_page(parts, title, width, height), width, height, written(title))


def _drawn_bar(bar: Bar, scale: Scale, top: float) -> list[str]:
    value = min(max(bar.value, scale.low), scale.high)
    start, end = sorted((scale(0.0), scale(value)))
    colour = _FOR if bar.value > 0 else _AGAINST
    label = f"{bar.value:+.2f}" if math.isfinite(bar.value) else f"{bar.value:+}"
    beside = scale(0.0) + 4 if bar.value < 0 else end + 4
    anchor = "start"
    if bar.value < 0:
        beside, anchor = start - 4, "end"
        if start - text_width(label, _FONT) < _MARGIN + _NAMES:
            beside, anchor = scale(0.0) + 4, "start"
    name = fitted(bar.name, _FONT, _NAMES - 12)
    shape = (
        f'<rect x="{start:.1f}" y="{top + 3:.1f}" width="{max(end - start, 0.5):.1f}" '
        f'height="{_LINE - 6:.1f}" fill="{colour}"/>'
    )
    return [
        f'<g class="contribution"><title>{written(f"{bar.name}: {label}")}</title>',
        text_at(_MARGIN + _NAMES - 10, top + 15, name, anchor="end"),
        shape,
        text_at(beside, top + 15, label, anchor=anchor),
        "</g>",
    ]
