"""Tabu search over DAGs: go on from a local optimum, but never back to a recent graph."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from bayesloom.engine import Engine
from bayesloom.graphs import DAG, equivalent
from bayesloom.scores import BIC, Score, check_score
from bayesloom.search.dag.gains import Gains, Move
from bayesloom.search.dag.neighbourhood import DAGNeighbourhood
from bayesloom.search.dag.recent_graphs import RecentGraphs
from bayesloom.search.equivalence.ges import GES
from bayesloom.search.limits import Limits
from bayesloom.search.neighbourhood import Neighbourhood
from bayesloom.search.restriction import chordal_graph, narrowed
from bayesloom.search.result import ScoredResult, Stop
from bayesloom.search.search import BaseSearch
from bayesloom.search.start import Start, check_start, joined_pairs, start_graph
from bayesloom.search.watch import Watch

if TYPE_CHECKING:
    from bayesloom.graphs import ChordalGraph


@dataclass(frozen=True, slots=True)
class Tabu(BaseSearch):
    """Take the best move that does not lead back to a recent graph, even if the score falls.

    Parameters
    ----------
    score : Score
        What is maximised.
    start : Start or DAG, optional
        Where to start. By default the search is run twice, from the empty graph and from the
        optimum of a greedy climb over equivalence classes (if the score is equal for equivalent
        graphs, and the climb ends in another class), and the better result is kept: the one finds
        what the other misses.
    length : int
        How many of the last graphs are forbidden.
    patience : int
        How many moves without a new best graph end the search.
    within : ChordalGraph or learned Markov network, optional
        Only its links may become edges.

    References
    ----------
    F. Glover: Tabu search, part I, ORSA Journal on Computing 1, 1989.

    Examples
    --------
    >>> Tabu(length=0)
    Traceback (most recent call last):
    bayesloom.errors.OptionError: length must be at least 1, got 0
    """

    score: Score = BIC()
    start: Start | DAG | None = None
    length: int = 100
    patience: int = 15
    within: ChordalGraph | None = None

    def __post_init__(self) -> None:
        check_score(self.score)
        object.__setattr__(self, "within", chordal_graph(self.within))
        if self.start is not None:
            check_start(self.start)
        self._check_whole(length=1, patience=1)

    def search(self, engine: Engine, limits: Limits, watch: Watch) -> ScoredResult:
        """Run the search; see `bayesloom.learn` for the everyday call."""
        limits = narrowed(limits, self.within)
        start = start_graph(self.start or Start.EMPTY, engine, limits, watch)
        gains = Gains.of(engine, self.score, limits, start, watch.signal)
        best = self._search_from(gains, watch, 0)
        if self.start is None and self.score.equivalent and watch.may_go_on():
            first = len(watch.steps)
            climbed = GES(score=self.score).climb(gains.scores, limits, watch)
            if not equivalent(climbed.dag.parent_masks, best.dag.parent_masks):
                gains = gains.elsewhere(climbed.dag.parent_masks)
                found = self._search_from(gains, watch, first)
                if found.score > best.score + gains.epsilon:
                    best = found
        return replace(
            best,
            stop=watch.why(Stop.PATIENCE),
            candidates=gains.candidates,
            start=joined_pairs(start),
        )

    def _search_from(self, gains: Gains, watch: Watch, first: int) -> ScoredResult:
        """Search from the graph at hand; the result has the steps from ``first`` on."""
        recent = RecentGraphs.of(gains.parents, self.length)
        best, best_score, since = gains.parents[:], gains.total, 0
        with watch.heeded():
            while since < self.patience and watch.may_go_on():
                move = best_move(gains, recent)
                if move is None:
                    break
                gains.apply(move)
                recent.add(move)
                watch.saw(move.step, gains.total, gains.parents)
                since += 1
                if gains.total > best_score + gains.epsilon:
                    best, best_score, since = gains.parents[:], gains.total, 0
        dag = DAG(gains.limits.names, tuple(best))
        steps = tuple(watch.steps[first : len(watch.steps) - since])
        return ScoredResult(dag, dag, best_score, steps, Stop.PATIENCE, 0)

    def walk(self, engine: Engine, limits: Limits, watch: Watch) -> Neighbourhood:
        """Lend the neighbourhood to a constrained search."""
        limits = narrowed(limits, self.within)
        start = start_graph(self.start or Start.EMPTY, engine, limits, watch)
        gains = Gains.of(engine, self.score, limits, start, watch.signal)
        return DAGNeighbourhood(gains, RecentGraphs.of(gains.parents, self.length), self.patience)


def best_move(gains: Gains, recent: RecentGraphs) -> Move | None:
    """Return the best legal move to a graph that is not among the recent ones."""
    barred: list[Move] = []
    while (move := gains.best(-np.inf, barred)) is not None and move in recent:
        barred.append(move)
    return move
