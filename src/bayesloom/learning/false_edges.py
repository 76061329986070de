"""How many edges of a network are chance: what was counted in networks learned from its copies."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

from bayesloom.data import member
from bayesloom.errors import DataError
from bayesloom.graphs.text import counted
from bayesloom.grid import Grid, NamedColumns, Tabular, label

_BELOW, _WIDTH = 1.5, 4.0  # standard deviations below what is expected, and of the interval


class ChanceEdge(NamedTuple):
    """An edge and the share of chance edges among it and those that are as strong.

    Parameters
    ----------
    x, y : str
        The pair, in the order of names.
    q : float
        The q-value, a false discovery rate.
    """

    x: str
    y: str
    q: float


@dataclass(frozen=True, slots=True, repr=False)
class FalseEdges(Tabular):
    """How many of the edges of a network are expected to be chance, with an interval.

    Parameters
    ----------
    n_edges : int
        How many pairs the network joins.
    counts : tuple of int
        How many chance edges each copy had.
    edges : tuple of ChanceEdge
        Every edge, the surest first.

    Examples
    --------
    >>> found = FalseEdges(45, (1, 0, 2, 1), (ChanceEdge("A", "B", 0.01),))
    >>> found.expected, [round(end, 1) for end in found.interval]
    (1.125, [0.0, 8.2])
    >>> print(found)
    of 45 edges about 1 is expected to be chance (between 0 and 8)
      edge       q
      A - B  0.010
      q: share of chance edges among this edge and all that are as strong
    """

    n_edges: int
    counts: tuple[int, ...]
    edges: tuple[ChanceEdge, ...] = ()

    @property
    def expected(self) -> float:
        """The number of chance edges that is expected, half a count more than was seen."""
        return min(float(self.n_edges), (sum(self.counts) + 0.5) / len(self.counts))

    @property
    def interval(self) -> tuple[float, float]:
        """Between which numbers the true one is.

        It goes from 1.5 standard deviations and one edge below what is expected, is 4 of them and 4
        edges wide, and so goes further up than down: where rows are few, copies lack true edges,
        and with them some of the chance edges that these bring about.
        """
        deviation = math.sqrt(self.expected)
        low = max(0.0, self.expected - _BELOW * deviation - 1)
        return low, min(float(self.n_edges), low + _WIDTH * (deviation + 1))

    @property
    def share(self) -> float:
        """The share of the edges that is expected to be chance."""
        return self.expected / self.n_edges if self.n_edges else 0.0

    def q(self, x: str, y: str) -> float | None:
        """Return the q-value of a pair; None if it is not joined."""
        pair = {x, y}
        return next((edge.q for edge in self.edges if {edge.x, edge.y} == pair), None)

    def sentence(self) -> str:
        """Return the number in a line."""
        low, high = (math.floor(end) for end in self.interval)
        n = round(self.expected)
        about = "fewer than 1" if self.expected < 0.5 else f"about {n:,}"  # noqa: PLR2004 - rounds to 0
        are = "is" if n <= 1 else "are"
        return (
            f"of {counted(self.n_edges, 'edge')} {about} {are} expected to be chance "
            f"(between {low:,} and {high:,})"
        )

    __repr__ = Tabular.__str__

    def to_dict(self) -> dict[str, object]:
        """Return it as plain data."""
        return {
            "edges": self.n_edges,
            "expected": self.expected,
            "interval": list(self.interval),
            "counts": list(self.counts),
            "q": [list(edge) for edge in self.edges],
        }

    @classmethod
    def from_dict(cls, told: Mapping[str, Any]) -> Self:
        """Build it from the plain data of a file."""
        counts = member.many(member.whole, told, "counts")
        if not counts:
            problem = '"counts" of chance edges must not be empty'
            raise DataError(problem)
        edges = tuple(ChanceEdge(str(x), str(y), float(q)) for x, y, q in told["q"])
        return cls(member.whole(told, "edges"), counts, edges)

    def _columns(self) -> NamedColumns:
        return [(key, [getattr(edge, key) for edge in self.edges]) for key in ChanceEdge._fields]

    def _grid(self, most: int | None) -> Grid:
        rows = [(f"{label(edge.x)} - {label(edge.y)}", f"{edge.q:.3f}") for edge in self.edges]
        return Grid(
            self.sentence(),
            ("edge", "q"),
            rows[:most],
            1,
            more=len(rows) - len(rows[:most]),
            noun="edge",
            notes=("q: share of chance edges among this edge and all that are as strong",),
        )
