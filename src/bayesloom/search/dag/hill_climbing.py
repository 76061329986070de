"""Greedy hill climbing over DAGs by adding, deleting and reversing single edges."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from bayesloom.engine import Engine
from bayesloom.graphs import DAG
from bayesloom.scores import BIC, Score, check_score
from bayesloom.search.dag.gains import Gains
from bayesloom.search.facts.moves import Reason
from bayesloom.search.limits import Limits
from bayesloom.search.restriction import chordal_graph, narrowed
from bayesloom.search.result import ScoredResult, Stop
from bayesloom.search.search import BaseSearch
from bayesloom.search.start import Start, check_start, joined_pairs, start_graph
from bayesloom.search.watch import Watch

if TYPE_CHECKING:
    from bayesloom.graphs import ChordalGraph
    from bayesloom.search.neighbourhood import Neighbourhood


@dataclass(frozen=True, slots=True)
class HillClimbing(BaseSearch):
    """Climb from ``start`` to a local optimum of ``score``, over DAGs.

    Each step takes the best of all additions, deletions and reversals of one edge. Restarts climb
    again from the best graph after random legal changes.

    Parameters
    ----------
    score : Score
        What is maximised.
    start : Start or DAG
        The empty graph, the complete graph, the maximum-likelihood tree or a graph of your own.
    restarts : int
        How often to climb again from a perturbed optimum.
    perturb : int, optional
        How many random changes a restart makes; by default a tenth of the number of variables.
    seed : int
        Seed of the random changes.
    within : ChordalGraph or learned Markov network, optional
        Only its links may become edges.

    References
    ----------
    D. Heckerman, D. Geiger, D. Chickering: Learning Bayesian networks, Machine Learning 20, 1995.

    Examples
    --------
    >>> HillClimbing(restarts=-1)
    Traceback (most recent call last):
    bayesloom.errors.OptionError: restarts must be 0 or more, got -1
    """

    score: Score = BIC()
    start: Start | DAG = Start.EMPTY
    restarts: int = 0
    perturb: int | None = None
    seed: int = 0
    within: ChordalGraph | None = None

    def __post_init__(self) -> None:
        check_score(self.score)
        check_start(self.start)
        object.__setattr__(self, "within", chordal_graph(self.within))
        self._check_whole(restarts=0, perturb=1, seed=0)

    def search(self, engine: Engine, limits: Limits, watch: Watch) -> ScoredResult:
        """Run the search; see `bayesloom.learn` for the everyday call."""
        limits = narrowed(limits, self.within)
        start = start_graph(self.start, engine, limits, watch)
        gains = Gains.of(engine, self.score, limits, start, watch.signal)
        climb(gains, watch)
        best, steps = (gains.parents[:], gains.total), watch.steps[:]
        rng: np.random.Generator | None = None  # numpy.random is slow to import
        for _ in range(self.restarts):
            rng = rng or np.random.default_rng(self.seed)
            if not watch.may_go_on():
                break
            first = len(watch.steps)
            gains = gains.elsewhere(best[0])
            with watch.heeded():
                perturb(gains, self.perturb or max(1, engine.n_variables // 10), rng, watch)
            climb(gains, watch)
            if gains.total > best[1] + gains.epsilon:
                best = gains.parents[:], gains.total
                steps += watch.steps[first:]
        dag = DAG(engine.names, tuple(best[0]))
        stop = watch.why(Stop.LOCAL_OPTIMUM)
        return ScoredResult(
            dag, dag, best[1], tuple(steps), stop, gains.candidates, start=joined_pairs(start)
        )

    def walk(self, engine: Engine, limits: Limits, watch: Watch) -> Neighbourhood:
        """Lend the neighbourhood to a constrained search."""
        from bayesloom.search.dag.neighbourhood import DAGNeighbourhood

        limits = narrowed(limits, self.within)
        start = start_graph(self.start, engine, limits, watch)
        return DAGNeighbourhood(Gains.of(engine, self.score, limits, start, watch.signal))


def climb(gains: Gains, watch: Watch) -> None:
    """Take the best move until none improves the score."""
    with watch.heeded():
        while watch.may_go_on() and (move := gains.best(gains.epsilon)) is not None:
            gains.apply(move)
            watch.saw(move.step, gains.total, gains.parents)


def perturb(gains: Gains, changes: int, rng: np.random.Generator, watch: Watch) -> None:
    """Make some random legal moves."""
    for _ in range(changes):
        moves = gains.legal_moves()
        if not moves or not watch.may_go_on():
            break
        move = moves[int(rng.integers(len(moves)))]
        gains.apply(move)
        watch.saw(replace(move.step, reason=Reason.RESTART), gains.total, gains.parents)
