"""K2: greedy parent sets for a given order of the variables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from bayesloom.engine import Engine
from bayesloom.errors import KnowledgeError, OptionError, UnknownVariableError
from bayesloom.graphs import DAG, bits
from bayesloom.scores import K2Score, Score
from bayesloom.search.gains import tolerance
from bayesloom.search.limits import Limits
from bayesloom.search.local_scores import LocalScores
from bayesloom.search.result import SearchResult, Step, Stop
from bayesloom.search.watch import Watch


@dataclass(slots=True)
class GreedyParents:
    """Greedy parent sets: add the parent that helps most while one helps.

    All variables that are asked for at a time grow together, so that every round is one batch.
    """

    scores: LocalScores
    limits: Limits
    shrink: bool
    epsilon: float
    known: dict[tuple[int, int], tuple[int, float]] = field(default_factory=dict)

    @classmethod
    def of(cls, engine: Engine, score: Score, limits: Limits, *, shrink: bool) -> GreedyParents:
        """Start with nothing known."""
        scores = LocalScores(engine, score)
        families = [(v, limits.required[v]) for v in range(engine.n_variables)]
        scores.ask([], families)
        total = sum(scores[family] for family in families)
        return cls(scores, limits, shrink, tolerance(total))

    def find(self, wanted: Sequence[tuple[int, int]]) -> None:
        """Find the parents of each (variable, mask of predecessors) that is not known yet."""
        growing = {key: self.limits.required[key[0]] for key in wanted if key not in self.known}
        sets = dict(growing)
        while growing:
            grown = self._grow(growing)
            sets.update(grown)
            growing = grown
        if self.shrink:
            self._shrink(sets)
        self.scores.ask([], [(v, mask) for (v, _), mask in sets.items()])
        for (v, before), mask in sets.items():
            self.known[v, before] = mask, self.scores[v, mask]

    def _grow(self, growing: dict[tuple[int, int], int]) -> dict[tuple[int, int], int]:
        """Add the best parent where one helps; return what grew."""
        open_ = {
            key: key[1] & self.limits.allowed[key[0]] & ~mask
            for key, mask in growing.items()
            if mask.bit_count() < self.limits.most
        }
        rows = [(key[0], growing[key], free) for key, free in open_.items() if free]
        self.scores.ask(rows)
        grown = {}
        for key, free in open_.items():
            if not free:
                continue
            v, mask = key[0], growing[key]
            xs = bits(free)
            values = self.scores.rows[v, mask][xs]
            best = values.max()
            if best > self.scores[v, mask] + self.epsilon:
                x = xs[int(np.argmax(values >= best - self.epsilon))]
                grown[key] = mask | 1 << x
        return grown

    def _shrink(self, sets: dict[tuple[int, int], int]) -> None:
        """Take away parents as long as that helps."""
        shrinking = list(sets)
        while shrinking:
            options = {
                key: [
                    sets[key] & ~(1 << x) for x in bits(sets[key] & ~self.limits.required[key[0]])
                ]
                for key in shrinking
            }
            asked = [(key[0], mask) for key, masks in options.items() for mask in masks]
            self.scores.ask([], asked + [(key[0], sets[key]) for key in options])
            shrinking = []
            for key, masks in options.items():
                values = [self.scores[key[0], mask] for mask in masks]
                if values and max(values) > self.scores[key[0], sets[key]] + self.epsilon:
                    top = max(values) - self.epsilon
                    sets[key] = next(m for m, s in zip(masks, values, strict=True) if s >= top)
                    shrinking.append(key)


def predecessors(order: Sequence[int]) -> list[tuple[int, int]]:
    """Return (variable, mask of the variables before it) for every variable of an order."""
    pairs, before = [], 0
    for v in order:
        pairs.append((v, before))
        before |= 1 << v
    return pairs


def indexed_order(order: Sequence[str], names: Sequence[str], limits: Limits) -> list[int]:
    """Return an order as indices.

    Raises
    ------
    OptionError
        If the order misses a variable or has one twice.
    KnowledgeError
        If a required edge goes against it.
    """
    index = {name: v for v, name in enumerate(names)}
    for name in order:
        if name not in index:
            raise UnknownVariableError(name, names)
    for name in names:
        if (times := list(order).count(name)) != 1:
            what = "misses" if times == 0 else f"has {times} times"
            msg = f"the order {what} the variable {name!r}; it must name every variable once"
            raise OptionError(msg)
    indices = [index[name] for name in order]
    for v, before in predecessors(indices):
        for p in bits(limits.required[v] & ~before):
            msg = f"the edge {names[p]} -> {names[v]} is required but goes against the order"
            raise KnowledgeError(msg)
    return indices


@dataclass(frozen=True, slots=True)
class K2:
    """Find parents greedily among the variables that come before in a given order.

    With the K2 score this is Cooper and Herskovits' algorithm; with any other score it is what
    lecture notes call K3.

    Parameters
    ----------
    order : list of str
        All variables, causes first.
    score : Score
        What is maximised for every variable.
    shrink : bool
        Take parents away again where that helps, after growing.

    References
    ----------
    G. F. Cooper, E. Herskovits: A Bayesian method for the induction of probabilistic networks from
    data, Machine Learning 9, 1992.

    Examples
    --------
    >>> K2(order=["A", "B", "A"])
    Traceback (most recent call last):
    bayesloom.errors.OptionError: the order names the variable 'A' twice
    """

    order: tuple[str, ...]
    score: Score = K2Score()
    shrink: bool = False

    def __post_init__(self) -> None:
        if isinstance(self.order, str):
            msg = f"the order must be a list of variables, got the text {self.order!r}"
            raise OptionError(msg)
        object.__setattr__(self, "order", tuple(self.order))
        for name in self.order:
            if self.order.count(name) > 1:
                msg = f"the order names the variable {name!r} twice"
                raise OptionError(msg)

    def search(self, engine: Engine, limits: Limits, watch: Watch) -> SearchResult:
        """Run the search; see `bayesloom.learn` for the everyday call."""
        order = indexed_order(self.order, engine.names, limits)
        greedy = GreedyParents.of(engine, self.score, limits, shrink=self.shrink)
        return network_of(order, greedy, engine, watch, Stop.COMPLETE)


def network_of(
    order: Sequence[int], greedy: GreedyParents, engine: Engine, watch: Watch, stop: Stop
) -> SearchResult:
    """Return the network of greedy parents for an order."""
    pairs = predecessors(order)
    greedy.find(pairs)
    parents = [0] * len(pairs)
    for v, before in pairs:
        parents[v] = greedy.known[v, before][0]
    alone = [(v, greedy.limits.required[v]) for v, _ in pairs]
    total = sum(greedy.scores[family] for family in alone)
    for v, before in pairs:
        gain = greedy.known[v, before][1] - greedy.scores[v, greedy.limits.required[v]]
        total += gain
        new = bits(parents[v] & ~greedy.limits.required[v])
        for k, x in enumerate(new):
            last = k == len(new) - 1
            watch.saw(Step("insert", x, v, gain if last else 0.0), total)
    dag = DAG(engine.names, tuple(parents))
    score = greedy.scores.score.total(engine, parents)
    return SearchResult(dag, dag, score, tuple(watch.steps), watch.why(stop), len(greedy.scores))
