"""Which states a column has: those the user declares, its own levels, or the values that occur."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from bayesloom.data.column import Column
from bayesloom.data.interval import NOWHERE, NumberScale, number_in, scale_of
from bayesloom.data.label import (
    Number,
    NumberLabels,
    labels_of,
    number_label,
    number_of,
    spelled_numbers,
)
from bayesloom.data.reading import Reading
from bayesloom.data.source import Source
from bayesloom.errors import DataError, listed, meant, shown

_EXACT = 2**53  # every whole number below is exact as a float, and no other becomes one


def settle_levels(column: Column, reading: Reading, source: Source) -> Column:
    """Give a column its labels.

    States declared by the user come first, then levels the column brings with it. Otherwise the
    values that occur are the states: sorted as numbers if all of them are numbers, where equal
    numbers are one state, and sorted as texts if not, where ``1.0`` is ``1``.

    Raises
    ------
    DataError
        If a cell holds a value that is not among the states the user declares, and no number in
        one of their intervals.
    """
    states = reading.declared(column.name)
    if states is not None:
        return _matched(column, states, source, reading)
    if column.numbers is not None:
        return column
    if column.declared:
        return _spelled_once(column)
    numbers = spelled_numbers(column.values)
    return _sorted_as_text(column) if numbers is None else _sorted_as_numbers(column, numbers)


def without_markers(column: Column, markers: frozenset[str]) -> Column:
    """Make the cells missing that hold an empty text or a missing marker."""
    if column.numbers is not None:
        return column.without(_are_marked(column.numbers, markers))
    gone = [
        not text or (bool(markers) and (text in markers or number_label(text) in markers))
        for text in column.values
    ]
    return column.without(np.array(gone, dtype=np.bool_))


def are_markers(columns: Sequence[Column], marker: str) -> npt.NDArray[np.bool_]:
    """Tell in which columns a marker is one of the values."""
    spellings = frozenset([marker, number_label(marker) or marker])
    return np.array(
        [
            _are_marked(column.numbers, spellings).any()
            if column.numbers is not None
            else any(text in spellings or number_label(text) in spellings for text in column.values)
            for column in columns
        ]
    )


def _are_marked(numbers: npt.NDArray[Any], markers: frozenset[str]) -> npt.NDArray[np.bool_]:
    """Tell which numbers of an array are markers; an integer is never rounded to be one."""
    wanted = [number for marker in markers if (number := number_of(marker)) is not None]
    if numbers.dtype.kind == "f":
        return np.isin(numbers, [float(number) for number in wanted])
    span = np.iinfo(numbers.dtype)
    whole = [n for n in wanted if isinstance(n, int) and span.min <= n <= span.max]
    return np.isin(numbers, np.array(whole, dtype=numbers.dtype))


def _matched(column: Column, states: tuple[str, ...], source: Source, reading: Reading) -> Column:
    """Return the column with the declared states in place of its values."""
    scale = scale_of(states)
    if scale is not None and column.numbers is not None:
        old_to_new = _binned(column.numbers, states, scale)
    else:
        old_to_new = code_of_labels(column.values, states)
    refused = NOWHERE in old_to_new and not reading.ignores_unseen
    codes = column.codes() if refused else np.zeros(0, np.int32)
    unknown = np.append(old_to_new == NOWHERE, False)[codes]
    if unknown.any():
        row = int(unknown.argmax())
        value = column.values[codes[row]]
        place = source.place(row, column.name)
        if scale is not None and number_of(value) is not None:
            msg = f"{place}: the number {shown(value)} lies in none of the intervals"
            what = "correct it"
        else:
            msg = f"{place}: the value {shown(repr(value))} is not among the declared states"
            what = "add it to states"
        marked = "or name it in missing_markers (--missing-marker) if it means missing"
        advice = reading.unseen_advice or f"{what}, {marked}"
        msg = f"{msg} {listed(states)}{'' if scale else meant(value, states)}; {advice}"
        raise DataError(msg)
    return replace(column.with_values(states, old_to_new), declared=True)


def code_of_labels(labels: Sequence[str], states: tuple[str, ...]) -> npt.NDArray[np.intp]:
    """Return which state each label is, by its text, as a number, or by its bin; or NOWHERE.

    Examples
    --------
    >>> code_of_labels(["2.0", "x", "7"], ("x", "2")).tolist()
    [1, 0, -1]
    >>> code_of_labels(["5", "missing", "30"], ("(-inf,20]", "(20,inf)", "missing")).tolist()
    [0, 2, 1]
    """
    code = {label: k for k, label in enumerate(states)}
    for label, k in list(code.items()):
        code.setdefault(number_label(label) or label, k)
    found = [code.get(text, code.get(number_label(text) or text, NOWHERE)) for text in labels]
    codes = np.array(found, dtype=np.intp)
    scale = scale_of(states)
    if scale is not None:
        left = np.flatnonzero(codes == NOWHERE)
        numbers = [number_in(labels[k]) for k in left.tolist()]
        codes[left] = scale.bin_of([math.nan if x is None else x for x in numbers])
    return codes


def code_of_numbers(
    numbers: npt.NDArray[np.float64], states: tuple[str, ...]
) -> npt.NDArray[np.intp]:
    """Return which state each number of a column is, by its bin or its label, or NOWHERE.

    A missing cell gets the code one past the last state.

    Examples
    --------
    >>> code_of_numbers(np.array([5, np.nan, 30]), ("(-inf,20]", "(20,inf)")).tolist()
    [0, 2, 1]
    >>> code_of_numbers(np.array([2.0, 3.0]), ("1", "2")).tolist()
    [1, -1]
    """
    known = ~np.isnan(numbers)
    distinct, place = np.unique(numbers[known], return_inverse=True)
    scale = scale_of(states)
    found = (
        code_of_labels(NumberLabels(distinct), states)
        if scale is None
        else _binned(distinct, states, scale)
    )
    codes = np.full(len(numbers), len(states), np.intp)
    codes[known] = found[place]
    return codes


def _binned(
    numbers: npt.NDArray[Any], states: tuple[str, ...], scale: NumberScale
) -> npt.NDArray[np.intp]:
    """Return which state each of many numbers is; a state that is a number goes first."""
    codes = scale.bin_of(numbers)
    for k, label in enumerate(states):
        number = number_of(label)
        if number is not None:
            codes[_are_marked(numbers, frozenset([label]))] = k
    return codes


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
    if set(map(type, numbers)) <= {int, float} and (np.abs(floats) < _EXACT).all():
        distinct, old_to_new = np.unique(floats, return_inverse=True)  # the same, but fast
        return replace(column.with_values(NumberLabels(distinct), old_to_new), numbers=distinct)
    exact = sorted(set(numbers))
    merged = replace(_merged(column, numbers, exact), values=NumberLabels(exact))
    return replace(merged, numbers=np.array(exact, dtype=np.float64))


def _merged(column: Column, old: Sequence[Any], new: Sequence[Any]) -> Column:
    """Return the column with the values ``new``; ``old`` says which of them each value becomes."""
    code = {value: k for k, value in enumerate(new)}
    return column.with_values(new, np.array([code[value] for value in old], dtype=np.intp))
