"""Box plots as SVG: the spread of measures, by group and series."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from bayesloom.report.chart import (
    BOTTOM,
    COLOURS,
    HEIGHT,
    LEFT,
    RIGHT,
    TOP,
    WIDTH,
    axes,
    chart_page,
)
from bayesloom.report.lettering import text_at
from bayesloom.report.scale import Scale


@dataclass(frozen=True, slots=True)
class Boxes:
    """Boxes of one colour: for every group the values they sum up."""

    name: str
    values: tuple[tuple[float, ...], ...]


def box_plot(boxes: Sequence[Boxes], groups: Sequence[str], *, title: str, x: str, y: str) -> str:
    """Draw for every group one box per series: quartiles, median, whiskers from 5 to 95 percent.

    Parameters
    ----------
    boxes : sequence of Boxes
        The series.
    groups : sequence of str
        The names of the groups, as many as each series has lists of values.
    title, x, y : str
        What is written above and along the axes.

    Returns
    -------
    str
        An SVG document.
    """
    everything = [
        _quantile(finite, 0.95)
        for series in boxes
        for values in series.values
        if (finite := _finite(values))
    ]
    up = Scale.of([*everything, 0.0], start=HEIGHT - BOTTOM, end=TOP)
    room = (WIDTH - RIGHT - LEFT) / max(1, len(groups))
    across = Scale(0, len(groups), LEFT, WIDTH - RIGHT)
    parts = [*axes(across, up, x, y)]
    wide = min(36.0, 0.8 * room / max(1, len(boxes)))
    for g, group in enumerate(groups):
        middle = LEFT + (g + 0.5) * room
        parts.append(text_at(middle, HEIGHT - BOTTOM + 18, group, anchor="middle"))
        for k, series in enumerate(boxes):
            left = middle + (k - len(boxes) / 2) * wide
            if finite := _finite(series.values[g]):
                parts += _box(finite, left + 2, wide - 4, up, COLOURS[k % len(COLOURS)])
    return chart_page(parts, [series.name for series in boxes], title)


def _box(values: list[float], left: float, wide: float, up: Scale, colour: str) -> list[str]:
    quarter, half, three = (_quantile(values, q) for q in (0.25, 0.5, 0.75))
    middle, right = left + wide / 2, left + wide
    ends = [(_quantile(values, 0.05), quarter), (three, _quantile(values, 0.95))]
    whiskers = [
        f'<line x1="{middle:.1f}" x2="{middle:.1f}" y1="{up(a)}" y2="{up(b)}" stroke="{colour}"/>'
        for a, b in ends
    ]
    height = f"{up(quarter) - up(three):.2f}"
    body = (
        f'<rect x="{left:.1f}" y="{up(three)}" width="{wide:.1f}" height="{height}" '
        f'fill="{colour}" fill-opacity="0.25" stroke="{colour}"/>'
    )
    bar = (
        f'<line x1="{left:.1f}" x2="{right:.1f}" y1="{up(half)}" y2="{up(half)}" '
        f'stroke="{colour}" stroke-width="2.5"/>'
    )
    return [*whiskers, body, bar]


def _finite(values: Sequence[float]) -> list[float]:
    return sorted(value for value in values if math.isfinite(value))


def _quantile(values: Sequence[float], q: float) -> float:
    place = q * (len(values) - 1)
    low = math.floor(place)
    high = min(low + 1, len(values) - 1)
    return values[low] + (place - low) * (values[high] - values[low])
