"""The better of two graphs with all parts of the other one that raise its score."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import reduce
from operator import or_

from bayesloom._native import Operator, OperatorKind
from bayesloom.graphs import bits, components, find_cycle, mask_of, topological_order, transposed
from bayesloom.search.equivalence.climb import EquivalenceClimb, as_step, cpdag_state_of
from bayesloom.search.facts.moves import Reason
from bayesloom.search.local_scores import LocalScores
from bayesloom.search.watch import Watch

_DELETE, _INSERT = OperatorKind.DELETE, OperatorKind.INSERT


def exchange(climb: EquivalenceClimb, other: EquivalenceClimb, watch: Watch) -> bool:
    """Let a climb go on from its graph with all parts of the other's that raise the score.

    Two climbs from different starts end apart in some places and agree in between, and neither is
    better everywhere. Return whether anything was exchanged.
    """
    if climb.by_member:
        return False
    after = exchanged(climb.member(), other.member(), climb.scores, climb.epsilon)
    return go_to(climb, after, watch)


def go_to(climb: EquivalenceClimb, parents: Sequence[int], watch: Watch) -> bool:
    """Let a climb go on from the class of a graph, if that is another and the budget has room.

    A class in which no graph is found that keeps to the limits is left out. The watch is told of
    one deletion or insertion for every edge that differs.
    """
    operators = list(_operators(climb.member(), parents, climb.scores))
    if not operators or not watch.has_room(len(operators)):
        return False
    score, after = climb.score, cpdag_state_of(parents)
    limits = climb.limits
    if not limits.are_symmetric and limits.extend(after.parents, after.neighbours) is None:
        return False
    climb.go_to(after, math.fsum(op.gain for op in operators))
    for op in operators:
        score += op.gain
        watch.saw(as_step(op, Reason.TRIAL), score, climb.state)
    return True


def exchanged(
    parents: Sequence[int], other: Sequence[int], scores: LocalScores, epsilon: float
) -> list[int]:
    """Return the first graph with all parts of the other that raise its score by more than that.

    A part is a set of nodes that get the parents they have in the other graph. Around every node
    where the graphs differ the part is the least that was found to leave no cycle: as long as there
    is one, the nodes on it that differ are taken along, and with an edge that is turned, both of
    its ends. After these the connected pieces of the difference are tried as wholes.
    """
    best = list(parents)
    while True:
        goal = towards(other, best)
        differing = mask_of(v for v, (a, b) in enumerate(zip(best, goal, strict=True)) if a != b)
        scores.ask([], [(v, masks[v]) for v in bits(differing) for masks in (best, goal)])
        gains = {v: scores[v, goal[v]] - scores[v, best[v]] for v in bits(differing)}
        left = differing
        for part in _parts(best, goal, differing):
            if part & ~left or not math.fsum(gains[v] for v in bits(part)) > epsilon:
                continue
            changed = _with(best, goal, part)
            if find_cycle(changed):
                continue
            best = changed
            left &= ~part
        if left == differing:
            return best


def towards(parents: Sequence[int], other: Sequence[int]) -> list[int]:
    """Return a graph of the same class that has more edges in the direction of another graph.

    Only covered edges are turned, those whose ends have the same other parents: that leads from any
    graph of a class to a graph of the class, with families of the same sizes. An edge that is
    turned is one of the other graph, so limits that both graphs keep to hold for the result, too.

    Examples
    --------
    >>> towards([0b000, 0b001, 0b010], [0b010, 0b000, 0b010])  # a -> b -> c and b -> a, b -> c
    [2, 0, 2]
    """
    near = list(parents)
    open_ = mask_of(range(len(near)))
    while open_:
        y = (open_ & -open_).bit_length() - 1
        open_ &= open_ - 1
        for x in bits(near[y]):
            if other[x] >> y & 1 and near[y] & ~(1 << x) == near[x]:
                near[y] &= ~(1 << x)
                near[x] |= 1 << y
                open_ = mask_of(range(len(near)))
    return near


def _parts(best: Sequence[int], goal: Sequence[int], differing: int) -> Iterator[int]:
    """Yield the parts of the difference: the least around every node, then connected pieces."""
    children = transposed(goal)
    turned = [best[y] & children[y] for y in range(len(best))]
    turned = [one | other for one, other in zip(turned, transposed(turned), strict=True)]
    linked = [a ^ b for a, b in zip(best, goal, strict=True)]
    linked = [one | other for one, other in zip(linked, transposed(linked), strict=True)]
    seen = set[int]()
    for v in bits(differing):
        part = _closed(1 << v, turned)
        while part not in seen:
            seen.add(part)
            cycle = mask_of(find_cycle(_with(best, goal, part)))
            if not cycle:
                yield part
                break
            part = _closed(part | cycle & differing, turned)
    yield from (piece & differing for piece in components(linked))


def _closed(part: int, turned: Sequence[int]) -> int:
    """Return a part and all that edges which are turned tie to it."""
    while (more := reduce(or_, (turned[v] for v in bits(part)), part)) != part:
        part = more
    return part


def _with(best: Sequence[int], goal: Sequence[int], part: int) -> list[int]:
    """Return the first graph where the nodes of a part have the parents of the other."""
    return [b if part >> v & 1 else a for v, (a, b) in enumerate(zip(best, goal, strict=True))]


def _operators(
    before: Sequence[int], after: Sequence[int], scores: LocalScores
) -> Iterator[Operator]:
    """Yield a deletion for every edge that goes, then an insertion for every edge that comes."""
    families = list(before)
    changes = [
        (kind, x, y)
        for kind, less, more in ((_DELETE, after, before), (_INSERT, before, after))
        for y in topological_order(after)
        for x in bits(more[y] & ~less[y])
    ]
    path = []
    for _, x, y in changes:
        path.append((y, families[y]))
        families[y] ^= 1 << x
        path.append((y, families[y]))
    scores.ask([], path)
    for (kind, x, y), one, two in zip(changes, path[::2], path[1::2], strict=True):
        yield Operator(kind, x, y, 0, scores[two] - scores[one])
