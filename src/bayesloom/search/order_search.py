"""Search over orders of the variables, with greedy parents inside."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from bayesloom.engine import Engine
from bayesloom.engine.batch import Floats
from bayesloom.errors import OptionError
from bayesloom.graphs import topological_order
from bayesloom.scores import BIC, Score
from bayesloom.search.k2 import GreedyParents, indexed_order, network_of, predecessors
from bayesloom.search.limits import Limits
from bayesloom.search.result import SearchResult, Stop
from bayesloom.search.watch import Watch

Order = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class OrderSearch:
    """Climb over orders by swapping neighbours; every order stands for its greedy network.

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
        for name, least in (("restarts", 0), ("length", 1), ("patience", 1)):
            if getattr(self, name) < least:
                msg = f"{name} must be at least {least}, got {getattr(self, name)}"
                raise OptionError(msg)
        if self.order is not None:
            object.__setattr__(self, "order", tuple(self.order))

    def search(self, engine: Engine, limits: Limits, watch: Watch) -> SearchResult:
        """Run the search; see `bayesloom.learn` for the everyday call."""
        greedy = GreedyParents.of(engine, self.score, limits, shrink=self.shrink)
        best: tuple[float, Order] | None = None
        for start in self._starts(engine, limits):
            if best is not None and not watch.may_go_on():
                break
            found = self._climb(start, greedy, watch)
            if best is None or found[0] > best[0] + greedy.epsilon:
                best = found
        assert best is not None
        return network_of(best[1], greedy, engine, watch, Stop.PATIENCE)

    def _starts(self, engine: Engine, limits: Limits) -> Iterator[Order]:
        rng = np.random.default_rng(self.seed)
        if self.order is not None:
            yield tuple(indexed_order(self.order, engine.names, limits))
        for _ in range(self.restarts + (self.order is None)):
            yield random_order(limits, rng)

    def _climb(self, start: Order, greedy: GreedyParents, watch: Watch) -> tuple[float, Order]:
        """Take the best swap to an order that is not tabu until patience ends."""
        order = start
        recent = deque([order], maxlen=self.length)
        greedy.find(predecessors(order))
        score = sum(greedy.known[pair][1] for pair in predecessors(order))
        best, since = (score, order), 0
        while since < self.patience and watch.may_go_on():
            gains = swap_gains(order, greedy)
            allowed = [k for k in np.argsort(-gains, kind="stable") if gains[k] > -np.inf]
            after = next((o for k in allowed if (o := swapped(order, int(k))) not in recent), None)
            if after is None:
                break
            score = sum(greedy.known[pair][1] for pair in predecessors(after))
            order = after
            recent.append(order)
            since += 1
            if score > best[0] + greedy.epsilon:
                best, since = (score, order), 0
        return best


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
        new = greedy.known[v, before][1] + greedy.known[u, before | 1 << v][1]
        old = greedy.known[u, before][1] + greedy.known[v, after][1]
        gains[k] = -np.inf if greedy.limits.required[v] >> u & 1 else new - old
    return gains


def random_order(limits: Limits, rng: np.random.Generator) -> Order:
    """Draw an order in which required edges go forward."""
    order = [int(v) for v in rng.permutation(len(limits.names))]
    rank = {v: k for k, v in enumerate(order)}
    moved = [
        sum(1 << rank[p] for p in range(len(order)) if limits.required[v] >> p & 1) for v in order
    ]
    return tuple(order[k] for k in topological_order(moved))
