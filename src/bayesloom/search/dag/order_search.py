"""Search over orders of the variables, with greedy parents inside."""

from __future__ import annotations

import math
import sys
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from bayesloom.arrays import Floats
from bayesloom.engine import Engine
from bayesloom.errors import check_flag
from bayesloom.graphs import bits, mask_of, topological_order
from bayesloom.scores import BIC, Score, check_score
from bayesloom.search.dag.k2 import (
    GreedyParents,
    checked_order,
    indexed_order,
    network_of,
    predecessors,
)
from bayesloom.search.facts.moves import Step
from bayesloom.search.limits import Limits
from bayesloom.search.result import ScoredResult, Stop
from bayesloom.search.search import BaseSearch
from bayesloom.search.watch import Watch

Order = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class OrderSearch(BaseSearch):
    """Climb over orders by swapping neighbours; every order stands for its greedy network.

    ``max_steps`` limits the swaps; the steps of the result are those of its greedy network.

    Parameters
    ----------
    score : Score
        What is maximised.
    order : list of str, optional
        Where to start; by default a random order.
    restarts : int
        How many further random orders to start from.
    length : int
        How many of the last orders are tabu.
    patience : int
        How many swaps without a new best order end a climb.
    shrink : bool
        Take parents away again where that helps, after growing.
    seed : int
        Seed of the random orders.

    References
    ----------
    M. Teyssier, D. Koller: Ordering-based search, UAI 2005.

    Examples
    --------
    >>> OrderSearch(patience=0)
    Traceback (most recent call last):
    bayesloom.errors.OptionError: patience must be at least 1, got 0
    """

    score: Score = BIC()
    order: tuple[str, ...] | None = None
    restarts: int = 4
    length: int = 100
    patience: int = 10
    shrink: bool = True
    seed: int = 0

    def __post_init__(self) -> None:
        self._check_whole(restarts=0, length=1, patience=1, seed=0)
        check_score(self.score)
        check_flag("shrink", self.shrink)
        if self.order is not None:
            object.__setattr__(self, "order", checked_order(self.order))

    def search(self, engine: Engine, limits: Limits, watch: Watch) -> ScoredResult:
        """Run the search; see `bayesloom.learn` for the everyday call."""
        rng = np.random.default_rng(self.seed)
        if self.order is not None:
            start = tuple(indexed_order(self.order, engine.names, limits))
        else:
            start = random_order(limits, rng)
        greedy = GreedyParents.of(engine, self.score, limits, watch, shrink=self.shrink)
        best = self._climb(start, greedy, watch)
        for _ in range(self.restarts):
            if not watch.may_go_on():
                break
            found = self._climb(random_order(limits, rng), greedy, watch)
            if found[0] > best[0] + greedy.epsilon:
                best = found
        network = network_of(best[1], greedy, Stop.PATIENCE)
        if network.stop is not Stop.STEP_LIMIT:
            return network
        swaps = len(watch.steps)
        note = (
            f"the step limit counts swaps of neighbours in the order of the variables ({swaps:,}); "
            "the steps told are those to the network of the best order"
        )
        return replace(network, notes=(note,))

    def _climb(self, start: Order, greedy: GreedyParents, watch: Watch) -> tuple[float, list[Step]]:
        """Take the best swap to an order that is not tabu until patience ends.

        Return the best score and the steps to its network: what is known may be forgotten later.
        """
        order = start
        recent = deque([order], maxlen=min(self.length, sys.maxsize))
        score = score_of(order, greedy)
        best, since = (score, greedy.steps(order)), 0
        while since < self.patience and watch.may_go_on():
            gains = swap_gains(order, greedy)
            allowed = [int(k) for k in np.argsort(-gains, kind="stable") if gains[k] > -np.inf]
            swap = next((k for k in allowed if swapped(order, k) not in recent), None)
            if swap is None:
                break
            step = Step("swap", order[swap], order[swap + 1], float(gains[swap]))
            order = swapped(order, swap)
            recent.append(order)
            score = score_of(order, greedy)
            watch.saw(step, score)
            since += 1
            if score > best[0] + greedy.epsilon:
                best, since = (score, greedy.steps(order)), 0
        return best


def score_of(order: Order, greedy: GreedyParents) -> float:
    """Return the score of the greedy network of an order."""
    pairs = predecessors(order)
    greedy.find(pairs)
    return math.fsum(greedy.known[pair].score for pair in pairs)


def swapped(order: Order, k: int) -> Order:
    """Return the order with the variables at places k and k + 1 swapped."""
    return (*order[:k], order[k + 1], order[k], *order[k + 2 :])


def swap_gains(order: Sequence[int], greedy: GreedyParents) -> Floats:
    """Return the change of the score for each swap of neighbours, -inf if one is not allowed."""
    pairs = predecessors(order)
    wanted = []
    for (u, before), (v, _) in pairwise(pairs):
        wanted += [(v, before), (u, before | 1 << v)]
    greedy.find([*pairs, *wanted])
    gains = np.empty(len(order) - 1)
    for k, ((u, before), (v, after)) in enumerate(pairwise(pairs)):
        new = greedy.known[v, before].score + greedy.known[u, before | 1 << v].score
        old = greedy.known[u, before].score + greedy.known[v, after].score
        gains[k] = -np.inf if greedy.limits.required[v] >> u & 1 else new - old
    return gains


def random_order(limits: Limits, rng: np.random.Generator) -> Order:
    """Draw an order in which required edges go forward."""
    order = [int(v) for v in rng.permutation(len(limits.names))]
    rank = {v: k for k, v in enumerate(order)}
    moved = [mask_of(rank[p] for p in bits(limits.required[v])) for v in order]
    return tuple(order[k] for k in topological_order(moved))
