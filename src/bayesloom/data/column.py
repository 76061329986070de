"""A column on its way into a table: its distinct values and, for each row, which one it holds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from bayesloom.data.tally import Tally

_BLOCK = 1 << 16  # rows looked at between two checks whether all values have been seen

MISSING = -1
"""The code of a missing cell before the missing policy has been applied."""


@dataclass(frozen=True, slots=True)
class Part:
    """A run of rows; row ``i`` holds value number ``lookup[indices[i]]``, or MISSING.

    Index -1 is allowed and picks the last entry of ``lookup``, which is then MISSING.
    """

    indices: npt.NDArray[Any]
    lookup: npt.NDArray[np.intp]

    @classmethod
    def of(cls, codes: npt.NDArray[Any], n_values: int) -> Part:
        """Return the part whose rows hold the values with these numbers, or MISSING."""
        lookup = np.arange(n_values)
        return cls(codes, np.append(lookup, MISSING) if (codes == MISSING).any() else lookup)


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """Distinct values and the rows that hold them.

    Attributes
    ----------
    values : sequence of str
        The labels of the distinct values.
    numbers : array, optional
        The same values as numbers, ascending, if all of them are numbers.
    declared : bool
        Whether ``values`` are levels that somebody chose: all are kept, in their order. Otherwise
        each value occurs in some row.
    kept : bool
        Whether the column stays one of ``numbers`` in the table.
    """

    name: str
    values: Sequence[str]
    parts: tuple[Part, ...]
    numbers: npt.NDArray[Any] | None = None
    declared: bool = False
    kept: bool = False

    @property
    def n_rows(self) -> int:
        """The number of rows, with those that miss a value."""
        return sum(len(part.indices) for part in self.parts)

    def tally(self) -> Tally:
        """Return the values with their counts, for the rules of data."""
        return Tally(
            self.name, self.values, self.counts, self.first_row, self.numbers, self.declared
        )

    def counts(self) -> npt.NDArray[np.int64]:
        """Return for each value the number of rows that hold it."""
        codes = self.codes()
        return np.bincount(codes[codes >= 0], minlength=len(self.values))

    def recoded(self, new_code: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return the code of every row, where value ``k`` gets ``new_code[k]``.

        Missing cells get the last entry of ``new_code``.
        """
        codes = np.empty(self.n_rows, dtype=new_code.dtype)
        start = 0
        for part in self.parts:
            stop = start + len(part.indices)
            # Wrapping, -1 picks the last entry, and no copy is made in between.
            new_code.take(part.lookup).take(part.indices, out=codes[start:stop], mode="wrap")
            start = stop
        return codes

    def codes(self) -> npt.NDArray[np.int32]:
        """Return for every row the position of its value in ``values``, or MISSING."""
        return self.recoded(np.append(np.arange(len(self.values)), MISSING).astype(np.int32))

    def first_row(self, value: int) -> int:
        """Return the first row with value number ``value``, or -1 if there is none."""
        rows = np.flatnonzero(self.codes() == value)
        return int(rows[0]) if len(rows) else -1

    def missing(self) -> npt.NDArray[np.bool_] | None:
        """Return a mask of the rows that miss a value, or None if no row does."""
        if all((part.lookup != MISSING).all() for part in self.parts):
            return None
        mask = self.recoded(np.arange(len(self.values) + 1) == len(self.values))
        return mask if mask.any() else None

    def with_values(self, values: Sequence[str], old_to_new: npt.NDArray[Any]) -> Column:
        """Return the column with other values; old value ``k`` becomes ``old_to_new[k]``."""
        lookup = np.append(old_to_new, MISSING).astype(np.intp)
        parts = tuple(Part(part.indices, lookup.take(part.lookup)) for part in self.parts)
        return replace(self, values=values, parts=parts, numbers=None)

    def only(self, rows: npt.NDArray[np.bool_]) -> Column:
        """Return the column with the chosen rows; undeclared values that vanish are left out."""
        codes = self.codes()[rows]
        column = replace(self, parts=(Part.of(codes, len(self.values)),))
        return column if self.declared else column.without(column.counts() == 0)

    def without(self, gone: npt.NDArray[np.bool_]) -> Column:
        """Return the column without some of its values; cells that hold them become missing."""
        if not gone.any():
            return self
        kept = np.flatnonzero(~gone)
        old_to_new = np.full(len(gone), MISSING)
        old_to_new[kept] = np.arange(len(kept))
        column = self.with_values([self.values[k] for k in kept.tolist()], old_to_new)
        return column if self.numbers is None else replace(column, numbers=self.numbers[kept])


def column_of_runs(
    name: str,
    labels: Sequence[Sequence[str | None]],
    runs: Iterable[tuple[int, npt.NDArray[Any]]],
) -> Column:
    """Return a column of runs of rows: which list of labels each has, and the indices into it.

    The values are the labels in order of appearance in the lists; None is the label of missing
    cells. Index -1 picks the last label of a list.
    """
    code: dict[str, int] = {}
    lookups = [
        np.array([MISSING if x is None else code.setdefault(x, len(code)) for x in some], np.intp)
        for some in labels
    ]
    return Column(name, tuple(code), tuple(Part(indices, lookups[k]) for k, indices in runs))


def mark_seen(codes: npt.NDArray[Any], n: int) -> npt.NDArray[np.bool_]:
    """Return which of ``n`` codes occur, looking no further when all but the last have been seen.

    Code -1 stands for the last.
    """
    seen = np.zeros(n, dtype=np.bool_)
    for start in range(0, len(codes), _BLOCK):
        seen[codes[start : start + _BLOCK]] = True
        if seen[:-1].all():
            break
    return seen
