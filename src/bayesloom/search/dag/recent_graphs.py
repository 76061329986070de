"""The last graphs of a search, which it may not go back to."""

from __future__ import annotations

import sys
from collections import deque
from dataclasses import dataclass

from bayesloom._native import OperatorKind
from bayesloom.graphs import bits
from bayesloom.search.dag.gains import Move

_MOST = (1 << 64) - 1


@dataclass(slots=True)
class RecentGraphs:
    """The last graphs by their signatures: each edge has a random word, a graph is their sum."""

    n: int
    now: int
    order: deque[int]
    seen: set[int]

    @classmethod
    def of(cls, parents: list[int], length: int) -> RecentGraphs:
        """Begin with one graph."""
        n, now = len(parents), 0
        for y, mask in enumerate(parents):
            for x in bits(mask):
                now ^= _word(x * n + y)
        return cls(n, now, deque([now], maxlen=min(length, sys.maxsize)), {now})

    def after(self, move: Move) -> int:
        """Return the signature of the graph a move leads to."""
        word = self.now ^ _word(move.x * self.n + move.y)
        if move.kind is OperatorKind.REVERSE:
            word ^= _word(move.y * self.n + move.x)
        return word

    def add(self, move: Move) -> None:
        """Go to the graph a move leads to and remember it."""
        self.now = self.after(move)
        if len(self.order) == self.order.maxlen:
            self.seen.discard(self.order[0])
        self.order.append(self.now)
        self.seen.add(self.now)

    def __contains__(self, move: Move) -> bool:
        return self.after(move) in self.seen


def _word(k: int) -> int:
    """Return the k-th of a sequence of random words of 64 bits (splitmix64)."""
    k = (k + 1) * 0x9E3779B97F4A7C15 & _MOST
    k = (k ^ k >> 30) * 0xBF58476D1CE4E5B9 & _MOST
    k = (k ^ k >> 27) * 0x94D049BB133111EB & _MOST
    return k ^ k >> 31
