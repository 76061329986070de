"""What in a column is probably no value: markers of missing cells, sentinels, texts among numbers.

A text marker is one of a few words that every program writes. A sentinel is a number such as -999
that is far outside of all others and there more than once: it is never taken for one without being
asked about. Words such as ``none``, ``-`` or ``unknown`` are states, unless all other cells of the
column are numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bayesloom.data.column import Column
from bayesloom.data.decimal_comma import with_points
from bayesloom.data.label import number_label, number_of, spelled, spelled_numbers
from bayesloom.data.level import settle_levels
from bayesloom.data.quantity import FEW
from bayesloom.data.reading import Reading
from bayesloom.data.source import Source

TEXT_MARKERS = frozenset(
    ["NA", "N/A", "n/a", "NaN", "nan", "NULL", "null", "?", "#N/A"]  # as `notes` has them
)
"""Labels that mean missing in text files, if nobody says otherwise."""

_AMONG_NUMBERS = frozenset(
    ["none", "-", "--", "unknown", "missing", "na", "n.a.", "nil", ".", "*", "nd", "n.d."]
)
_NEGATIVE = (-9, -99, -999, -9999)
_POSITIVE = (999, 9999)
_FEW_ODD = 0.1  # of the different values, beyond three, that may be texts among numbers
_SOME = 3  # different numbers that make a column one of numbers


@dataclass(frozen=True, slots=True)
class Suspicion:
    """One column without what is probably no value, and what that is.

    Attributes
    ----------
    column : Column
        The column, with its labels if its cells are numbers.
    markers : tuple of str
        Texts that mean missing.
    sentinels : tuple of str
        Numbers that probably mean missing.
    odd : tuple of str
        Texts among numbers of which nobody knows what they mean.
    note : str, optional
        How numbers were recognised.
    """

    column: Column
    markers: tuple[str, ...] = ()
    sentinels: tuple[str, ...] = ()
    odd: tuple[str, ...] = ()
    note: str | None = None


def suspected(column: Column, reading: Reading, source: Source, *, text: bool) -> Suspicion:
    """Look for what is probably no value in one column.

    Parameters
    ----------
    column : Column
        The column, without the cells that an option says are missing.
    reading, source
        How and from where it is read.
    text : bool
        Whether it is from a text file, in which markers have to be texts.

    Examples
    --------
    >>> from bayesloom.data.column import column_of_runs
    >>> ages = [[str(k) for k in range(17, 90)] + ["NA", "-999", "old"]]
    >>> rows = np.array([*range(76), 74])
    >>> found = suspected(
    ...     column_of_runs("age", ages, [(0, rows)]), Reading(), Source("x"), text=True
    ... )
    >>> found.markers, found.sentinels, found.odd
    (('NA',), ('-999',), ('old',))
    """
    if column.declared or reading.declared(column.name) is not None:
        return Suspicion(column)
    asked = reading.missing_markers is None
    usual = _usual(column) if text and asked else ()
    rest = without_labels(column, usual)
    number, odd, note = _as_numbers(rest, reading, source)
    if number is None:
        sentinels = _sentinel_labels(rest) if asked else ()
        return Suspicion(without_labels(rest, sentinels), usual, sentinels)
    words = tuple(x for x in odd if x.strip().lower() in _AMONG_NUMBERS) if asked else ()
    strange = tuple(x for x in odd if x not in words)
    sentinels = _sentinels(number) if asked else ()
    return Suspicion(without_labels(number, sentinels), (*usual, *words), sentinels, strange, note)


def without_labels(column: Column, labels: Sequence[str]) -> Column:
    """Return a column without some of its values, whose cells become missing."""
    if not labels:
        return column
    gone = frozenset(labels)
    return column.without(np.array([x in gone for x in column.values], np.bool_))


def _usual(column: Column) -> tuple[str, ...]:
    """Return the usual markers among the values, unless they are all of them."""
    if column.numbers is not None:
        return ()
    return tuple(sorted(x for x in column.values if x in TEXT_MARKERS))


def _as_numbers(
    column: Column, reading: Reading, source: Source
) -> tuple[Column | None, tuple[str, ...], str | None]:
    """Return a column as numbers, the texts among these, and a note; None if it has no numbers."""
    if column.numbers is not None:
        return column, (), None
    if not len(column.values):
        return None, (), None
    pointed, note = with_points(column, reading)
    if spelled_numbers(pointed.values) is not None:
        return settle_levels(pointed, Reading(), source), (), note
    odd = tuple(x for x in pointed.values if number_label(x) is None)
    n = len(pointed.values) - len(odd)
    only_words = n >= _SOME and all(x.strip().lower() in _AMONG_NUMBERS for x in odd)
    if not only_words and (n <= FEW or len(odd) > max(_SOME, _FEW_ODD * n)):
        return None, (), None
    return settle_levels(without_labels(pointed, odd), Reading(), source), odd, note


def _sentinels(column: Column) -> tuple[str, ...]:
    """Return the numbers that are far outside of all others, and there more than once."""
    numbers = np.asarray(column.numbers, np.float64)
    likely = [x for x in (*_NEGATIVE, *_POSITIVE, -1) if len(numbers) and _is_end(numbers, x)]
    if not likely:
        return ()
    others = numbers[~np.isin(numbers, likely)]
    if len(others) < _SOME - 1:
        return ()
    low, high = float(others[0]), float(others[-1])
    counts = column.counts()
    found = []
    for x in likely:
        if x == -1:
            far = low >= 0 and len(others) > FEW
        elif x < 0:
            far = x < low and (low >= 0 or low - x > high - low)
        else:
            far = x - high > max(high - low, high)
        if far and counts[int(np.searchsorted(numbers, x))] > 1:
            found.append(spelled(x))
    return tuple(found)


def _is_end(numbers: np.ndarray[tuple[int], np.dtype[np.float64]], x: int) -> bool:
    """Tell whether a number is there with nothing but such numbers outside of it."""
    k = int(np.searchsorted(numbers, x))
    if k == len(numbers) or numbers[k] != x:
        return False
    outside = numbers[:k] if x < 0 else numbers[k + 1 :]
    return bool(np.isin(outside, (*_NEGATIVE, *_POSITIVE)).all())


def _sentinel_labels(column: Column) -> tuple[str, ...]:
    """Return the sentinels among texts, of which no other is a number."""
    numbers = [x for x in column.values if number_of(x) is not None]
    known = {str(x) for x in (*_NEGATIVE, *_POSITIVE)}
    if not numbers or not known.issuperset(numbers) or len(column.values) - len(numbers) < 2:  # noqa: PLR2004 - two states
        return ()
    counts = column.counts()
    return tuple(x for x in numbers if counts[list(column.values).index(x)] > 1)
