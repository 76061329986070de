"""The walk of GES through equivalence classes."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, cast

from bayesloom.engine import Engine
from bayesloom.graphs import consistent_extension
from bayesloom.scores import Score
from bayesloom.search.agenda import Agenda
from bayesloom.search.class_climb import ClassClimb, as_step
from bayesloom.search.equivalence import Operator
from bayesloom.search.limits import Limits
from bayesloom.search.result import SearchResult, Stop
from bayesloom.search.walk import Candidate, Phase
from bayesloom.search.watch import Watch

ANY = "insert at any price"


@dataclass(slots=True)
class ClassWalk:
    """Walk through equivalence classes: growing inserts edges, shrinking deletes them."""

    engine: Engine
    goal: Score
    climb: ClassClimb
    dag: list[int]
    phases: ClassVar[tuple[Phase, ...]] = (
        Phase("insert", covers=True, uncovers=False),
        Phase("delete", covers=False, uncovers=True),
    )
    patience: ClassVar[int] = 0

    @classmethod
    def start(cls, engine: Engine, goal: Score, limits: Limits) -> ClassWalk:
        """Stand at the class of the required edges."""
        climb = ClassClimb.start(engine, goal, limits, ("insert", "delete"))
        return cls(engine, goal, climb, list(limits.required))

    @property
    def epsilon(self) -> float:
        """How far apart two scores must be to count as different."""
        return self.climb.tie

    @property
    def score(self) -> float:
        """The score of the class."""
        return self.climb.score

    @property
    def candidates(self) -> int:
        """How many families have been scored."""
        return self.climb.candidates

    def moves(self, phase: str, floor: float) -> Iterator[Candidate]:
        """Yield the valid operators with a gain above ``floor``, the best first."""
        agenda = self._agenda(phase, floor)
        if phase != "insert" or floor == -math.inf:
            # What is not taken must stay; an insertion that raises the score is always taken.
            agenda = agenda.copy()
        while (op := agenda.pop(self.climb.state)) is not None:
            yield Candidate(as_step(op), self._extended(op), op)

    def _agenda(self, phase: str, floor: float) -> Agenda:
        if floor > -math.inf:
            return self.climb.agenda(phase)
        if ANY not in self.climb.agendas:
            self.climb.add(ANY, self.climb.agendas["insert"].fresh(floor))
        return self.climb.agenda(ANY)

    def _extended(self, op: Operator) -> list[int]:
        parents, neighbours = self.climb.state.changed_by(op)
        if not self.climb.limits.are_open:
            after = self.climb.state.after(op)
            parents, neighbours = after.parents, after.neighbours
            return self.climb.limits.extend(parents, neighbours) or []
        return consistent_extension(parents, neighbours)

    def take(self, move: Candidate) -> None:
        """Go on to the class a move leads to."""
        self.climb.move(cast("Operator", move.token))
        self.dag = move.dag

    def remember(self) -> None:
        """Do nothing: this walk only goes forward."""

    def result(self, watch: Watch, stop: Stop) -> SearchResult:
        """Return the class as the result of a search."""
        return self.climb.result(self.engine, self.goal, watch, stop)
