"""Second thoughts at the end of a climb: take something away for a trial and climb on."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Protocol

from bayesloom._native import CPDAGState, Operator, OperatorKind, rank_of
from bayesloom.graphs import bits
from bayesloom.search.equivalence.climb import EquivalenceClimb, as_step
from bayesloom.search.equivalence.foreseen import scout_of
from bayesloom.search.equivalence.operator_queue import Taken
from bayesloom.search.facts.moves import Reason
from bayesloom.search.foresight import Foresight, Guess
from bayesloom.search.watch import Watch

EAGER = (OperatorKind.DELETE, OperatorKind.REVERSE, OperatorKind.INSERT)
"""The kinds of operators in the order in which a climb prefers them."""


def greedy(climb: EquivalenceClimb, watch: Watch) -> None:
    """Climb until nothing helps."""
    with watch.heeded():
        while watch.may_go_on() and (op := climb.step(*EAGER)) is not None:
            watch.saw(as_step(op), climb.score, climb.state)


class Trial(Protocol):
    """Something to take away, and what may not come back while the climb goes on."""

    @property
    def key(self) -> tuple[int, ...]:
        """Which trial this is."""

    @property
    def size(self) -> int:
        """How many edges are taken away."""

    @property
    def banned(self) -> frozenset[tuple[int, int]]:
        """Edges (x, y) that may not become x -> y."""

    def begin(self, climb: EquivalenceClimb) -> list[Operator] | None:
        """Take it away; return what comes at once in its place, None if the limits forbid it."""

    def operators(self, climb: EquivalenceClimb) -> list[Operator]:
        """Return the deletions that lead there from where the climb stands."""


@dataclass(frozen=True, slots=True)
class WithoutEdge:
    """One edge less, in one of the ways a deletion can."""

    op: Operator

    @property
    def key(self) -> tuple[int, ...]:
        """The operator without its gain."""
        return self.op.x, self.op.y, self.op.others

    @property
    def size(self) -> int:
        """One."""
        return 1

    @property
    def banned(self) -> frozenset[tuple[int, int]]:
        """The edge in its old direction."""
        return frozenset({(self.op.x, self.op.y)})

    def begin(self, climb: EquivalenceClimb) -> list[Operator] | None:
        """Take it away; None if the limits forbid that."""
        if not climb.limits.are_symmetric:
            after = climb.state.after(self.op)
            if climb.limits.extend(after.parents, after.neighbours) is None:
                return None
        climb.move(self.op)
        return []

    def operators(self, climb: EquivalenceClimb) -> list[Operator]:  # noqa: ARG002 - of the protocol
        """Return the deletion."""
        return [self.op]


@dataclass(frozen=True, slots=True)
class WithAnotherParent:
    """One edge less, and at once the best other one into the same node."""

    less: WithoutEdge

    @property
    def key(self) -> tuple[int, ...]:
        """That of the edge, marked."""
        return *self.less.key, 1

    @property
    def size(self) -> int:
        """Two: one goes, one comes."""
        return 2

    @property
    def banned(self) -> frozenset[tuple[int, int]]:
        """The edge, in both directions."""
        op = self.less.op
        return frozenset({(op.x, op.y), (op.y, op.x)})

    def begin(self, climb: EquivalenceClimb) -> list[Operator] | None:
        """Take it away and return what comes in its place, if there is anything."""
        if self.less.begin(climb) is None:
            return None
        queue, others = climb.queue(OperatorKind.INSERT), list[Taken]()
        while (taken := queue.pop(climb.state)) is not None and taken.op.y != self.less.op.y:
            others.append(taken)
        for other in others:
            queue.push(other)
        if taken is None:
            return []
        climb.move(taken.op)
        return [taken.op]

    def operators(self, climb: EquivalenceClimb) -> list[Operator]:
        """Return the deletion."""
        return self.less.operators(climb)


@dataclass(frozen=True, slots=True)
class WithoutRegion:
    """No edges among a node and all that it is adjacent to, but for required ones."""

    node: int
    families: list[tuple[int, int, int]]
    """Every node that loses edges, its parents in a graph of the class, and what is left."""
    gain: float

    @property
    def key(self) -> tuple[int, ...]:
        """The node in the middle."""
        return (self.node,)

    @property
    def size(self) -> int:
        """How many edges are taken away."""
        return sum((before & ~after).bit_count() for _, before, after in self.families)

    @property
    def banned(self) -> frozenset[tuple[int, int]]:
        """Nothing: all may come back, but one after the other."""
        return frozenset()

    def begin(self, climb: EquivalenceClimb) -> list[Operator]:
        """Take it away; a graph that keeps to the limits does so with fewer edges, too."""
        climb.go_to(climb.state.after_losses(self.families), self.gain)
        return []

    def operators(self, climb: EquivalenceClimb) -> list[Operator]:
        """Return a deletion for every edge, as the class has it when the earlier ones are gone."""
        lost = [
            (x, y, before & ~(before & ~after & (1 << x) - 1))
            for y, before, after in self.families
            for x in bits(before & ~after)
        ]
        both = [(y, mask) for x, y, mask in lost for mask in (mask, mask & ~(1 << x))]
        climb.scores.ask([], both)
        made, state = [], climb.state
        for x, y, parents in lost:
            others = state.neighbours[y] & state.adjacent[x] & ~parents
            gain = climb.scores[y, parents & ~(1 << x)] - climb.scores[y, parents]
            made.append(Operator(OperatorKind.DELETE, x, y, others, gain))
            state = state.after(made[-1])
        return made


@dataclass(slots=True)
class Tried:
    """What second thoughts have tried, and how much they may still try.

    Parameters
    ----------
    regions : bool
        Whether regions are tried, too.
    left : float
        How many operators trials may still apply.
    swaps : bool
        Whether other parents are tried, too.
    failed : dict
        Trials that failed, by their keys, and the nodes that each has touched.
    """

    regions: bool
    left: float = math.inf
    swaps: bool = False
    failed: dict[tuple[int, ...], int] = field(default_factory=dict)

    def elsewhere(self, touched: int) -> Tried:
        """Return what is known to fail in a copy that a change has touched."""
        other = replace(self)
        other.forget(touched)
        return other

    def forget(self, touched: int) -> None:
        """Forget the failures that a change has touched: they may succeed now."""
        self.failed = {trial: nodes for trial, nodes in self.failed.items() if not nodes & touched}


def think_again(climb: EquivalenceClimb, watch: Watch, tried: Tried) -> EquivalenceClimb:
    """Take away one edge after the other, then one region after the other, for a trial.

    Return the climb that no further trial improves. What failed once is tried again only after a
    change has touched a node of that trial; it hardly ever helps earlier.
    """
    with watch.heeded():
        while (better := first_success(climb, watch, tried)) is not None:
            climb = better
            climb.lift_bans()
            greedy(climb, watch)
            tried.forget(climb.reach)
    return climb


def first_success(
    climb: EquivalenceClimb,
    watch: Watch,
    tried: Tried,
    admits: Callable[[EquivalenceClimb], bool] = lambda _: True,
) -> EquivalenceClimb | None:
    """Return where the first trial leads that scores higher and is admitted; None if none does.

    Trials that have failed are left out, and those that fail now are added to them.
    """
    if tried.left <= 0:
        return None
    climb.queue(OperatorKind.INSERT)  # up to date before trials copy it
    with climb.scores.guessing(trials_ahead(climb, tried)):
        return _first_success(climb, watch, tried, admits)


def _first_success(
    climb: EquivalenceClimb,
    watch: Watch,
    tried: Tried,
    admits: Callable[[EquivalenceClimb], bool],
) -> EquivalenceClimb | None:
    failed = tried.failed
    for trial in _trials(climb, tried):
        if trial.key in failed:
            continue
        if tried.left <= 0 or not watch.may_go_on():
            return None
        if not watch.has_room(trial.size):
            continue
        watch.tries()
        other = climb.copy(trial.banned)
        taken = _climb_from(trial, other, climb.state, watch)
        tried.left -= trial.size + len(taken)
        if other.score > climb.score + climb.epsilon and admits(other):
            _record(trial.operators(climb), taken, climb.score, other.state, watch)
            return other
        failed[trial.key] = other.reach
        if isinstance(trial, WithoutEdge) and len(taken) == 1 and other.state == climb.state:
            # The edge came back the other way round; with that banned it would come back too.
            failed[trial.op.y, trial.op.x, trial.op.others] = other.reach
    return None


def trials_ahead(climb: EquivalenceClimb, tried: Tried) -> Guess:
    """Return what questions of a trial look ahead to: the trials that follow if it fails.

    What a far engine is asked for is the same that all of them ask for, one after the other, but
    many trials are on their way at once, each as far as the scores are known.
    """
    done = set[tuple[int, ...]]()

    def guess(sight: Foresight) -> None:
        here = scout_of(climb, sight)
        for trial in _trials(here, tried):
            if trial.key in tried.failed or trial.key in done:
                continue
            if not sight.has_room:
                return
            other, before = here.copy(trial.banned), sight.n_unforeseen
            _climb_from(trial, other, here.state, Watch())
            if sight.n_unforeseen == before:
                done.add(trial.key)

    return guess


def _trials(climb: EquivalenceClimb, tried: Tried) -> Iterator[Trial]:
    """Yield all trials, edges before regions before other parents; what costs least first."""
    deletions = climb.new_queue(OperatorKind.DELETE, floor=-math.inf)
    deletions.renew(climb.state, climb.everything)
    edges = []
    for op in deletions.operators():
        edges.append(WithoutEdge(op))
        yield edges[-1]
    if tried.regions:
        yield from regions_of(climb)
    if tried.swaps:
        yield from map(WithAnotherParent, edges)


def regions_of(climb: EquivalenceClimb) -> list[WithoutRegion]:
    """Return the regions of at least two edges; one batch scores what is left of them."""
    before, required = climb.member(), climb.limits.required
    found = []
    for v, adjacent in enumerate(climb.state.adjacent):
        region = adjacent | 1 << v
        kept = [(y, before[y] & ~region | required[y]) for y in bits(region)]
        found.append([(y, before[y], mask) for y, mask in kept if mask != before[y]])
    climb.scores.ask([], [(y, mask) for each in found for y, *both in each for mask in both])
    scores = climb.scores
    trials = []
    for v, families in enumerate(found):
        gain = math.fsum(scores[y, after] - scores[y, old] for y, old, after in families)
        trials.append(WithoutRegion(v, families, gain))
    trials.sort(key=lambda trial: (rank_of(trial.gain, climb.epsilon), trial.node))
    return [trial for trial in trials if trial.size > 1]


def _climb_from(
    trial: Trial, climb: EquivalenceClimb, before: CPDAGState, watch: Watch
) -> list[Operator]:
    """Begin a trial and climb on; return the operators taken after its beginning."""
    taken = trial.begin(climb)
    if taken is None:
        climb.reach = -1  # whatever changes may make it possible
        return []
    while watch.may_go_on() and watch.has_room(trial.size + len(taken) + 1):
        more = climb.step(*EAGER)
        if more is None:
            break
        taken.append(more)
        if climb.state == before:
            break
    return taken


def _record(
    tried: list[Operator], taken: list[Operator], score: float, end: CPDAGState, watch: Watch
) -> None:
    """Tell the watch of the operators of a trial that is kept: from ``score`` to ``end``."""
    steps = [as_step(op, Reason.TRIAL) for op in tried] + [as_step(op) for op in taken]
    for step in steps:
        score += step.gain
        watch.saw(step, score, end)
