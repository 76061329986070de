"""The operators of a class that improve its score, best first, kept up to date."""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field

import numpy as np

from bayesloom.graphs import bits
from bayesloom.search.equivalence import ClassState, Operator, cliques_within
from bayesloom.search.limits import Limits
from bayesloom.search.local_scores import LocalScores

Entry = tuple[float, int, int, tuple[int, ...], int, Operator]


@dataclass(slots=True)
class Agenda:
    """The operators of one kind with a gain above ``floor``, in a heap.

    Operators are made anew for the nodes a change has touched; older ones of the same node are
    recognised by their stamp. An operator that fails only because a semi-directed path is open, or
    because its result breaks the limits, is parked and comes back when that may have changed.

    No operator puts a -> b where (a, b) is banned. The order is: gain (gains within ``tie`` are
    equal), then x, y and the other nodes.
    """

    kind: str
    scores: LocalScores
    limits: Limits
    floor: float
    tie: float
    banned: frozenset[tuple[int, int]] = frozenset()
    heap: list[Entry] = field(default_factory=list)
    parked: list[tuple[int, Entry]] = field(default_factory=list)
    """Operators that wait, each with the nodes of which one must be touched before a retry."""
    stamp: list[int] = field(default_factory=list)

    def copy(self, banned: frozenset[tuple[int, int]] = frozenset()) -> Agenda:
        """Return an agenda that goes on from here on its own."""
        self.heap = [entry for entry in self.heap if entry[-2] == self.stamp[entry[-1].y]]
        heapq.heapify(self.heap)
        return Agenda(
            self.kind, self.scores, self.limits, self.floor, self.tie, banned,
            self.heap[:], self.parked[:], self.stamp[:],
        )  # fmt: skip

    def fresh(self, floor: float) -> Agenda:
        """Return an empty agenda of the same kind with another floor."""
        blank = [0] * len(self.stamp)
        return Agenda(self.kind, self.scores, self.limits, floor, self.tie, stamp=blank)

    def requests(self, state: ClassState, y: int) -> list[tuple[int, int]]:
        """Return (clique, partners) for the operators at y: all that end at y, grouped by base."""
        pairs = self._partners(state, y)
        near = state.neighbours[y]
        most = self.limits.most - 1
        found = []
        for clique in cliques_within(state.adjacent, near) if near else (0,):
            apart = 0
            for v in bits(near & ~clique):
                apart |= state.adjacent[v]
            xs = pairs & ~apart
            if xs and (clique | state.parents[y]).bit_count() <= most:
                found.append((clique, xs))
        return found

    def _partners(self, state: ClassState, y: int) -> int:
        if self.kind == "reverse":
            partners = state.children[y]
        else:
            partners = self.limits.pairs[y] & ~state.adjacent[y]
        for a, b in self.banned:
            if y == b:
                partners &= ~(1 << a)
        return partners

    def renew(self, state: ClassState, touched: int) -> None:
        """Make the operators at the touched nodes anew and bring back what waited: one batch."""
        nodes = bits(touched)
        if self.kind == "delete":
            self._renew_deletes(state, nodes)
        else:
            self._renew_inserts(state, nodes)
        waiting = self.parked
        self.parked = []
        for until, entry in waiting:
            if not until & touched:
                self.parked.append((until, entry))
            elif entry[-2] == self.stamp[entry[-1].y]:
                heapq.heappush(self.heap, entry)

    def _renew_inserts(self, state: ClassState, nodes: list[int]) -> None:
        asked = [(y, self.requests(state, y)) for y in nodes]
        rows = [(y, c | state.parents[y], xs) for y, found in asked for c, xs in found]
        families: list[tuple[int, int]] = []
        if self.kind == "reverse":
            heads = {x for _, found in asked for _, xs in found for x in bits(xs)}
            families = [(x, state.parents[x]) for x in sorted(heads)]
            families += [
                (x, state.parents[x] & ~(1 << y))
                for y, found in asked
                for _, xs in found
                for x in bits(xs)
            ]
        self.scores.ask(rows, families)
        for y, found in asked:
            self.stamp[y] += 1
            for clique, xs in found:
                self._push_inserts(state, y, clique, xs)

    def _push_inserts(self, state: ClassState, y: int, clique: int, xs: int) -> None:
        base = clique | state.parents[y]
        gains = self.scores.rows[y, base] - self.scores[y, base]
        if self.kind == "reverse":
            chosen = bits(xs)
            for x in chosen:
                before = self.scores[x, state.parents[x]]
                gain = float(gains[x]) + self.scores[x, state.parents[x] & ~(1 << y)] - before
                if gain > self.floor:
                    self.push(Operator("reverse", x, y, clique & ~state.adjacent[x], base, gain))
            return
        better = np.flatnonzero(gains > self.floor)
        kept = gains[better]
        ranks = np.rint(kept / -self.tie).tolist()
        stamp, adjacent = self.stamp[y], state.adjacent
        for x, gain, rank in zip(better.tolist(), kept.tolist(), ranks, strict=True):
            if xs >> x & 1:
                others = clique & ~adjacent[x]
                op = Operator("insert", x, y, others, base, gain)
                entry = (rank, x, y, tuple(bits(others)) if others else (), stamp, op)
                heapq.heappush(self.heap, entry)

    def _renew_deletes(self, state: ClassState, nodes: list[int]) -> None:
        found: list[tuple[int, int, int, int]] = []
        for y in nodes:
            self.stamp[y] += 1
            ends = (state.parents[y] | state.neighbours[y]) & ~self.limits.required[y]
            for x in bits(ends):
                if self.limits.required[x] >> y & 1:
                    continue
                near = state.neighbours[y] & state.adjacent[x]
                kept = state.parents[y] & ~(1 << x)
                found += [(x, y, near & ~c, c | kept) for c in cliques_within(state.adjacent, near)]
        families = [(y, base) for _, y, _, base in found]
        families += [(y, base | 1 << x) for x, y, _, base in found]
        self.scores.ask([], families)
        for x, y, others, base in found:
            gain = self.scores[y, base] - self.scores[y, base | 1 << x]
            if gain > self.floor:
                self.push(Operator("delete", x, y, others, base, gain))

    def push(self, op: Operator) -> None:
        """Put an operator in."""
        rank = round(op.gain / -self.tie)
        entry = (rank, op.x, op.y, tuple(bits(op.others)), self.stamp[op.y], op)
        heapq.heappush(self.heap, entry)

    def pop(self, state: ClassState) -> Operator | None:
        """Take the best operator that can be applied."""
        while self.heap:
            entry = heapq.heappop(self.heap)
            op = entry[-1]
            if entry[-2] != self.stamp[op.y] or state.base_after(op) != op.base:
                continue
            if not state.is_valid(op):
                continue
            path = state.open_path(op)
            if not path:
                if self.limits.are_symmetric or self._keeps_limits(state.after(op)):
                    return op
                path = -1
            self.parked.append((path, entry))
        return None

    def _keeps_limits(self, after: ClassState) -> bool:
        return self.limits.extend(after.parents, after.neighbours) is not None
