"""Frozen values to plain data and back, by the annotations of their fields."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping
from dataclasses import MISSING, Field, field, fields, is_dataclass
from enum import Enum
from functools import cache, partial
from types import UnionType
from typing import Annotated, Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from bayesloom.data import member
from bayesloom.data.member import Members
from bayesloom.errors import DataError

_T = TypeVar("_T")
Take = Callable[[Members, str], Any]

Probability = Annotated[float, member.share]
"""A number from 0 to 1; an annotation with a function takes a member out with it."""


def stored(*, key: str = "", brief: bool = False, default: Any = MISSING) -> Any:  # noqa: ANN401 - as `field`
    """Return a field that plain data call ``key``, or leave out while it has its default.

    ``key="-"`` leaves it out always, and it does not tell values apart either.
    """
    about = {"key": key, "brief": brief}
    return field(default=default, metadata=about, compare=key != "-")


def to_plain(value: object) -> Any:  # noqa: ANN401 - what JSON can hold
    """Return a value as plain data: an object per dataclass, lists for tuples, values of enums.

    Examples
    --------
    >>> from bayesloom.search import Proof
    >>> to_plain(Proof(-20.0, -19.5))
    {'best': -20.0, 'bound': -19.5, 'max_parents': None}
    """
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, list | tuple):
        return [to_plain(item) for item in value]
    if not is_dataclass(value):
        return value
    return {
        key: to_plain(getattr(value, each.name))
        for key, each in _stored_fields(type(value))
        if not each.metadata.get("brief") or getattr(value, each.name) != each.default
    }


def from_plain(kind: type[_T], payload: Members) -> _T:
    """Build a value from plain data; a member that is missing has its default, null is None.

    Raises
    ------
    DataError
        If a member is missing or not what the annotation says.

    Examples
    --------
    >>> from bayesloom.search import Proof
    >>> from_plain(Proof, {"best": -20, "bound": -19.5})
    Proof(best=-20.0, bound=-19.5, max_parents=None)
    >>> from_plain(Proof, {"best": "much", "bound": 0})
    Traceback (most recent call last):
    bayesloom.errors.DataError: "best" must be a finite number, got 'much'
    """
    return kind(
        **{
            name: take(payload, key)
            for name, key, take, needed in _taken_fields(cast("Hashable", kind))
            if needed or key in payload
        }
    )


def _stored_fields(kind: Any) -> list[tuple[str, Field[Any]]]:  # noqa: ANN401 - a dataclass
    named = [(each.metadata.get("key") or each.name, each) for each in fields(kind)]
    return [(key, each) for key, each in named if key != "-"]


@cache
def _taken_fields(kind: Any) -> tuple[tuple[str, str, Take, bool], ...]:  # noqa: ANN401
    hints = get_type_hints(kind, include_extras=True)
    return tuple(
        (each.name, key, _taker(hints[each.name]), each.default is MISSING)
        for key, each in _stored_fields(kind)
    )


_SIMPLE: Mapping[object, Take] = {
    str: member.text,
    int: member.whole,
    float: member.number,
    bool: member.flag,
}


def _taker(hint: Any) -> Take:  # noqa: ANN401 - an annotation
    """Return what takes a member of some annotation out of plain data."""
    if isinstance(hint, TypeVar) or hint in _SIMPLE:  # a variable is a name in files
        return _SIMPLE.get(hint, member.text)
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        take: Take = arguments[1]
        return take
    if origin in (Union, UnionType):
        (inner,) = (each for each in arguments if each is not type(None))
        return partial(member.optional, _taker(inner))
    if origin is tuple and arguments[-1] is Ellipsis:
        return partial(member.many, _taker(arguments[0]))
    if origin is tuple:
        return partial(_fixed, tuple(map(_taker, arguments)))
    return _class_taker(origin or hint)


def _class_taker(kind: type[Any]) -> Take:
    if issubclass(kind, Enum):
        return partial(member.choice, kind=kind)
    if not is_dataclass(kind):
        msg = f"plain data cannot be read as {kind}"
        raise TypeError(msg)
    return lambda payload, key: from_plain(kind, member.part(payload, key))


def _fixed(takes: tuple[Take, ...], payload: Members, key: str) -> tuple[Any, ...]:
    items = member.many(lambda found, name: found[name], payload, key)
    if len(items) != len(takes):
        msg = f'"{key}" must be a list of {len(takes)}, got {len(items)}'
        raise DataError(msg)
    return tuple(take({key: item}, key) for take, item in zip(takes, items, strict=True))


def finite(value: float) -> float | None:
    """Return a number, or None in place of NaN, which plain data cannot hold.

    Examples
    --------
    >>> finite(0.5), finite(math.nan)
    (0.5, None)
    """
    return None if math.isnan(value) else value
