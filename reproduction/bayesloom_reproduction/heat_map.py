"""Heat maps as SVG: tables of values side by side."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from bayesloom.report.chart import LEFT, TOP
from bayesloom.report.lettering import INK, text_at, titled_page, turned_at

_CELL = 46


@dataclass(frozen=True, slots=True)
class HeatMap:
    """A table of values; a marked cell gets a frame."""

    name: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    values: tuple[tuple[float, ...], ...]
    marked: tuple[tuple[bool, ...], ...] = ()


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
        left, top = LEFT + k * (wide + LEFT), TOP + 26
        parts.append(text_at(left, top - 8, table.name, weight="bold"))
        parts.append(text_at(left + wide / 2, top + high + 36, x, anchor="middle"))
        parts.append(turned_at(left - 44, top + high / 2, y))
        parts += _cells(table, left, top)
    width = LEFT + len(maps) * (wide + LEFT)
    return titled_page(parts, title, width, TOP + 26 + high + 52)


def _cells(table: HeatMap, left: float, top: float) -> list[str]:
    most = max((abs(v) for row in table.values for v in row if math.isfinite(v)), default=1) or 1
    tall = _CELL * 2 / 3
    parts = [
        text_at(left + (c + 0.5) * _CELL, top + len(table.rows) * tall + 16, name, anchor="middle")
        for c, name in enumerate(table.columns)
    ]
    for r, name in enumerate(table.rows):
        parts.append(text_at(left - 8, top + (r + 0.65) * tall, name, anchor="end"))
        for c, value in enumerate(table.values[r]):
            marked = bool(table.marked) and table.marked[r][c]
            shade = _shade(value / most if math.isfinite(value) else 0.0)
            frame = f' stroke="{INK}" stroke-width="1.5"' if marked else ""
            parts.append(
                f'<rect x="{left + c * _CELL + 1:.1f}" y="{top + r * tall + 1:.1f}" '
                f'width="{_CELL - 2}" height="{tall - 2:.1f}" fill="{shade}"{frame}/>'
            )
            middle, line = left + (c + 0.5) * _CELL, top + (r + 0.65) * tall
            parts.append(text_at(middle, line, _cell_label(value), anchor="middle", size=11))
    return parts


def _cell_label(value: float) -> str:
    if not math.isfinite(value):
        return "-"
    return f"{round(value, 3) + 0.0:.3f}".replace("0.", ".", 1)  # no -0


def _shade(share: float) -> str:
    """Return white for 0, towards blue for 1 and towards orange for -1."""
    end = (86, 160, 211) if share > 0 else (230, 140, 70)
    return "#" + "".join(f"{round(255 - min(1, abs(share)) * (255 - part)):02x}" for part in end)
