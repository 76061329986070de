"""The operators of a class that improve its score, best first, kept up to date."""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field

from bayesloom._native import CPDAGState, Menu
from bayesloom.graphs import bits
from bayesloom.search.equivalence.operators import Menus
from bayesloom.search.equivalence.state import Operator
from bayesloom.search.limits import Limits
from bayesloom.search.local_scores import LocalScores

Entry = tuple[float, int, int, tuple[int, ...], int, float]
"""An operator: rank, x, y and the other nodes, by which it is ordered; their mask and the gain."""
Item = tuple[Entry, int, int]
"""An operator, the stamp of its node, and its place in the menu; -1 if the menu has gone on."""
BANNED = 0
"""What a banned operator waits for: nothing."""
NOTHING = Menu()


@dataclass(slots=True)
class Agenda:
    """The operators of one kind with a gain above a floor, in a heap of the best of every node.

    The menu of a node is asked for anew when a change has touched it; what stems from an older menu
    is recognised by its stamp. An operator that fails only because a semi-directed path is open, or
    because its result breaks the limits, is parked and comes back when that may have changed.

    No operator puts a -> b where (a, b) is banned. The order is: gain (gains within ``tie`` are
    equal), then x, y and the other nodes.
    """

    menus: Menus
    banned: frozenset[tuple[int, int]] = frozenset()
    menu: list[Menu] = field(default_factory=list)
    stamp: list[int] = field(default_factory=list)
    heap: list[Item] = field(default_factory=list)
    parked: list[tuple[int, Item]] = field(default_factory=list)
    """Operators that wait, each with the nodes of which one must be touched before a retry."""

    @classmethod
    def of(cls, kind: str, scores: LocalScores, limits: Limits, floor: float, tie: float) -> Agenda:
        """Return an agenda without any operators yet."""
        n = len(limits.pairs)
        return cls(Menus(kind, scores, limits, floor, tie), menu=[NOTHING] * n, stamp=[0] * n)

    def copy(self, banned: frozenset[tuple[int, int]] = frozenset()) -> Agenda:
        """Return an agenda that goes on from here on its own."""
        return Agenda(self.menus, banned, self.menu[:], self.stamp[:], self.heap[:], self.parked[:])

    def fresh(self, floor: float) -> Agenda:
        """Return an agenda of the same kind with another floor, without any operators yet."""
        like = self.menus
        return Agenda.of(like.kind, like.scores, like.limits, floor, like.tie)

    @property
    def floor(self) -> float:
        """What every operator gains at least."""
        return self.menus.floor

    def renew(self, state: CPDAGState, touched: int) -> None:
        """Ask for the menus of the touched nodes and bring back what waited: one batch."""
        for y, menu in self.menus.ask(state, touched):
            if menu is not self.menu[y]:
                self.menu[y] = menu
                self.stamp[y] += 1
                if first := menu.at(0):
                    heapq.heappush(self.heap, (first, self.stamp[y], 0))
        waiting = self.parked
        self.parked = []
        for until, item in waiting:
            if item[1] != self.stamp[item[0][2]]:
                continue
            if until & touched:
                heapq.heappush(self.heap, item)
            else:
                self.parked.append((until, item))

    def lift_bans(self) -> None:
        """Let the banned edges in again."""
        self.banned = frozenset()
        waiting = self.parked
        self.parked = []
        for until, item in waiting:
            if until == BANNED:
                heapq.heappush(self.heap, item)
            else:
                self.parked.append((until, item))

    def operators(self) -> list[Operator]:
        """Return all operators, best first."""
        entries = [entry for menu in self.menu for k in range(len(menu)) if (entry := menu.at(k))]
        return [self._operator(entry) for entry in sorted(entries)]

    def _operator(self, entry: Entry) -> Operator:
        _, x, y, _, others, gain = entry
        return Operator(self.menus.kind, x, y, others, gain)

    def push(self, op: Operator) -> None:
        """Put back an operator that was taken while the class was this one."""
        rank = round(op.gain / -self.menus.tie)
        entry = (rank, op.x, op.y, tuple(bits(op.others)), op.others, op.gain)
        heapq.heappush(self.heap, (entry, self.stamp[op.y], -1))

    def pop(self, state: CPDAGState) -> Operator | None:
        """Take the best operator that can be applied."""
        symmetric = self.menus.limits.are_symmetric
        while self.heap:
            entry, stamp, place = self.heap[0]
            y = entry[2]
            current = stamp == self.stamp[y]
            if current and place >= 0 and (following := self.menu[y].at(place + 1)):
                heapq.heapreplace(self.heap, (following, stamp, place + 1))
            else:
                heapq.heappop(self.heap)
            if not current:
                continue
            op = self._operator(entry)
            if (op.x, y) in self.banned:
                path = BANNED
            else:
                path = state.open_path(op)
                if not path:
                    if symmetric or self._keeps_limits(state.after(op)):
                        return op
                    path = -1
            self.parked.append((path, (entry, stamp, -1)))
        return None

    def _keeps_limits(self, after: CPDAGState) -> bool:
        return self.menus.limits.extend(after.parents, after.neighbours) is not None
