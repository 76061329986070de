"""Directions from separating sets: colliders, Meek's rules, and where they contradict."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from bayesloom.graphs import (
    CPDAG,
    DAG,
    PDAG,
    ancestors,
    bits,
    close_under_meek,
    remove_sinks,
    transposed,
)
from bayesloom.search.constraint.tester import NodePair
from bayesloom.search.facts.conflict import Conflict, Opposition
from bayesloom.search.facts.tested import Separation
from bayesloom.search.limits import Limits

Triple = tuple[int, int, int]
"""x, middle, y: both ends are joined with the middle and not with each other; x < y."""


@dataclass(slots=True)
class Orientation:
    """A skeleton whose edges get their directions, one collider (v-structure) after the other."""

    adjacency: Sequence[int]
    limits: Limits
    parents: list[int] = field(init=False)
    conflicts: list[Conflict] = field(default_factory=list)
    _known: list[int] = field(init=False)
    """The arrows that knowledge directs."""

    def __post_init__(self) -> None:
        self._known = [
            (mask & allowed & ~out) | required
            for mask, allowed, out, required in zip(
                self.adjacency,
                self.limits.allowed,
                transposed(self.limits.allowed),
                self.limits.required,
                strict=True,
            )
        ]
        self.parents = list(self._known)

    def direct(self, colliders: Sequence[Triple]) -> tuple[list[int], list[int]]:
        """Direct the colliders in order, leaving out those against earlier ones, and what follows.

        Returns
        -------
        parents, neighbours : list of int
            The graph, closed under Meek's rules.
        """
        kept = set()
        for triple in colliders:
            opposition = self.opposition(*triple)
            if opposition is None:
                x, middle, y = triple
                self.parents[middle] |= 1 << x | 1 << y
                kept.add(triple)
            else:
                self.conflicts.append(Conflict(*triple, opposition))
        parents, neighbours = self.closed()
        for triple in unshielded(parents, self.adjacency):
            if triple not in kept:
                self.conflicts.append(Conflict(*triple, Opposition.IMPLIED))
        return parents, neighbours

    def closed(self) -> tuple[list[int], list[int]]:
        """Return parents and neighbours after Meek's rules have directed what follows."""
        out = transposed(self.parents)
        free = [a & ~(p | c) for a, p, c in zip(self.adjacency, self.parents, out, strict=True)]
        return close_under_meek(self.parents, free, fourth_rule=not self.limits.are_open)

    def opposition(self, x: int, middle: int, y: int) -> Opposition | None:
        """Return what stands against a collider, if anything does."""
        ends = 1 << x | 1 << y
        if any(self._known[v] >> middle & 1 for v in (x, y)):
            return Opposition.KNOWLEDGE
        if any(self.parents[v] >> middle & 1 for v in (x, y)):
            return Opposition.COLLIDER
        reached = ancestors(self.parents, ends & ~self.parents[middle])
        return Opposition.CYCLE if reached >> middle & 1 else None


def colliders_of(
    adjacency: Sequence[int], separations: Mapping[NodePair, Separation]
) -> list[Triple]:
    """Return the triples whose middle is in no separating set, clearest separation first.

    A separation is clearer the larger its p-value is; ties go to the first in name order. A pair
    without a separating set says nothing of its middles.

    Examples
    --------
    >>> apart = Separation(0, 1, (), 0.1, 1.0, 0.75, -0.29, 20.0, 80)
    >>> colliders_of([0b100, 0b100, 0b011], {(0, 1): apart})
    [(0, 2, 1)]
    """
    found = []
    if not separations:  # tests were cut off: of many variables there are too many triples
        return []
    for x, middle, y in unshielded(adjacency, adjacency):
        apart = separations.get((x, y))
        if apart is not None and middle not in (*apart.given, *apart.any_given):
            found.append(((not apart.conclusive, -apart.log_p, x, y, middle), (x, middle, y)))
    return [triple for _, triple in sorted(found)]


def unshielded(near: Sequence[int], adjacency: Sequence[int]) -> Iterator[Triple]:
    """Yield x, middle, y with x < y near the middle and not joined with each other."""
    for middle, mask in enumerate(near):
        for x in bits(mask):
            for y in bits(mask & ~adjacency[x] & -(2 << x)):
                yield x, middle, y


@dataclass(frozen=True, slots=True)
class Oriented:
    """The graph that separating sets make of a skeleton.

    Parameters
    ----------
    graph : PDAG
        The graph: a CPDAG if it is the class of a DAG and knowledge directs nothing.
    dag : DAG or None
        An extension that keeps to the limits; None if there is none.
    conflicts : tuple of Conflict
        Where tests and graph disagree.
    knot : tuple of str
        Variables that no order of a DAG could be found for, if there is no extension.
    """

    graph: PDAG
    dag: DAG | None
    conflicts: tuple[Conflict, ...]
    knot: tuple[str, ...] = ()

    @classmethod
    def of(
        cls, adjacency: Sequence[int], separations: Mapping[NodePair, Separation], limits: Limits
    ) -> Oriented:
        """Direct what the separating sets, the limits and Meek's rules direct."""
        orientation = Orientation(adjacency, limits)
        closed = orientation.direct(colliders_of(adjacency, separations))
        return cls.extended(*closed, limits, orientation.conflicts)

    @classmethod
    def extended(
        cls,
        parents: Sequence[int],
        neighbours: Sequence[int],
        limits: Limits,
        conflicts: Sequence[Conflict] = (),
    ) -> Oriented:
        """Look for a DAG that extends a graph closed under Meek's rules."""
        extended, _, left = remove_sinks(parents, neighbours)
        names, masks = limits.names, (tuple(parents), tuple(neighbours))
        dag = DAG(names, tuple(extended)) if not left and limits.keeps(extended) else None
        is_class = dag is not None and limits.are_symmetric
        graph = CPDAG(names, *masks) if is_class else PDAG(names, *masks)
        knot = tuple(names[v] for v in bits(left))
        return cls(graph, dag, tuple(conflicts), knot)
