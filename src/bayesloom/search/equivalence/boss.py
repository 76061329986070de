"""BOSS: best order score search, one variable after the other to its best place in the order."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from bayesloom.engine import Engine
from bayesloom.graphs import CPDAG, DAG, topological_order
from bayesloom.scores import BIC, Score
from bayesloom.search.dag.order_search import random_order
from bayesloom.search.equivalence.climb import check_equivalent
from bayesloom.search.equivalence.ges import GES
from bayesloom.search.equivalence.grow_shrink_tree import GrowShrinkTrees
from bayesloom.search.equivalence.order_climb import OrderClimb, VariableOrder
from bayesloom.search.limits import Limits
from bayesloom.search.local_scores import LocalScores
from bayesloom.search.result import ScoredResult, Stop
from bayesloom.search.search import BaseSearch
from bayesloom.search.start import joined_pairs
from bayesloom.search.watch import Watch

_MOST_OPEN = 12  # variables that the start of a search over classes may join with open edges


@dataclass(frozen=True, slots=True)
class BOSS(BaseSearch):
    """Best order score search: move every variable to its best place until none moves.

    An order stands for the network in which every variable has the parents that growing and
    shrinking finds among those before it. For every variable all places are tried, at the price of
    two sweeps through the order; grow-shrink trees remember every set of parents that was reached.
    Starts are the order of names and ``restarts`` drawn ones; the best network is then improved
    over equivalence classes, as in `GES`.

    Parameters
    ----------
    score : Score
        What is maximised; it has to give equivalent graphs the same value.
    restarts : int
        How many further orders to start from.
    seed : int
        Of these orders.

    References
    ----------
    B. Andrews, J. Ramsey, R. Sanchez Romero, J. Camchong, E. Kummerfeld: Fast scalable and accurate
    discovery of DAGs using the best order score search and grow-shrink trees, NeurIPS 2023.

    Examples
    --------
    >>> BOSS(restarts=-1)
    Traceback (most recent call last):
    bayesloom.errors.OptionError: restarts must be 0 or more, got -1
    """

    score: Score = BIC()
    restarts: int = 4
    seed: int = 0

    def __post_init__(self) -> None:
        check_equivalent(self.score, "BOSS")
        self._check_whole(restarts=0, seed=0)

    def search(self, engine: Engine, limits: Limits, watch: Watch) -> ScoredResult:
        """Run the search; see `bayesloom.learn` for the everyday call."""
        scores = LocalScores.audited(engine, self.score, watch.signal)
        if scores.audit is not None:
            scores.audit.probe(limits)
        best: ScoredResult | None = None
        with watch.heeded():
            trees = GrowShrinkTrees(scores, limits)
            for order in self._starts(limits):
                walk = OrderClimb(trees, VariableOrder(order), watch)
                parents = walk.improved()
                watch.steps[:] = walk.steps()  # told are those to the network, not to the order
                found = _improved(parents, scores, limits, watch)
                if best is None or found.score > best.score + trees.epsilon:
                    best = found
                if not watch.may_go_on():
                    break
        if best is None:
            best = _improved(list(limits.required), scores, limits, watch)
        return replace(best, stop=watch.why(best.stop), candidates=len(scores))

    def _starts(self, limits: Limits) -> list[list[int]]:
        """Return the orders to start from; required edges go forward in each."""
        orders = [list(topological_order(limits.required))]
        if self.restarts:
            rng = np.random.default_rng(self.seed)
            orders += [list(random_order(limits, rng)) for _ in range(self.restarts)]
        return orders


def _improved(
    parents: list[int], scores: LocalScores, limits: Limits, watch: Watch
) -> ScoredResult:
    """Go on over equivalence classes from a network, unless too many of its edges are open."""
    dag = DAG(limits.names, tuple(parents))
    pairs = zip(parents, CPDAG.of(dag).neighbour_masks, strict=True)
    if max((mask & near).bit_count() for mask, near in pairs) < _MOST_OPEN:
        found = GES(scores.score, start=dag).climb(scores, limits, watch)
        return replace(found, start=joined_pairs(limits.required))
    steps, stop = tuple(watch.steps), watch.why(Stop.LOCAL_OPTIMUM)
    start = joined_pairs(limits.required)
    return ScoredResult(dag, dag, scores.total(parents), steps, stop, len(scores), start=start)
