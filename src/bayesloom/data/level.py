"""Which states a column has: those the user declares, its own levels, or the values that occur."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from bayesloom.data.column import MISSING, Column
from bayesloom.data.label import NumberLabels, number_label, numbers_of, text_label
from bayesloom.data.options import Options
from bayesloom.data.source import Source
from bayesloom.errors import DataError, listed, shown


def settle_levels(column: Column, options: Options, source: Source) -> Column:
    """Give a column its labels; cells that are empty or hold a missing marker become missing.

    States declared by the user come first, then levels the column brings with it. Otherwise the
    values that occur are the states: sorted as numbers if all of them are numbers, where equal
    numbers are one state, and sorted as texts if not, where ``1.0`` is ``1``.

    Raises
    ------
    DataError
        If a cell holds a value that is not among the states the user declares.
    """
    column = _without_markers(column, options.markers)
    if column.name in options.states:
        return _matched(column, options.states[column.name], source)
    if column.declared or column.numbers is not None:
        return column
    numbers = numbers_of(column.values)
    return _sorted_as_text(column) if numbers is None else _sorted_as_numbers(column, numbers)


def _without_markers(column: Column, markers: frozenset[str]) -> Column:
    """Make the cells missing that hold an empty text or a missing marker."""
    if column.numbers is not None:
        unwanted = [float(marker) for marker in markers if number_label(marker) is not None]
        return column.without(np.isin(column.numbers, unwanted))
    gone = [
        not text or (bool(markers) and (text in markers or number_label(text) in markers))
        for text in column.values
    ]
    return column.without(np.array(gone, dtype=np.bool_))


def _matched(column: Column, states: tuple[str, ...], source: Source) -> Column:
    """Return the column with the declared states in place of its values."""
    code = {label: k for k, label in enumerate(states)}
    for label, k in list(code.items()):
        code.setdefault(number_label(label) or label, k)
    old_to_new = np.full(len(column.values), MISSING)
    for k, text in enumerate(column.values):
        found = code.get(text, code.get(number_label(text) or text))
        if found is not None:
            old_to_new[k] = found
        elif (row := column.first_row(k)) >= 0:
            msg = (
                f"{source.place(row, column.name)}: the value {shown(repr(text))} is not among the "
                f"declared states {listed(states)}; add it to states, or name it in "
                "missing_markers (--missing-marker) if it means missing"
            )
            raise DataError(msg)
    return replace(column.with_values(states, old_to_new), declared=True)


def _sorted_as_text(column: Column) -> Column:
    labels = [text_label(text) for text in column.values]
    distinct = sorted(set(labels))
    code = {label: k for k, label in enumerate(distinct)}
    old_to_new = np.array([code[label] for label in labels], dtype=np.intp)
    return column.with_values(distinct, old_to_new)


def _sorted_as_numbers(
    column: Column, numbers: np.ndarray[tuple[int], np.dtype[np.float64]]
) -> Column:
    """Return the column with equal numbers merged, ascending."""
    if all(text.lstrip("-").isdigit() for text in column.values):
        return _sorted_as_integers(column)
    distinct, old_to_new = np.unique(numbers, return_inverse=True)
    merged = column.with_values(NumberLabels(distinct), old_to_new)
    return replace(merged, numbers=distinct)


def _sorted_as_integers(column: Column) -> Column:
    """Return the column with its integers ascending, exact however long they are."""
    integers = [int(text) for text in column.values]
    distinct = sorted(set(integers))
    code = {integer: k for k, integer in enumerate(distinct)}
    old_to_new = np.array([code[integer] for integer in integers], dtype=np.intp)
    sorted_column = column.with_values([str(integer) for integer in distinct], old_to_new)
    return replace(sorted_column, numbers=np.array(distinct, dtype=np.float64))
