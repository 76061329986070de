"""A column on its way into a table: its distinct values and, for each row, which one it holds."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bayesloom.data.label import NumberLabels, number_label

Codes = npt.NDArray[np.intp]
MISSING = -1
"""The code of a missing cell before the missing policy has been applied."""


@dataclass(frozen=True, slots=True)
class Part:
    """A run of rows. Row ``i`` holds value ``lookup[indices[i]]`` of its column, or MISSING."""

    indices: npt.NDArray[Any]
    lookup: Codes


@dataclass(frozen=True, slots=True)
class Column:
    """Distinct values and the rows that hold them.

    ``values`` are the labels of the distinct values. If all are numbers, ``numbers`` holds them,
    ascending, and ``values`` is in the same order. ``declared`` tells that the values are levels
    somebody chose, in an order that is kept; otherwise each value occurs in some row.
    """

    name: str
    values: Sequence[str]
    parts: tuple[Part, ...]
    numbers: npt.NDArray[Any] | None = None
    declared: bool = False

    @property
    def n_rows(self) -> int:
        """The number of rows, with those that miss a value."""
        return sum(len(part.indices) for part in self.parts)

    @property
    def may_miss(self) -> bool:
        """Whether a cell can be missing; False is certain, True has to be looked up."""
        return any((part.lookup == MISSING).any() for part in self.parts)

    def recoded(self, new_code: npt.NDArray[Any], dtype: npt.DTypeLike) -> npt.NDArray[Any]:
        """Return the code of every row, where value ``k`` gets ``new_code[k]``.

        The last entry of ``new_code`` is the code of missing cells if it is longer than ``values``.
        """
        codes = np.empty(self.n_rows, dtype=dtype)
        start = 0
        for part in self.parts:
            stop = start + len(part.indices)
            codes[start:stop] = new_code.take(part.lookup).astype(dtype).take(part.indices)
            start = stop
        return codes

    def codes(self) -> npt.NDArray[np.int32]:
        """Return for every row the position of its value in ``values``, or MISSING."""
        return self.recoded(np.append(np.arange(len(self.values)), MISSING), np.int32)

    def missing(self) -> npt.NDArray[np.bool_]:
        """Return the rows that miss a value."""
        return self.recoded(np.arange(len(self.values) + 1) == len(self.values), np.bool_)

    def with_values(self, values: Sequence[str], old_to_new: npt.NDArray[Any]) -> Column:
        """Return the column with other values; old value ``k`` becomes ``old_to_new[k]``."""
        lookup = np.append(old_to_new, MISSING).astype(np.intp)
        parts = tuple(Part(part.indices, lookup.take(part.lookup)) for part in self.parts)
        return Column(self.name, values, parts, declared=self.declared)

    def only(self, rows: npt.NDArray[np.bool_]) -> Column:
        """Return the column with the chosen rows and the values that occur in them."""
        codes = self.codes()[rows]
        if self.declared:
            identity = np.append(np.arange(len(self.values)), MISSING)
            return Column(self.name, self.values, (Part(codes, identity),), declared=True)
        seen = np.zeros(len(self.values) + 1, dtype=np.bool_)
        seen[codes] = True
        kept = np.flatnonzero(seen[:-1])
        lookup = np.full(len(seen), MISSING, dtype=np.intp)
        lookup[kept] = np.arange(len(kept))
        numbers = None if self.numbers is None else self.numbers[kept]
        values = NumberLabels(numbers) if isinstance(self.values, NumberLabels) and numbers is not None else [self.values[k] for k in kept]
        return Column(self.name, values, (Part(codes, lookup),), numbers)
