"""What a search is: a value that runs, and what it can say of itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, NamedTuple, Protocol

from bayesloom.errors import check_whole
from bayesloom.scores import Score

if TYPE_CHECKING:
    from bayesloom.engine import Engine
    from bayesloom.independence import Control, IndependenceTest
    from bayesloom.search.limits import Limits
    from bayesloom.search.result import SearchResult
    from bayesloom.search.watch import Watch


class Search(Protocol):
    """A frozen value that holds the options of a search and runs it.

    Nothing else is needed of a search of your own. One that inherits from `BaseSearch` can say
    more of itself; `facts_of` answers for all others.
    """

    __slots__ = ()

    def search(self, engine: Engine, limits: Limits, watch: Watch) -> SearchResult:
        """Run the search."""


class Testing(NamedTuple):
    """By what a search calls two variables dependent: a test, and which p-values reject."""

    test: IndependenceTest
    control: Control


class BaseSearch(Search):
    """What a search says of itself, as long as it does not know better."""

    __slots__ = ()

    def _check_whole(self, **least: int) -> None:
        """Refuse options that are no whole numbers from their least value on.

        None is none where it is the default. Whole numbers of other libraries become Python's.
        """
        default = {field.name: field.default for field in fields(self)}  # type: ignore[arg-type]
        for name, lowest in least.items():
            value = getattr(self, name)
            if value is not None or default[name] is not None:
                check_whole(name, value, lowest)
                object.__setattr__(self, name, int(value))

    def parts(self) -> Iterator[Search]:
        """Yield the search, in its general form, and then the searches that it runs."""
        yield self

    def goal(self, n_rows: int) -> Score | None:  # noqa: ARG002 - a price may depend on the rows
        """Return what is maximised with so many rows of data; None if nothing is."""
        score = getattr(self, "score", None)
        return score if isinstance(score, Score) else None

    def link_goal(self, n_rows: int) -> Score | None:  # noqa: ARG002 - as above
        """Return what the links of a Markov network maximise that is learned on the way."""
        return None

    def testing(self) -> Testing | None:
        """Return the test of the search and its control; None if it does not test."""
        return None


class OuterSearch(BaseSearch):
    """What a search says of itself that runs another, ``then``."""

    __slots__ = ()
    then: Search

    def parts(self) -> Iterator[Search]:
        """Yield the search and the one that it runs."""
        yield self
        yield from facts_of(self.then).parts()

    def goal(self, n_rows: int) -> Score | None:
        """Return what the inner search maximises."""
        return facts_of(self.then).goal(n_rows)

    def testing(self) -> Testing | None:
        """Return the test of the inner search, if it tests."""
        return facts_of(self.then).testing()


@dataclass(frozen=True, slots=True)
class _Plain(BaseSearch):
    """A search that says nothing of itself, except that it may have a score."""

    run: Search

    def search(self, engine: Engine, limits: Limits, watch: Watch) -> SearchResult:
        """Run the search."""
        return self.run.search(engine, limits, watch)

    @property
    def score(self) -> object:
        """The attribute of that name, if there is one."""
        return getattr(self.run, "score", None)

    def parts(self) -> Iterator[Search]:
        """Yield the search."""
        yield self.run


def facts_of(search: Search) -> BaseSearch:
    """Return what a search says of itself; for a search of the user's own the defaults.

    Examples
    --------
    >>> from bayesloom.search import DMN, IGES, HillClimbing, ThroughDMN
    >>> [type(part).__name__ for part in facts_of(ThroughDMN(then=IGES())).parts()]
    ['ThroughDMN', 'DMN', 'IL', 'GES']
    >>> facts_of(HillClimbing()).goal(100).name, facts_of(HillClimbing()).testing()
    ('bic', None)
    >>> facts_of(DMN(alpha=0.0)).goal(100).name, facts_of(ThroughDMN()).link_goal(100).name
    ('loglik', 'bic')
    """
    return search if isinstance(search, BaseSearch) else _Plain(search)
