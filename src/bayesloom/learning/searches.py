"""What the everyday call asks of a search."""

from __future__ import annotations

from dataclasses import MISSING, Field, fields, is_dataclass
from typing import Any

from bayesloom.errors import OptionError
from bayesloom.scores import LogLikelihood, Score
from bayesloom.search import Search, facts_of


def score_of(search: Search, n_rows: int) -> Score:
    """Return the score of a search or of the local search in it; without one the likelihood.

    Examples
    --------
    >>> from bayesloom.search import HillClimbing
    >>> score_of(HillClimbing(), 100).name
    'bic'
    """
    return facts_of(search).goal(n_rows) or LogLikelihood()


def link_score(search: Search, n_rows: int) -> str | None:
    """Return the score of the links if a search for something else learns a Markov network first.

    Examples
    --------
    >>> from bayesloom.search import DMN, ThroughDMN
    >>> link_score(ThroughDMN(), 100), link_score(DMN(), 100)
    ('bic', None)
    """
    goal = facts_of(search).link_goal(n_rows)
    return None if goal is None else goal.name


def checked_search(search: object) -> Search:
    """Return a search that a user gives, or the default for None.

    Raises
    ------
    OptionError
        If it is not a search: a text, or a class instead of a value.

    Examples
    --------
    >>> from bayesloom.search import HillClimbing
    >>> checked_search(HillClimbing)
    Traceback (most recent call last):
    bayesloom.errors.OptionError: search must be a value, got the class HillClimbing; write \
HillClimbing()
    """
    if search is None:
        from bayesloom.learning.default import DEFAULT_SEARCH

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
    >>> from bayesloom.search import HillClimbing
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
