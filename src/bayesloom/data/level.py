"""Which states a column has: those the user declares, its own levels, or the values that occur."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from bayesloom.data.column import MISSING, Column
from bayesloom.data.label import (
    Number,
    NumberLabels,
    labels_of,
    number_label,
    number_of,
    numbers_of,
)
from bayesloom.data.reading import Reading
from bayesloom.data.source import Source
from bayesloom.errors import DataError, listed, shown

_EXACT = 2**53  # every whole number below is exact as a float, and no other becomes one


def settle_levels(column: Column, reading: Reading, source: Source) -> Column:
    """Give a column its labels; cells that are empty or hold a missing marker become missing.

    States declared by the user come first, then levels the column brings with it. Otherwise the
    values that occur are the states: sorted as numbers if all of them are numbers, where equal
    numbers are one state, and sorted as texts if not, where ``1.0`` is ``1``.

    Raises
    ------
    DataError
        If a cell holds a value that is not among the states the user declares.
    """
    column = _without_markers(column, reading.markers())
    states = reading.declared(column.name)
    if states is not None:
        return _matched(column, states, source, reading.unseen_advice)
    if column.numbers is not None:
        return column
    if column.declared:
        return _spelled_once(column)
    numbers = numbers_of(column.values)
    return _sorted_as_text(column) if numbers is None else _sorted_as_numbers(column, numbers)


def _without_markers(column: Column, markers: frozenset[str]) -> Column:
    """Make the cells missing that hold an empty text or a missing marker."""
    if column.numbers is not None:
        return column.without(_are_marked(column.numbers, markers))
    gone = [
        not text or (bool(markers) and (text in markers or number_label(text) in markers))
        for text in column.values
    ]
    return column.without(np.array(gone, dtype=np.bool_))


def _are_marked(numbers: npt.NDArray[Any], markers: frozenset[str]) -> npt.NDArray[np.bool_]:
    """Tell which numbers of an array are markers; an integer is never rounded to be one."""
    wanted = [number for marker in markers if (number := number_of(marker)) is not None]
    if numbers.dtype.kind == "f":
        return np.isin(numbers, [float(number) for number in wanted])
    span = np.iinfo(numbers.dtype)
    whole = [n for n in wanted if isinstance(n, int) and span.min <= n <= span.max]
    return np.isin(numbers, np.array(whole, dtype=numbers.dtype))


def _matched(column: Column, states: tuple[str, ...], source: Source, advice: str | None) -> Column:
    """Return the column with the declared states in place of its values.

    Without advice about other values these become missing.
    """
    code = {label: k for k, label in enumerate(states)}
    for label, k in list(code.items()):
        code.setdefault(number_label(label) or label, k)
    found = [code.get(text, code.get(number_label(text) or text)) for text in column.values]
    old_to_new = np.array([MISSING if k is None else k for k in found], dtype=np.intp)
    codes = (
        column.codes() if advice is not None and MISSING in old_to_new else np.zeros(0, np.int32)
    )
    unknown = np.append(old_to_new == MISSING, False)[codes]
    if unknown.any():
        row = int(unknown.argmax())
        k = codes[row]
        msg = (
            f"{source.place(row, column.name)}: the value {shown(repr(column.values[k]))} is not "
            f"among the declared states {listed(states)}; {advice}"
        )
        raise DataError(msg)
    return replace(column.with_values(states, old_to_new), declared=True)


def _spelled_once(column: Column) -> Column:
    """Return a column of levels with one label for each; two spellings of one label are one."""
    labels = labels_of(column.values)
    return (
        column
        if labels == list(column.values)
        else _merged(column, labels, [*dict.fromkeys(labels)])
    )


def _sorted_as_text(column: Column) -> Column:
    labels = labels_of(column.values)
    return _merged(column, labels, sorted(set(labels)))


def _sorted_as_numbers(column: Column, numbers: list[Number]) -> Column:
    """Return the column with equal numbers merged, ascending; whole numbers are exact."""
    floats = np.array(numbers, dtype=np.float64)
    if Fraction not in set(map(type, numbers)) and (np.abs(floats) < _EXACT).all():
        distinct, old_to_new = np.unique(floats, return_inverse=True)  # the same, but fast
        return replace(column.with_values(NumberLabels(distinct), old_to_new), numbers=distinct)
    exact = sorted(set(numbers))
    merged = replace(_merged(column, numbers, exact), values=NumberLabels(exact))
    return replace(merged, numbers=np.array(exact, dtype=np.float64))


def _merged(column: Column, old: Sequence[Any], new: Sequence[Any]) -> Column:
    """Return the column with the values ``new``; ``old`` says which of them each value becomes."""
    code = {value: k for k, value in enumerate(new)}
    return column.with_values(new, np.array([code[value] for value in old], dtype=np.intp))
