"""The options of searches on the command line, and the search they stand for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from bayesloom.cli.catalogue import DEFAULT_SEARCH, SEARCHES, STARTS
from bayesloom.cli.independence_options import control_from, independence_test_from
from bayesloom.cli.options import together
from bayesloom.cli.spelling import names_of, value_of
from bayesloom.errors import OptionError

if TYPE_CHECKING:
    from bayesloom.scores import Score
    from bayesloom.search import Search

_OWN = {
    "score": "--score",
    "start": "--start",
    "order": "--order",
    "restarts": "--restarts",
    "seed": "--seed",
    "lookahead": "--lookahead",
    "control": "--control and --alpha",
    "test": "--test, --min-expected and --coverage",
}
"""Fields of searches that have options of their own."""

_UNWRITTEN = {*_OWN, "within"}
"""Fields that ``--set`` does not know: besides those, graphs."""

search_options = together(
    click.option(
        "--search",
        "search_name",
        type=click.Choice(list(SEARCHES)),
        help=f"How to search. Default: {DEFAULT_SEARCH} with score bic and control spending.",
    ),
    click.option(
        "--start",
        metavar=f"[{'|'.join(STARTS)}|FILE]",
        help="Where to start, or a network file with the start graph.",
    ),
    click.option(
        "--order",
        metavar="A,B,...",
        help="All variables in order, causes first (k2, order); "
        """names with commas in double quotes: '"a,b",C'.""",
    ),
    click.option("--restarts", type=int, metavar="N", help="Start again so often."),
    click.option(
        "--seed",
        type=click.IntRange(min=0),
        metavar="N",
        help="Seed of a search with random numbers.",
    ),
    click.option(
        "--through-dmn",
        is_flag=True,
        help="Learn a Markov network first, then search inside it (not: dmn, k2, order, chow-liu).",
    ),
    click.option(
        "--lookahead",
        type=int,
        metavar="K",
        help="Links added at once (dmn, --through-dmn). Default: 3.",
    ),
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
    from dataclasses import MISSING, fields, replace

    from bayesloom import search as searches

    name = options.pop("search_name")
    title = DEFAULT_SEARCH if name is None else name
    kind: Any = getattr(searches, SEARCHES[title])
    usual: Any = None
    if name is None:
        from bayesloom.learning import DEFAULT_SEARCH as DEFAULT

        usual = DEFAULT
    through, lookahead = options.pop("through_dmn"), options.pop("lookahead")
    given = {
        "score": score,
        "start": _start(options.pop("start")),
        "order": _order(options.pop("order")),
        "restarts": options.pop("restarts"),
        "seed": options.pop("seed"),
        "lookahead": None if through else lookahead,
        "control": control_from(options, getattr(usual, "control", None)),
        "test": independence_test_from(options),
    }
    given = {key: value for key, value in given.items() if value is not None}
    known = {field.name: field for field in fields(kind)}
    for key, value in given.items():
        if key not in known or (key == "start" and not _fits(value, kind)):
            plural = "have" if " and " in _OWN[key] else "has"
            msg = f"{_OWN[key]} {plural} no meaning for the search {title}"
            raise click.UsageError(msg)
    given |= _settings(options.pop("settings"), kind, title)
    for key, field in known.items():
        if field.default is MISSING and key not in given:
            msg = f"the search {title} needs {_OWN.get(key, f'--set {key}=...')}"
            raise click.UsageError(msg)
    made: Search = kind(**given) if usual is None else replace(usual, **given)
    if not through:
        return made
    first = searches.DMN() if lookahead is None else searches.DMN(lookahead=lookahead)
    try:
        return searches.ThroughDMN(first, made)
    except OptionError:
        msg = f"--through-dmn has no meaning for the search {title}"
        raise click.UsageError(msg) from None


def _start(text: str | None) -> object:
    """Return the start a user names: a kind of start, or the graph of a network file."""
    if text is None:
        return None
    from bayesloom.model import load
    from bayesloom.search import Start

    return Start(text) if text in STARTS else load(text).dag


def _fits(start: object, kind: type[Search]) -> bool:
    """Say whether a search can start there."""
    from typing import get_args, get_type_hints

    return isinstance(start, get_args(get_type_hints(kind)["start"]))


def _order(text: str | None) -> tuple[str, ...] | None:
    try:
        return None if text is None else names_of(text)
    except ValueError as error:
        msg = f"--order: {error}, got {text!r}"
        raise click.UsageError(msg) from None


def _settings(texts: tuple[str, ...], kind: type[Search], title: str) -> Mapping[str, object]:
    """Read every NAME=VALUE as the search's own annotation asks for."""
    if not texts:
        return {}
    from typing import get_type_hints

    hints = get_type_hints(kind)
    known = [name for name in kind.__dataclass_fields__ if name not in _UNWRITTEN]  # type: ignore[attr-defined]
    found = {}
    for text in texts:
        key, sign, spelled = text.partition("=")
        if not sign or key not in known:
            has = ", ".join(known) if known else "no further options"
            msg = f"--set {text}: expected NAME=VALUE, and the search {title} has {has}"
            raise click.UsageError(msg)
        try:
            found[key] = value_of(spelled, hints[key])
        except ValueError as error:
            msg = f"--set {text}: {error}, got {spelled!r}"
            raise click.UsageError(msg) from None
    return found
