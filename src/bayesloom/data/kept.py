"""Columns of numbers that stay numbers: which these are, and what is said about them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from bayesloom.data.column import Column
from bayesloom.data.cutting import not_numeric
from bayesloom.data.number_column import inexact
from bayesloom.data.numbers_option import names_of
from bayesloom.data.quantity import is_numeric, quoted
from bayesloom.data.reading import Reading
from bayesloom.data.source import Source
from bayesloom.errors import DataError, listed, shown

_NAMED = 6  # columns that one note names


def stays_number(column: Column, reading: Reading) -> bool:
    """Tell whether a column that has its labels is one of numbers in the table."""
    return reading.keeps(column.name) and is_numeric(column.tally())


def refuse_no_numbers(columns: Sequence[Column], reading: Reading, source: Source) -> None:
    """Check that the columns which ``numbers`` names hold numbers.

    Raises
    ------
    DataError
        With the first column that does not, and why.
    """
    named = frozenset(names_of(reading.numbers))
    for column in columns:
        if column.name in named and reading.keeps(column.name) and not is_numeric(column.tally()):
            raise not_numeric(column, "numbers cannot keep", source)


def kept_numbers(
    columns: Sequence[Column], reading: Reading, source: Source
) -> tuple[list[Column], list[str]]:
    """Mark the columns that stay numbers; return all columns, and notes on what was rounded.

    Raises
    ------
    DataError
        If a double cannot tell two numbers of a column apart.
    """
    done = [
        replace(column, kept=True) if stays_number(column, reading) else column
        for column in columns
    ]
    rounded = [c.name for c in done if c.kept and _rounds(c, source)]
    if not rounded:
        return done, []
    note = (
        f"{listed(map(shown, rounded), _NAMED)} {'hold' if len(rounded) > 1 else 'holds'} whole "
        "numbers beyond 2^53, which are rounded to the nearest double"
    )
    return done, [note]


def _rounds(column: Column, source: Source) -> bool:
    """Tell whether some whole number of a column is no double."""
    numbers = column.numbers
    if numbers is None or not len(numbers):
        return False
    doubles = numbers.astype(np.float64)
    equal = np.flatnonzero(doubles[1:] == doubles[:-1])
    if len(equal):
        k, name = int(equal[0]), column.name
        low, high = shown(column.values[k]), shown(column.values[k + 1])
        msg = (
            f"{source.title}: column {shown(repr(name))} has {low} and {high}, which are one "
            "number in floating point; subtract what they have in common, or drop the column with "
            f"drop={[name]!r} (--drop {quoted(name)})"
        )
        raise DataError(msg)
    if numbers.dtype.kind != "f":
        return bool(inexact(numbers).any())
    large = np.flatnonzero(np.abs(numbers) > 1 << 53)  # of exact whole numbers, see level.py
    return any(int(doubles[k]) != _whole(column.values[k]) for k in large.tolist())


def _whole(label: str) -> int | float:
    """Return the number that a label stands for, exact if it is whole."""
    return int(label) if label.lstrip("-").isdigit() else float(label)
