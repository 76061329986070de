"""Parts of an exact problem that can be solved one by one."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from bayesloom.graphs import bits, topological_order, transposed
from bayesloom.search.exact.candidates import CandidateSets, ParentSet
from bayesloom.search.local_scores import tolerance


@dataclass(frozen=True, slots=True)
class Component:
    """Variables that may be on a common cycle, with their candidates (strongly connected).

    Edges from outside can never close a cycle, so of the candidates only what lies inside matters.

    Parameters
    ----------
    members : tuple of int
        The variables, in order.
    sets : tuple of tuples of ParentSet
        For every member the candidates, the best first, as masks over the places of members.
    origin : tuple of dict
        For every member the candidate that each of these masks stands for.
    """

    members: tuple[int, ...]
    sets: tuple[tuple[ParentSet, ...], ...]
    origin: tuple[dict[int, ParentSet], ...]

    @property
    def ceiling(self) -> float:
        """The score if every member had its best candidate."""
        return math.fsum(sets[0].score for sets in self.sets)

    def chosen(self, order: Sequence[int]) -> list[int]:
        """Return for every member its best candidate among members before it in an order."""
        before, parents = 0, [0] * len(self.members)
        for v in order:
            parents[v] = next(s.parents for s in self.sets[v] if not s.parents & ~before)
            before |= 1 << v
        return parents

    def score(self, parents: Sequence[int]) -> float:
        """Return the score of a choice of candidates."""
        return math.fsum(self.origin[v][mask].score for v, mask in enumerate(parents))


def strong_components(candidates: CandidateSets, slack: float) -> list[Component]:
    """Split a problem into components, without the candidates that lose more than ``slack``.

    Such a candidate loses more against the best one of its variable than all variables together
    may lose in a network better than the one at hand (reduced-cost fixing with no duals).
    """
    most = slack + tolerance(slack)
    sets = [[s for s in family if s.score >= family[0].score - most] for family in candidates.sets]
    possible = [0] * len(sets)
    for v, family in enumerate(sets):
        for s in family:
            possible[v] |= s.parents
    above = _closure(possible)
    below = transposed(above)
    found, done = [], 0
    for v in range(len(sets)):
        if not done >> v & 1:
            together = above[v] & below[v] | 1 << v
            done |= together
            found.append(_component(tuple(bits(together)), sets))
    return found


def _closure(parents: Sequence[int]) -> list[int]:
    """Return for every variable all from which a path leads to it, in a graph with cycles."""
    above = list(parents)
    for middle in range(len(above)):
        through, bit = above[middle], 1 << middle
        above = [mask | through if mask & bit else mask for mask in above]
    return above


def _component(members: tuple[int, ...], sets: Sequence[Sequence[ParentSet]]) -> Component:
    inside = sum(1 << v for v in members)
    place = {v: k for k, v in enumerate(members)}
    projected, origin = [], []
    for v in members:
        kept: list[ParentSet] = []
        stands_for: dict[int, ParentSet] = {}
        for s in sets[v]:  # the best first: a later one is worse than those it contains
            mask = sum(1 << place[p] for p in bits(s.parents & inside))
            if not _holds_one(mask, stands_for):
                kept.append(ParentSet(s.score, mask))
                stands_for[mask] = s
        projected.append(tuple(kept))
        origin.append(stands_for)
    return Component(members, tuple(projected), tuple(origin))


def _holds_one(mask: int, known: Collection[int]) -> bool:
    """Say whether a subset of a mask, or the mask itself, is among the known ones."""
    if len(known) >> mask.bit_count() == 0:  # fewer than there are subsets
        return any(mask & other == other for other in known)
    part = mask
    while part and part not in known:
        part = (part - 1) & mask
    return part in known


def order_of(component: Component, parents: Sequence[int]) -> list[int]:
    """Return the members, by place, in an order in which the edges of a DAG go forward."""
    place = {v: k for k, v in enumerate(component.members)}
    return [place[v] for v in topological_order(parents) if v in place]
