"""Cut quantities into bins, never between equal values.

Cut are columns that a mapping names, whatever their numbers are. Of the others, those of numbers
without declared states, if they have a number with a fraction and more different values than bins,
or whole numbers only and more than 20 different values (and more than bins); under ``auto`` and
``network`` not if they are whole and nearly all distinct, like an id. Everything else is a category
already.

A bin is called by its interval, open on the left and closed on the right: ``(-inf,1.5]``,
``(1.5,2.7]``, ``(2.7,inf)``; see `bayesloom.data.interval`. The bins of a column cover all numbers:
a bin of equal width without a row goes to the bin below it. Only the bins between cut points that
a user lists are all kept.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from bayesloom.data.discretization import Rule
from bayesloom.data.quantity import FEW, has_fractions, is_id, is_numeric, is_quantity, quoted
from bayesloom.data.source import Source
from bayesloom.data.tally import Tally
from bayesloom.errors import DataError, shown

FINE_BINS = 40
"""Of so many bins those for a network are put together; see `bayesloom.data.network_cuts`."""

_EDGE_DIGITS = 4  # with which an edge of equal width is written at least
_ALL_DIGITS = 17  # enough for any double
_CLOSE = 1e-6  # of the gap around it, by which a cut in the middle may miss it

ClassCounts = Callable[[], npt.NDArray[Any]]
"""Gives the table of a column's values by the classes of the target."""


class Cut(NamedTuple):
    """Where a column is cut, and in which bin each of its values is."""

    points: tuple[float, ...]
    bin_of: npt.NDArray[np.intp]


def is_to_be_cut(column: Tally, rule: Rule) -> bool:
    """Tell whether a column is no category and shall be discretised."""
    if rule.how == "none" or not is_numeric(column):
        return False
    if rule.named:
        return True
    finds = rule.how in ("auto", "network")
    if finds and is_quantity(column):
        return True
    few = rule.bins if has_fractions(column) else max(rule.bins, FEW)
    return len(column.values) > few and not (finds and is_id(column))


def cut(column: Tally, rule: Rule, source: Source, classes: ClassCounts | None = None) -> Cut:
    """Cut a column of numbers; ``mdl`` needs its table of values by ``classes``.

    Raises
    ------
    DataError
        If a float cannot tell two of its numbers apart.
    """
    numbers = np.asarray(column.numbers, dtype=np.float64)
    _refuse_equal_floats(column, numbers, source)
    if rule.how == "cuts":
        return Cut(rule.cuts, np.searchsorted(rule.cuts, numbers, side="left"))
    if rule.how == "width":
        starts, points = _width_cuts(numbers, rule.bins)
    elif rule.how == "mdl" and classes is not None:
        from bayesloom.data.mdl import mdl_starts

        starts = mdl_starts(classes())
        points = [_middle_cut(numbers[k - 1], numbers[k]) for k in starts]
    else:
        bins = FINE_BINS if rule.how == "network" else rule.bins
        starts = frequency_starts(column.counts(), bins)
        points = [_round_cut(numbers[k - 1], numbers[k]) for k in starts]
    return Cut(tuple(points), np.searchsorted(starts, np.arange(len(numbers)), side="right"))


def _width_cuts(
    numbers: npt.NDArray[np.float64], bins: int
) -> tuple[npt.NDArray[np.intp], list[float]]:
    """Return where bins of equal width start, and their cuts.

    Of cuts without a number between them the last is kept.
    """
    edges = width_edges(numbers, bins)
    starts = np.searchsorted(numbers, edges, side="right")
    last = np.flatnonzero(np.append(starts[1:] != starts[:-1], True)[: len(starts)])
    starts, edges = starts[last], edges[last]
    around = zip(numbers[starts - 1], numbers[starts], edges, strict=True)
    return starts, [_label_cut(low, high, edge, _EDGE_DIGITS) for low, high, edge in around]


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
            f"(--drop {quoted(name)})"
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
    if len(counts) < 2:  # noqa: PLR2004 - a single value
        return np.zeros(0, np.intp)
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


def _round_cut(low: float, high: float) -> float:
    """Return a round number that separates two neighbours, near the lower one if it is whole."""
    return _label_cut(low, high, low if low == np.floor(low) else low / 2 + high / 2, digits=1)


def _middle_cut(low: float, high: float) -> float:
    """Return the middle of two neighbours, without the digits that only rounding has left."""
    from decimal import Context

    middle = low / 2 + high / 2
    for precision in range(1, _ALL_DIGITS):
        cut = float(Context(prec=precision).create_decimal_from_float(middle))
        if low <= cut < high and abs(cut - middle) <= _CLOSE * (high - low):
            return cut
    return middle if low <= middle < high else low


def _label_cut(low: float, high: float, near: float, digits: int) -> float:
    """Return a cut near ``near``, at least ``low`` and below ``high``.

    It has as few digits as these need, and at least ``digits`` that count.
    """
    from decimal import ROUND_FLOOR, ROUND_HALF_EVEN, Context

    roundings = (ROUND_HALF_EVEN, ROUND_FLOOR)
    for precision, rounding in itertools.product(range(digits, _ALL_DIGITS), roundings):
        cut = float(Context(prec=precision, rounding=rounding).create_decimal_from_float(near))
        if low <= cut < high:
            return cut
    return float(low)
