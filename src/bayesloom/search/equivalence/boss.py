"""BOSS: best order score search, one variable after the other to its best place in the order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from bayesloom.engine import Engine
from bayesloom.graphs import CPDAG, DAG, topological_order
from bayesloom.scores import BIC, Score
from bayesloom.search.dag.k2 import predecessors
from bayesloom.search.dag.order_search import random_order
from bayesloom.search.equivalence.climb import check_equivalent
from bayesloom.search.equivalence.ges import GES
from bayesloom.search.equivalence.grow_shrink_tree import (
    ForeseenTrees,
    GrowShrinkTrees,
    Question,
)
from bayesloom.search.facts.moves import Step
from bayesloom.search.foresight import Foresight
from bayesloom.search.limits import Limits
from bayesloom.search.local_scores import LocalScores
from bayesloom.search.result import ScoredResult, Stop
from bayesloom.search.search import BaseSearch
from bayesloom.search.start import joined_pairs
from bayesloom.search.watch import Watch

_LEAST_GAIN = 1e-6  # of a move, so that sums in another order are no reason for one
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
                walk = _OrderWalk(trees, order, watch)
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


@dataclass(frozen=True, slots=True)
class _Around:
    """What is asked to find a variable its place: the others before it, after it, and itself."""

    v: int
    rest: list[int]
    without: list[Question]
    with_v: list[Question]
    own: list[Question]

    @classmethod
    def of(cls, v: int, order: Sequence[int]) -> _Around:
        """Take a variable out of an order."""
        rest = [w for w in order if w != v]
        pairs = predecessors(rest)
        befores = [*(before for _, before in pairs), sum(1 << w for w in rest)]
        with_v = [(w, before | 1 << v) for w, before in pairs]
        return cls(v, rest, pairs, with_v, [(v, before) for before in befores])

    @property
    def questions(self) -> list[Question]:
        """All of them."""
        return [*self.without, *self.with_v, *self.own]


@dataclass(slots=True)
class _OrderWalk:
    """An order of the variables that gets better move by move."""

    trees: GrowShrinkTrees
    order: list[int]
    watch: Watch
    moves: int = 0
    ahead: ForeseenTrees | None = None
    """Where the rows are far: the trees of a copy that runs ahead."""

    def improved(self) -> list[int]:
        """Move variables until no move helps; return the parents in the network of the order."""
        total = self._total()
        parents, moved = self._parents(), True
        with self.watch.heeded():
            while moved:
                moved = False
                for v in sorted(self.order):
                    if not self.watch.may_go_on(ahead=self.moves):
                        return parents
                    place, value = self._best_place(v)
                    if value > total + _LEAST_GAIN:
                        self.order.remove(v)
                        self.order.insert(place, v)
                        total, parents, moved = value, self._parents(), True
                        self.moves += 1
        return parents

    def steps(self) -> list[Step]:
        """Return the steps to the network of the order, variable by variable."""
        return [step for pair in predecessors(self.order) for step in self.trees.steps(*pair)]

    def _total(self) -> float:
        """Return the score of the order."""
        pairs = predecessors(self.order)
        self.trees.settle(pairs)
        return sum(self.trees.known[pair][1] for pair in pairs)

    def _parents(self) -> list[int]:
        """Return the parents of every variable in the network of the order."""
        pairs = predecessors(self.order)
        self.trees.settle(pairs)
        masks = [0] * len(pairs)
        for v, before in pairs:
            masks[v] = self.trees.known[v, before][0]
        return masks

    def _best_place(self, v: int) -> tuple[int, float]:
        """Return where in the order a variable is best, and the score with it there."""
        around = _Around.of(v, self.order)
        with self.trees.scores.guessing(self._go_ahead, v):
            self.trees.settle(around.questions)
        return self._best_of(around)

    def _best_of(self, around: _Around) -> tuple[int, float]:
        """Return the best place for a variable, given the parents for all that it takes."""
        known = self.trees.known
        first = np.cumsum([0.0, *(known[pair][1] for pair in around.without)])
        after = np.cumsum([0.0, *(known[pair][1] for pair in reversed(around.with_v))])[::-1]
        values = first + after + np.array([known[pair][1] for pair in around.own])
        low, high = self._allowed_places(around.v, around.rest)
        place = low + int(values[low : high + 1].argmax())
        return place, float(values[place])

    def _go_ahead(self, sight: Foresight, v: int) -> None:
        """Note what the variables after one will ask for; move them where scores are known."""
        if self.ahead is None:
            self.ahead = ForeseenTrees(self.trees, sight)
        scout = _OrderWalk(self.ahead, self.order[:], self.watch)
        every = sorted(self.order)
        for u in (*every[v:], *every[:v]):
            if not self.ahead.sight.has_room:
                return
            around = _Around.of(u, scout.order)
            self.ahead.settle(around.questions)
            if all(question in self.ahead.known for question in around.questions):
                place, _ = scout._best_of(around)
                scout.order = [*around.rest[:place], u, *around.rest[place:]]

    def _allowed_places(self, v: int, rest: Sequence[int]) -> tuple[int, int]:
        """Return the first and the last place that required edges leave a variable."""
        required = self.trees.limits.required
        low = max((k + 1 for k, w in enumerate(rest) if required[v] >> w & 1), default=0)
        high = min((k for k, w in enumerate(rest) if required[w] >> v & 1), default=len(rest))
        return low, high


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
