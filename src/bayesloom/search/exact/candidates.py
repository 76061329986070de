"""Candidate sets of parents: all that a network of the highest score can need."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from bayesloom.graphs import bits


class ParentSet(NamedTuple):
    """A set of parents, as a mask, and the local score that a variable has with it."""

    score: float
    parents: int


@dataclass(frozen=True, slots=True, repr=False)
class CandidateSets:
    """For every variable the sets of parents that are better than all of their subsets.

    Parameters
    ----------
    names : tuple of str
        The variables, in name order.
    sets : tuple of tuples of ParentSet
        The candidates of every variable, the best first.
    ceilings : tuple of float
        What no set of parents of a variable scores more than: the best of its candidates, or more
        where the search for them was cut off.
    max_parents : int, optional
        The most parents that were looked at.
    scored : int
        How many families were scored to find them.
    is_complete : bool
        Whether all candidates are there.

    Examples
    --------
    >>> sets = ((ParentSet(-3.0, 0b10), ParentSet(-5.0, 0)), (ParentSet(-4.0, 0),))
    >>> CandidateSets(("A", "B"), sets, (-3.0, -4.0))
    CandidateSets(2 variables, 3 sets of parents, at most 1 parents)
    """

    names: tuple[str, ...]
    sets: tuple[tuple[ParentSet, ...], ...]
    ceilings: tuple[float, ...]
    max_parents: int | None = None
    scored: int = 0
    is_complete: bool = True

    def __len__(self) -> int:
        return sum(map(len, self.sets))

    def __repr__(self) -> str:
        most = max((s.parents.bit_count() for family in self.sets for s in family), default=0)
        return (
            f"CandidateSets({len(self.names)} variables, {len(self)} sets of parents, "
            f"at most {most} parents)"
        )

    def best_within(self, v: int, among: int) -> ParentSet:
        """Return the best candidate of a variable whose parents are all among some variables."""
        return next(s for s in self.sets[v] if not s.parents & ~among)

    def score(self, v: int, parents: int) -> float:
        """Return the score of a candidate."""
        return next(s.score for s in self.sets[v] if s.parents == parents)

    def parents_of(self, v: int) -> tuple[tuple[str, ...], ...]:
        """Return the candidates of a variable by names, the best first.

        Examples
        --------
        >>> sets = ((ParentSet(-3.0, 0b10), ParentSet(-5.0, 0)), (ParentSet(-4.0, 0),))
        >>> CandidateSets(("A", "B"), sets, (-3.0, -4.0)).parents_of(0)
        (('B',), ())
        """
        return tuple(tuple(self.names[p] for p in bits(s.parents)) for s in self.sets[v])


def in_order(candidate: ParentSet) -> tuple[float, int, list[int]]:
    """Return by what candidates are sorted: the best first, then the smallest, then by names."""
    return -candidate.score, candidate.parents.bit_count(), bits(candidate.parents)
