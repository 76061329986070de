"""Which search is run: the one that is named, or the default with what a user has changed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bayesloom.engine import Engine, is_counting
from bayesloom.search import Knowledge, Limits, Search, SearchResult, Watch, facts_of
from bayesloom.search.search import OuterSearch


@dataclass(frozen=True, slots=True)
class ChangedDefault(OuterSearch):
    """The default search with some options changed, which no search was named for.

    Where cells are missing it does as the default search does (`bayesloom.learning.default`).

    Parameters
    ----------
    then : Search
        The default search with the options that were changed.
    """

    then: Search

    def parts(self) -> Iterator[Search]:
        """Yield the search and its parts."""
        yield from facts_of(self.then).parts()

    def search(self, engine: Engine, limits: Limits, watch: Watch) -> SearchResult:
        """Run the search that goes with the data."""
        from bayesloom.learning.default import default_search

        return default_search(engine, self.then).search(engine, limits, watch)


def chosen_search(
    engine: Engine, search: Search | None, knowledge: Knowledge | None = None
) -> Search:
    """Return the search to run on some data: the one place where that is decided.

    A search that is named is run, with `PNAL` where cells are missing and nobody has named its
    score. If none is named it is the default, over completed rows where cells are missing; where
    beliefs make graphs of one class differ, it goes over DAGs.

    Examples
    --------
    >>> from bayesloom.engine import NativeEngine
    >>> from bayesloom.data import Table
    >>> from bayesloom.search import GES
    >>> rows = {"A": ["n", "y", None], "B": ["n", "y", "y"]}
    >>> chosen_search(NativeEngine(Table.from_frame(rows, missing="keep")), GES()).score.name
    'pnal'
    """
    named = None if isinstance(search, ChangedDefault) else search
    if named is not None and is_counting(engine) and not engine.missing.any():
        return named  # without loading the default
    from bayesloom.learning import default

    if named is not None:
        known = default.around_holes(named) if engine.missing.any() else named
        return known if is_counting(engine) else default.over_numbers(known)
    usual = search.then if isinstance(search, ChangedDefault) else default.DEFAULT_SEARCH
    chosen = default.default_search(engine, usual)
    if knowledge is None or not knowledge.belief:
        return chosen
    from bayesloom.search.believing import believed_score

    goal = facts_of(chosen).goal(engine.n_rows)
    limits = knowledge.limits(engine.names)
    if goal is None or believed_score(goal, knowledge, limits).equivalent:
        return chosen
    return default.over_dags(chosen)
