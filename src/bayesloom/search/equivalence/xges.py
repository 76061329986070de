"""Extreme greedy equivalence search: delete before reverse before insert, then second thoughts."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from bayesloom.engine import Engine
from bayesloom.errors import check_flag
from bayesloom.graphs import DAG
from bayesloom.scores import BIC, Score
from bayesloom.search.dag.gains import Gains
from bayesloom.search.dag.hill_climbing import climb as climb_dags
from bayesloom.search.equivalence.climb import EquivalenceClimb, check_equivalent
from bayesloom.search.equivalence.exchange import exchange, go_to
from bayesloom.search.equivalence.joint_start import with_joint_sets
from bayesloom.search.equivalence.optimum_neighbourhood import OptimumNeighbourhood
from bayesloom.search.equivalence.orders import Orders
from bayesloom.search.equivalence.second_thoughts import EAGER, Tried, greedy, think_again
from bayesloom.search.facts.moves import Step
from bayesloom.search.limits import Limits
from bayesloom.search.local_scores import LocalScores
from bayesloom.search.restriction import chordal_graph, narrowed
from bayesloom.search.result import ScoredResult, Stop
from bayesloom.search.search import BaseSearch
from bayesloom.search.start import Start, check_start, class_start, may_start_class
from bayesloom.search.watch import Watch

if TYPE_CHECKING:
    from bayesloom.graphs import ChordalGraph


@dataclass(frozen=True, slots=True)
class XGES(BaseSearch):
    """Search over equivalence classes, deleting as soon as it helps, with second thoughts.

    The climb always prefers a deletion to a reversal and a reversal to an insertion. At its end
    every edge is taken away in turn, in every way a deletion can, and may not come back in its old
    direction while the climb goes on; if that leads to a better score, the search goes on from
    there. When no single edge helps any more, all edges among a node and the nodes adjacent to it
    are taken away together, for one node after the other, and the climb builds that region anew.

    From several starts the climb ends at several graphs. The best of them takes over every part of
    the others that raises its score, and goes on until no trial helps. Then its variables are put
    in a better order, as by `BOSS`, and the search goes on from the network of that order.

    Parameters
    ----------
    score : Score
        What is maximised; it has to give equivalent graphs the same value.
    extended : bool
        Whether to have second thoughts; without them this is the plain climb (XGES-0).
    regions : bool
        Whether second thoughts look at regions, too; without them this is the search of the
        reference.
    tries : int, optional
        How many operators second thoughts may apply in trials per variable, from each start; by
        default as many as it takes. Public networks take 10 to 25; where all variables depend on
        each other, as items with a common cause do, trials go on for minutes.
    start : Start or DAG, optional
        Where to start: at the class of the empty graph, the complete graph, the maximum-likelihood
        tree or a graph of your own. By default a search with second thoughts starts from the empty
        graph, the tree, the graph at which hill climbing ends and those at which it ends itself
        with other scores, the `guides` of this one, and, up to 90 variables, of two drawn orders.
    within : ChordalGraph or learned Markov network, optional
        Only its links may become edges.
    lookahead : int
        How many edges may be joined at once before the first step: 3 joins triples that are
        dependent only together, such as a parity of three bits, 6 sets of four.

    References
    ----------
    A. Nazaret, D. Blei: Extremely greedy equivalence search, UAI 2024.
    """

    score: Score = BIC()
    extended: bool = True
    regions: bool = True
    tries: int | None = None
    start: Start | DAG | None = None
    within: ChordalGraph | None = None
    lookahead: int = 1

    def __post_init__(self) -> None:
        check_equivalent(self.score, "XGES")
        check_flag("extended", self.extended)
        check_flag("regions", self.regions)
        self._check_whole(tries=0, lookahead=1)
        if self.start is not None:
            check_start(self.start)
        object.__setattr__(self, "within", chordal_graph(self.within))

    def search(self, engine: Engine, limits: Limits, watch: Watch) -> ScoredResult:
        """Run the search; see `bayesloom.learn` for the everyday call."""
        return self.walk(engine, limits, watch).result(watch, Stop.LOCAL_OPTIMUM)

    def walk(self, engine: Engine, limits: Limits, watch: Watch) -> OptimumNeighbourhood:
        """Climb to the optimum and lend the neighbourhood there to a constrained search.

        The steps of the watch are those that led there.
        """
        limits = narrowed(limits, self.within)
        scores = LocalScores.audited(engine, self.score, watch.signal)
        parents = class_start(self.start or Start.EMPTY, engine, limits, watch)
        with watch.heeded():
            parents = with_joint_sets(parents, scores, limits, self.lookahead)
        begin, earlier = EquivalenceClimb.at(parents, scores, limits, EAGER), watch.steps[:]
        tried = self._nothing_tried(limits)
        ends = [self._end(begin.copy(), watch)]
        if self.start is not None or not self.extended:
            return OptimumNeighbourhood.of(self._joined(ends, tried, watch).climb, tried)
        orders = Orders(ends[0].climb)

        def ends_from(starts: Iterable[_MakesStart]) -> Iterator[_End]:
            for start in starts:
                if not watch.may_go_on():
                    break
                watch.steps[:], climb = earlier, begin.copy()
                with watch.heeded():
                    go_to(climb, start(scores, limits, watch), watch)
                yield self._end(climb, watch)

        ends += ends_from(self._starts(engine))
        best = self._joined(ends, tried, watch)
        tried.swaps = self.regions
        drawn = (partial(_best_order, orders, order) for order in orders.drawn())
        ends = [best, *ends_from(drawn if self.regions else ())]
        return OptimumNeighbourhood.of(self._joined(ends, tried, watch, orders).climb, tried)

    def _starts(self, engine: Engine) -> Iterator[_MakesStart]:
        """Yield what makes the graphs to start from, besides the empty one and those of orders."""
        yield _tree
        yield _hill_top
        if not engine.missing.any():
            yield from (partial(self._end_of, guide) for guide in self.score.guides)

    def _end_of(self, guide: Score, scores: LocalScores, limits: Limits, watch: Watch) -> list[int]:
        """Return where this search ends from the empty graph with another score."""
        other, earlier = replace(self, score=guide, start=Start.EMPTY), watch.steps[:]
        end = other.walk(scores.engine, limits, watch).dag
        watch.steps[:] = earlier
        return _if_class_can_start(end, limits)

    def _end(self, climb: EquivalenceClimb, watch: Watch) -> _End:
        """Climb, and have second thoughts."""
        greedy(climb, watch)
        climb = think_again(climb, watch, self._nothing_tried(climb.limits))
        return _End(climb, watch.steps[:])

    def _joined(
        self, ends: Sequence[_End], tried: Tried, watch: Watch, orders: Orders | None = None
    ) -> _End:
        """Go on from the best end, with what is better at the others, until nothing helps.

        Where that ends, the best order of the variables that is found from there makes one more.
        """
        best, others = _best_first(ends)
        climb, before = _with_parts(best, others, watch), -math.inf
        while watch.may_go_on() and climb.score > before + climb.epsilon:
            before = climb.score
            greedy(climb, watch)
            tried.forget(climb.everything if orders is None else climb.reach)
            climb = think_again(climb, watch, tried)
            if orders is not None and watch.may_go_on():
                here, other = _End(climb, watch.steps[:]), climb.copy()
                if orders.lead(other, watch):
                    greedy(other, watch)
                    elsewhere = tried.elsewhere(other.reach)
                    other = think_again(other, watch, elsewhere)
                    tried.left = elsewhere.left
                    best, others = _best_first([here, _End(other, watch.steps[:])])
                    climb = _with_parts(best, others, watch)
        return _End(climb, watch.steps[:])

    def _nothing_tried(self, limits: Limits) -> Tried:
        most = math.inf if self.tries is None else self.tries * len(limits.names)
        return Tried(self.regions, most if self.extended else 0)


_MakesStart = Callable[[LocalScores, Limits, Watch], list[int]]


class _End(NamedTuple):
    """Where a climb from one start has ended, and the steps to it."""

    climb: EquivalenceClimb
    steps: list[Step]


def _best_first(ends: Sequence[_End]) -> tuple[_End, list[_End]]:
    """Return the first end that scores best, and the others."""
    best = ends[0]
    for end in ends[1:]:
        if end.climb.score > best.climb.score + best.climb.epsilon:
            best = end
    return best, [end for end in ends if end is not best]


def _with_parts(best: _End, others: Sequence[_End], watch: Watch) -> EquivalenceClimb:
    """Go back to the best end and take over what is better at the others."""
    watch.steps[:], best.climb.reach = best.steps, 0
    with watch.heeded():
        for end in others:
            exchange(best.climb, end.climb, watch)
    return best.climb


def _tree(scores: LocalScores, limits: Limits, watch: Watch) -> list[int]:
    """Return the maximum-likelihood tree."""
    return class_start(Start.CHOW_LIU, scores.engine, limits, watch)


def _hill_top(scores: LocalScores, limits: Limits, watch: Watch) -> list[int]:
    """Return where hill climbing ends."""
    gains, earlier = Gains.over(scores, limits, limits.required), watch.steps[:]
    climb_dags(gains, watch)
    watch.steps[:] = earlier
    return _if_class_can_start(gains.parents, limits)


def _best_order(
    orders: Orders, order: Sequence[int], scores: LocalScores, limits: Limits, watch: Watch
) -> list[int]:
    """Return the network of the best order that is found from another."""
    return _if_class_can_start(orders.network(order, scores, watch), limits)


def _if_class_can_start(parents: list[int], limits: Limits) -> list[int]:
    """Return a graph unless its class has too many members to start from; else the empty one."""
    return parents if may_start_class(parents) else list(limits.required)
