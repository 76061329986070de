"""The walk of GES through equivalence classes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, cast

from bayesloom.engine import Engine
from bayesloom.graphs import remove_sinks
from bayesloom.scores import Score
from bayesloom.search.equivalence.agenda import Agenda
from bayesloom.search.equivalence.climb import EquivalenceClimb, as_step
from bayesloom.search.equivalence.state import Operator, class_of
from bayesloom.search.limits import Limits
from bayesloom.search.local_scores import LocalScores
from bayesloom.search.neighbourhood import Candidate, Phase
from bayesloom.search.result import ScoredResult, Stop
from bayesloom.search.watch import Watch


@dataclass(slots=True)
class EquivalenceNeighbourhood:
    """Neighbourhood through equivalence classes: growing inserts edges, shrinking deletes them."""

    climb: EquivalenceClimb
    dag: list[int]
    out: list[tuple[Agenda, Operator]] = field(default_factory=list)
    """Insertions taken from their agendas to be looked at."""
    latest: tuple[Operator, list[int], list[int] | None] | None = None
    """The last operator that was looked into, a graph of the class it leads to, and its order."""
    phases: ClassVar[tuple[Phase, ...]] = (
        Phase("insert", covers=True, uncovers=False),
        Phase("delete", covers=False, uncovers=True),
    )
    patience: ClassVar[int] = 0

    @classmethod
    def start(
        cls, engine: Engine, goal: Score, limits: Limits, parents: Sequence[int]
    ) -> EquivalenceNeighbourhood:
        """Stand at the class of a graph."""
        scores = LocalScores(engine, goal)
        climb = EquivalenceClimb.start(scores, limits, ("insert", "delete"), parents)
        return cls(climb, list(parents))

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

    def moves(self, phase: str, floor: float, *, back: bool = False) -> Iterator[Candidate]:  # noqa: ARG002 - a climb never comes back
        """Yield the valid operators with a gain above ``floor``, the best first."""
        agenda = self._agenda(phase, floor)
        if phase == "delete":
            # What is refused once is asked for again later.
            agenda = agenda.copy()
        while (op := agenda.pop(self.climb.state)) is not None:
            if phase != "delete":
                self.out.append((agenda, op))
            if not op.gain > floor:
                return
            yield Candidate(as_step(op), op)

    def _agenda(self, phase: str, floor: float) -> Agenda:
        self._put_back()
        if floor == -math.inf and self.climb.agendas[phase].floor > floor:
            # From now on insertions that cost score are needed too: one agenda for both.
            self.climb.add(phase, self.climb.agendas[phase].fresh(floor))
        return self.climb.agenda(phase)

    def _put_back(self, taken: Operator | None = None) -> None:
        """Return the insertions that were looked at to their agendas, except the one taken."""
        for agenda, op in self.out:
            if op is not taken:
                agenda.push(op)
        self.out.clear()

    def after(self, move: Candidate) -> list[int]:
        """Return the parent masks of a member of the class that a move leads to."""
        op = cast("Operator", move.token)
        if self.latest is None or self.latest[0] is not op:
            self.latest = op, *self._extended(op)
        return self.latest[1]

    def _extended(self, op: Operator) -> tuple[list[int], list[int] | None]:
        if self.climb.limits.are_symmetric:
            extended, order, _ = remove_sinks(*self.climb.state.changed_by(op))
            return extended, order[::-1]
        after = self.climb.state.after(op)
        oriented = self.climb.limits.extend(after.parents, after.neighbours)
        assert oriented is not None, "agendas hold no operator that breaks the limits"
        return oriented, None

    def take(self, move: Candidate) -> None:
        """Go on to the class a move leads to."""
        op = cast("Operator", move.token)
        self.dag = self.after(move)
        assert self.latest is not None
        self._put_back(taken=op)
        self.climb.move(op, class_of(self.dag, self.latest[2]))

    def remember(self) -> None:
        """Do nothing: this walk only goes forward."""

    def result(self, watch: Watch, stop: Stop) -> ScoredResult:
        """Return the class as the result of a search."""
        return self.climb.result(watch, stop)
