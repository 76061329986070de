"""Charts as SVG: lines, boxes and heat maps, with nothing but text."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from bayesloom.report.scale import Scale, tick_label

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#444444")
"""Colours that most people can tell apart."""

_WIDTH, _HEIGHT = 680, 420
_LEFT, _RIGHT, _TOP, _BOTTOM = 70, 170, 46, 52
_INK, _GREY = "#222222", "#dddddd"
_CELL = 46
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


@dataclass(frozen=True, slots=True)
class Boxes:
    """Boxes of one colour: for every group the values they sum up."""

    name: str
    values: tuple[tuple[float, ...], ...]


@dataclass(frozen=True, slots=True)
class HeatMap:
    """A table of values; a marked cell gets a frame."""

    name: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    values: tuple[tuple[float, ...], ...]
    marked: tuple[tuple[bool, ...], ...] = ()


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
    """Draw lines over a common axis.

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

    Returns
    -------
    str
        An SVG document.

    Examples
    --------
    >>> line_chart([Curve("a", ((1, 2), (2, 3)))], title="t", x="x", y="y").startswith("<svg")
    True
    """
    xs = [px for line in lines for px, _ in line.points]
    ys = [py for line in lines for _, py in line.points] + ([] if level is None else [level])
    ys += [end for line in lines for bar in line.bars for end in bar]
    across = Scale.of(xs, start=_LEFT, end=_WIDTH - _RIGHT, log=log_x, ticks=ticks)
    up = Scale.of([*ys, 0.0], start=_HEIGHT - _BOTTOM, end=_TOP)
    parts = [*_axes(across, up, f"{x} (logarithmic)" if log_x else x, y)]
    if level is not None:
        parts.append(
            f'<line x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{up(level)}" y2="{up(level)}" '
            f'stroke="{_INK}" stroke-dasharray="5 4"/>'
        )
    for k, line in enumerate(lines):
        aside = _ASIDE * (k - (len(lines) - 1) / 2) if line.bars else 0.0
        parts += _drawn(line, aside, across, up, COLOURS[k % len(COLOURS)])
    names = [line.name for line in lines]
    return _document([*parts, *_legend(names)], title, _width(names, title), _HEIGHT)


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
    up = Scale.of([*everything, 0.0], start=_HEIGHT - _BOTTOM, end=_TOP)
    room = (_WIDTH - _RIGHT - _LEFT) / max(1, len(groups))
    across = Scale(0, len(groups), _LEFT, _WIDTH - _RIGHT)
    parts = [*_axes(across, up, x, y)]
    wide = min(36.0, 0.8 * room / max(1, len(boxes)))
    for g, group in enumerate(groups):
        middle = _LEFT + (g + 0.5) * room
        parts.append(_text(middle, _HEIGHT - _BOTTOM + 18, group, anchor="middle"))
        for k, series in enumerate(boxes):
            left = middle + (k - len(boxes) / 2) * wide
            if finite := _finite(series.values[g]):
                parts += _box(finite, left + 2, wide - 4, up, COLOURS[k % len(COLOURS)])
    names = [series.name for series in boxes]
    return _document([*parts, *_legend(names)], title, _width(names, title), _HEIGHT)


def heat_maps(maps: Sequence[HeatMap], *, title: str, x: str, y: str) -> str:
    """Draw tables side by side: blue above 0, orange below, each on its own scale.

    Parameters
    ----------
    maps : sequence of HeatMap
        The tables, from left to right.
    title, x, y : str
        What is written above, below the columns and beside the rows.

    Returns
    -------
    str
        An SVG document.
    """
    wide = max(len(table.columns) for table in maps) * _CELL
    high = max(len(table.rows) for table in maps) * _CELL * 2 // 3
    parts = []
    for k, table in enumerate(maps):
        left, top = _LEFT + k * (wide + _LEFT), _TOP + 26
        parts.append(_text(left, top - 8, table.name, weight="bold"))
        parts.append(_text(left + wide / 2, top + high + 36, x, anchor="middle"))
        parts.append(_turned(left - 44, top + high / 2, y))
        parts += _cells(table, left, top)
    width = _LEFT + len(maps) * (wide + _LEFT)
    return _document(parts, title, width, _TOP + 26 + high + 52)


def _cells(table: HeatMap, left: float, top: float) -> list[str]:
    most = max((abs(v) for row in table.values for v in row if math.isfinite(v)), default=1) or 1
    tall = _CELL * 2 / 3
    parts = [
        _text(left + (c + 0.5) * _CELL, top + len(table.rows) * tall + 16, name, anchor="middle")
        for c, name in enumerate(table.columns)
    ]
    for r, name in enumerate(table.rows):
        parts.append(_text(left - 8, top + (r + 0.65) * tall, name, anchor="end"))
        for c, value in enumerate(table.values[r]):
            marked = bool(table.marked) and table.marked[r][c]
            shade = _shade(value / most if math.isfinite(value) else 0.0)
            frame = f' stroke="{_INK}" stroke-width="1.5"' if marked else ""
            parts.append(
                f'<rect x="{left + c * _CELL + 1:.1f}" y="{top + r * tall + 1:.1f}" '
                f'width="{_CELL - 2}" height="{tall - 2:.1f}" fill="{shade}"{frame}/>'
            )
            middle, line = left + (c + 0.5) * _CELL, top + (r + 0.65) * tall
            parts.append(_text(middle, line, _cell_label(value), anchor="middle", size=11))
    return parts


def _cell_label(value: float) -> str:
    if not math.isfinite(value):
        return "-"
    return f"{round(value, 3) + 0.0:.3f}".replace("0.", ".", 1)  # no -0


def _shade(share: float) -> str:
    """Return white for 0, towards blue for 1 and towards orange for -1."""
    end = (86, 160, 211) if share > 0 else (230, 140, 70)
    return "#" + "".join(f"{round(255 - min(1, abs(share)) * (255 - part)):02x}" for part in end)


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


def _axes(across: Scale, up: Scale, x: str, y: str) -> list[str]:
    floor = _HEIGHT - _BOTTOM
    parts = []
    for tick in up.ticks:
        parts.append(
            f'<line x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{up(tick)}" y2="{up(tick)}" '
            f'stroke="{_INK if tick == 0 else _GREY}"/>'
        )
        parts.append(_text(_LEFT - 8, up(tick) + 4, tick_label(tick), anchor="end"))
    labelled = _labelled([(across(tick), tick_label(tick)) for tick in across.ticks])
    for tick in across.ticks:
        place, label = across(tick), tick_label(tick)
        parts.append(
            f'<line x1="{place}" x2="{place}" y1="{floor}" y2="{floor + 4}" stroke="{_INK}"/>'
        )
        if (place, label) in labelled:
            parts.append(_text(place, floor + 18, label, anchor="middle"))
    parts.append(_text((_LEFT + _WIDTH - _RIGHT) / 2, _HEIGHT - 12, x, anchor="middle"))
    parts.append(_turned(18, (_TOP + floor) / 2, y))
    return parts


def _labelled(marks: list[tuple[float, str]]) -> list[tuple[float, str]]:
    """Choose the labels that do not run into each other: the two ends first, then from the left."""
    chosen: list[tuple[float, str]] = []
    for place, label in [*marks[:1], *marks[:-2:-1], *marks[1:-1]]:
        if all(abs(place - other) > 4 * (len(label) + len(text)) for other, text in chosen):
            chosen.append((place, label))
    return chosen


def _width(names: Sequence[str], title: str) -> float:
    """Return the width of a chart with room for its legend and its title."""
    key = _WIDTH - _RIGHT + 44 + 7.5 * max(map(len, names), default=0)
    return max(key, 32 + 8.5 * len(title))


def _legend(names: Sequence[str]) -> list[str]:
    left = _WIDTH - _RIGHT + 16
    parts = []
    for k, name in enumerate(names):
        top = _TOP + 20 * k
        colour = COLOURS[k % len(COLOURS)]
        parts.append(f'<rect x="{left}" y="{top}" width="12" height="12" fill="{colour}"/>')
        parts.append(_text(left + 18, top + 11, name))
    return parts


def _text(
    x: float, y: float, text: str, *, anchor: str = "start", weight: str = "normal", size: int = 12
) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" '
        f'font-weight="{weight}" fill="{_INK}">{escape(text)}</text>'
    )


def _turned(x: float, y: float, text: str) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="12" text-anchor="middle" fill="{_INK}" '
        f'transform="rotate(-90 {x:.1f} {y:.1f})">{escape(text)}</text>'
    )


def _document(parts: Sequence[str], title: str, width: float, height: float) -> str:
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
        f'viewBox="0 0 {width:g} {height:g}" font-family="sans-serif" role="img">'
        f"<title>{escape(title)}</title>"
        f'<rect width="100%" height="100%" fill="white"/>'
    )
    top = _text(16, 24, title, weight="bold", size=15)
    return "\n".join([head, top, *parts, "</svg>"]) + "\n"
