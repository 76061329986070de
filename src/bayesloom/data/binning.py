"""Cut quantities into bins of equal frequency or equal width, never between equal values.

Discretised are columns of numbers whose states are not declared, if they have a number with a
fraction and more different values than bins, or whole numbers only and more than 20 different
values (and more than bins). Everything else is a category already and stays as it is.

A bin is called by its interval, open on the left and closed on the right: ``(-inf,1.5]``,
``(1.5,2.7]``, ``(2.7,inf)``. Bins without a row are left out.
"""

from __future__ import annotations

import itertools
import shlex
from decimal import ROUND_FLOOR, ROUND_HALF_EVEN, Context
from typing import Any

import numpy as np
import numpy.typing as npt

from bayesloom.data.label import spelled
from bayesloom.data.quantity import FEW, has_fractions, is_numeric
from bayesloom.data.reading import Discretization
from bayesloom.data.source import Source
from bayesloom.data.tally import Tally
from bayesloom.errors import DataError, shown

_EDGE_DIGITS = 4  # with which an edge of equal width is written at least
_ALL_DIGITS = 17  # enough for any double


def is_to_be_cut(column: Tally, how: Discretization, bins: int) -> bool:
    """Tell whether a column is no category and shall be discretised."""
    few = bins if has_fractions(column) else max(bins, FEW)
    return how != "none" and is_numeric(column) and len(column.values) > few


def cut(
    column: Tally, how: Discretization, bins: int, source: Source
) -> tuple[list[str], npt.NDArray[np.intp]]:
    """Return the labels of at most ``bins`` bins, and for each value of a column which is its own.

    Raises
    ------
    DataError
        If a float cannot tell two of its numbers apart.
    """
    numbers = np.asarray(column.numbers, dtype=np.float64)
    _refuse_equal_floats(column, numbers, source)
    if how == "frequency":
        starts = frequency_starts(column.counts(), bins)
        cuts = [_round_cut(numbers[k - 1], numbers[k]) for k in starts]
    else:
        edges = width_edges(numbers, bins)
        starts = np.searchsorted(numbers, edges, side="right")
        around = zip(numbers[starts - 1], numbers[starts], edges, strict=True)
        cuts = [_label_cut(low, high, edge, _EDGE_DIGITS) for low, high, edge in around]
    bin_of = np.searchsorted(starts, np.arange(len(numbers)), side="right")
    occupied, old_to_new = np.unique(bin_of, return_inverse=True)
    ends = ["-inf", *cuts, "inf"]
    labels = [f"({ends[b]},{ends[b + 1]}{']' if b < len(cuts) else ')'}" for b in occupied]
    return labels, old_to_new


def _refuse_equal_floats(column: Tally, numbers: npt.NDArray[np.float64], source: Source) -> None:
    """Check that numbers that differ still do so as floats, with which bins are made."""
    equal = np.flatnonzero(numbers[1:] == numbers[:-1])
    if len(equal):
        k, name = int(equal[0]), column.name
        low, high = shown(column.values[k]), shown(column.values[k + 1])
        msg = (
            f"{source.title}: column {shown(repr(name))} has {low} and {high}, which differ by "
            "less than floating point can tell, so they cannot be cut into bins; subtract what "
            f"they have in common, or drop the column with drop={[name]!r} "
            f"(--drop {shown(shlex.quote(name))})"
        )
        raise DataError(msg)


def frequency_starts(counts: npt.NDArray[Any], bins: int) -> npt.NDArray[np.intp]:
    """Return where new bins start among the distinct values, for bins of about equal frequency.

    The cut for each quantile goes to the place with the nearest number of rows below, the lower
    one of two that are equally near; cuts that fall together are one.

    Examples
    --------
    >>> frequency_starts(np.array([1, 1, 1, 1]), 2)
    array([2])
    >>> frequency_starts(np.array([9, 1, 1, 1]), 4)
    array([1])
    """
    below = np.cumsum(counts)[:-1]
    wanted = counts.sum() * np.arange(1, bins) / bins
    right = np.searchsorted(below, wanted).clip(max=len(below) - 1)
    left = (right - 1).clip(min=0)
    nearest = np.where(wanted - below[left] <= below[right] - wanted, left, right)
    return np.unique(nearest) + 1


def width_edges(numbers: npt.NDArray[np.float64], bins: int) -> npt.NDArray[np.float64]:
    """Return the inner edges of bins of equal width from the least to the greatest number.

    Examples
    --------
    >>> width_edges(np.array([0.0, 3.0, 10.0]), 5)
    array([2., 4., 6., 8.])
    """
    share = np.arange(1, bins) / bins
    edges = numbers[0] * (1 - share) + numbers[-1] * share
    inside: npt.NDArray[np.float64] = edges[(edges >= numbers[0]) & (edges < numbers[-1])]
    return inside


def _round_cut(low: float, high: float) -> str:
    """Return a round number that separates two neighbours, near the lower one if it is whole."""
    return _label_cut(low, high, low if low == np.floor(low) else low / 2 + high / 2, digits=1)


def _label_cut(low: float, high: float, near: float, digits: int) -> str:
    """Return the label of a cut near ``near``, at least ``low`` and below ``high``.

    It has as few digits as these need, and at least ``digits`` that count.
    """
    roundings = (ROUND_HALF_EVEN, ROUND_FLOOR)
    for precision, rounding in itertools.product(range(digits, _ALL_DIGITS), roundings):
        cut = float(Context(prec=precision, rounding=rounding).create_decimal_from_float(near))
        if low <= cut < high:
            return spelled(cut)
    return spelled(low)
