"""Intervals that states are called by: the label of a bin is its cut, and reads back to it.

A label such as ``(20,28]``, ``[0, 1)`` or ``(-inf,20]`` is an interval: a round bracket leaves its
end out, a square one takes it in. The intervals among the states of a variable, if no two of them
share a number, are its scale, and a number belongs to the state whose interval holds it. So a
network that was learned from bins takes numbers, whatever kind of file it was kept in.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bayesloom.data.label import label_of, number_of, spelled

NOWHERE = -1
"""The position of a number that no interval of a scale holds."""

_NUMBER = r"([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|[+-]?[iI]nf(?:inity)?)"
_INTERVAL = rf"([(\[])\s*{_NUMBER}\s*,\s*{_NUMBER}\s*([)\]])"
_KNOWN_SCALES = 4096  # of so many variables the scales are remembered


class Interval(NamedTuple):
    """The numbers from ``low`` to ``high``; an end belongs to it if it is closed."""

    low: float
    closed_low: bool
    high: float
    closed_high: bool


def interval_of(label: str) -> Interval | None:
    """Return the interval that a label is, or None if it is none or holds no number.

    Examples
    --------
    >>> interval_of("(20, 28]")
    Interval(low=20.0, closed_low=False, high=28.0, closed_high=True)
    >>> interval_of("(-inf,0.5)").low, interval_of("(2,1]"), interval_of("(a,b]")
    (-inf, None, None)
    """
    found = re.fullmatch(_INTERVAL, label)
    if found is None:
        return None
    opening, low, high, closing = found.groups()
    interval = Interval(float(low), opening == "[", float(high), closing == "]")
    is_point = interval.low == interval.high and interval.closed_low and interval.closed_high
    return interval if interval.low < interval.high or is_point else None


def interval_labels(cuts: Sequence[float]) -> list[str]:
    """Return the labels of the bins between some cuts: open on the left, closed on the right.

    Examples
    --------
    >>> interval_labels([20, 28.5])
    ['(-inf,20]', '(20,28.5]', '(28.5,inf)']
    >>> interval_labels([])
    ['(-inf,inf)']
    """
    ends = ["-inf", *map(spelled, cuts), "inf"]
    closing = [*("]" * len(cuts)), ")"]
    return [f"({a},{b}{c}" for (a, b), c in zip(pairwise(ends), closing, strict=True)]


@dataclass(frozen=True, slots=True, eq=False)
class NumberScale:
    """Intervals without a number in common, and which state each of them is.

    Examples
    --------
    >>> scale = scale_of(("(-inf,20]", "(20,28]", "missing"))
    >>> scale.bin_of(np.array([20, 20.5, 30])).tolist()
    [0, 1, -1]
    """

    intervals: tuple[Interval, ...]
    states: npt.NDArray[np.intp]

    def bin_of(self, numbers: npt.ArrayLike) -> npt.NDArray[np.intp]:
        """Return for each number which state it is in, or NOWHERE."""
        x = np.asarray(numbers, dtype=np.float64)
        low, closed_low, high, closed_high = map(np.array, zip(*self.intervals, strict=True))
        k = np.searchsorted(low, x, side="right") - 1
        # An interval that leaves its lower end out leaves that to the one before it.
        k = np.where((k >= 0) & (low[k] == x) & ~closed_low[k], k - 1, k)
        held = (k >= 0) & ((x < high[k]) | ((x == high[k]) & closed_high[k]))
        return np.where(held, self.states[k], NOWHERE)


@lru_cache(maxsize=_KNOWN_SCALES)
def scale_of(labels: tuple[str, ...]) -> NumberScale | None:
    """Return the scale of the states of a variable; None if it has none.

    Labels that are no intervals, such as ``missing``, have no part in it.
    """
    found = [(interval, k) for k, label in enumerate(labels) if (interval := interval_of(label))]
    # A point comes before the interval that opens at it.
    found.sort(key=lambda pair: (pair[0].low, not pair[0].closed_low))
    overlap = any(
        a.high > b.low or (a.high == b.low and a.closed_high and b.closed_low)
        for (a, _), (b, _) in pairwise(found)
    )
    if not found or overlap:
        return None
    return NumberScale(tuple(interval for interval, _ in found), np.array([k for _, k in found]))


def number_in(value: object) -> float | None:
    """Return the number that a value or its text is, as a float; None if it is no finite number.

    Truth values are no numbers.

    Examples
    --------
    >>> number_in("1e2"), number_in(39), number_in(np.float32(0.5)), number_in(True), number_in("x")
    (100.0, 39.0, 0.5, None, None)
    """
    try:
        label = label_of(value)
        number = None if label is None else number_of(label)
        return None if number is None else float(number)
    except (TypeError, OverflowError):
        return None


def state_of(labels: tuple[str, ...], value: object) -> int | None:
    """Return the state whose interval holds a number; None if there is none or it is no number.

    Examples
    --------
    >>> bins = ("(-inf,20]", "(20,inf)")
    >>> state_of(bins, 39), state_of(bins, "20"), state_of(bins, "old"), state_of(("1", "2"), 1)
    (1, 0, None, None)
    """
    scale, number = scale_of(labels), number_in(value)
    if scale is None or number is None or not math.isfinite(number):
        return None
    k = int(scale.bin_of(number))
    return None if k == NOWHERE else k
