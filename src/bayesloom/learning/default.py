"""The search that is run when none is named."""

from __future__ import annotations

from typing import TypeVar

from bayesloom.data import Table
from bayesloom.engine import Engine, can_complete, is_counting
from bayesloom.learning.choice import ChangedDefault
from bayesloom.scores import BIC, PNAL, LogLikelihood
from bayesloom.search import IXGES, XGES, Search, facts_of

DEFAULT_SEARCH: Search = IXGES()
"""What `bayesloom.learn` and ``bayesloom learn`` use when no search is named.

It is what ``--search ixges`` stands for, too.
"""


NUMBERS_SEARCH: Search = XGES(score=BIC(sparsity=1))
"""What is run instead where columns hold numbers.

A price per edge of log n for n variables, because with many columns many pairs look dependent by
chance: the extended BIC.
"""


def default_search(rows: Engine | Table, usual: Search = DEFAULT_SEARCH) -> Search:
    """Return the search for some data: the usual one, over completed rows where cells are missing.

    Columns of numbers have a search of their own, `NUMBERS_SEARCH`; a usual one that is changed
    keeps what was changed. Missing cells are counted around there, by `PNAL`.

    Where an engine does not hand out its rows, what is known is counted instead, by a score for
    holes; so it is where the usual search has been given such a score. The page
    ``docs/decisions/0011-structural-em.md`` says why.

    Examples
    --------
    >>> from bayesloom.data import Table
    >>> rows = {"A": ["n", "y", None], "B": ["n", "y", "y"]}
    >>> type(default_search(Table.from_frame(rows, missing="keep"))).__name__
    'StructuralEM'
    """
    if _hold_numbers(rows):
        around = rows.missing.any()
        if usual is DEFAULT_SEARCH:
            return XGES(score=PNAL(sparsity=1)) if around else NUMBERS_SEARCH
        return over_numbers(around_holes(usual) if around else usual)
    if not rows.missing.any():
        return usual
    goal = facts_of(usual).goal(rows.n_rows)
    counts_around = goal is not None and goal.takes_holes
    if not counts_around and (isinstance(rows, Table) or can_complete(rows)):
        from bayesloom.search import StructuralEM

        return StructuralEM(usual)
    return around_holes(usual)


_Searching = TypeVar("_Searching", bound=Search)


def _hold_numbers(rows: Engine | Table) -> bool:
    return bool(rows.numeric.any()) if isinstance(rows, Table) else not is_counting(rows)


def over_numbers(search: _Searching) -> _Searching:
    """Return a search with a score and a test for numbers wherever nobody has named others.

    Scores that count states become `BIC`, tests on tables of counts `GSquare`, which is a test of
    likelihood ratios whatever columns hold. What is named is as in `around_holes`.

    Examples
    --------
    >>> from bayesloom.registry import described
    >>> from bayesloom.search import IGES, K2
    >>> described(over_numbers(K2(["A", "B"]))), described(over_numbers(IGES()))
    ("K2(order=('A', 'B'), score=BIC())", 'IGES(score=BIC(), test=GSquare())')
    """
    from dataclasses import fields, is_dataclass, replace

    from bayesloom.independence import ContingencyTest, GSquare

    if not is_dataclass(search) or isinstance(search, type):
        return search
    changed: dict[str, object] = {}
    for field in fields(search):
        value = getattr(search, field.name)
        if field.name in ("then", "local", "dmn"):
            changed[field.name] = over_numbers(value)
        elif value is None or value is not field.default:
            continue
        elif field.name == "score" and not isinstance(value, LogLikelihood):
            changed["score"] = BIC(sparsity=1 if value.sparsity else None)
        elif field.name == "test" and isinstance(value, ContingencyTest):
            changed["test"] = GSquare(value.min_expected, value.coverage)
    changed = {name: value for name, value in changed.items() if value != getattr(search, name)}
    return replace(search, **changed) if changed else search


def over_dags(search: Search) -> Search:
    """Return the default search with tabu search over DAGs in place of the one over classes.

    It is run where beliefs make graphs of one class differ.

    Examples
    --------
    >>> from bayesloom.registry import described
    >>> described(over_dags(DEFAULT_SEARCH))[:20]
    'IL(local=Tabu(score='
    """
    from dataclasses import replace

    from bayesloom.search import IL, StructuralEM, Tabu
    from bayesloom.search.imap.shorthand import Shorthand

    if isinstance(search, ChangedDefault | StructuralEM):
        return replace(search, then=over_dags(search.then))
    if isinstance(search, Shorthand):
        search = search.schema
    if isinstance(search, XGES):
        return Tabu(score=search.score, within=search.within)
    if isinstance(search, IL) and isinstance(search.local, XGES):
        local = Tabu(score=search.local.score, within=search.local.within)
        return replace(search, local=local)
    return search


def around_holes(search: Search) -> Search:
    """Return a search that maximises `PNAL` wherever nobody has named another score.

    A score is not named if it is the very object that is the default of its field; one that is
    equal to it, but given, stays. A search that completes rows needs none, and a Markov network
    has no such score.

    Examples
    --------
    >>> from bayesloom.registry import described
    >>> from bayesloom.scores import BIC
    >>> from bayesloom.search import GES, IL
    >>> described(around_holes(IL(GES()))), described(around_holes(GES(score=BIC())))
    ('IL(local=GES(score=PNAL()))', 'GES()')
    """
    from dataclasses import fields, is_dataclass, replace

    from bayesloom.search import DMN, StructuralEM, ThroughDMN

    if not is_dataclass(search) or isinstance(search, type | StructuralEM | DMN | ThroughDMN):
        return search
    changed: dict[str, object] = {}
    for field in fields(search):
        value = getattr(search, field.name)
        if field.name == "score" and value is not None and value is field.default:
            changed["score"] = PNAL()
        elif field.name in ("then", "local"):
            changed[field.name] = around_holes(value)
    return replace(search, **changed) if changed else search
