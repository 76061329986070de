"""The default search with options of a user, who has named no search."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bayesloom.engine import Engine
from bayesloom.search import Limits, Search, SearchResult, Watch, facts_of
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
