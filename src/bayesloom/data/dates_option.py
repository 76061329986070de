"""Parts of dates that stand in the place of a column: the values that ``dates`` can take."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias, get_args

from bayesloom.data.label import told
from bayesloom.errors import OptionError, listed, shown

DatePart = Literal["year", "quarter", "month", "day", "weekday", "hour"]
"""What of a date a column may hold."""

Dates: TypeAlias = Mapping[str, Sequence[DatePart]]
"""The parts that stand in the place of some columns of dates."""


def checked_dates(value: object) -> Dates | None:
    """Return what a user gives as ``dates``.

    Raises
    ------
    OptionError
        If it is no mapping of columns to lists of parts.

    Examples
    --------
    >>> checked_dates({"when": ["month"]})
    {'when': ('month',)}
    >>> checked_dates({"when": "month"})
    Traceback (most recent call last):
    bayesloom.errors.OptionError: dates of column 'when' must be a list of year, quarter, month, \
day, weekday, hour, got 'month'
    """
    if value is None:
        return None
    parts = get_args(DatePart)
    if not isinstance(value, Mapping):
        msg = f"dates must be a mapping such as {{'when': ['month', 'weekday']}}, got {told(value)}"
        raise OptionError(msg)
    for name, some in value.items():
        is_list = isinstance(some, Sequence) and not isinstance(some, str) and len(some) > 0
        if not is_list or any(x not in parts for x in some) or len({*some}) < len(some):
            what = f"dates of column {shown(repr(name))}"
            msg = f"{what} must be a list of {listed(parts)}, got {told(some)}"
            raise OptionError(msg)
    return {str(name): tuple(some) for name, some in value.items()}


def dated_names(dates: Dates | None) -> dict[str, list[str]]:
    """Return what the columns are called that stand in the place of columns of dates.

    Examples
    --------
    >>> dated_names({"when": ["month", "weekday"]})
    {'when': ['when_month', 'when_weekday']}
    """
    return {name: [f"{name}_{part}" for part in parts] for name, parts in (dates or {}).items()}
