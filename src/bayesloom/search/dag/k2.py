"""K2: greedy parent sets for a given order of the variables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from bayesloom.engine import Engine
from bayesloom.errors import (
    KnowledgeError,
    OptionError,
    UnknownVariableError,
    check_flag,
    checked_names,
)
from bayesloom.graphs import DAG, bits
from bayesloom.scores import K2Score, Score, check_score
from bayesloom.search.facts.moves import Step
from bayesloom.search.limits import Limits
from bayesloom.search.local_scores import LocalScores, tolerance
from bayesloom.search.result import ScoredResult, Stop
from bayesloom.search.search import BaseSearch
from bayesloom.search.start import joined_pairs
from bayesloom.search.watch import Watch


class Greedy(NamedTuple):
    """A greedy parent set, its local score and the steps that led to it."""

    parents: int
    score: float
    steps: tuple[Step, ...]


MOST_PARENT_SETS = 200_000  # sets of parents
_TABLES = 1 << 22  # asked for in one batch


@dataclass(slots=True)
class GreedyParents:
    """Greedy parent sets: add the parent that helps most while one helps.

    All variables that are asked for at a time grow together, so that every round is one batch.
    When the watch says stop, the sets stay as they are.
    """

    scores: LocalScores
    limits: Limits
    watch: Watch
    shrink: bool
    epsilon: float
    known: dict[tuple[int, int], Greedy] = field(default_factory=dict)

    @classmethod
    def of(
        cls, engine: Engine, score: Score, limits: Limits, watch: Watch, *, shrink: bool
    ) -> GreedyParents:
        """Start with nothing known."""
        scores = LocalScores(engine, score, watch.signal)
        total = sum(scores.known(list(enumerate(limits.required))))
        return cls(scores, limits, watch, shrink, tolerance(total))

    def find(self, wanted: Iterable[tuple[int, int]]) -> None:
        """Find the parents of each (variable, mask of predecessors) that is not known yet."""
        required = self.limits.required
        if len(self.known) > MOST_PARENT_SETS:
            self.known.clear()
        alone = self.scores.known(list(enumerate(required)))
        sets = {
            (v, before): Greedy(required[v], alone[v], ())
            for v, before in wanted
            if (v, before) not in self.known
        }
        for change in (self._grow, self._shrink) if self.shrink else (self._grow,):
            changing = sets
            with self.watch.heeded():
                while changing and self.watch.may_go_on():
                    changing = change(changing)
                    sets = {**sets, **changing}
        self.known.update(sets)

    def _grow(self, sets: dict[tuple[int, int], Greedy]) -> dict[tuple[int, int], Greedy]:
        """Add the best parent where one helps; return what grew."""
        free = {
            (v, before): before & self.limits.allowed[v] & ~found.parents
            for (v, before), found in sets.items()
            if found.parents.bit_count() < self.limits.most
        }
        wanted = [(key, mask) for key, mask in free.items() if mask]
        per_block = max(1, _TABLES // max(1, len(self.limits.names)))
        grown = {}
        for first in range(0, len(wanted), per_block):
            block = wanted[first : first + per_block]
            self.scores.ask([(key[0], sets[key].parents, mask) for key, mask in block])
            for key, mask in block:
                xs = bits(mask)
                values = self.scores.row(key[0], sets[key].parents)[xs].tolist()
                better = self._better(key[0], sets[key], "insert", xs, values)
                if better is not None:
                    grown[key] = better
        return grown

    def _shrink(self, sets: dict[tuple[int, int], Greedy]) -> dict[tuple[int, int], Greedy]:
        """Take away the parent that hurts most where one does; return what shrank."""
        options = {
            (v, before): bits(found.parents & ~self.limits.required[v])
            for (v, before), found in sets.items()
        }
        self.scores.ask(
            [], [(key[0], sets[key].parents ^ 1 << x) for key, xs in options.items() for x in xs]
        )
        shrunk = {}
        for key, xs in options.items():
            values = [self.scores[key[0], sets[key].parents ^ 1 << x] for x in xs]
            better = self._better(key[0], sets[key], "delete", xs, values)
            if better is not None:
                shrunk[key] = better
        return shrunk

    def _better(
        self, v: int, found: Greedy, operator: str, xs: Sequence[int], values: Sequence[float]
    ) -> Greedy | None:
        """Return the best of the changed sets if it is better; ties go to the first variable."""
        top = max(values, default=-np.inf)
        if not top > found.score + self.epsilon:
            return None
        k = next(k for k, value in enumerate(values) if value >= top - self.epsilon)
        step = Step(operator, xs[k], v, values[k] - found.score)
        return Greedy(found.parents ^ 1 << xs[k], values[k], (*found.steps, step))

    def steps(self, order: Sequence[int]) -> list[Step]:
        """Return the steps to the greedy network of an order, variable by variable."""
        pairs = predecessors(order)
        self.find(pairs)
        return [step for pair in pairs for step in self.known[pair].steps]


def predecessors(order: Sequence[int]) -> list[tuple[int, int]]:
    """Return (variable, mask of the variables before it) for every variable of an order."""
    pairs, before = [], 0
    for v in order:
        pairs.append((v, before))
        before |= 1 << v
    return pairs


def checked_order(order: Iterable[str]) -> tuple[str, ...]:
    """Return an order as a tuple if it is a list that names nothing twice."""
    names = checked_names("order", order)
    for name in names:
        if names.count(name) > 1:
            msg = f"the order names the variable {name!r} twice"
            raise OptionError(msg)
    return names


def indexed_order(order: Sequence[str], names: Sequence[str], limits: Limits) -> list[int]:
    """Return an order as indices.

    Raises
    ------
    OptionError
        If the order misses a variable.
    KnowledgeError
        If a required edge goes against it.
    """
    index = {name: v for v, name in enumerate(names)}
    for name in order:
        if name not in index:
            raise UnknownVariableError(name, names, "in the order")
    for name in names:
        if name not in order:
            msg = f"the order misses the variable {name!r}; it must name every variable once"
            raise OptionError(msg)
    indices = [index[name] for name in order]
    for v, before in predecessors(indices):
        for p in bits(limits.required[v] & ~before):
            msg = f"the edge {names[p]} -> {names[v]} is required but goes against the order"
            raise KnowledgeError(msg)
    return indices


@dataclass(frozen=True, slots=True)
class K2(BaseSearch):
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
        check_score(self.score)
        object.__setattr__(self, "order", checked_order(self.order))
        check_flag("shrink", self.shrink)

    def search(self, engine: Engine, limits: Limits, watch: Watch) -> ScoredResult:
        """Run the search; see `bayesloom.learn` for the everyday call."""
        order = indexed_order(self.order, engine.names, limits)
        greedy = GreedyParents.of(engine, self.score, limits, watch, shrink=self.shrink)
        total = self.score.total(engine, limits.required)
        for step in greedy.steps(order):
            # Whatever else ends the search, the steps it has found are kept.
            if not watch.may_go_on() and watch.stopped is Stop.STEP_LIMIT:
                break
            total += step.gain
            watch.saw(step, total)
        return network_of(watch.steps, greedy, Stop.COMPLETE)


def network_of(steps: Sequence[Step], greedy: GreedyParents, stop: Stop) -> ScoredResult:
    """Return the network that the steps lead to."""
    engine, score = greedy.scores.engine, greedy.scores.score
    parents = list(greedy.limits.required)
    for step in steps:
        parents[step.y] ^= 1 << step.x
    dag = DAG(engine.names, tuple(parents))
    total, candidates = score.total(engine, parents), len(greedy.scores)
    return ScoredResult(
        dag,
        dag,
        total,
        tuple(steps),
        greedy.watch.why(stop),
        candidates,
        start=joined_pairs(greedy.limits.required),
    )
