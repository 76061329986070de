"""Cut quantities into bins of equal frequency or equal width, never between equal values.

Discretised are columns of numbers whose states are not declared, if they have a number with a
fraction and more different values than bins, or whole numbers only and more than 20 different
values (and more than bins). Everything else is a category already and stays as it is.

A bin is called by its interval, open on the left and closed on the right: ``(-inf,1.5]``,
``(1.5,2.7]``, ``(2.7,inf)``. Bins without a row are left out.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from bayesloom.data.column import Column
from bayesloom.data.label import float_label
from bayesloom.data.options import Discretization
from bayesloom.data.quantity import FEW, has_fractions, is_numeric

_DIGITS = 17  # enough to write any double exactly


def discretised(column: Column, how: Discretization, bins: int) -> Column:
    """Return the column cut into at most ``bins`` bins, or as it is if it is a category."""
    few = bins if has_fractions(column) else max(bins, FEW)
    if how == "none" or not is_numeric(column) or len(column.values) <= few:
        return column
    numbers = np.asarray(column.numbers, dtype=np.float64)
    if how == "frequency":
        codes = column.codes()
        counts = np.bincount(codes[codes >= 0], minlength=len(numbers))
        starts = frequency_starts(counts, bins)
        cuts = [_between(numbers[k - 1], numbers[k], None) for k in starts]
    else:
        edges = width_edges(numbers, bins)
        starts = np.searchsorted(numbers, edges, side="right")
        cuts = [_between(numbers[k - 1], numbers[k], e) for k, e in zip(starts, edges, strict=True)]
    bin_of = np.searchsorted(starts, np.arange(len(numbers)), side="right")
    occupied, old_to_new = np.unique(bin_of, return_inverse=True)
    ends = ["-inf", *cuts, "inf"]
    labels = [f"({ends[b]},{ends[b + 1]}{']' if b < len(cuts) else ')'}" for b in occupied]
    return column.with_values(labels, old_to_new)


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


def _between(low: float, high: float, wanted: float | None) -> str:
    """Return the roundest number near ``wanted`` that is at least ``low`` and below ``high``."""
    whole = low == np.floor(low) and high == np.floor(high)
    near = wanted if wanted is not None else low if whole else low / 2 + high / 2
    for digits in range(1, _DIGITS):
        rounded = float(f"{near:.{digits}g}")
        if low <= rounded < high:
            return float_label(rounded)
    return float_label(low)
