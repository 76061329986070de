"""The distinct values of a column with their counts: all that the rules of data ask about it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True, slots=True, eq=False)
class Tally:
    """Distinct values and their counts, wherever the rows are.

    Counts and rows are looked up only when a rule or a message needs them.

    Attributes
    ----------
    values : sequence of str
        The labels of the distinct values.
    counts : callable
        Gives for each value the number of rows that hold it.
    first_row : callable
        Gives the first row with the value of a number, or -1 if there is none.
    numbers : array, optional
        The same values as numbers, ascending, if all of them are numbers.
    declared : bool
        Whether ``values`` are levels that somebody chose, which need not occur.

    Examples
    --------
    >>> pairs = {"no": 3, "yes": 2}
    >>> Tally("wet", [*pairs], lambda: np.array([*pairs.values()]), lambda k: 0).n_present
    5
    """

    name: str
    values: Sequence[str]
    counts: Callable[[], npt.NDArray[np.int64]]
    first_row: Callable[[int], int]
    numbers: npt.NDArray[Any] | None = None
    declared: bool = False

    @property
    def n_present(self) -> int:
        """The number of rows that hold a value."""
        return int(self.counts().sum())

    def only(self, chosen: npt.NDArray[np.intp], numbers: npt.NDArray[Any]) -> Tally:
        """Return the tally of some of the values, which are numbers."""
        return Tally(
            self.name,
            [self.values[k] for k in chosen.tolist()],
            lambda: self.counts()[chosen],
            lambda k: self.first_row(int(chosen[k])),
            numbers,
        )
