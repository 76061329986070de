"""The neighbourhood of GES, equivalence classes, as a constrained search walks through it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import ClassVar, cast

from bayesloom._native import Operator, OperatorKind
from bayesloom.search.equivalence.climb import EquivalenceClimb, as_step
from bayesloom.search.equivalence.foreseen import members_ahead
from bayesloom.search.equivalence.operator_queue import OperatorQueue, Taken
from bayesloom.search.neighbourhood import Candidate, Phase
from bayesloom.search.watch import Watch


@dataclass(slots=True)
class EquivalenceNeighbourhood(EquivalenceClimb):
    """A climb whose moves another search chooses: growing inserts edges, shrinking deletes them."""

    dag: list[int] = field(default_factory=list)
    """The parent masks of a member of the class."""
    out: list[tuple[OperatorQueue, Taken]] = field(default_factory=list)
    """Insertions taken from their queues to be looked at."""
    kind: OperatorKind = OperatorKind.INSERT
    """Of the moves that were looked at last."""
    latest: tuple[Operator, list[int]] | None = None
    """The last operator that was looked into, and a graph of the class it leads to."""
    phases: ClassVar[tuple[Phase, ...]] = (
        Phase(OperatorKind.INSERT, covers=True, uncovers=False),
        Phase(OperatorKind.DELETE, covers=False, uncovers=True),
    )
    patience: ClassVar[int] = 0

    def moves(self, phase: Phase, floor: float, *, back: bool = False) -> Iterator[Candidate]:  # noqa: ARG002 - a climb never comes back
        """Yield the valid operators with a gain above ``floor``, the best first."""
        assert phase.kind is not None
        self.kind = phase.kind
        queue = self._queue_above(phase.kind, floor)
        grows = phase.kind is OperatorKind.INSERT
        if not grows:  # what is refused once is asked for again later
            queue = queue.copy()
        while (taken := queue.pop(self.state)) is not None:
            if grows:
                self.out.append((queue, taken))
            if not taken.op.gain > floor:
                return
            gain = self.gain(taken.op)
            if gain > floor:
                yield Candidate(as_step(taken.op, gain=gain), taken.op)

    def _queue_above(self, kind: OperatorKind, floor: float) -> OperatorQueue:
        self._put_back()
        if floor == -math.inf and self.queues[kind].floor > floor:
            # From now on insertions that cost score are needed too: one queue for both.
            self.open_queue(kind, floor)
        return self.queue(kind)

    def _put_back(self, applied: Operator | None = None) -> None:
        """Return the insertions that were looked at to their queues, except the one applied."""
        for queue, taken in self.out:
            if taken.op is not applied:
                queue.push(taken)
        self.out.clear()

    def after(self, move: Candidate) -> list[int]:
        """Return the parent masks of a member of the class that a move leads to."""
        op = cast("Operator", move.token)
        if self.latest is None or self.latest[0] is not op:
            self.latest = op, self._extended(op)
        return self.latest[1]

    def _extended(self, op: Operator) -> list[int]:
        if self.limits.are_symmetric:
            return self.state.member_after(op)
        after = self.state.after(op)
        oriented = self.limits.extend(after.parents, after.neighbours)
        assert oriented is not None, "queues hold no operator that breaks the limits"
        return oriented

    def take(self, move: Candidate) -> None:
        """Go on to the class a move leads to."""
        op = cast("Operator", move.token)
        known = self.latest is not None and self.latest[0] is op
        if known or not self.limits.are_symmetric:
            self.dag = self.after(move)
        self._put_back(applied=op)
        self.move(op)
        if not known and self.limits.are_symmetric:
            self.dag = self.state.member()

    def ahead(self) -> list[list[int]]:
        """Return members of the classes that probably come next, where the rows are far."""
        return members_ahead(self, self.kind)

    def think_again(self, watch: Watch, admits: Callable[[list[int]], bool]) -> bool:  # noqa: ARG002 - of the protocol
        """Return False: what is done stays done."""
        return False

    def remember(self) -> None:
        """Do nothing: this walk only goes forward."""
