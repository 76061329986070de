"""Tabu search over DAGs: go on from a local optimum, but never back to a recent graph."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from bayesloom.engine import Engine
from bayesloom.errors import OptionError
from bayesloom.graphs import DAG, bits
from bayesloom.scores import BIC, Score
from bayesloom.search.gains import Gains, Move, tolerance
from bayesloom.search.ges import GES
from bayesloom.search.limits import Limits
from bayesloom.search.result import SearchResult, Step, Stop
from bayesloom.search.start import Start, start_graph
from bayesloom.search.watch import Watch


@dataclass(frozen=True, slots=True)
class Tabu:
    """Take the best move that does not lead back to a recent graph, even if the score falls.

    Parameters
    ----------
    score : Score
        What is maximised.
    start : Start or DAG, optional
        Where to start. By default the search is run twice, from the empty graph and from the
        optimum of a greedy climb over equivalence classes (if the score is equal for equivalent
        graphs), and the better result is kept: the one finds what the other misses.
    length : int
        How many of the last graphs are forbidden.
    patience : int
        How many moves without a new best graph end the search.

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

    def __post_init__(self) -> None:
        if self.length < 1:
            msg = f"length must be at least 1, got {self.length}"
            raise OptionError(msg)
        if self.patience < 1:
            msg = f"patience must be at least 1, got {self.patience}"
            raise OptionError(msg)

    def search(self, engine: Engine, limits: Limits, watch: Watch) -> SearchResult:
        """Run the search; see `bayesloom.learn` for the everyday call."""
        starts: list[Start | DAG | GES] = [self.start or Start.EMPTY]
        if self.start is None and self.score.equivalent:
            starts.append(GES(score=self.score))
        best: SearchResult | None = None
        candidates = 0
        for start in starts:
            if best is not None and not watch.may_go_on():
                break
            found = self._search_from(start, engine, limits, watch)
            candidates += found.candidates
            if best is None or found.score > best.score + tolerance(best.score):
                best = found
        assert best is not None
        return replace(best, stop=watch.why(Stop.PATIENCE), candidates=candidates)

    def _search_from(
        self, start: Start | DAG | GES, engine: Engine, limits: Limits, watch: Watch
    ) -> SearchResult:
        first = len(watch.steps)
        if isinstance(start, GES):
            parents = list(start.search(engine, limits, watch).dag.parents)
        else:
            parents = start_graph(start, engine, limits)
        gains = Gains.of(engine, self.score, limits, parents)
        recent = _Recent.of(gains.parents, self.length)
        best, best_score, since = gains.parents[:], gains.total, 0
        while since < self.patience and watch.may_go_on():
            move = best_move(gains, recent)
            if move is None:
                break
            gains.apply(move)
            recent.add(move)
            watch.saw(Step(*move), gains.total)
            since += 1
            if gains.total > best_score + gains.epsilon:
                best, best_score, since = gains.parents[:], gains.total, 0
        dag = DAG(engine.names, tuple(best))
        steps = tuple(watch.steps[first : len(watch.steps) - since])
        return SearchResult(dag, dag, best_score, steps, Stop.PATIENCE, gains.candidates)


@dataclass(slots=True)
class _Recent:
    """The last graphs by their signatures: each edge has a random word, a graph is their sum."""

    word: npt.NDArray[np.uint64]
    now: np.uint64
    order: deque[np.uint64]
    seen: set[int]

    @classmethod
    def of(cls, parents: list[int], length: int) -> _Recent:
        n = len(parents)
        rng = np.random.default_rng(0)
        word = rng.integers(0, 2**64, size=(n, n), dtype=np.uint64)
        now = np.uint64(0)
        for y, mask in enumerate(parents):
            for x in bits(mask):
                now ^= word[x, y]
        return cls(word, now, deque([now], maxlen=length), {int(now)})

    def after(self, move: Move) -> np.uint64:
        """Return the signature of the graph a move leads to."""
        word: np.uint64 = self.now ^ self.word[move.x, move.y]
        return word ^ self.word[move.y, move.x] if move.operator == "reverse" else word

    def add(self, move: Move) -> None:
        """Go to the graph a move leads to and remember it."""
        self.now = self.after(move)
        if len(self.order) == self.order.maxlen:
            self.seen.discard(int(self.order[0]))
        self.order.append(self.now)
        self.seen.add(int(self.now))

    def __contains__(self, move: Move) -> bool:
        return int(self.after(move)) in self.seen


def best_move(gains: Gains, recent: _Recent) -> Move | None:
    """Return the best legal move to a graph that is not among the recent ones."""
    barred: list[Move] = []
    while (move := gains.best(-np.inf, barred)) is not None and move in recent:
        barred.append(move)
    return move
