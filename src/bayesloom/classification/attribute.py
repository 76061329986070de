"""A column as a classifier sees it: a category with its states, or a number with its cuts."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from bayesloom.arrays import Floats, Ints
from bayesloom.classification.cutting import bins_of
from bayesloom.data.column import MISSING, Column
from bayesloom.data.label import number_label
from bayesloom.data.source import Source
from bayesloom.errors import DataError, listed, shown

Unseen = Literal["missing", "error"]
"""A state that training has not seen: as if the cell were not known, or an error."""


@dataclass(frozen=True, slots=True)
class Attribute:
    """What turns the cells of one column into states.

    Parameters
    ----------
    name : str
        The column.
    states : tuple of str
        The labels of the states; for a number, of the bins.
    cuts : tuple of float, optional
        Where a number is cut, ascending; None for a category.

    Examples
    --------
    >>> from bayesloom.data import Reading
    >>> from bayesloom.data.reader import columns_in
    >>> (age,), source = columns_in({"age": [39, 70.5, None]}, Reading())
    >>> Attribute("age", ("(-inf,65]", "(65,inf)"), (65.0,)).codes(age, "error", source)
    array([ 0,  1, -1], dtype=int32)
    """

    name: str
    states: tuple[str, ...]
    cuts: tuple[float, ...] | None = None

    def codes(self, column: Column, unseen: Unseen, source: Source) -> Ints:
        """Return the state of every row, -1 where the cell is missing or its state is not known.

        Raises
        ------
        DataError
            If a number is cut and a cell holds none, or a state was not seen in training and that
            shall be an error; the message names the place.
        """
        lookup = self._bins(column, source) if self.cuts is not None else self._states(column)
        if unseen == "error" and MISSING in lookup:
            self._refuse(column, lookup, source)
        return column.recoded(np.append(lookup, MISSING).astype(np.int32))

    def _states(self, column: Column) -> Ints:
        code = {label: k for k, label in enumerate(self.states)}
        for label, k in list(code.items()):
            code.setdefault(number_label(label) or label, k)
        found = [code.get(x, code.get(number_label(x) or x, MISSING)) for x in column.values]
        return np.array(found, np.int32)

    def _bins(self, column: Column, source: Source) -> Ints:
        return bins_of(numbers_in(column, source), self.cuts or ())

    def _refuse(self, column: Column, lookup: Ints, source: Source) -> None:
        strange = np.append(lookup == MISSING, False)[column.codes()]
        if strange.any():
            row = int(strange.argmax())
            value = column.values[column.codes()[row]]
            msg = (
                f"{source.place(row, self.name)}: the state {shown(repr(value))} was not there in "
                f"training, which saw {listed(self.states)}; take such cells as not known with "
                "unseen='missing' (--unseen missing)"
            )
            raise DataError(msg)


def numbers_in(column: Column, source: Source) -> Floats:
    """Return the distinct values of a column as finite numbers.

    Raises
    ------
    DataError
        If one is none.
    """
    if column.numbers is not None:
        return np.asarray(column.numbers, dtype=np.float64)
    found = [_number(text) for text in column.values]
    wrong = [k for k, number in enumerate(found) if math.isnan(number)]
    if wrong:
        k = wrong[0]
        msg = (
            f"{source.place(column.first_row(k), column.name)}: the value "
            f"{shown(repr(column.values[k]))} is no finite number, but the column is one of "
            "numbers; correct it, or name it in missing_markers (--missing-marker) if it means "
            "missing"
        )
        raise DataError(msg)
    return np.array(found, dtype=np.float64)


def _number(text: str) -> float:
    """Return a number, also one that data call a text, such as 007; NaN if it is none."""
    try:
        value = float(text)
    except ValueError:
        return math.nan
    return value if math.isfinite(value) else math.nan
