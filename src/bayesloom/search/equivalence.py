"""The state of a search over equivalence classes: a CPDAG and its operators."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from bayesloom import _native
from bayesloom.errors import GraphError
from bayesloom.graphs import bits, cpdag_of_dag, transposed


class Operator(NamedTuple):
    """A change of a class.

    ``insert`` adds x -> y and directs ``others`` (T) at y. ``delete`` takes away x -> y or x - y
    and directs both ends at ``others`` (H). ``reverse`` turns y -> x into x -> y and directs
    ``others`` (T) at y.
    """

    kind: str
    x: int
    y: int
    others: int
    gain: float


@dataclass(slots=True)
class ClassState:
    """A CPDAG: the parents, children, undirected neighbours and adjacent nodes of every node."""

    parents: list[int]
    children: list[int]
    neighbours: list[int]
    adjacent: list[int]
    paths: dict[tuple[int, int, int], list[int]] = field(default_factory=dict, compare=False)
    """What `open_path` has found out so far."""

    @classmethod
    def of_dag(cls, parents: Sequence[int], order: Sequence[int] | None = None) -> ClassState:
        """Return the class of a DAG; a topological order saves work if the caller has one."""
        parents, neighbours = cpdag_of_dag(parents, order)
        children = transposed(parents)
        adjacent = [p | c | u for p, c, u in zip(parents, children, neighbours, strict=True)]
        return cls(parents, children, neighbours, adjacent)

    def open_path(self, op: Operator) -> int:
        """Return the nodes of a semi-directed path from y to x around the operator's clique.

        0 if all are blocked. As long as no node of the path is touched, the path stays open.
        """
        if op.kind == "delete":
            return 0
        wall = (self.neighbours[op.y] & self.adjacent[op.x]) | op.others
        start = self.children[op.y] | self.neighbours[op.y]
        goal = 1 << op.x
        if op.kind == "reverse":
            wall |= self.neighbours[op.x]
            start &= ~goal
        fronts = self.paths.setdefault((op.y, start, wall), [start & ~wall])
        for i, front in enumerate(fronts):
            if front & goal:
                return self._trace(op, fronts[:i])
        while fronts[-1]:
            fronts.append(self._next_front(fronts, wall | 1 << op.y))
            if fronts[-1] & goal:
                return self._trace(op, fronts[:-1])
        return 0

    def _next_front(self, fronts: list[int], seen: int) -> int:
        """Return the nodes one semi-directed step beyond the last front that were not seen yet."""
        for front in fronts:
            seen |= front
        rest, reached = fronts[-1], 0
        while rest:
            low = rest & -rest
            rest ^= low
            v = low.bit_length() - 1
            reached |= self.children[v] | self.neighbours[v]
        return reached & ~seen

    def _trace(self, op: Operator, fronts: list[int]) -> int:
        """Walk back from x through the fronts of a search that began at y."""
        path = 1 << op.y | 1 << op.x
        v = op.x
        for front in reversed(fronts):
            before = front & (self.parents[v] | self.neighbours[v])
            low = before & -before
            path |= low
            v = low.bit_length() - 1
        return path

    def changed_by(self, op: Operator) -> tuple[list[int], list[int]]:
        """Return the partially directed graph a valid operator leads to, not completed."""
        parents, neighbours = self.parents[:], self.neighbours[:]
        x, y = op.x, op.y
        if op.kind == "delete":
            _unlink(parents, neighbours, x, y)
            for h in bits(op.others):
                _direct(parents, neighbours, y, h)
                if neighbours[x] >> h & 1:
                    _direct(parents, neighbours, x, h)
        else:
            if op.kind == "reverse":
                parents[x] &= ~(1 << y)
            parents[y] |= 1 << x
            for t in bits(op.others):
                _direct(parents, neighbours, t, y)
        return parents, neighbours

    def after(self, op: Operator) -> ClassState:
        """Return the class that a valid operator leads to."""
        completed = _native.completed(*self.changed_by(op))
        if completed is None:
            msg = f"{op} leads to no class"
            raise GraphError(msg)
        return ClassState(*completed)

    def touched(self, before: ClassState) -> int:
        """Return the nodes whose operators may have changed since ``before``.

        These are the nodes with other parents or neighbours, and the neighbours of every node that
        gained or lost an adjacency.
        """
        changed = moved = 0
        pairs = zip(self.parents, before.parents, self.neighbours, before.neighbours, strict=True)
        for v, (p, p_old, u, u_old) in enumerate(pairs):
            if p != p_old or u != u_old:
                changed |= 1 << v
        for v in bits(changed):
            if self.adjacent[v] != before.adjacent[v]:
                moved |= 1 << v
        for v in range(len(self.adjacent)):
            if not changed >> v & 1 and self.adjacent[v] != before.adjacent[v]:
                moved |= 1 << v
        reach = changed | moved
        for v in bits(moved):
            reach |= self.neighbours[v]
        return reach


def _unlink(parents: list[int], neighbours: list[int], x: int, y: int) -> None:
    for a, b in ((x, y), (y, x)):
        parents[b] &= ~(1 << a)
        neighbours[b] &= ~(1 << a)


def _direct(parents: list[int], neighbours: list[int], a: int, b: int) -> None:
    """Turn a - b into a -> b."""
    neighbours[a] &= ~(1 << b)
    neighbours[b] &= ~(1 << a)
    parents[b] |= 1 << a
