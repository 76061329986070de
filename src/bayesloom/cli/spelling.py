"""Read option values as the options' own types ask for."""

from __future__ import annotations

import re
from enum import Enum
from types import UnionType
from typing import Any, Union, get_args, get_origin

from bayesloom.registry import CONTROLS, ESTIMATORS, SCORES, SEARCHES, TESTS, Registry

_NAME = r"""\s*(?:"((?:[^"]|"")+)"|([^\s",](?:[^",]*[^\s",])?))\s*(?=,|\Z)"""

_NAMED = {
    "Score": SCORES,
    "IndependenceTest": TESTS,
    "Control": CONTROLS,
    "Search": SEARCHES,
    "Estimator": ESTIMATORS,
}
"""The types whose values are written by name."""


def value_of(text: str, wanted: Any) -> object:  # noqa: ANN401 - type annotations have no type
    """Read a text as a value of an annotated type.

    Parameters
    ----------
    text : str
        What the user wrote.
    wanted : type annotation
        bool, int, float, str, an Enum, a tuple of str, a score, test, control, search or estimator
        with its usual options, or a union of these and None.

    Raises
    ------
    ValueError
        If the text is no such value; the message says what was expected.

    Examples
    --------
    >>> value_of("true", bool), value_of("3", int | None), value_of("A,B", tuple[str, ...])
    (True, 3, ('A', 'B'))
    """
    found: object
    if get_origin(wanted) in (Union, UnionType):
        found = _first_of(text, [kind for kind in get_args(wanted) if is_spelled(kind)] or [object])
    elif get_origin(wanted) is tuple:
        found = names_of(text)
    elif wanted is str:
        found = text
    elif isinstance(wanted, type) and issubclass(wanted, Enum):
        found = _one_of(text, {str(member.value): member for member in wanted})
    elif wanted is bool:
        found = _one_of(text.lower(), {"true": True, "false": False})
    elif wanted in (int, float):
        found = _number(text, wanted)
    elif (registry := registry_for(wanted)) is not None:
        found = _named(text, registry)
    else:
        msg = "a value that cannot be written here; use Python"
        raise ValueError(msg)
    return found


def is_spelled(wanted: Any) -> bool:  # noqa: ANN401 - type annotations have no type
    """Say whether values of an annotated type can be written; graphs and tables cannot.

    Examples
    --------
    >>> is_spelled(float | None), is_spelled(dict)
    (True, False)
    """
    if get_origin(wanted) in (Union, UnionType):
        return any(is_spelled(kind) for kind in get_args(wanted))
    plain = wanted in (bool, int, float, str) or get_origin(wanted) is tuple
    choice = isinstance(wanted, type) and issubclass(wanted, Enum)
    return plain or choice or registry_for(wanted) is not None


def registry_for(wanted: Any) -> Registry | None:  # noqa: ANN401 - type annotations have no type
    """Return the registry that names the values of an annotated type, or of a part of a union."""
    kinds = get_args(wanted) if get_origin(wanted) in (Union, UnionType) else [wanted]
    found = [_NAMED.get(getattr(kind, "__name__", "")) for kind in kinds]
    return next((registry for registry in found if registry is not None), None)


def names_of(text: str) -> tuple[str, ...]:
    """Split names at commas; a name in double quotes may contain them, as in a CSV file.

    Raises
    ------
    ValueError
        If a name is empty or a quote is not closed.

    Examples
    --------
    >>> names_of("A, B"), names_of('"a,b", c')
    (('A', 'B'), ('a,b', 'c'))
    """
    names = []
    position = 0
    while position <= len(text):
        found = re.compile(_NAME).match(text, position)
        if found is None:
            msg = 'expected names with commas between them, such as A,B or "a,b",C'
            raise ValueError(msg)
        quoted, plain = found.groups()
        names.append(plain if quoted is None else quoted.replace('""', '"'))
        position = found.end() + 1  # after the comma
    return tuple(names)


def _first_of(text: str, kinds: list[Any]) -> object:
    """Read a text as the first type it fits."""
    for kind in kinds[:-1]:
        try:
            return value_of(text, kind)
        except ValueError:
            continue
    return value_of(text, kinds[-1])


def _one_of(text: str, choices: dict[str, Any]) -> object:
    if text in choices:
        return choices[text]
    msg = f"expected {' or '.join(choices)}"
    raise ValueError(msg)


def _number(text: str, kind: type[int | float]) -> int | float:
    try:
        return kind(text)
    except ValueError:
        msg = "expected a whole number" if kind is int else "expected a number"
        raise ValueError(msg) from None


def _named(name: str, registry: Registry) -> object:
    if name not in registry:
        msg = f"expected {' or '.join(registry)}"
        raise ValueError(msg)
    try:
        return registry[name]()
    except TypeError:
        msg = f"expected a {registry.kind} that needs no options"
        raise ValueError(msg) from None
