"""The values of a column that comes in pieces: numbered as they are met, counted, and where."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from bayesloom.data.column import MISSING, Column, Part
from bayesloom.data.label import MOST_STATES, NumberLabels
from bayesloom.data.source import Source

MOST_VALUES = 2 * MOST_STATES
"""A column with more different values is refused; some may still be spellings of one label."""

MOST_NUMBERS = 1 << 20
"""A column of numbers that are to be cut may have so many different values."""

ValueNumbers = npt.NDArray[np.uint8] | npt.NDArray[np.uint16] | npt.NDArray[np.uint32]


@dataclass(frozen=True, slots=True, eq=False)
class CountedColumn(Column):
    """A column with one row for each different value, and how many rows that stands for.

    The rules of data ask for values, counts and the place of a value, so it can stand for a column
    whose rows are elsewhere.
    """

    weights: npt.NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))

    def counts(self) -> npt.NDArray[np.int64]:
        """Return for each value the number of rows that hold it."""
        codes, counts = self.codes(), np.zeros(len(self.values), np.int64)
        np.add.at(counts, codes[codes >= 0], self.weights[codes >= 0])
        return counts


@dataclass(frozen=True, slots=True)
class CountedSource(Source):
    """The source of counted columns, which knows where each of their values was first met."""

    places: dict[str, list[Source]] = field(default_factory=dict)

    def place(self, row: int, column: str) -> str:
        """Return the place of the cell in which a value was first met."""
        return self.places[column][row].place(0, column)


class Census:
    """Number the values of one column in the order they come, and count them.

    Missing cells are one of the values. Labels are those of single values: ``1.0`` and ``1`` are
    joined later, when all are known.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.kind = ""
        self.kind_from = ""
        self.declared = False
        self.counts = np.zeros(0, np.int64)
        self._code: dict[str | None, int] = {}
        self._first: list[Source] = []
        self._order: list[int] = []
        self._by_number: dict[str, dict[float, int]] = {}

    @property
    def n_values(self) -> int:
        """The number of different values so far; missing is one of them."""
        return len(self._code)

    @property
    def labels(self) -> dict[str | None, int]:
        """The number of each label."""
        return self._code

    def numbered(self, column: Column, source: Source, before: int) -> ValueNumbers:
        """Return for each row of a piece the number of its value; values that are new get one.

        So many rows have come ``before``.
        """
        known = len(self._code)
        self.declared = self.declared or column.declared
        local = self._local_codes(column)
        if column.missing() is not None:
            local.append(self._code.setdefault(None, len(self._code)))
        n = len(self._code)
        kind = np.uint8 if n <= 1 << 8 else np.uint16 if n <= 1 << 16 else np.uint32
        codes: ValueNumbers = column.recoded(np.array(local, dtype=kind))
        if n > known:
            self._note_places(codes, known, source, before)
        return codes

    def count(self, counts: npt.NDArray[np.int64]) -> None:
        """Add how many rows hold each value."""
        if len(counts) > len(self.counts):
            self.counts = np.append(self.counts, np.zeros(len(counts) - len(self.counts), np.int64))
        self.counts[: len(counts)] += counts

    def absorb(self, later: Census, before: int) -> npt.NDArray[np.intp]:
        """Add the values of rows that come after these; so many rows come ``before`` them.

        Returned is what each of their numbers is called here.
        """
        self.declared = self.declared or later.declared
        number = np.empty(later.n_values, np.intp)
        for label, k in later.labels.items():
            number[k] = self._code.setdefault(label, len(self._code))
            if number[k] == len(self._first):
                self._first.append(later._first[k])
                self._order.append(before + later._order[k])
        counts = np.zeros(len(self._code), np.int64)
        counts[number[: len(later.counts)]] = later.counts
        self.count(counts)
        return number

    def all_counts(self) -> npt.NDArray[np.int64]:
        """Return how many rows hold each value, those of the latest that none holds too."""
        return np.append(self.counts, np.zeros(len(self._code) - len(self.counts), np.int64))

    def _local_codes(self, column: Column) -> list[int]:
        """Return the numbers of the values of a piece."""
        code = self._code
        if column.numbers is None or not isinstance(column.values, NumberLabels):
            return [code.setdefault(label, len(code)) for label in column.values]
        # A number is spelled once; numbers of other types may have other spellings.
        known = self._by_number.setdefault(column.numbers.dtype.str, {})
        found = []
        for k, number in enumerate(column.numbers.tolist()):
            at = known.get(number)
            if at is None:
                at = known[number] = code.setdefault(column.values[k], len(code))
            found.append(at)
        return found

    def _note_places(self, codes: ValueNumbers, known: int, source: Source, before: int) -> None:
        new = len(self._code) - len(self._first)
        self._first += [source] * new
        self._order += [before] * new
        for value, row in zip(*np.unique(codes, return_index=True), strict=True):
            if value >= known:
                self._first[value] = source.cell(int(row))
                self._order[value] = before + int(row)

    def column(self) -> tuple[CountedColumn, list[Source], npt.NDArray[np.intp]]:
        """Return the column, the places of its rows, and the number of the value of each row."""
        counts = self.all_counts()
        texts = {k: label for label, k in self._code.items() if label is not None}
        kept = [k for k in texts if self.declared or counts[k]]
        position = np.full(len(self._code), MISSING)
        position[kept] = np.arange(len(kept))
        there = np.flatnonzero(counts)
        rows = there[np.argsort(np.array(self._order, np.int64)[there], kind="stable")]
        column = CountedColumn(
            self.name,
            [texts[k] for k in kept],
            (Part.of(position[rows], len(kept)),),
            declared=self.declared,
            weights=counts[rows],
        )
        return column, [self._first[k] for k in rows.tolist()], rows

    def first_missing(self) -> tuple[int, Source] | None:
        """Return how many rows come before the first missing cell, and where it is."""
        code = self._code.get(None)
        return None if code is None else (self._order[code], self._first[code])
