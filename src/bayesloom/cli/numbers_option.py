"""How ``--numbers`` and ``--date`` are spelled: a word for all columns, or NAME=WORD for one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, get_args

import click

from bayesloom.data.dates_option import DatePart
from bayesloom.data.discretization import OTHERS
from bayesloom.data.numbers_option import NumbersRule

if TYPE_CHECKING:
    from bayesloom.data.dates_option import Dates
    from bayesloom.data.numbers_option import Numbers


def numbers_of(texts: Sequence[str]) -> Numbers:
    """Read every ``--numbers``; the last word for all columns counts.

    Examples
    --------
    >>> numbers_of(["keep"])
    'keep'
    >>> numbers_of(["age=keep", "cut"])
    {'age': 'keep', '*': 'cut'}
    """
    words: dict[str, NumbersRule] = {}
    others: NumbersRule | None = None
    for text in texts:
        name, sign, word = text.rpartition("=")
        if word not in get_args(NumbersRule):
            known = " or ".join(get_args(NumbersRule))
            msg = f"--numbers {text}: expected {known}, or NAME= with one of these"
            raise click.UsageError(msg)
        if sign:
            words[name] = word  # type: ignore[assignment]
        else:
            others = word  # type: ignore[assignment]
    if not words and others is not None:
        return others
    return {**words, OTHERS: others} if others is not None else words


def dates_of(texts: Sequence[str]) -> Dates:
    """Read every ``--date``.

    Examples
    --------
    >>> dates_of(["when=month,weekday"])
    {'when': ('month', 'weekday')}
    """
    found: dict[str, tuple[DatePart, ...]] = {}
    for text in texts:
        name, sign, parts = text.rpartition("=")
        some = tuple(parts.split(","))
        if not sign or not set(some) <= set(get_args(DatePart)):
            known = ", ".join(get_args(DatePart))
            msg = f"--date {text}: expected NAME=PARTS, with parts of {known}"
            raise click.UsageError(msg)
        found[name] = some  # type: ignore[assignment]
    return found
