"""Put parts of dates, such as the month, in the place of columns of dates."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from bayesloom.data.column import Column
from bayesloom.data.dates_option import DatePart
from bayesloom.data.reading import Reading
from bayesloom.data.source import Source
from bayesloom.errors import DataError, shown

_TIME = r"(?:[ T](\d\d?):\d\d.*)?"
_YEAR_FIRST = re.compile(rf"(\d{{4}})[-/.](\d\d?)[-/.](\d\d?){_TIME}")
_YEAR_LAST = re.compile(rf"(\d\d?)([./-])(\d\d?)\2(\d{{4}}){_TIME}")
_LAST_MONTH = 12
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


class _Moment(NamedTuple):
    day: dt.date
    hour: int


_PARTS: dict[DatePart, tuple[tuple[str, ...], Callable[[_Moment], str]]] = {
    "year": ((), lambda x: str(x.day.year)),
    "quarter": (tuple(map(str, range(1, 5))), lambda x: str((x.day.month + 2) // 3)),
    "month": (tuple(map(str, range(1, 13))), lambda x: str(x.day.month)),
    "day": (tuple(map(str, range(1, 32))), lambda x: str(x.day.day)),
    "weekday": (_WEEKDAYS, lambda x: _WEEKDAYS[x.day.weekday()]),
    "hour": (tuple(map(str, range(24))), lambda x: str(x.hour)),
}


def with_dates(columns: Sequence[Column], reading: Reading, source: Source) -> list[Column]:
    """Return columns with the parts of dates in the place of those that ``dates`` names.

    Raises
    ------
    DataError
        If a value is no date, or nobody can tell its day from its month.

    Examples
    --------
    >>> from bayesloom.data import Table
    >>> rows = {"when": ["2024-02-29", "2024-03-01"], "wet": ["no", "yes"]}
    >>> Table.from_frame(rows, dates={"when": ["month", "weekday"]})["when_weekday"]
    ['Thursday', 'Friday']
    """
    if not reading.dates:
        return list(columns)
    wanted = None if reading.columns is None else set(reading.columns)
    found: list[Column] = []
    for column in columns:
        parts = reading.dates.get(column.name)
        if parts is None:
            found.append(column)
            continue
        moments = _moments(column, source)
        found += [_part(column, moments, part) for part in parts]
    chosen = [column for column in found if wanted is None or column.name in wanted]
    names = [column.name for column in chosen]
    for name in names:
        if names.count(name) > 1:
            msg = (
                f"{source.title}: dates make a second column {shown(repr(name))}; rename the first"
            )
            raise DataError(msg)
    return chosen


def _part(column: Column, moments: Sequence[_Moment], part: DatePart) -> Column:
    """Return the column of one part; of its values those that occur, in their order."""
    order, part_of = _PARTS[part]
    labels = [part_of(moment) for moment in moments]
    there = set(labels)
    values = [x for x in order if x in there] or sorted(there, key=int)
    code = {label: k for k, label in enumerate(values)}
    made = column.with_values(values, np.array([code[x] for x in labels], np.intp))
    return replace(made, name=f"{column.name}_{part}", declared=True)


def _moments(column: Column, source: Source) -> list[_Moment]:
    """Return the dates that the values of a column are."""
    texts = [str(text).strip() for text in column.values]
    first = [_YEAR_FIRST.fullmatch(text) for text in texts]
    last = [_YEAR_LAST.fullmatch(text) for text in texts]
    day_first = _is_day_first(column, last, source)
    moments = []
    for k, (a, b) in enumerate(zip(first, last, strict=True)):
        moment = _moment(a, b, day_first=day_first)
        if moment is None:
            place = source.place(column.first_row(k), column.name)
            msg = (
                f"{place}: {shown(repr(texts[k]))} is no date such as 2024-02-29 or 29.2.2024; "
                "correct it, or name it in missing_markers (--missing-marker) if it means missing"
            )
            raise DataError(msg)
        moments.append(moment)
    return moments


def _moment(
    year_first: re.Match[str] | None, year_last: re.Match[str] | None, *, day_first: bool
) -> _Moment | None:
    if year_first is not None:
        year, month, day, hour = (int(x or 0) for x in year_first.groups())
    elif year_last is not None:
        one, _, two, end, hours = year_last.groups()
        year, hour = int(end), int(hours or 0)
        day, month = (int(one), int(two)) if day_first else (int(two), int(one))
    else:
        return None
    try:
        return _Moment(dt.date(year, month, day), hour)
    except ValueError:  # there is no such day
        return None


def _is_day_first(column: Column, found: Sequence[re.Match[str] | None], source: Source) -> bool:
    """Tell whether days come before months: with points they do, else a day after the 12th says."""
    some = [x for x in found if x is not None]
    if any(int(x[1]) > _LAST_MONTH for x in some) or all(x[2] == "." for x in some):
        return True
    if any(int(x[3]) > _LAST_MONTH for x in some):
        return False
    name, text = shown(repr(column.name)), shown(some[0][0])
    msg = (
        f"{source.title}: nobody can tell days from months in column {name}, such as {text}; write "
        "dates as 2024-02-29"
    )
    raise DataError(msg)
