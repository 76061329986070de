"""How often values of a column and classes of a target come together, counted piece by piece."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bayesloom.arrays import Longs
from bayesloom.data.census import ValueNumbers
from bayesloom.errors import DataError, shown

MOST_PAIRS = 1 << 24
"""So many different pairs of a value and a class are counted; a column with more is refused."""

_SHIFT = 32  # bits of the number of a class in a key
_CLASS = (1 << _SHIFT) - 1
_DENSE = 1 << 20  # pairs that are counted by their place, not by sorting


class Crossing:
    """Counts of pairs: the number of a value, and that of a class; both grow as pieces come.

    Examples
    --------
    >>> crossing = Crossing("age")
    >>> crossing.add(np.array([0, 1, 1]), np.array([0, 0, 1]))
    >>> crossing.add(np.array([1]), np.array([1]))
    >>> crossing.table(np.array([0, 1]), 2, np.array([0, 1]), 2).tolist()
    [[1, 0], [1, 2]]
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._keys: Longs = np.zeros(0, np.int64)
        self._counts: Longs = np.zeros(0, np.int64)

    def add(self, values: ValueNumbers, classes: ValueNumbers) -> None:
        """Add some rows.

        Raises
        ------
        DataError
            If there are too many pairs.
        """
        width = int(classes.max()) + 1
        pairs = values.astype(np.int64) * width + classes
        if (int(values.max()) + 1) * width <= _DENSE:
            counts = np.bincount(pairs)
            found = np.flatnonzero(counts)
            self._join((found // width << _SHIFT) | found % width, counts[found])
        else:
            found, n = np.unique(pairs, return_counts=True)
            self._join((found // width << _SHIFT) | found % width, n)

    def absorb(self, later: Crossing, value: Longs, class_: Longs) -> None:
        """Add rows that were counted apart, and whose numbers are called otherwise here."""
        values, classes = value[later._keys >> _SHIFT], class_[later._keys & _CLASS]
        self._join(values << _SHIFT | classes, later._counts)

    def _join(self, new: Longs, n: Longs) -> None:
        keys, place = np.unique(np.append(self._keys, new), return_inverse=True)
        total = np.zeros(len(keys), np.int64)
        total[place[: len(self._keys)]] = self._counts
        total[place[len(self._keys) :]] += n  # new keys are different from each other
        self._keys, self._counts = keys, total
        if len(keys) > MOST_PAIRS:
            msg = (
                f"column {shown(repr(self.name))} has more than {MOST_PAIRS:,} different values by "
                "class, too many for discretize='mdl' (--discretize mdl); cut it by frequency or "
                "at points of your own, discretize={'age': [20, 40]}"
            )
            raise DataError(msg)

    def table(
        self,
        code_of_value: npt.NDArray[np.integer],
        n_values: int,
        code_of_class: npt.NDArray[np.integer],
        n_classes: int,
    ) -> Longs:
        """Return the counts by codes; those with a negative code are left out.

        Parameters
        ----------
        code_of_value, code_of_class : arrays
            The code of every number.
        n_values, n_classes : int
            How many codes there are.
        """
        values = code_of_value[self._keys >> _SHIFT].astype(np.int64)
        classes = code_of_class[self._keys & _CLASS].astype(np.int64)
        there = (values >= 0) & (classes >= 0)
        cells = np.zeros(n_values * n_classes, np.int64)
        np.add.at(cells, values[there] * n_classes + classes[there], self._counts[there])
        return cells.reshape(n_values, n_classes)


def codes_by_number(
    numbers: npt.NDArray[np.intp], codes: npt.NDArray[np.integer], n: int
) -> npt.NDArray[np.int64]:
    """Return the code of every number of a value, -1 for those that no row has."""
    found = np.full(n, -1, np.int64)
    found[numbers] = codes
    return found
