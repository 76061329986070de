"""The options of searches on the command line, and the search they stand for."""

from __future__ import annotations

import json
from collections.abc import Sequence
from enum import Enum
from typing import TYPE_CHECKING, Any

import click

from bayesloom.cli.catalogue import SEARCHES, STARTS
from bayesloom.cli.options import together

if TYPE_CHECKING:
    from bayesloom.learning import Search
    from bayesloom.scores import Score

search_options = together(
    click.option(
        "--search",
        "search_name",
        type=click.Choice(list(SEARCHES)),
        help="How to search. Default: the default of bayesloom.learn.",
    ),
    click.option(
        "--start",
        metavar=f"[{'|'.join(STARTS)}|FILE]",
        help="Where to start, or a network file with the start graph.",
    ),
    click.option("--restarts", type=int, help="Climb again so often from a perturbed optimum."),
    click.option("--seed", type=int, help="Seed of the search, if it draws random numbers."),
    click.option(
        "--set",
        "settings",
        multiple=True,
        metavar="NAME=VALUE",
        help="Any other option of the search, such as turning=true. Repeatable.",
    ),
)


def search_from(options: dict[str, Any], score: Score | None) -> Search:
    """Take the search options out of a command's options and make the search."""
    from dataclasses import fields, replace

    from bayesloom import search as searches
    from bayesloom.learning import DEFAULT_SEARCH

    name = options.pop("search_name")
    kind: Any = type(DEFAULT_SEARCH) if name is None else getattr(searches, SEARCHES[name])
    title = name or next(short for short, known in SEARCHES.items() if known == kind.__name__)
    defaults = {field.name: field.default for field in fields(kind)}
    given = {
        "score": score,
        "start": _start(options.pop("start")),
        "restarts": options.pop("restarts"),
        "seed": options.pop("seed"),
    }
    given = {key: value for key, value in given.items() if value is not None}
    for key in given:
        if key not in defaults:
            msg = f"--{key} has no meaning for the search {title}"
            raise click.UsageError(msg)
    for text in options.pop("settings"):
        key, value = _setting(text, title, defaults)
        given[key] = value
    base = DEFAULT_SEARCH if name is None else kind()
    made: Search = replace(base, **given)
    return made


def _start(text: str | None) -> object:
    """Return the start a user names: a kind of start, or the graph of a network file."""
    if text is None:
        return None
    from bayesloom.model import load
    from bayesloom.search import Start

    return Start(text) if text in STARTS else load(text).dag


def _setting(text: str, title: str, defaults: dict[str, object]) -> tuple[str, object]:
    """Split NAME=VALUE and read the value as the search's own default suggests."""
    key, sign, spelled = text.partition("=")
    known = [name for name in defaults if name not in ("score", "start")]
    if not sign or key not in known:
        msg = f"--set {text}: expected NAME=VALUE; the search {title} has {_listed(known)}"
        raise click.UsageError(msg)
    default = defaults[key]
    try:
        value = json.loads(spelled)
    except ValueError:
        value = spelled
    if isinstance(default, Enum):
        choices = {str(member.value): member for member in type(default)}
        if str(value) in choices:
            return key, choices[str(value)]
        msg = f"--set {key} must be one of {', '.join(choices)}, got {spelled}"
        raise click.UsageError(msg)
    wanted = bool if isinstance(default, bool) else float if isinstance(default, float) else int
    fits = type(value) is wanted or (wanted is float and type(value) is int)
    if default is not None and not isinstance(default, bool | int | float):
        fits = True
    if not fits and not (default is None and isinstance(value, int | float | str)):
        msg = f"--set {key} must be {_FORMS[wanted]}, got {spelled}"
        raise click.UsageError(msg)
    return key, tuple(value) if isinstance(value, list) else value


_FORMS = {bool: "true or false", int: "a whole number", float: "a number"}


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names) if names else "no further options"
