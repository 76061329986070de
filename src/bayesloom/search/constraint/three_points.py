"""Directions from three-point informations: the likeliest arrow first, then what follows."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush

from bayesloom.graphs import ancestors, bits
from bayesloom.search.constraint.orientation import Orientation, Oriented, Triple, unshielded
from bayesloom.search.constraint.surplus import SharedBy, Surpluses
from bayesloom.search.constraint.tester import NodePair
from bayesloom.search.facts.conflict import Conflict, Opposition
from bayesloom.search.limits import Limits


def three_points(
    adjacency: Sequence[int],
    separated: Iterable[NodePair],
    given: Mapping[NodePair, int],
    surpluses: Surpluses,
) -> dict[Triple, float]:
    """Return the three-point information, in nats, of every triple whose ends are separated.

    It is what the surplus of the ends loses once the middle is given besides the rest of what
    separates them: negative for a collider. All are asked for in one batch.
    """
    apart = set(separated)
    wanted: dict[Triple, tuple[SharedBy, SharedBy]] = {}
    for x, middle, y in unshielded(adjacency, adjacency):
        if (x, y) in apart:
            rest = given[x, y] & ~(1 << middle)
            wanted[x, middle, y] = (x, y, rest), (x, y, rest | 1 << middle)
    surpluses.ask(shared for both in wanted.values() for shared in both)
    return {triple: surpluses[a] - surpluses[b] for triple, (a, b) in wanted.items()}


_NOBODY = -1


@dataclass(slots=True)
class LikeliestArrows:
    """Arrows in the order of their probability, each of which makes others more probable.

    With I the three-point information of x - z - y, in nats: if I is negative, the arrows of the
    collider have the probability ``(1 + e^I) / (1 + 3 e^I)``. Once one arrow points at z with
    probability p, the other edge points at z (I < 0) or away from it (I > 0) with probability
    ``1/2 + p (1 / (1 + e^-|I|) - 1/2)``. What is kept is 1 minus the probability, which does not
    run into 1 where data are many; ties go to the larger ``|I|``, then to the first in name order.
    """

    orientation: Orientation
    informations: Mapping[Triple, float]
    _queue: list[tuple[float, float, Triple, int]] = field(default_factory=list)
    """Doubt, minus the size of the information, the triple, and whose arrow leads on, or none."""
    _around: dict[int, list[Triple]] = field(default_factory=dict)
    """The triples around every middle."""

    def direct(self) -> tuple[list[int], list[int]]:
        """Direct what can be directed, and what follows by Meek's rules; note the conflicts.

        Returns
        -------
        parents, neighbours : list of int
            The graph, closed under Meek's rules.
        """
        for triple, information in self.informations.items():
            self._around.setdefault(triple[1], []).append(triple)
            if information < 0:
                heappush(self._queue, (collider_doubt(information), information, triple, _NOBODY))
        known = [(parent, v) for v, mask in enumerate(self._parents) for parent in bits(mask)]
        for parent, child in known:
            self._lead_on(parent, child, 0.0)
        while self._queue:
            doubt, _, triple, leader = heappop(self._queue)
            if leader == _NOBODY:
                self._collide(triple, doubt)
            else:
                self._follow(triple, leader, doubt)
        parents, neighbours = self.orientation.closed()
        self.orientation.parents = parents
        self._note_conflicts()
        return parents, neighbours

    @property
    def _parents(self) -> list[int]:
        return self.orientation.parents

    def _collide(self, triple: Triple, doubt: float) -> None:
        """Point both edges of a triple at its middle, if none does yet and nothing opposes it."""
        x, middle, y = triple
        is_new = not self._parents[middle] & (1 << x | 1 << y)
        if is_new and self.orientation.opposition(*triple) is None:
            for end in (x, y):
                self._direct(end, middle, doubt)

    def _follow(self, triple: Triple, leader: int, doubt: float) -> None:
        """Direct the other edge of a triple one edge of which points at the middle.

        If that closed a directed cycle, there is but the other direction.
        """
        x, middle, y = triple
        other = y if leader == x else x
        if (self._parents[middle] >> other | self._parents[other] >> middle) & 1:
            return
        ends = (other, middle) if self.informations[triple] < 0 else (middle, other)
        if ancestors(self._parents, 1 << ends[0]) >> ends[1] & 1:
            ends = ends[1], ends[0]
        self._direct(*ends, doubt)

    def _direct(self, parent: int, child: int, doubt: float) -> None:
        self._parents[child] |= 1 << parent
        self._lead_on(parent, child, doubt)

    def _lead_on(self, parent: int, child: int, doubt: float) -> None:
        """Note what an arrow makes probable at its head."""
        for triple in self._around.get(child, ()):
            size = abs(self.informations[triple])
            if parent in triple and size > 0:
                heappush(self._queue, (led_doubt(size, doubt), -size, triple, parent))

    def _note_conflicts(self) -> None:
        """Tell where the graph has no collider that is asked for, or one that is denied."""
        for triple, information in sorted(self.informations.items(), key=_by_size):
            x, middle, y = triple
            collides = self._parents[middle] >> x & self._parents[middle] >> y & 1
            if information < 0 and not collides:
                against = self.orientation.opposition(*triple) or Opposition.CYCLE
                self.orientation.conflicts.append(Conflict(*triple, against))
            elif information > 0 and collides:
                self.orientation.conflicts.append(Conflict(*triple, Opposition.IMPLIED))


def collider_doubt(information: float) -> float:
    """Return 1 minus the probability of each arrow of a collider whose information is negative.

    Examples
    --------
    >>> collider_doubt(0.0), round(collider_doubt(-5.0), 4)
    (0.5, 0.0132)
    """
    odds = math.exp(information)
    return 2.0 * odds / (1.0 + 3.0 * odds)


def led_doubt(size: float, doubt: float) -> float:
    """Return 1 minus the probability of the arrow that another one leads to.

    Examples
    --------
    >>> led_doubt(0.0, 0.1), round(led_doubt(5.0, 0.1), 4)
    (0.5, 0.056)
    """
    wrong = math.exp(-size) / (1.0 + math.exp(-size))
    return wrong + doubt * (0.5 - wrong)


def _by_size(told: tuple[Triple, float]) -> tuple[float, Triple]:
    return -abs(told[1]), told[0]


def directed_by_information(
    adjacency: Sequence[int], informations: Mapping[Triple, float], limits: Limits
) -> Oriented:
    """Direct what three-point informations, the limits and Meek's rules direct."""
    orientation = Orientation(adjacency, limits)
    closed = LikeliestArrows(orientation, informations).direct()
    return Oriented.extended(*closed, limits, orientation.conflicts)
