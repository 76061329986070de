"""The operators at every node of a class, best first, remembered by what the node sees."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

from bayesloom._native import Menu
from bayesloom.graphs import bits, transposed
from bayesloom.search.equivalence import ClassState
from bayesloom.search.limits import Limits
from bayesloom.search.local_scores import LocalScores

Entry = tuple[float, int, int, tuple[int, ...], int, float]
"""An operator: rank, x, y and the other nodes, by which it is ordered; their mask and the gain."""
Surroundings = tuple[int, int, int, int, tuple[int, ...], tuple[int, ...]]
KINDS = ("insert", "delete", "reverse")
MOST_REMEMBERED = 200_000  # operators


@dataclass
class Menus:
    """The operators of one kind with a gain above ``floor``, node by node.

    Which operators there are at a node, and their gains, follow from what surrounds it: searches
    that come back to a place find its menu ready. Semi-directed paths are not looked at here.
    """

    kind: str
    scores: LocalScores
    limits: Limits
    floor: float
    tie: float
    known: dict[Surroundings, Menu] = field(default_factory=dict)
    size: int = 0

    def ask(self, state: ClassState, nodes: Iterable[int]) -> dict[int, Menu]:
        """Return the menus of some nodes; what is not known is scored in one batch."""
        if self.size > MOST_REMEMBERED:
            self.known = {}
            self.size = 0
        asked = {y: self._surroundings(state, y) for y in nodes}
        missing = [seen for seen in asked.values() if seen not in self.known]
        if missing:
            memory = self.scores.memory
            memory.want_menus(KINDS.index(self.kind), missing, self.limits.most)
            self.scores.settle()
            for seen, menu in zip(missing, memory.menus(self.floor, self.tie), strict=True):
                self.known[seen] = menu
                self.size += len(menu)
        return {y: self.known[seen] for y, seen in asked.items()}

    def _surroundings(self, state: ClassState, y: int) -> Surroundings:
        """Return all that the operators at y depend on."""
        near = state.neighbours[y]
        beyond = tuple([state.adjacent[v] for v in bits(near)]) if near else ()
        heads: tuple[int, ...] = ()
        if self.kind == "insert":
            pairs = self.limits.pairs[y] & ~state.adjacent[y]
        elif self.kind == "delete":
            pairs = (state.parents[y] | near) & ~self._required[y]
        else:
            pairs = state.children[y]
            heads = tuple([state.parents[x] for x in bits(pairs)])
        return y, state.parents[y], pairs, near, beyond, heads

    @cached_property
    def _required(self) -> list[int]:
        """For every node the nodes it must be adjacent to."""
        into = self.limits.required
        return [a | b for a, b in zip(into, transposed(into), strict=True)]
