"""A climb over equivalence classes: where it stands and what it may do next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Self

from bayesloom._native import CPDAGState, Operator, OperatorCache, OperatorKind
from bayesloom.errors import OptionError
from bayesloom.graphs import (
    CPDAG,
    DAG,
    PDAG,
    bits,
    consistent_extension,
    topological_order,
)
from bayesloom.scores import Score, check_score
from bayesloom.search.equivalence.operator_queue import MOST_LISTED, OperatorQueue
from bayesloom.search.facts.moves import Reason, Step
from bayesloom.search.limits import Limits
from bayesloom.search.local_scores import MOST_REMEMBERED, LocalScores, tolerance
from bayesloom.search.memory import check_memory
from bayesloom.search.result import ScoredResult, Stop, operator_text
from bayesloom.search.start import joined_pairs
from bayesloom.search.watch import Watch

if TYPE_CHECKING:
    from bayesloom.search.foresight import Foresight

_BYTES_PER_PAIR = 2  # sets of nodes by node: four of the class, two for every kind of operator
_BYTES_PER_OPERATOR = 64  # of a list


@dataclass(slots=True)
class EquivalenceClimb:
    """A climb over equivalence classes: where it stands and what it may do next."""

    kind_of_queue: ClassVar[type[OperatorQueue]] = OperatorQueue

    state: CPDAGState
    score: float
    scores: LocalScores
    limits: Limits
    epsilon: float
    """How far apart two scores must be to count as different."""
    start: tuple[tuple[int, int], ...]
    """The pairs that the graph joined that the climb began at."""
    queues: dict[OperatorKind, OperatorQueue] = field(default_factory=dict)
    behind: dict[OperatorKind, int] = field(default_factory=dict)
    """For every kind of operator the nodes touched since its queue was last brought up to date."""
    reach: int = 0
    """All nodes touched so far."""
    caches: dict[tuple[OperatorKind, float], OperatorCache] = field(default_factory=dict)
    """The operators found so far, by their kind and what they gain at least; copies share them."""
    by_member: bool = False
    """Whether members of a class may score differently, as they do where cells are missing and in
    single precision: then the score of a class is that of the member that `member` gives, and a
    step must raise it."""
    scout: EquivalenceClimb | None = None
    """The copy that runs ahead where rows are far away, made when it is first needed."""

    @classmethod
    def at(
        cls,
        parents: Sequence[int],
        scores: LocalScores,
        limits: Limits,
        kinds: Sequence[OperatorKind],
        *,
        in_phases: bool = False,
    ) -> Self:
        """Begin at the class of a graph that keeps to the limits.

        A climb ``in_phases``, that inserts and then deletes, ends also where members of a class
        score differently, so it may go by the gains of operators alone.

        Raises
        ------
        CapacityError
            If the class, its operators and the scores do not fit into memory.
        """
        n = len(limits.names)
        needed = _BYTES_PER_PAIR * n * n + _BYTES_PER_OPERATOR * n * min(n, MOST_LISTED)
        check_memory(MOST_REMEMBERED + needed, f"a search over classes with {n:,} variables")
        equal = scores.score.is_equivalent(scores.engine)
        if scores.audit is not None:
            scores.audit.probe(limits)
            equal = not scores.audit.is_rough
        total = scores.total(parents)
        # A start with huge families must not blur the small gains that come after them.
        tie = tolerance(max(total, scores.total(limits.required)))
        state = cpdag_state_of(parents)
        climb = cls(state, total, scores, limits, tie, joined_pairs(parents))
        climb.by_member = not (in_phases or equal)
        if climb.by_member:
            climb.score = scores.total(climb.member())
        for kind in kinds:
            climb.open_queue(kind, floor=tie)
        return climb

    def open_queue(self, kind: OperatorKind, floor: float) -> None:
        """Keep a queue of all operators of a kind that gain more than ``floor``."""
        self.queues[kind] = self.new_queue(kind, floor)
        self.behind[kind] = self.everything

    def new_queue(self, kind: OperatorKind, floor: float) -> OperatorQueue:
        """Return a queue without any operators yet; what it finds is kept for others like it."""
        queue = self.kind_of_queue.of(
            kind,
            self.scores,
            self.limits,
            floor=floor,
            tie=self.epsilon,
            cache=self.caches.get((kind, floor)),
        )
        self.caches[kind, floor] = queue.cache
        return queue

    @property
    def everything(self) -> int:
        """The mask of all nodes."""
        return (1 << len(self.limits.names)) - 1

    def step(self, *kinds: OperatorKind) -> Operator | None:
        """Apply the best operator of the first of some kinds that has one that improves the score.

        None if nothing improves it.
        """
        for kind in kinds:
            if (op := self._best(self.queue(kind, kinds))) is not None:
                self.move(op)
                return op
        return None

    def _best(self, queue: OperatorQueue) -> Operator | None:
        """Take the best operator out of a queue that raises the score of the class."""
        while (taken := queue.pop(self.state)) is not None:
            op = taken.op
            if self.by_member:
                op = Operator(op.kind, op.x, op.y, op.others, self.gain(op))
                if not op.gain > self.epsilon:
                    continue
            return op
        return None

    def gain(self, op: Operator) -> float:
        """Return by how much an operator raises the score of the class."""
        if not self.by_member:
            return op.gain
        return self.scores.total(self.member(self.state.after(op))) - self.score

    def queue(self, kind: OperatorKind, kinds: Sequence[OperatorKind] = ()) -> OperatorQueue:
        """Return the queue of a kind, brought up to date; ``kinds`` are those that are taken."""
        if self.behind[kind]:
            with self.scores.guessing(self._go_ahead, kinds or (kind,)):
                self.queues[kind].renew(self.state, self.behind[kind])
            self.behind[kind] = 0
        return self.queues[kind]

    def _go_ahead(self, sight: Foresight, kinds: Sequence[OperatorKind]) -> None:
        """Note what will be asked for if the climb takes the best operators of some kinds."""
        from bayesloom.search.equivalence.foreseen import go_ahead

        go_ahead(self, kinds, sight)

    def move(self, op: Operator) -> None:
        """Go on to the class an operator leads to."""
        self._went(self.state.move(op), op.gain)

    def go_to(self, after: CPDAGState, gain: float) -> None:
        """Go on to another class, whose score is higher by ``gain``."""
        touched = after.touched(self.state)
        self.state = after
        self._went(touched, gain)

    def _went(self, touched: int, gain: float) -> None:
        if OperatorKind.REVERSE in self.behind:
            # The gain of turning y -> x also depends on the parents of x.
            self.behind[OperatorKind.REVERSE] |= self.state.parents_of(touched)
        for kind in self.behind:
            self.behind[kind] |= touched
        self.reach |= touched
        self.score = self.scores.total(self.member()) if self.by_member else self.score + gain
        if self.scores.audit is not None:
            self.scores.audit.saw_move(self.score, gain, self.member)

    def copy(self, banned: frozenset[tuple[int, int]] = frozenset()) -> EquivalenceClimb:
        """Return a climb that goes on from here on its own and keeps the banned edges out."""
        queues = {kind: queue.copy(banned) for kind, queue in self.queues.items()}
        return EquivalenceClimb(
            self.state.copy(),
            self.score,
            self.scores,
            self.limits,
            self.epsilon,
            self.start,
            queues,
            dict(self.behind),
            caches=self.caches,
            by_member=self.by_member,
        )

    def lift_bans(self) -> None:
        """Let the banned edges in again."""
        for queue in self.queues.values():
            queue.lift_bans()

    @property
    def candidates(self) -> int:
        """How many families have been scored."""
        return len(self.scores)

    def member(self, state: CPDAGState | None = None) -> list[int]:
        """Return the parent masks of a DAG of the class, or another, that keeps to the limits."""
        of = self.state if state is None else state
        parents, neighbours = of.parents, of.neighbours
        if self.limits.are_symmetric:
            return consistent_extension(parents, neighbours)
        extended = self.limits.extend(parents, neighbours)
        if extended is None:
            msg = "no graph of the class keeps to the knowledge"
            raise AssertionError(msg)
        return extended

    def result(self, watch: Watch, stop: Stop, first: int = 0) -> ScoredResult:
        """Return the class, a DAG of it that keeps to the limits, and the steps from ``first``."""
        parents, neighbours = self.state.parents, self.state.neighbours
        member = self.member()
        oriented = None if self.limits.are_symmetric else self.limits.orient(parents, neighbours)
        if oriented is None:
            graph: PDAG = CPDAG(self.limits.names, tuple(parents), tuple(neighbours))
        else:
            graph = PDAG(self.limits.names, tuple(oriented[0]), tuple(oriented[1]))
        total = self.scores.total(member)
        if self.scores.audit is not None:
            self.scores.audit.compare(self.score, total)
        steps = tuple(watch.steps[first:])
        dag = DAG(self.limits.names, tuple(member))
        return ScoredResult(
            dag, graph, total, steps, watch.why(stop), self.candidates, start=self.start
        )


def cpdag_state_of(parents: Sequence[int]) -> CPDAGState:
    """Return the class of a DAG."""
    return CPDAGState.of_ordered_dag(parents, topological_order(parents))


def check_equivalent(score: Score, search: str) -> None:
    """Refuse a score that tells equivalent graphs apart."""
    check_score(score)
    if not score.equivalent:
        msg = (
            f"{search} searches over equivalence classes and needs a score that is equal for "
            f"equivalent graphs; {type(score).__name__} is not: use BIC, BDeu or QNML, or a search "
            "over DAGs (HillClimbing, IHC)"
        )
        raise OptionError(msg)


def as_step(op: Operator, reason: Reason = Reason.SCORE, gain: float | None = None) -> Step:
    """Return the record of an operator; a reversal of y -> x is told as x = y, y = x.

    The gain is the operator's own unless another is given.
    """
    x, y = (op.y, op.x) if op.kind is OperatorKind.REVERSE else (op.x, op.y)
    gain = op.gain if gain is None else gain
    return Step(operator_text(op.kind), x, y, gain, tuple(bits(op.others)), reason)
