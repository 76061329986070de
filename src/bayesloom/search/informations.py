"""A memory of conditional mutual informations, asked for in batches."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from bayesloom.engine import Batch, Engine
from bayesloom.graphs import bits


class Link(NamedTuple):
    """A link of x < y that is added while ``given`` are their common neighbours."""

    x: int
    y: int
    given: int


@dataclass(slots=True)
class Informations:
    """The informations of links; what is missing is asked for in one batch."""

    engine: Engine
    known: dict[Link, float] = field(default_factory=dict)

    def __getitem__(self, link: Link) -> float:
        return self.known[link]

    def __len__(self) -> int:
        return len(self.known)

    def ask(self, links: Iterable[Link]) -> None:
        """Make sure that the informations of these links are known."""
        groups: dict[tuple[int, int], list[int]] = {}
        for link in dict.fromkeys(links):
            if link not in self.known:
                groups.setdefault((link.x, link.given), []).append(link.y)
        if not groups:
            return
        batch = Batch.of((x, bits(given), ys) for (x, given), ys in groups.items())
        values = iter(self.engine.informations(batch).tolist())
        for (x, given), ys in groups.items():
            for y in ys:
                self.known[Link(x, y, given)] = next(values)

    def parameters(self, link: Link) -> float:
        """Return how many further parameters the link takes."""
        states = self.engine.cardinality
        free = float((states[link.x] - 1) * (states[link.y] - 1))
        for v in bits(link.given):
            free *= float(states[v])
        return free

    def cells(self, link: Link) -> float:
        """Return the number of cells of the clique the link makes."""
        members = [link.x, link.y, *bits(link.given)]
        return float(np.prod(self.engine.cardinality[members].astype(np.float64)))
