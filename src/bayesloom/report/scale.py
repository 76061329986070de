"""Scales of charts: from values to places on the paper, with round ticks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
_LEAST_SPAN = 1e-300  # narrower ones are no span for floats


@dataclass(frozen=True, slots=True)
class Scale:
    """A straight or logarithmic scale between two places.

    Parameters
    ----------
    low, high : float
        The values at the ends.
    start, end : float
        The places of the ends, in pixels.
    log : bool
        Whether equal ratios are equally far apart.
    ticks : tuple of float
        The values that are marked.

    Examples
    --------
    >>> scale = Scale.of([0.2, 9.1], start=0, end=100)
    >>> scale.ticks, scale(5.0)
    ((0.0, 2.0, 4.0, 6.0, 8.0, 10.0), 50.0)
    """

    low: float
    high: float
    start: float
    end: float
    log: bool = False
    ticks: tuple[float, ...] = ()

    @classmethod
    def of(
        cls,
        values: Sequence[float],
        *,
        start: float,
        end: float,
        log: bool = False,
        ticks: Sequence[float] = (),
    ) -> Scale:
        """Make a scale that holds all finite values, with its own ticks or round ones."""
        finite = [value for value in values if math.isfinite(value)] or [0.0, 1.0]
        low, high = min(finite), max(finite)
        if log:
            return cls(low, high, start, end, log=True, ticks=tuple(ticks) or (low, high))
        marks = tuple(ticks) or round_ticks(low, high)
        return cls(min(low, marks[0]), max(high, marks[-1]), start, end, ticks=marks)

    def __call__(self, value: float) -> float:
        """Return the place of a value."""
        if self.high == self.low:
            return (self.start + self.end) / 2
        if self.log:
            share = math.log(value / self.low) / math.log(self.high / self.low)
        else:
            share = (value - self.low) / (self.high - self.low)
        return round(self.start + share * (self.end - self.start), 2)


def round_ticks(low: float, high: float, about: int = 5) -> tuple[float, ...]:
    """Return round values, about so many, the first at most ``low``, the last at least ``high``.

    Both up to 1e-9 of the distance of two: rounding must not cost a tick.

    Examples
    --------
    >>> round_ticks(0, 0.93)
    (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
    """
    if high - low < _LEAST_SPAN:
        low, high = low - 0.5, high + 0.5
    rough = (high - low) / about
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(step * power for step in _STEPS if step * power >= rough * (1 - 1e-9))
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return tuple(round(k * step, 12) + 0.0 for k in range(first, last + 1))


def tick_label(value: float) -> str:
    """Write a tick the short way.

    Examples
    --------
    >>> tick_label(2500.0), tick_label(0.25), tick_label(1e-6)
    ('2,500', '0.25', '1e-06')
    """
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:g}"  # noqa: PLR2004 - four digits
