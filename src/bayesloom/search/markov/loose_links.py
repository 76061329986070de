"""The links with a gain between components, the best first, as arrays: there may be millions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from bayesloom.arrays import Bools, Floats, Ints
from bayesloom.search.markov.informations import Link

RankedLink = tuple[float, int, int, Link]
"""A link and where it stands among others: its rank first, then its ends."""


@dataclass(slots=True)
class LooseLinks:
    """The pairs that have a gain while they are in different components.

    Parameters
    ----------
    rank : array
        Where the gain of each pair stands; they are in this order.
    x, y : arrays
        The pairs x < y.
    information : array
        The mutual information of each.

    Examples
    --------
    >>> ends = np.array([0, 0], np.int32), np.array([1, 2], np.int32)
    >>> loose = LooseLinks(np.array([-3.0, -7.0]), *ends, np.array([0.1, 0.2]))
    >>> list(LooseLinks.in_order([loose]).until(None))
    [((-7.0, 0, 2, Link(x=0, y=2, given=0)), 0.2), ((-3.0, 0, 1, Link(x=0, y=1, given=0)), 0.1)]
    """

    rank: Floats = field(default_factory=lambda: np.zeros(0))
    x: Ints = field(default_factory=lambda: np.zeros(0, np.int32))
    y: Ints = field(default_factory=lambda: np.zeros(0, np.int32))
    information: Floats = field(default_factory=lambda: np.zeros(0))
    taken: int = 0
    """How many have had their turn."""

    def __len__(self) -> int:
        return len(self.rank)

    @classmethod
    def in_order(cls, parts: Sequence[LooseLinks]) -> LooseLinks:
        """Join links with the best first; equal ones keep their order."""
        if not parts:
            return cls()
        rank = np.concatenate([part.rank for part in parts])
        order = np.argsort(rank, kind="stable")
        x = np.concatenate([part.x for part in parts])[order]
        y = np.concatenate([part.y for part in parts])[order]
        return cls(rank[order], x, y, np.concatenate([part.information for part in parts])[order])

    def until(self, entry: RankedLink | None) -> Iterator[tuple[RankedLink, float]]:
        """Yield those whose turn comes before an entry, each with its information, and go on.

        Without an entry the turn of all has come.
        """
        while self.taken < len(self.rank):
            k = self.taken
            if entry is not None and (self.rank[k], self.x[k], self.y[k]) > entry[:3]:
                return
            self.taken += 1
            yield self._entry(k)

    def across(self, inside: Bools) -> Iterator[tuple[RankedLink, float]]:
        """Yield those that have had their turn and of which one end is inside, the other not."""
        x, y = self.x[: self.taken], self.y[: self.taken]
        for k in np.flatnonzero(inside[x] != inside[y]).tolist():
            yield self._entry(k)

    def _entry(self, k: int) -> tuple[RankedLink, float]:
        x, y = int(self.x[k]), int(self.y[k])
        return (float(self.rank[k]), x, y, Link(x, y, 0)), float(self.information[k])
