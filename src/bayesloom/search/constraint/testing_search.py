"""What searches that only test have in common: their options, and their result."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from bayesloom.engine import Engine
from bayesloom.errors import KnowledgeError, check_kind, listed
from bayesloom.independence import ChiSquare, Control, Coverage, FixedAlpha, IndependenceTest
from bayesloom.search.constraint.orientation import Oriented
from bayesloom.search.constraint.skeleton import Skeleton
from bayesloom.search.constraint.tester import Inconclusive, NodePair, Tester
from bayesloom.search.facts.tested import Separation
from bayesloom.search.limits import Limits
from bayesloom.search.result import SearchResult, Stop
from bayesloom.search.search import BaseSearch, Testing
from bayesloom.search.watch import Watch

_Apart = TypeVar("_Apart")

USUAL_TEST = ChiSquare(coverage=Coverage.RELAXED)
"""Chi-square with at least five rows per cell on average, over the cells that occur."""

MOST_TOLD = 1 << 17
"""Separations; of more, only those with something given are told one by one."""


@dataclass(frozen=True, slots=True)
class TestingSearch(BaseSearch):
    """The options of a search that only tests.

    Parameters
    ----------
    test : IndependenceTest
        The test; its coverage rule says when there is a verdict.
    control : Control
        Which p-values reject. Tests are chosen by looking at the data, so no control guarantees a
        rate for the whole search.
    inconclusive : Inconclusive
        What a test without a verdict counts as.
    max_given : int, optional
        The most variables that are given in a test; all by default.
    """

    __test__ = False

    test: IndependenceTest = USUAL_TEST
    control: Control = FixedAlpha()
    inconclusive: Inconclusive = Inconclusive.DEPENDENT
    max_given: int | None = None

    def __post_init__(self) -> None:
        check_testing(self.test, self.control, self.inconclusive)
        self._check_whole(max_given=0)

    def testing(self) -> Testing:
        """Return the test and its control."""
        return Testing(self.test, self.control)

    def _tester(self, engine: Engine, watch: Watch) -> Tester:
        return Tester(engine, self.test, self.control.decider(), self.inconclusive, watch)


def check_testing(test: object, control: object, inconclusive: object) -> None:
    """Refuse what is no test, no control, or no way to count inconclusive tests."""
    check_kind("test", test, IndependenceTest, "a value such as ChiSquare()")
    check_kind("control", control, Control, "a value such as FixedAlpha(0.05)")
    what = "Inconclusive.DEPENDENT or Inconclusive.INDEPENDENT"
    check_kind("inconclusive", inconclusive, Inconclusive, what)


def can_tell(engine: Engine) -> bool:
    """Say whether there are few enough pairs to tell what took each apart."""
    return engine.n_variables * (engine.n_variables - 1) // 2 <= MOST_TOLD


def refuse_max_parents(
    limits: Limits,
    search: str,
    *,
    does: str = "only tests",
    instead: str = "limit what is given with max_given, or use MMHC",
) -> None:
    """Refuse a limit on parents, which a search that chooses no parents cannot keep.

    Raises
    ------
    KnowledgeError
        If there is one.
    """
    if limits.max_parents is not None:
        msg = f"{search} {does} and cannot keep max_parents = {limits.max_parents}; {instead}"
        raise KnowledgeError(msg)


def chosen_by_score(search: str) -> str:
    """Advise a search that chooses parents among the pairs of another."""
    return f"use Restricted({search}(), HillClimbing()), which chooses parents among its pairs"


def no_extension(oriented: Oriented, why: str) -> str:
    """Say that no DAG extends a graph."""
    knot = f"; there is no order for {listed(oriented.knot)}" if oriented.knot else ""
    return f"no DAG extends the graph, because {why}{knot}"


def told_apart(
    apart: Sequence[_Apart], matters: Callable[[_Apart], object]
) -> tuple[list[_Apart], list[str]]:
    """Return what is told of pairs that were taken apart, and a note if that is not all.

    If they are too many, those are told of which more than nothing given took them apart.
    """
    if len(apart) <= MOST_TOLD:
        return list(apart), []
    told = [each for each in apart if matters(each)]
    return told, ["pairs that nothing given takes apart are too many to be told one by one"]


def cut_off_notes(watch: Watch, *, supposed: bool = False) -> list[str]:
    """Say what a search that was cut off leaves open; ``supposed``: pairs not looked at."""
    if supposed:
        return ["the search was cut off, so that pairs are apart which were not looked at"]
    if watch.stopped is not None:
        return ["the search was cut off, so that pairs may be joined which it takes apart"]
    return []


def oriented_result(
    skeleton: Skeleton,
    limits: Limits,
    watch: Watch,
    *,
    elsewhere: Mapping[NodePair, Separation] | None = None,
) -> SearchResult:
    """Direct a skeleton and tell what the tests found.

    Parameters
    ----------
    skeleton : Skeleton
        Who is joined.
    limits : Limits
        What the directions keep to.
    watch : Watch
        Says why the search ended.
    elsewhere : mapping, optional
        Separations that were found before the skeleton was thinned out.
    """
    separations = {**(elsewhere or {}), **skeleton.separations}
    oriented = Oriented.of(skeleton.adjacency, separations, limits)
    apart = [found for _, found in sorted(separations.items())]
    told, notes = told_apart(apart, lambda found: found.given)
    notes += cut_off_notes(watch, supposed=skeleton.supposed)
    if oriented.dag is None:
        why = "tests contradict each other" if watch.stopped is None else "tests are missing"
        notes.append(no_extension(oriented, why))
    return SearchResult(
        dag=oriented.dag,
        graph=oriented.graph,
        score=None,
        steps=(),
        stop=watch.why(Stop.COMPLETE),
        candidates=0,
        dependencies=tuple(
            found
            for (x, y), found in sorted(skeleton.weakest.items())
            if skeleton.adjacency[x] >> y & 1
        ),
        tests=skeleton.tester.tally,
        notes=tuple(notes),
        separations=tuple(told),
        conflicts=oriented.conflicts,
    )
