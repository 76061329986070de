"""The searches by the names the command line knows them by, and the one that is the default."""

from __future__ import annotations

from dataclasses import MISSING, Field, fields, is_dataclass
from typing import Any, Protocol

from bayesloom import search as searches
from bayesloom.engine import Engine
from bayesloom.errors import OptionError
from bayesloom.scores import LogLikelihood, Score
from bayesloom.search import HillClimbing, Limits, SearchResult, Watch


class Search(Protocol):
    """A frozen value that holds the options of a search and runs it."""

    def search(self, engine: Engine, limits: Limits, watch: Watch) -> SearchResult:
        """Run the search."""


DEFAULT_SEARCH: Search = HillClimbing()
"""What `bayesloom.learn` and ``bayesloom learn`` use when no search is named."""

SEARCHES = {
    "hc": "HillClimbing",
    "ges": "GES",
    "xges": "XGES",
}
"""Name on the command line and class; a new search is one line here."""


def search_class(name: str) -> type[Search]:
    """Return the class of a search that the command line calls ``name``.

    Raises
    ------
    OptionError
        If there is no such search.

    Examples
    --------
    >>> search_class("hc").__name__
    'HillClimbing'
    """
    if name not in SEARCHES:
        msg = f"unknown search {name!r}; known are {', '.join(SEARCHES)}"
        raise OptionError(msg)
    found: type[Search] = getattr(searches, SEARCHES[name])
    return found


def options_of(kind: type[Search]) -> tuple[str, ...]:
    """Return the names of the options of a kind of search."""
    return tuple(field.name for field in fields(kind))  # type: ignore[arg-type]


def score_of(search: Search) -> Score:
    """Return the score that a search maximises; without one it is the likelihood."""
    score = getattr(search, "score", None)
    return score if isinstance(score, Score) else LogLikelihood()


def checked_search(search: object) -> Search:
    """Return a search that a user gives, or the default for None.

    Raises
    ------
    OptionError
        If it is not a search: a text, or a class instead of a value.

    Examples
    --------
    >>> checked_search(HillClimbing)
    Traceback (most recent call last):
    bayesloom.errors.OptionError: search must be a value, got the class HillClimbing; write \
HillClimbing()
    """
    if search is None:
        return DEFAULT_SEARCH
    if isinstance(search, type):
        msg = f"search must be a value, got the class {search.__name__}; write {search.__name__}()"
        raise OptionError(msg)
    if not callable(getattr(search, "search", None)):
        msg = f"search must be a search such as HillClimbing(score=BIC()), got {search!r}"
        raise OptionError(msg)
    return search  # type: ignore[return-value]


def described(value: object) -> str:
    """Write an option value the short way: the options that differ from their defaults.

    Examples
    --------
    >>> from bayesloom.scores import BDeu
    >>> described(HillClimbing()), described(HillClimbing(score=BDeu(ess=5), restarts=2))
    ('HillClimbing()', 'HillClimbing(score=BDeu(ess=5), restarts=2)')
    """
    if not is_dataclass(value) or isinstance(value, type):
        return repr(value)
    shown = [
        f"{field.name}={described(given)}"
        for field in fields(value)
        if field.init and field.repr and (given := getattr(value, field.name)) != _default(field)
    ]
    return f"{type(value).__name__}({', '.join(shown)})"


def _default(field: Field[Any]) -> object:
    return None if field.default is MISSING else field.default
