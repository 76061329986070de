"""Members of the objects in JSON documents: each is taken out as what it has to be."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from enum import Enum
from typing import TypeAlias, TypeVar

from bayesloom.errors import DataError, shown

Members: TypeAlias = Mapping[str, object]
_T = TypeVar("_T")
E = TypeVar("E", bound=Enum)


def text(found: Members, key: str) -> str:
    """Take out a text."""
    value = _member(found, key)
    if not isinstance(value, str):
        raise _wrong(key, "a text", value)
    return value


def whole(found: Members, key: str) -> int:
    """Take out a whole number, 0 or more.

    Raises
    ------
    DataError
        If the member is missing or something else, as for every function here.

    Examples
    --------
    >>> whole({"rows": 5}, "rows")
    5
    >>> whole({"rows": 1e400}, "rows")
    Traceback (most recent call last):
    bayesloom.errors.DataError: "rows" must be a whole number, 0 or more, got inf
    """
    value = _member(found, key)
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise _wrong(key, "a whole number, 0 or more", value)
    return value


def number(found: Members, key: str) -> float:
    """Take out a number that is neither infinite nor NaN."""
    value = _member(found, key)
    try:
        if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
            return float(value)
    except OverflowError:  # a whole number that no float can hold
        pass
    raise _wrong(key, "a finite number", value)


def share(found: Members, key: str) -> float:
    """Take out a number from 0 to 1.

    Examples
    --------
    >>> share({"p": -0.5}, "p")
    Traceback (most recent call last):
    bayesloom.errors.DataError: "p" must be a number from 0 to 1, got -0.5
    """
    value = number(found, key)
    if not 0 <= value <= 1:
        raise _wrong(key, "a number from 0 to 1", value)
    return value


def flag(found: Members, key: str) -> bool:
    """Take out true or false."""
    value = _member(found, key)
    if not isinstance(value, bool):
        raise _wrong(key, "true or false", value)
    return value


def choice(found: Members, key: str, kind: type[E]) -> E:
    """Take out one of the values of an enumeration."""
    value = _member(found, key)
    for member in kind:
        if member.value == value:
            return member
    raise _wrong(key, f"one of {', '.join(str(member.value) for member in kind)}", value)


def pair(found: Members, key: str) -> tuple[str, str]:
    """Take out a pair of texts."""
    match _member(found, key):
        case [str(x), str(y)]:
            return x, y
    raise _wrong(key, "a pair of texts", found[key])


def part(found: Members, key: str) -> dict[str, object]:
    """Take out an object."""
    value = _member(found, key)
    if not isinstance(value, dict):
        raise _wrong(key, "an object", value)
    return value


def many(take: Callable[[Members, str], _T], found: Members, key: str) -> tuple[_T, ...]:
    """Take out a list of such members.

    Examples
    --------
    >>> many(text, {"notes": ["a", "b"]}, "notes")
    ('a', 'b')
    """
    value = _member(found, key)
    if not isinstance(value, list):
        raise _wrong(key, "a list", value)
    return tuple(take({key: item}, key) for item in value)


def optional(take: Callable[[Members, str], _T], found: Members, key: str) -> _T | None:
    """Take out a member that may be null or missing.

    Examples
    --------
    >>> optional(whole, {"max_parents": None}, "max_parents") is None
    True
    """
    return None if found.get(key) is None else take(found, key)


def _member(found: Members, key: str) -> object:
    if key not in found:
        msg = f'"{key}" is missing'
        raise DataError(msg)
    return found[key]


def _wrong(key: str, wanted: str, value: object) -> DataError:
    return DataError(f'"{key}" must be {wanted}, got {shown(repr(value))}')
