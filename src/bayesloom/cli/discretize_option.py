"""How ``--discretize`` is spelled: a method for all columns, or NAME=RULE for one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, get_args

import click

from bayesloom.data.discretization import OTHERS, CutMethod

if TYPE_CHECKING:
    from bayesloom.data.discretization import ColumnRule, Discretization

_EXPECTED = (
    f"expected one of {', '.join(get_args(CutMethod))}, or NAME=RULE with a number of bins, "
    "frequency, width, mdl, network, none, such a word with bins as in width:4, or cut points as "
    "in 0,1,5"
)


def discretization_of(texts: Sequence[str]) -> Discretization:
    """Read every ``--discretize``; the last rule for all columns counts.

    Examples
    --------
    >>> discretization_of(["auto"])
    'auto'
    >>> discretization_of(["age=4", "fare=width:6", "dose=0,1,5", "a=b=mdl", "auto"])
    {'age': 4, 'fare': ('width', 6), 'dose': (0.0, 1.0, 5.0), 'a=b': 'mdl', '*': 'auto'}
    """
    rules: dict[str, ColumnRule] = {}
    others: CutMethod = "none"
    for text in texts:
        name, sign, rule = text.rpartition("=")
        if sign:
            rules[name] = _rule(text, rule)
        elif text in get_args(CutMethod):
            others = text  # type: ignore[assignment]
        else:
            raise _wrong(text)
    return {**rules, OTHERS: others} if rules else others


def _rule(text: str, spelled: str) -> ColumnRule:
    method, colon, bins = spelled.partition(":")
    if method in get_args(CutMethod):
        if not colon:
            return method
        if bins.isascii() and bins.isdigit():
            return method, int(bins)
    elif spelled.isascii() and spelled.isdigit():
        return int(spelled)
    else:
        points = spelled.removesuffix(",").split(",")
        try:
            return tuple(map(float, points))
        except ValueError:
            pass
    raise _wrong(text)


def _wrong(text: str) -> click.UsageError:
    return click.UsageError(f"--discretize {text}: {_EXPECTED}")
