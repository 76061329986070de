"""The last graphs of a search, which it may not go back to."""

from __future__ import annotations

import sys
from collections import deque
from dataclasses import dataclass

import numpy as np

from bayesloom._native import OperatorKind
from bayesloom.graphs import bits
from bayesloom.search.dag.gains import Move


@dataclass(slots=True)
class RecentGraphs:
    """The last graphs by their signatures: each edge has a random word, a graph is their sum."""

    word: list[list[int]]
    now: int
    order: deque[int]
    seen: set[int]

    @classmethod
    def of(cls, parents: list[int], length: int) -> RecentGraphs:
        """Begin with one graph."""
        n = len(parents)
        rng = np.random.default_rng(0)
        word = rng.integers(0, 2**64, size=(n, n), dtype=np.uint64).tolist()
        now = 0
        for y, mask in enumerate(parents):
            for x in bits(mask):
                now ^= word[x][y]
        return cls(word, now, deque([now], maxlen=min(length, sys.maxsize)), {now})

    def after(self, move: Move) -> int:
        """Return the signature of the graph a move leads to."""
        word = self.now ^ self.word[move.x][move.y]
        return word ^ self.word[move.y][move.x] if move.kind is OperatorKind.REVERSE else word

    def add(self, move: Move) -> None:
        """Go to the graph a move leads to and remember it."""
        self.now = self.after(move)
        if len(self.order) == self.order.maxlen:
            self.seen.discard(self.order[0])
        self.order.append(self.now)
        self.seen.add(self.now)

    def __contains__(self, move: Move) -> bool:
        return self.after(move) in self.seen
