"""Charts as SVG: lines over axes with a legend, with nothing but text."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from bayesloom.report.lettering import GREY, INK, text_at, titled_page, turned_at
from bayesloom.report.scale import Scale, tick_label

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#444444")
"""Colours that most people can tell apart."""

WIDTH, HEIGHT = 680, 420
LEFT, RIGHT, TOP, BOTTOM = 70, 170, 46, 52
_ASIDE = 2.5  # lines with error bars stand so far apart, or the bars would hide each other


@dataclass(frozen=True, slots=True)
class Curve:
    """A line of a chart: its name, its points and, for error bars, the ends of each.

    Without ``dots`` the points themselves are not marked.
    """

    name: str
    points: tuple[tuple[float, float], ...]
    bars: tuple[tuple[float, float], ...] = ()
    dots: bool = True


def line_chart(
    lines: Sequence[Curve],
    *,
    title: str,
    x: str,
    y: str,
    log_x: bool = False,
    ticks: Sequence[float] = (),
    level: float | None = None,
) -> str:
    """Draw lines over a common axis, as an SVG document.

    Parameters
    ----------
    lines : sequence of Curve
        The lines, in the order of the legend; points that are not finite are left out. Error
        bars stand side by side.
    title, x, y : str
        What is written above and along the axes.
    log_x : bool
        Whether the x axis is logarithmic, which is then written beside its name.
    ticks : sequence of float
        The marks of the x axis.
    level : float, optional
        A dashed line across, for a bound to be compared with.

    Examples
    --------
    >>> line_chart([Curve("a", ((1, 2), (2, 3)))], title="t", x="x", y="y").startswith("<svg")
    True
    """
    xs = [px for line in lines for px, _ in line.points]
    ys = [py for line in lines for _, py in line.points] + ([] if level is None else [level])
    ys += [end for line in lines for bar in line.bars for end in bar]
    across = Scale.of(xs, start=LEFT, end=WIDTH - RIGHT, log=log_x, ticks=ticks)
    up = Scale.of([*ys, 0.0], start=HEIGHT - BOTTOM, end=TOP)
    parts = [*axes(across, up, f"{x} (logarithmic)" if log_x else x, y)]
    if level is not None:
        parts.append(
            f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{up(level)}" y2="{up(level)}" '
            f'stroke="{INK}" stroke-dasharray="5 4"/>'
        )
    for k, line in enumerate(lines):
        aside = _ASIDE * (k - (len(lines) - 1) / 2) if line.bars else 0.0
        parts += _drawn(line, aside, across, up, COLOURS[k % len(COLOURS)])
    return chart_page(parts, [line.name for line in lines], title)


def _drawn(line: Curve, aside: float, across: Scale, up: Scale, colour: str) -> list[str]:
    xs = [round(across(a) + aside, 2) for a, _ in line.points]
    places = [(a, up(b)) for a, (_, b) in zip(xs, line.points, strict=True) if math.isfinite(b)]
    path = " ".join(f"{a},{b}" for a, b in places)
    return [
        f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>',
        *(f'<circle cx="{a}" cy="{b}" r="3" fill="{colour}"/>' for a, b in places if line.dots),
        *(
            f'<line class="bar" x1="{a}" x2="{a}" y1="{up(low)}" y2="{up(high)}" '
            f'stroke="{colour}" stroke-opacity="0.6"/>'
            for a, (low, high) in zip(xs, line.bars, strict=False)  # a line may have none
            if math.isfinite(low + high)
        ),
    ]


def axes(across: Scale, up: Scale, x: str, y: str) -> list[str]:
    """Draw the axes with their marks and names."""
    floor = HEIGHT - BOTTOM
    parts = []
    for tick in up.ticks:
        parts.append(
            f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{up(tick)}" y2="{up(tick)}" '
            f'stroke="{INK if tick == 0 else GREY}"/>'
        )
        parts.append(text_at(LEFT - 8, up(tick) + 4, tick_label(tick), anchor="end"))
    labelled = _labelled([(across(tick), tick_label(tick)) for tick in across.ticks])
    for tick in across.ticks:
        place, label = across(tick), tick_label(tick)
        parts.append(
            f'<line x1="{place}" x2="{place}" y1="{floor}" y2="{floor + 4}" stroke="{INK}"/>'
        )
        if (place, label) in labelled:
            parts.append(text_at(place, floor + 18, label, anchor="middle"))
    parts.append(text_at((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 12, x, anchor="middle"))
    parts.append(turned_at(18, (TOP + floor) / 2, y))
    return parts


def _labelled(marks: list[tuple[float, str]]) -> list[tuple[float, str]]:
    """Choose the labels that do not run into each other: the two ends first, then from the left."""
    chosen: list[tuple[float, str]] = []
    for place, label in [*marks[:1], *marks[:-2:-1], *marks[1:-1]]:
        if all(abs(place - other) > 4 * (len(label) + len(text)) for other, text in chosen):
            chosen.append((place, label))
    return chosen


def chart_page(parts: Sequence[str], names: Sequence[str], title: str) -> str:
    """Return the document of a chart, with room for its legend and its title."""
    key = WIDTH - RIGHT + 44 + 7.5 * max(map(len, names), default=0)
    width = max(key, 32 + 8.5 * len(title))
    return titled_page([*parts, *_legend(names)], title, width, HEIGHT)


def _legend(names: Sequence[str]) -> list[str]:
    left = WIDTH - RIGHT + 16
    parts = []
    for k, name in enumerate(names):
        top = TOP + 20 * k
        colour = COLOURS[k % len(COLOURS)]
        parts.append(f'<rect x="{left}" y="{top}" width="12" height="12" fill="{colour}"/>')
        parts.append(text_at(left + 18, top + 11, name))
    return parts
