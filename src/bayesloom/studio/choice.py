"""What can be chosen for a search: every score, test, control and search with its explanation."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from enum import Enum
from functools import cache
from inspect import cleandoc
from types import UnionType
from typing import Any, Union, get_args, get_origin

from bayesloom import search
from bayesloom.data import Table
from bayesloom.errors import OptionError, shown
from bayesloom.learning import DEFAULT_SEARCH
from bayesloom.learning.default import default_search
from bayesloom.registry import CONTROLS, SCORES, SEARCHES, TESTS, Registry

PARTS = {"score": SCORES, "test": TESTS, "control": CONTROLS}
"""Options of a search that have options themselves."""

_ENTRY = re.compile(r"^(\w[\w, ]*?)(?: :.*)?\n((?:    .*\n|\n)+)", re.MULTILINE)
_ELSEWHERE = re.compile(r"As in `(\w+)`")
_PLAIN = {bool: "flag", int: "whole", float: "number", str: "text"}


@cache
def choices() -> dict[str, Any]:
    """Return everything that can be chosen, as plain data, under the names of the command line."""
    told = {kind: _listed(registry) for kind, registry in PARTS.items()}
    usual = SEARCHES.name_of(DEFAULT_SEARCH)
    return {"search": _listed(SEARCHES), **told, "usual": usual}


def usual_search(table: Table) -> dict[str, Any]:
    """Return the search that data get if none is chosen, with its score, test and control.

    Examples
    --------
    >>> rows = {"A": ["n", "y", None], "B": ["n", "y", "y"]}
    >>> usual_search(Table.from_frame(rows, missing="keep"))
    {'name': 'structural-em', 'parts': {}}
    """
    found = default_search(table)
    own = {name: getattr(found, name, None) for name in PARTS}
    parts = {name: _part(name, value) for name, value in own.items() if value is not None}
    return {"name": SEARCHES.name_of(found), "parts": parts}


def made_value(registry: Registry, name: object, settings: object) -> Any:  # noqa: ANN401
    """Make a score, test, control or search of its name and its options as plain data.

    Raises
    ------
    OptionError
        If there is none of this name, or an option has a value it cannot take.

    Examples
    --------
    >>> made_value(SCORES, "bdeu", {"ess": 5})
    BDeu(kappa=None, per_parent=None, sparsity=None, ess=5.0)
    >>> made_value(SCORES, "bdue", {})
    Traceback (most recent call last):
    bayesloom.errors.OptionError: there is no score 'bdue'
    """
    if not isinstance(name, str) or name not in registry:
        msg = f"there is no {registry.kind} {shown(repr(name))}"
        raise OptionError(msg)
    if not isinstance(settings, Mapping):
        msg = f"the options of the {registry.kind} {name} must be an object, got {settings!r}"
        raise OptionError(msg)
    hints = registry.options(name)
    given = {}
    for key, value in settings.items():
        if key not in hints:
            msg = f"the {registry.kind} {name} has no option {shown(repr(key))}"
            raise OptionError(msg)
        given[key] = value if key in PARTS else _read(f"{name}: {key}", value, hints[key])
    try:
        return registry[name](**given)
    except TypeError as error:  # an option without a default is missing
        needed = str(error).rpartition(": ")[2]
        msg = f"the {registry.kind} {name} needs {needed}"
        raise OptionError(msg) from None


def _read(place: str, value: object, hint: Any) -> object:  # noqa: ANN401 - an annotation
    """Return a plain value as the option wants it: enums by their values, lists as tuples."""
    for kind in _kinds(hint):
        if isinstance(kind, type) and issubclass(kind, Enum) and isinstance(value, str):
            try:
                return kind(value)
            except ValueError:
                known = ", ".join(str(member.value) for member in kind)
                msg = f"{place} must be one of {known}, got {shown(repr(value))}"
                raise OptionError(msg) from None
    if isinstance(value, list):
        return tuple(value)
    if value is not None and not isinstance(value, bool | int | float | str):
        msg = f"{place} cannot be {shown(repr(value))}"
        raise OptionError(msg)
    if float in _kinds(hint) and isinstance(value, int) and not isinstance(value, bool):
        return float(value)  # as the command line reads it
    return value


def _listed(registry: Registry) -> list[dict[str, Any]]:
    entries = [_entry(registry, name) for name in registry]
    return [entry for entry in entries if entry is not None]


def _entry(registry: Registry, name: str) -> dict[str, Any] | None:
    """Tell what a class is and what its options are; None if it needs more than plain data."""
    kind = registry[name]
    hints, told = registry.options(name), option_texts(kind)
    options, parts = [], {}
    for field in sorted(fields(kind) if is_dataclass(kind) else (), key=_own_first):
        if not field.init:
            continue
        if field.name in PARTS and field.default is None:
            continue  # it has that of another search
        if field.name in PARTS:
            parts[field.name] = _part(field.name, field.default)
            continue
        shape = _shape(hints[field.name])
        if shape is None:
            if field.default is MISSING:
                return None
            continue
        options.append(
            {
                "name": field.name,
                "default": None if field.default is MISSING else _plain(field.default),
                "needed": field.default is MISSING,
                "help": told.get(field.name, ""),
                **shape,
            }
        )
    return {
        "name": name,
        "title": kind.__name__,
        "help": readable(registry.help(name)),
        "more": _paragraphs(kind),
        "options": options,
        "parts": parts,
        "takes_holes": bool(getattr(kind, "takes_holes", False)),
    }


def _part(name: str, default: object) -> dict[str, Any]:
    """Tell which score, test or control a search has by default, with its settings."""
    told = PARTS[name].told(default)
    return {"name": told.name, "options": dict(told.settings)}


def _own_first(field: Field[Any]) -> bool:
    return field.kw_only is True


def _shape(hint: Any) -> dict[str, Any] | None:  # noqa: ANN401 - an annotation
    """Say what values an option takes; None if they are not plain."""
    kinds = _kinds(hint)
    optional = type(None) in kinds
    for kind in kinds:
        if kind in _PLAIN:
            return {"kind": _PLAIN[kind], "optional": optional}
        if get_origin(kind) is tuple:
            return {"kind": "names", "optional": optional}
        if isinstance(kind, type) and issubclass(kind, Enum):
            of = [str(member.value) for member in kind]
            about = readable(" ".join(cleandoc(kind.__doc__ or "").split()))
            return {"kind": "choice", "optional": optional, "of": of, "about": about}
    return None


def _kinds(hint: Any) -> tuple[Any, ...]:  # noqa: ANN401 - an annotation
    return get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)


def _plain(default: object) -> object:
    if isinstance(default, Enum):
        return default.value
    return list(default) if isinstance(default, tuple) else default


def option_texts(kind: type) -> dict[str, str]:
    """Return what the documentation of a class, and of those it comes from, says of its options.

    Examples
    --------
    >>> option_texts(SCORES["bdeu"])["ess"]
    'The equivalent sample size: how many rows the prior is worth.'
    """
    found: dict[str, str] = {}
    for home in reversed(kind.__mro__):
        doc = cleandoc(home.__dict__.get("__doc__") or "")
        _, _, after = doc.partition("Parameters\n----------\n")
        told = re.split(r"^\w+\n-+\n", after, maxsplit=1, flags=re.MULTILINE)[0] + "\n"
        for names, text in _ENTRY.findall(told):
            other = _ELSEWHERE.match(text.strip())
            home_of = getattr(search, other[1], None) if other else None
            there = {} if home_of is None else option_texts(home_of)
            for name in names.split(", "):
                known = there.get(name) or (found.get(name) if other else None)
                found[name] = known or readable(" ".join(text.split()))
    return found


def _paragraphs(kind: type) -> str:
    """Return what the documentation says below its first line, before its sections."""
    doc = cleandoc(kind.__doc__ or "")
    body = re.split(r"^\w+\n-+$", doc, maxsplit=1, flags=re.MULTILINE)[0]
    return readable("\n".join(" ".join(p.split()) for p in body.split("\n\n")[1:]).strip())


def readable(text: str) -> str:
    """Return documentation without the marks of code."""
    return text.replace("``", "").replace("`", "")
