"""The options of searches on the command line, and the search they stand for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import click

from bayesloom.cli.independence_options import FLAGS, control_from, independence_test_from
from bayesloom.cli.options import Named, Options, check_flags, count_option, made, together
from bayesloom.errors import OptionError
from bayesloom.registry import SEARCHES, options_of

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
    **FLAGS,
}
"""Fields of searches that have options of their own."""

_NAME = r"""\s*(?:"((?:[^"]|"")+)"|([^\s",](?:[^",]*[^\s",])?))\s*(?=,|\Z)"""

_STARTS = ("empty", "complete", "chow-liu")
"""The values of `bayesloom.search.Start`."""

_search_options = together(
    click.option(
        "--search",
        "search_name",
        type=Named(SEARCHES),
        help="How to search: a name, or an expression as summaries print it, such as "
        "'GES(score=BDeu(ess=5), turning=True)'. Default: ixges; where cells are missing "
        "structural-em over it.",
    ),
    click.option(
        "--start",
        metavar=f"[{'|'.join(_STARTS)}|FILE]",
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
)

_SEED = "Seed of a search with random numbers."

search_options = together(_search_options, count_option("--seed", told=_SEED))
replicate_search_options = together(
    _search_options, count_option("--search-seed", "seed", told=_SEED)
)
"""The same where ``--seed`` is that of the draws of rows."""


def search_from(options: Options, score: Score | None) -> Search | None:
    """Make the search that the options name, or the default search with what they change.

    None stands for the default search as it is, `ChangedDefault` for one with options changed:
    what is run depends on whether cells are missing.
    """
    from dataclasses import replace

    value, usual = options["search_name"], _usual(options["search_name"])
    title = value.name if value else SEARCHES.name_of(usual)
    kind: Any = value.kind if value else type(usual)
    through = options["through_dmn"]
    given = {
        "score": score,
        "start": _start(options["start"]),
        "order": _order(options["order"]),
        "restarts": options["restarts"],
        "seed": options["seed"],
        "lookahead": None if through else options["lookahead"],
        "control": control_from(options, getattr(usual, "control", None)),
        "test": independence_test_from(options, _usual_test(kind)),
    }
    given = {key: value for key, value in given.items() if value is not None}
    start = options_of(kind).get("start")
    if "start" in given and start is not None and not _fits(given["start"], start):
        msg = f"--start has no meaning for the search {title}"
        raise click.UsageError(msg)
    if value is not None:
        chosen: Any = made(value, given, flags=_OWN)
    else:
        check_flags(SEARCHES, kind, title, given, _OWN)
        chosen = replace(usual, **given)
    if chosen == usual and not through:
        return None
    found = _through_dmn(chosen, options["lookahead"], title) if through else chosen
    if value is not None:
        return found
    from bayesloom.learning.choice import ChangedDefault

    return ChangedDefault(found)  # where cells are missing, it is run over completed rows too


def _usual_test(kind: Any) -> Any:  # noqa: ANN401 - a class, and an option of it
    """Return the test that a search has by default, if it has one."""
    from dataclasses import fields, is_dataclass

    known = {field.name: field.default for field in fields(kind)} if is_dataclass(kind) else {}
    return known.get("test")


def _usual(name: object) -> Any:  # noqa: ANN401 - a search
    """Return the default search if none is named."""
    if name is not None:
        return None
    from bayesloom.learning import DEFAULT_SEARCH

    return DEFAULT_SEARCH


def _through_dmn(then: Any, lookahead: int | None, title: str) -> Search:  # noqa: ANN401
    from bayesloom.search import DMN, ThroughDMN

    first = DMN() if lookahead is None else DMN(lookahead=lookahead)
    try:
        return ThroughDMN(first, then)
    except OptionError:
        msg = f"--through-dmn has no meaning for the search {title}"
        raise click.UsageError(msg) from None


def _start(text: str | None) -> object:
    """Return the start a user names: a kind of start, or the graph of a network file."""
    if text is None:
        return None
    from bayesloom.model import load_net
    from bayesloom.search import Start

    return Start(text) if text in _STARTS else load_net(text).dag


def _fits(start: object, hint: Any) -> bool:  # noqa: ANN401 - a type annotation
    """Say whether a search can start there."""
    from typing import get_args

    return isinstance(start, get_args(hint))


def _order(text: str | None) -> tuple[str, ...] | None:
    try:
        return None if text is None else names_of(text)
    except ValueError as error:
        msg = f"--order: {error}, got {text!r}"
        raise click.UsageError(msg) from None


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
