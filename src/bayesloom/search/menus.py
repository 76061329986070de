"""The operators at every node of a class, best first, remembered by what the node sees."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from bayesloom.graphs import bits
from bayesloom.search.equivalence import ClassState, cliques_within
from bayesloom.search.limits import Limits
from bayesloom.search.local_scores import LocalScores

Entry = tuple[int, int, int, tuple[int, ...], int, float]
"""An operator: rank, x, y and the other nodes, by which it is ordered; their mask and the gain."""
Surroundings = tuple[int, int, int, tuple[int, ...], tuple[int, ...]]
MOST_REMEMBERED = 200_000  # operators


@dataclass(slots=True)
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
    known: dict[Surroundings, list[Entry]] = field(default_factory=dict)
    size: int = 0
    ranked: dict[tuple[int, int], tuple[int, list[tuple[int, float, int]]]] = field(
        default_factory=dict
    )
    """By child and base: the partners known then, and those that gain enough."""

    def ask(self, state: ClassState, nodes: Iterable[int]) -> dict[int, list[Entry]]:
        """Return the menus of some nodes; what is not known is scored in one batch."""
        if self.size > MOST_REMEMBERED:
            self.known, self.ranked = {}, {}
            self.size = 0
        asked = {y: self._surroundings(state, y) for y in nodes}
        missing = [y for y, seen in asked.items() if seen not in self.known]
        if missing:
            made = self._deletes if self.kind == "delete" else self._inserts
            for y, menu in made(state, missing):
                menu.sort()
                self.known[asked[y]] = menu
                self.size += len(menu)
        return {y: self.known[seen] for y, seen in asked.items()}

    def _surroundings(self, state: ClassState, y: int) -> Surroundings:
        """Return all that the operators at y depend on."""
        near = state.neighbours[y]
        beyond = tuple([state.adjacent[v] for v in bits(near)]) if near else ()
        pairs = 0
        heads: tuple[int, ...] = ()
        if self.kind == "insert":
            pairs = state.adjacent[y]
        elif self.kind == "reverse":
            pairs = state.children[y]
            heads = tuple([state.parents[x] for x in bits(pairs)])
        return y, state.parents[y], pairs, (near, *beyond), heads

    def _inserts(self, state: ClassState, nodes: list[int]) -> list[tuple[int, list[Entry]]]:
        asked = [(y, self._bases(state, y)) for y in nodes]
        rows = [(y, c | state.parents[y], xs) for y, found in asked for c, xs in found]
        families: list[tuple[int, int]] = []
        if self.kind == "reverse":
            turned = [(x, y) for y, found in asked for _, xs in found for x in bits(xs)]
            families = [(x, state.parents[x]) for x, _ in turned]
            families += [(x, state.parents[x] & ~(1 << y)) for x, y in turned]
        self.scores.ask(rows, families)
        made = []
        for y, found in asked:
            menu: list[Entry] = []
            for clique, xs in found:
                menu += self._entries(state, y, clique, xs)
            made.append((y, menu))
        return made

    def _bases(self, state: ClassState, y: int) -> list[tuple[int, int]]:
        """Return (clique, partners) for the operators that end at y, grouped by their base."""
        if self.kind == "reverse":
            pairs = state.children[y]
        else:
            pairs = self.limits.pairs[y] & ~state.adjacent[y]
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

    def _entries(self, state: ClassState, y: int, clique: int, xs: int) -> list[Entry]:
        base = clique | state.parents[y]
        ranked = (
            self._turned(state, y, base, xs) if self.kind == "reverse" else self._ranked(y, base)
        )
        entries: list[Entry] = []
        for x, gain, rank in ranked:
            if xs >> x & 1:
                others = clique & ~state.adjacent[x]
                entries.append((rank, x, y, tuple(bits(others)) if others else (), others, gain))
        return entries

    def _ranked(self, y: int, base: int) -> list[tuple[int, float, int]]:
        """Return x, gain and rank for all x -> y known to gain enough when y has this base."""
        partners = self.scores.known[y, base]
        seen, ranked = self.ranked.get((y, base), (0, []))
        if seen != partners:
            gains = self.scores.rows[y, base] - self.scores[y, base]
            better = np.flatnonzero(gains > self.floor)
            kept = gains[better]
            ranks = np.rint(kept / -self.tie).astype(np.int64).tolist()
            ranked = list(zip(better.tolist(), kept.tolist(), ranks, strict=True))
            self.ranked[y, base] = partners, ranked
        return ranked

    def _turned(
        self, state: ClassState, y: int, base: int, xs: int
    ) -> list[tuple[int, float, int]]:
        """Return x, gain and rank for all y -> x that gain enough when turned to this base of y."""
        row, scores = self.scores.rows[y, base], self.scores
        alone = scores[y, base]
        ranked = []
        for x in bits(xs):
            parents = state.parents[x]
            gain = float(row[x]) - alone + scores[x, parents & ~(1 << y)] - scores[x, parents]
            if gain > self.floor:
                ranked.append((x, gain, round(gain / -self.tie)))
        return ranked

    def _deletes(self, state: ClassState, nodes: list[int]) -> list[tuple[int, list[Entry]]]:
        found: list[tuple[int, int, int, int]] = []
        for y in nodes:
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
        made: dict[int, list[Entry]] = {y: [] for y in nodes}
        for x, y, others, base in found:
            gain = self.scores[y, base] - self.scores[y, base | 1 << x]
            if gain > self.floor:
                rank = round(gain / -self.tie)
                made[y].append((rank, x, y, tuple(bits(others)), others, gain))
        return list(made.items())
