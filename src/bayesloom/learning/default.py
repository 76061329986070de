"""The search that is run when none is named."""

from __future__ import annotations

from bayesloom.data import Table
from bayesloom.engine import Engine, can_complete
from bayesloom.learning.changed_default import ChangedDefault
from bayesloom.search import IXGES, Search, facts_of

DEFAULT_SEARCH: Search = IXGES()
"""What `bayesloom.learn` and ``bayesloom learn`` use when no search is named.

It is what ``--search ixges`` stands for, too.
"""


def default_search(rows: Engine | Table, usual: Search = DEFAULT_SEARCH) -> Search:
    """Return the search for some data: the usual one, over completed rows where cells are missing.

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
    if not rows.missing.any():
        return usual
    goal = facts_of(usual).goal(rows.n_rows)
    counts_around = goal is not None and goal.takes_holes
    if not counts_around and (isinstance(rows, Table) or can_complete(rows)):
        from bayesloom.search import StructuralEM

        return StructuralEM(usual)
    return around_holes(usual)


def search_over(engine: Engine, search: Search | None) -> Search:
    """Return the search to run on some data: the one that is named, or else the default.

    A search whose score nobody has named maximises `PNAL` where cells are missing.

    Examples
    --------
    >>> from bayesloom.engine import NativeEngine
    >>> from bayesloom.data import Table
    >>> from bayesloom.search import GES
    >>> rows = {"A": ["n", "y", None], "B": ["n", "y", "y"]}
    >>> search_over(NativeEngine(Table.from_frame(rows, missing="keep")), GES()).score.name
    'pnal'
    """
    if search is None:
        return default_search(engine)
    if isinstance(search, ChangedDefault):
        return default_search(engine, search.then)
    return around_holes(search) if engine.missing.any() else search


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

    from bayesloom.search import IL, XGES, StructuralEM, Tabu
    from bayesloom.search.imap.shorthand import Shorthand

    if isinstance(search, ChangedDefault | StructuralEM):
        return replace(search, then=over_dags(search.then))
    if isinstance(search, Shorthand):
        search = search.schema
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

    from bayesloom.scores import PNAL
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
