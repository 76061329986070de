"""The state of a search over equivalence classes: a CPDAG and its operators."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from bayesloom.graphs import bits, cpdag_of_dag, cpdag_of_pdag, is_clique, transposed


class Operator(NamedTuple):
    """A change of a class.

    ``insert`` adds x -> y and directs ``others`` (T) at y. ``delete`` takes away x -> y or x - y
    and directs both ends at ``others`` (H). ``reverse`` turns y -> x into x -> y and directs
    ``others`` (T) at y. ``base`` is the parent set of y that the gain was computed with; an
    operator whose base is not the current one is stale.
    """

    kind: str
    x: int
    y: int
    others: int
    base: int
    gain: float


@dataclass(slots=True)
class ClassState:
    """A CPDAG: the parents, children, undirected neighbours and adjacent nodes of every node."""

    parents: list[int]
    children: list[int]
    neighbours: list[int]
    adjacent: list[int]

    @classmethod
    def of_dag(cls, parents: Sequence[int]) -> ClassState:
        """Return the class of a DAG."""
        return cls._of(*cpdag_of_dag(parents))

    @classmethod
    def _of(cls, parents: list[int], neighbours: list[int]) -> ClassState:
        children = transposed(parents)
        adjacent = [p | c | u for p, c, u in zip(parents, children, neighbours, strict=True)]
        return cls(parents, children, neighbours, adjacent)

    def base_after(self, op: Operator) -> int:
        """Return the parent set of y that the operator's gain needs now."""
        near = self.neighbours[op.y] & self.adjacent[op.x]
        if op.kind == "delete":
            return (near & ~op.others) | (self.parents[op.y] & ~(1 << op.x))
        return near | op.others | self.parents[op.y]

    def is_valid(self, op: Operator) -> bool:
        """Say whether the operator applies, the semi-directed paths left aside."""
        x, y = op.x, op.y
        near = self.neighbours[y] & self.adjacent[x]
        joined = self.adjacent[y] >> x & 1
        if op.kind == "delete":
            fits = (self.parents[y] | self.neighbours[y]) >> x & 1 and not op.others & ~near
            return bool(fits) and is_clique(self.adjacent, near & ~op.others)
        if op.kind == "insert":
            if joined:
                return False
        elif not self.children[y] >> x & 1:
            return False
        loose = self.neighbours[y] & ~self.adjacent[x]
        return not op.others & ~loose and is_clique(self.adjacent, near | op.others)

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
        seen = wall | 1 << op.y
        front = start & ~seen
        fronts = []
        while front and not front & goal:
            fronts.append(front)
            seen |= front
            reached = 0
            while front:
                low = front & -front
                front ^= low
                v = low.bit_length() - 1
                reached |= self.children[v] | self.neighbours[v]
            front = reached & ~seen
        return self._trace(op, fronts) if front else 0

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
        return ClassState._of(*cpdag_of_pdag(*self.changed_by(op)))

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


def cliques_within(adjacent: Sequence[int], nodes: int) -> Iterator[int]:
    """Yield every clique inside ``nodes``, the empty one first; a clique before what extends it."""
    yield 0
    open_ = [(1 << v, nodes >> (v + 1) << (v + 1) & adjacent[v]) for v in bits(nodes)]
    while open_:
        clique, more = open_.pop()
        yield clique
        open_.extend(
            (clique | 1 << v, more >> (v + 1) << (v + 1) & adjacent[v]) for v in bits(more)
        )
