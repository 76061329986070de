"""The boxes of a picture: their size, their names, and the states in them with their bars."""

from __future__ import annotations

from collections.abc import Sequence

from bayesloom.report.drawing import Drawing, StateBar
from bayesloom.report.lettering import fitted, text_width, written
from bayesloom.report.placing import HEIGHT
from bayesloom.report.routes import Point

_FONT = 12.5
_LONGEST = 260.0
_STATE_FONT = 10.0
_STATE = 110.0
"""How wide the label of a state may be."""
_BAR = 56.0
_PERCENT = 40.0
_LINE = 14.0
_PAD = 9.0
MOST_BARS = 8
"""Of a box; what is left of more states stands in the last one."""


def boxes(drawing: Drawing) -> tuple[list[str], list[float]]:
    """Return what is written in each box of a drawing, and how wide the boxes are."""
    labels = [fitted(label, _FONT, _LONGEST) for label in drawing.labels]
    widths = [max(34.0, text_width(label, _FONT) + 16.0) for label in labels]
    return labels, [
        max(width, _inside(bars)) for width, bars in zip(widths, _bars(drawing), strict=True)
    ]


def box_heights(drawing: Drawing) -> list[float]:
    """Return how high the boxes are."""
    return [HEIGHT + (_LINE * len(bars) + 4.0 if bars else 0.0) for bars in _bars(drawing)]


def box(drawing: Drawing, v: int, label: str, centre: Point, size: tuple[float, float]) -> str:
    """Return the box of a node as a part of an SVG file."""
    whole, mark = drawing.labels[v], drawing.marks.get(v)
    left, top = centre[0] - size[0] / 2, centre[1] - size[1] / 2
    style = "node" if mark is None else f"node {mark.value}"
    tip = f"<title>{written(whole)}</title>" if label != whole else ""
    lines = "".join(
        _bar(bar, left, top + HEIGHT + _LINE * k, size[0])
        for k, bar in enumerate(_bars(drawing)[v])
    )
    return (
        f'<g class="{style}">{tip}<rect x="{left:.1f}" y="{top:.1f}" '
        f'width="{size[0]:.1f}" height="{size[1]:.1f}" rx="6"/>'
        f'<text x="{centre[0]:.1f}" y="{top + HEIGHT / 2 + 4.4:.1f}">{written(label)}</text>'
        f"{lines}</g>"
    )


def shown_bars(bars: Sequence[StateBar]) -> list[StateBar]:
    """Return the bars that a box shows: all, or the likeliest and the rest together.

    Examples
    --------
    >>> many = [StateBar(str(k), p) for k, p in enumerate([0.05] * 12 + [0.4])]
    >>> [bar.label for bar in shown_bars(many)]
    ['0', '1', '2', '3', '4', '5', '12', '6 more']
    """
    if len(bars) <= MOST_BARS:
        return list(bars)
    likeliest = sorted(range(len(bars)), key=lambda k: (-bars[k].share, k))[: MOST_BARS - 1]
    kept = [bars[k] for k in sorted(likeliest)]
    rest = max(0.0, 1.0 - sum(bar.share for bar in kept))
    return [*kept, StateBar(f"{len(bars) - len(kept)} more", rest)]


def percent(share: float) -> str:
    """Return a probability as it stands beside a bar.

    Examples
    --------
    >>> percent(0.5), percent(0.00004), percent(0.99996), percent(1.0)
    ('50.0%', '<0.1%', '>99.9%', '100%')
    """
    if share in (0.0, 1.0):
        return f"{share:.0%}"
    told = f"{share:.1%}"
    return {"0.0%": "<0.1%", "100.0%": ">99.9%"}.get(told, told)


def _bars(drawing: Drawing) -> list[list[StateBar]]:
    if not drawing.bars:
        return [[] for _ in drawing.labels]
    return [shown_bars(bars) for bars in drawing.bars]


def _inside(bars: Sequence[StateBar]) -> float:
    """Return how wide a box must be for its bars."""
    if not bars:
        return 0.0
    text = max(min(text_width(bar.label, _STATE_FONT), _STATE) for bar in bars)
    return text + _BAR + _PERCENT + 2 * _PAD + 6.0


def _bar(bar: StateBar, left: float, top: float, width: float) -> str:
    right = left + width - _PAD - _PERCENT
    start, middle = right - _BAR, top + _LINE / 2
    long = _BAR * min(max(bar.share, 0.0), 1.0)
    label = written(fitted(bar.label, _STATE_FONT, width - 2 * _PAD - _BAR - _PERCENT - 4.0))
    return (
        f'<g class="bar"><text x="{left + _PAD:.1f}" y="{middle + 3.4:.1f}">{label}</text>'
        f'<rect class="whole" x="{start:.1f}" y="{middle - 4:.1f}" width="{_BAR:.1f}" height="8"/>'
        f'<rect class="share" x="{start:.1f}" y="{middle - 4:.1f}" width="{long:.1f}" height="8"/>'
        f'<text class="number" x="{left + width - _PAD:.1f}" y="{middle + 3.4:.1f}">'
        f"{written(percent(bar.share))}</text></g>"
    )
