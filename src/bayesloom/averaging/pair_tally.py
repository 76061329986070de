"""How often pairs of variables were joined, over many graphs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from bayesloom.arrays import Floats
from bayesloom.graphs import DAG, PDAG, bits
from bayesloom.learning.confidence import PairStrength
from bayesloom.learning.structure import Kind, Structure

EdgePlaces: TypeAlias = tuple[tuple[int, int], ...]


class Joined(NamedTuple):
    """The edges of one graph by the places of its variables: arrows x -> y, lines x < y."""

    arrows: EdgePlaces
    lines: EdgePlaces
    kind: str = Kind.CLASS.value
    """What the search that found it is about."""

    @classmethod
    def of(cls, graph: Structure, kind: Kind = Kind.CLASS) -> Joined:
        """Return the edges of a graph.

        Examples
        --------
        >>> Joined.of(PDAG.from_edges([("B", "A")], [("B", "C")], ["A", "B", "C"]))
        Joined(arrows=((1, 0),), lines=((1, 2),), kind='class')
        """
        if isinstance(graph, DAG):
            return cls(_arrows(graph.parent_masks), (), kind.value)
        if isinstance(graph, PDAG):
            return cls(_arrows(graph.parent_masks), _lines(graph.neighbour_masks), kind.value)
        return cls((), _lines(graph.adjacency), kind.value)


def _arrows(parents: Sequence[int]) -> EdgePlaces:
    return tuple((p, v) for v, mask in enumerate(parents) for p in bits(mask))


def _lines(neighbours: Sequence[int]) -> EdgePlaces:
    return tuple((v, u) for v, mask in enumerate(neighbours) for u in bits(mask) if u > v)


@dataclass(frozen=True, slots=True, eq=False)
class PairTally:
    """Counts over graphs, in halves: an arrow is two for its direction, a line one each way.

    Parameters
    ----------
    halves : matrix of int
        For x and y twice the number of x -> y, plus the number of x - y.
    arrows : matrix of int
        For x and y the number of x -> y.
    graphs : int
        How many graphs there were.
    """

    halves: npt.NDArray[np.int64]
    arrows: npt.NDArray[np.int64]
    graphs: int

    @classmethod
    def of(cls, graphs: Iterable[Joined], n_variables: int) -> PairTally:
        """Count the edges of graphs.

        Examples
        --------
        >>> tally = PairTally.of([Joined(((0, 1),), ()), Joined((), ((0, 1),))], 2)
        >>> float(tally.strength[0, 1]), tally.pairs(("A", "B"))
        (1.0, (PairStrength(x='A', y='B', strength=1.0, direction=0.75),))
        """
        pointing, number = np.zeros((n_variables, n_variables), np.int64), 0
        plain = np.zeros_like(pointing)
        for arrows, lines, _ in graphs:
            number += 1
            for x, y in arrows:
                pointing[x, y] += 1
            for x, y in lines:
                plain[x, y] += 1
        return cls(2 * pointing + plain + plain.T, pointing, number)

    @property
    def strength(self) -> Floats:
        """For every two variables the share of graphs that join them."""
        return (self.halves + self.halves.T) / (2 * max(self.graphs, 1))

    def pairs(self, names: Sequence[str]) -> tuple[PairStrength, ...]:
        """Return the pairs that are joined at least once, the strongest first, then by names."""
        found = []
        for x, y in np.argwhere(np.triu(self.halves + self.halves.T, 1)).tolist():
            forward, back = int(self.halves[x, y]), int(self.halves[y, x])
            a, b = names[x], names[y]
            if back > forward or (back == forward and b < a):
                a, b, forward, back = b, a, back, forward
            both = forward + back
            found.append(PairStrength(a, b, both / (2 * self.graphs), forward / both))
        return tuple(sorted(found, key=lambda pair: (-pair.strength, pair.x, pair.y)))

    def unsettled(self, names: Sequence[str]) -> frozenset[tuple[str, str]]:
        """Return joined pairs, either way round, with no arrow in over half of what joins them.

        Examples
        --------
        >>> tally = PairTally.of([Joined(((0, 1),), ()), Joined((), ((0, 1),))], 2)
        >>> sorted(tally.unsettled(("A", "B")))
        [('A', 'B'), ('B', 'A')]
        """
        joined = self.halves + self.halves.T
        leading = np.maximum(self.arrows, self.arrows.T)
        found = np.argwhere((joined > 0) & (4 * leading <= joined)).tolist()
        return frozenset((names[x], names[y]) for x, y in found)

    def all_strengths(self) -> Floats:
        """Return the strengths of all pairs, zeros included."""
        return self.strength[np.triu_indices(len(self.halves), 1)]
