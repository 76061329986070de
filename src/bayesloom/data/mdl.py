"""Cut a quantity where it tells most about a class: the MDL discretisation of Fayyad and Irani.

An interval is cut at the place that leaves the smallest class entropy on its two sides, and both
sides are looked at again, as long as the cut is worth its description: with ``n`` rows, entropies
``H`` in bits and ``k`` classes that occur, in the interval and in its sides 1 and 2,

    n gain > log2(n - 1) + log2(3**k - 2) - (k H - k1 H1 - k2 H2).

U. M. Fayyad and K. B. Irani, Multi-interval discretization of continuous-valued attributes for
classification learning, IJCAI 1993.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from bayesloom.errors import DataError, shown

_EQUAL = 1e-9  # bits per row; cuts that differ by less are equally good, and the first is taken
_LARGE = 30  # classes from which on log2(3**k - 2) is k log2(3) to the last bit
_TWO = 2  # dimensions of a table of counts


def mdl_starts(counts: npt.ArrayLike) -> npt.NDArray[np.intp]:
    """Return where new bins start among the ascending distinct values of a quantity.

    Parameters
    ----------
    counts : array of shape (values, classes)
        For each distinct value of the quantity, ascending, the number of rows of each class; these
        may be weights, with any fraction.

    Returns
    -------
    array of int
        The positions, ascending, of the values that open a bin; the first value, which always
        does, is not among them. Empty if no cut is worth its description.

    Raises
    ------
    DataError
        If the counts are no table, or one of them is negative or not finite.

    Examples
    --------
    >>> mdl_starts([[5, 0], [4, 0], [0, 6], [0, 3]])
    array([2])
    >>> mdl_starts([[5, 5], [5, 5]])
    array([], dtype=int64)
    """
    table = _checked(counts)
    firsts = _runs(table)
    merged = np.add.reduceat(table, firsts, axis=0) if len(table) else table
    below = np.concatenate([np.zeros((1, table.shape[1])), np.cumsum(merged, axis=0)])
    found: list[int] = []
    intervals = [(0, len(merged))]
    while intervals:
        low, high = intervals.pop()
        cut = _best_cut(below, low, high)
        if cut is not None:
            found.append(cut)
            intervals += [(low, cut), (cut, high)]
    return firsts[sorted(found)]


def _checked(counts: npt.ArrayLike) -> npt.NDArray[np.float64]:
    table = np.asarray(counts, dtype=np.float64)
    if table.ndim != _TWO:
        msg = f"counts must be a table of values by classes, got an array of shape {table.shape}"
        raise DataError(msg)
    wrong = ~(np.isfinite(table) & (table >= 0))
    if wrong.any():
        msg = f"counts must be finite and not negative, got {shown(str(table[wrong][0]))}"
        raise DataError(msg)
    return table


def _runs(table: npt.NDArray[np.float64]) -> npt.NDArray[np.intp]:
    """Return the first value of each run of values that only one and the same class has.

    No best cut lies inside of such a run. A value without any weight goes with the one before it.
    """
    present = table > 0
    only = np.where(present.sum(axis=1) == 1, present.argmax(axis=1), -1)
    weighty = np.flatnonzero(present.any(axis=1))
    classes = only[weighty]
    opens = np.append(True, (classes[1:] != classes[:-1]) | (classes[1:] < 0))[: len(classes)]
    firsts: npt.NDArray[np.intp] = weighty[opens]
    return np.append(np.zeros(1, np.intp), firsts[1:])[: len(table)]


def _best_cut(below: npt.NDArray[np.float64], low: int, high: int) -> int | None:
    """Return the place of the best cut of an interval, or None if it is not worth its price."""
    whole = below[high] - below[low]
    n = float(whole.sum())
    if high - low < _TWO or np.count_nonzero(whole) < _TWO or n <= 1:
        return None
    left = below[low + 1 : high] - below[low]
    bits = _bits(left) + _bits(whole - left)
    k = int(np.flatnonzero(bits <= bits.min() + _EQUAL * n)[0])
    sides = (whole, left[k], whole - left[k])
    price, low_price, high_price = (_classes(side) * _bits(side) / side.sum() for side in sides)
    worth = math.log2(max(n - 1, 1)) + _log2_choices(_classes(whole))
    gain = float(_bits(whole) - bits[k])
    return low + 1 + k if gain > worth - (price - low_price - high_price) else None


def _bits(counts: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return rows times entropy, in bits, along the last axis."""
    n = counts.sum(axis=-1)
    bits: npt.NDArray[np.float64] = _x_log_x(n) - _x_log_x(counts).sum(axis=-1)
    return bits


def _x_log_x(x: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return x * np.log2(np.where(x > 0, x, 1.0))


def _classes(counts: npt.NDArray[np.float64]) -> int:
    return int(np.count_nonzero(counts > 0))


def _log2_choices(k: int) -> float:
    return math.log2(3**k - 2) if k <= _LARGE else k * math.log2(3)
