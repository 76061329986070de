"""The walks of hill climbing and tabu search through DAGs."""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import ClassVar, cast

import numpy as np

from bayesloom._native import OperatorKind
from bayesloom.graphs import DAG
from bayesloom.search.dag.gains import Gains, Move
from bayesloom.search.dag.recent_graphs import RecentGraphs
from bayesloom.search.foresight import FARTHEST
from bayesloom.search.neighbourhood import Candidate, Phase
from bayesloom.search.result import ScoredResult, Stop
from bayesloom.search.start import joined_pairs
from bayesloom.search.watch import Watch


@dataclass(slots=True)
class DAGNeighbourhood:
    """Neighbourhood through DAGs by single edges; with ``recent`` never back to a recent graph."""

    gains: Gains
    recent: RecentGraphs | None = None
    patience: int = 0
    best: tuple[list[int], float] | None = None
    start: tuple[tuple[int, int], ...] = field(init=False)
    """The pairs that the first graph joined."""
    phases: ClassVar[tuple[Phase, ...]] = (Phase(None, covers=True, uncovers=True),)

    def __post_init__(self) -> None:
        self.start = joined_pairs(self.gains.parents)

    @property
    def epsilon(self) -> float:
        """How far apart two scores must be to count as different."""
        return self.gains.epsilon

    @property
    def score(self) -> float:
        """The score of the graph."""
        return self.gains.total

    @property
    def candidates(self) -> int:
        """How many families have been scored."""
        return self.gains.candidates

    @property
    def dag(self) -> list[int]:
        """The parent masks of the graph."""
        return self.gains.parents

    def moves(
        self,
        phase: Phase,  # noqa: ARG002 - there is one phase
        floor: float,
        *,
        back: bool = False,
    ) -> Iterator[Candidate]:
        """Yield the legal moves with a gain above ``floor``, the best first."""
        for move in self._ranked() if floor == -math.inf else self._best(floor):
            if back or self.recent is None or move not in self.recent:
                yield Candidate(move.step, move)

    def _best(self, floor: float) -> Iterator[Move]:
        """Yield moves one by one: most often the first is taken."""
        barred: list[Move] = []
        while (move := self.gains.best(floor, barred)) is not None:
            yield move
            barred.append(move)

    def _ranked(self) -> Iterator[Move]:
        """Yield all moves as `_best` would: the first in order of those within a tie of the top."""
        moves = self.gains.legal_moves()
        order = np.argsort(-moves.gain, kind="stable").tolist()
        taken: set[int] = set()
        near: list[int] = []  # a heap of the moves within a tie of the top
        n_near = 0
        for top in order:
            while top not in taken:
                least = moves.gain[top] - self.epsilon
                while n_near < len(order) and moves.gain[order[n_near]] >= least:
                    heapq.heappush(near, order[n_near])
                    n_near += 1
                first = heapq.heappop(near)
                taken.add(first)
                yield moves[first]

    def after(self, move: Candidate) -> list[int]:
        """Return the parent masks of the graph a move leads to."""
        kind, x, y, _ = cast("Move", move.token)
        parents = self.gains.parents[:]
        parents[y] ^= 1 << x
        if kind is OperatorKind.REVERSE:
            parents[x] ^= 1 << y
        return parents

    def take(self, move: Candidate) -> None:
        """Make a move."""
        chosen = cast("Move", move.token)
        self.gains.apply(chosen)
        if self.recent is not None:
            self.recent.add(chosen)

    def ahead(self) -> list[list[int]]:
        """Return the graphs after the best moves in turn, one for every child, as far as known."""
        found, parents, left = list[list[int]](), self.gains.parents[:], set(range(len(self.dag)))
        if self.gains.scores.foresight is None:
            return found
        for kind, x, y, gain in self.gains.likely_moves():
            if len(found) == FARTHEST or not gain > self.epsilon:
                break
            if y in left:
                left -= {x, y}
                parents[y] ^= 1 << x
                if kind is OperatorKind.REVERSE:
                    parents[x] ^= 1 << y
                found.append(parents[:])
        return found

    def think_again(self, watch: Watch, admits: Callable[[list[int]], bool]) -> bool:  # noqa: ARG002 - of the protocol
        """Return False: what is done stays done."""
        return False

    def remember(self) -> None:
        """Make the graph at hand the result, whatever follows."""
        self.best = self.gains.parents[:], self.gains.total

    def result(self, watch: Watch, stop: Stop) -> ScoredResult:
        """Return the graph at hand, or the one to remember, as the result of a search."""
        parents, score = self.best or (self.gains.parents, self.gains.total)
        dag = DAG(self.gains.limits.names, tuple(parents))
        return ScoredResult(
            dag,
            dag,
            score,
            tuple(watch.steps),
            watch.why(stop),
            self.gains.candidates,
            start=self.start,
        )
