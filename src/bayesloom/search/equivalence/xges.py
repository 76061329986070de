"""Extreme greedy equivalence search: delete before reverse before insert, then second thoughts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bayesloom._native import Operator, OperatorKind
from bayesloom.engine import Engine
from bayesloom.errors import check_flag
from bayesloom.graphs import DAG, bits
from bayesloom.scores import BIC, Score
from bayesloom.search.equivalence.climb import EquivalenceClimb, as_step, check_equivalent
from bayesloom.search.equivalence.optimum_neighbourhood import OptimumNeighbourhood
from bayesloom.search.equivalence.second_thoughts import EAGER, Tried, greedy, think_again
from bayesloom.search.limits import Limits
from bayesloom.search.local_scores import LocalScores
from bayesloom.search.restriction import chordal_graph, narrowed
from bayesloom.search.result import Reason, ScoredResult, Stop
from bayesloom.search.search import BaseSearch
from bayesloom.search.start import Start, check_start, class_start
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
        tree or a graph of your own. By default a search with second thoughts is run twice, from the
        empty graph and from the tree (unless knowledge limits more than adjacencies), and the
        better result is kept.
    within : ChordalGraph or learned Markov network, optional
        Only its links may become edges.

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

    def __post_init__(self) -> None:
        check_equivalent(self.score, "XGES")
        check_flag("extended", self.extended)
        check_flag("regions", self.regions)
        self._check_whole(tries=0)
        if self.start is not None:
            check_start(self.start)
        object.__setattr__(self, "within", chordal_graph(self.within))

    def search(self, engine: Engine, limits: Limits, watch: Watch) -> ScoredResult:
        """Run the search; see `bayesloom.learn` for the everyday call."""
        return self.walk(engine, limits, watch).result(watch, Stop.LOCAL_OPTIMUM)

    def walk(self, engine: Engine, limits: Limits, watch: Watch) -> OptimumNeighbourhood:
        """Climb to the optimum and lend the neighbourhood there to a constrained search.

        The steps of the watch are those that led there; a start that led to less is not told.
        """
        limits = narrowed(limits, self.within)
        scores = LocalScores.audited(engine, self.score, watch.signal)
        parents = class_start(self.start or Start.EMPTY, engine, limits, watch)
        earlier = watch.steps[:]
        climb = EquivalenceClimb.at(parents, scores, limits, EAGER)
        greedy(climb, watch)
        tried = self._nothing_tried(limits)
        climb = think_again(climb, watch, tried)
        steps = watch.steps[:]
        again = self.start is None and self.extended and limits.are_symmetric
        if again and watch.may_go_on():
            other = EquivalenceClimb.at(parents, scores, limits, EAGER)
            with watch.heeded():
                plant(class_start(Start.CHOW_LIU, engine, limits, watch), other, watch)
            greedy(other, watch)
            also_tried = self._nothing_tried(limits)
            also_tried.failed = tried.failed_beyond(other.state.touched(climb.state))
            other = think_again(other, watch, also_tried)
            if other.score > climb.score + climb.epsilon:
                climb, tried = other, also_tried
                steps = earlier + watch.steps[len(steps) :]
        watch.steps[:] = steps
        return OptimumNeighbourhood.of(climb, tried)

    def _nothing_tried(self, limits: Limits) -> Tried:
        most = math.inf if self.tries is None else self.tries * len(limits.names)
        return Tried(self.regions, most if self.extended else 0)


def plant(tree: Sequence[int], climb: EquivalenceClimb, watch: Watch) -> None:
    """Insert the edges of a tree into the class of the empty graph, one after the other."""
    edges = [(x, y) for y, mask in enumerate(tree) for x in bits(mask)]
    climb.scores.ask([], [(y, mask) for x, y in edges for mask in (0, 1 << x)])
    for x, y in edges:
        if not watch.may_go_on():
            return
        op = Operator(OperatorKind.INSERT, x, y, 0, climb.scores[y, 1 << x] - climb.scores[y, 0])
        climb.move(op)
        watch.saw(as_step(op, Reason.TRIAL), climb.score, climb.state)
