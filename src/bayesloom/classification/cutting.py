"""Where a classifier cuts numbers: by the class (MDL), into equal frequencies or equal widths."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from bayesloom.arrays import Floats
from bayesloom.data.binning import frequency_starts, width_edges
from bayesloom.data.discretization import LEAST_BINS
from bayesloom.data.label import MOST_STATES
from bayesloom.data.mdl import mdl_starts
from bayesloom.errors import OptionError, check_number, check_whole, listed

Cutting = Literal["mdl", "frequency", "width", "none"]
"""How numbers are cut: where they tell the class, into equal frequencies, equal widths, or not."""

_DIGITS = range(3, 18)
_NEAR = 0.02  # of the gap: a cut that is rounded further than this is written with more digits


@dataclass(frozen=True, slots=True)
class NumberCutting:
    """How a number becomes a category.

    Parameters
    ----------
    how : {"mdl", "frequency", "width", "none"}
        By the class, as Fayyad and Irani do it; into bins of equal frequency, or of equal width;
        or not at all, and then numbers that are no categories are refused.
    bins : int
        The largest number of bins of equal frequency or width.

    Examples
    --------
    >>> values, by_class = np.array([1.0, 2.0, 3.0, 4.0]), [[5, 0], [4, 0], [0, 6], [0, 3]]
    >>> NumberCutting("mdl").cuts(values, by_class)
    (2.5,)
    >>> NumberCutting("width", bins=3).cuts(values, by_class)
    (2.0, 3.0)
    """

    how: Cutting = "mdl"
    bins: int = 5

    def __post_init__(self) -> None:
        if self.how not in get_args(Cutting):
            msg = f"discretize must be one of {listed(get_args(Cutting))}, got {self.how!r}"
            raise OptionError(msg)
        check_whole("bins", self.bins, LEAST_BINS)
        check_number("bins", self.bins, most=MOST_STATES)

    def cuts(self, numbers: Floats, by_class: npt.ArrayLike) -> tuple[float, ...]:
        """Return the cuts, ascending; a number belongs below a cut that it is equal to.

        Parameters
        ----------
        numbers : array
            The distinct numbers, ascending.
        by_class : array of shape (numbers, classes)
            The rows, or weights, that each number has in each class.
        """
        table = np.asarray(by_class, dtype=np.float64)
        occurring = table.sum(axis=1) > 0
        numbers, table = numbers[occurring], table[occurring]
        if len(numbers) < LEAST_BINS:
            return ()
        if self.how == "width":
            return tuple(dict.fromkeys(width_edges(numbers, self.bins).tolist()))
        if self.how == "mdl":
            starts = mdl_starts(table)
        else:
            starts = frequency_starts(table.sum(axis=1), self.bins)
        return tuple(_midpoint(numbers[k - 1], numbers[k]) for k in starts.tolist())


def bins_of(numbers: npt.NDArray[Any], cuts: tuple[float, ...]) -> npt.NDArray[np.int32]:
    """Return for each number the bin it falls into."""
    return np.searchsorted(np.array(cuts), numbers, side="left").astype(np.int32)


def _midpoint(low: float, high: float) -> float:
    """Return the middle of two numbers, rounded where that moves it by next to nothing."""
    middle = low / 2 + high / 2
    room = _NEAR * (high / 2 - low / 2)
    rounded = (float(f"{middle:.{digits}g}") for digits in _DIGITS)
    near = (cut for cut in rounded if abs(cut - middle) <= room and low <= cut < high)
    return next(near, float(low))
