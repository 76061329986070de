"""Restricted maximisation: a rule says who may be joined, a score search chooses among them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from bayesloom.engine import Engine
from bayesloom.errors import OptionError
from bayesloom.graphs import ChordalGraph, skeleton
from bayesloom.scores import Score
from bayesloom.search.constraint.parents_children import MMPC
from bayesloom.search.dag.hill_climbing import HillClimbing
from bayesloom.search.limits import Limits
from bayesloom.search.restriction import (
    CandidateRule,
    Candidates,
    confined,
    without_directions,
)
from bayesloom.search.result import SearchResult
from bayesloom.search.search import BaseSearch, Search, Testing, facts_of
from bayesloom.search.tally import TestTally
from bayesloom.search.watch import Watch


@dataclass(frozen=True, slots=True)
class Restricted(BaseSearch):
    """Search only among edges between pairs that a first rule proposes.

    Parameters
    ----------
    candidates : MMPC, GrowShrink, IAMB, or any search
        The rule. `MMPC` proposes neighbours and `GrowShrink` and `IAMB` Markov blankets, all by
        tests; of any other search, such as `PC`, `ChowLiu` or `DMN`, the edges that it finds.
    then : Search
        A search with a score. Knowledge, required edges and ``max_parents`` hold in its result.

    References
    ----------
    N. Friedman, I. Nachman, D. Peer: Learning Bayesian network structure from massive datasets:
    the sparse candidate algorithm, UAI 1999.

    Examples
    --------
    >>> from bayesloom.search import PC
    >>> Restricted(then=PC())
    Traceback (most recent call last):
    bayesloom.errors.OptionError: then must be a search with a score, such as HillClimbing(), got PC
    """

    candidates: CandidateRule | Search = MMPC()
    then: Search = HillClimbing()

    def __post_init__(self) -> None:
        rule = self.candidates
        proposes = callable(getattr(rule, "candidates", None))
        if isinstance(rule, type) or not (proposes or callable(getattr(rule, "search", None))):
            got = rule.__name__ if isinstance(rule, type) else repr(rule)
            msg = f"candidates must be a rule such as MMPC(), or a search such as PC(), got {got}"
            raise OptionError(msg)
        if isinstance(self.then, type) or not callable(getattr(self.then, "search", None)):
            msg = f"then must be a search with a score, such as HillClimbing(), got {self.then!r}"
            raise OptionError(msg)
        if facts_of(self.then).goal(1) is None:
            name = type(self.then).__name__
            msg = f"then must be a search with a score, such as HillClimbing(), got {name}"
            raise OptionError(msg)

    def parts(self) -> Iterator[Search]:
        """Yield the search and both that it runs, if the first is one."""
        yield self
        if callable(getattr(self.candidates, "search", None)):
            yield from facts_of(self.candidates).parts()  # type: ignore[arg-type]
        yield from facts_of(self.then).parts()

    def goal(self, n_rows: int) -> Score | None:
        """Return what the second search maximises."""
        return facts_of(self.then).goal(n_rows)

    def testing(self) -> Testing | None:
        """Return the test of the second search, or else of the first."""
        first = getattr(self.candidates, "testing", None)
        return facts_of(self.then).testing() or (first() if callable(first) else None)

    def search(self, engine: Engine, limits: Limits, watch: Watch) -> SearchResult:
        """Run both; see `bayesloom.learn` for the everyday call."""
        proposed = self.proposed(engine, limits, watch)
        watch.steps.clear()  # what is told are the steps from the start to the graph
        found = self.then.search(engine, confined(limits, proposed.neighbours), watch)
        joined = skeleton(() if found.dag is None else found.dag.parent_masks)
        apart = tuple(s for s in proposed.separations if joined and not joined[s.x] >> s.y & 1)
        return replace(
            found,
            tests=_sum(proposed.tests, found.tests),
            notes=(*proposed.notes, *found.notes),
            separations=apart,
        )

    def proposed(self, engine: Engine, limits: Limits, watch: Watch) -> Candidates:
        """Return the candidates of the rule, or of the graph that the first search finds."""
        if isinstance(self.candidates, CandidateRule):
            return self.candidates.candidates(engine, limits, watch)
        pairs = replace(without_directions(limits), max_parents=None)
        first = self.candidates.search(engine, pairs, watch)
        graph = first.graph
        if isinstance(graph, ChordalGraph):
            near = list(graph.adjacency)
        else:
            near = skeleton(graph.parent_masks)
            for v, mask in enumerate(getattr(graph, "neighbour_masks", ())):
                near[v] |= mask
        return Candidates(tuple(near), first.tests, first.separations, first.notes)


def _sum(first: TestTally, second: TestTally) -> TestTally:
    return TestTally(
        first.made + second.made,
        first.inconclusive + second.inconclusive,
        first.uncounted + second.uncounted,
        first.rejected + second.rejected,
    )
