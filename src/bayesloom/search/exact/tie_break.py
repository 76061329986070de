"""One optimum among networks that score the same: scores moved by less than counts (perturbation).

Every family gets a number of its own, far below what counts as a difference between networks, so
that the optimum is the same whatever the method, the first network or the order of columns.
"""

from __future__ import annotations

from dataclasses import replace

from bayesloom.graphs import bits
from bayesloom.search.exact.candidates import CandidateSets, ParentSet, in_order

MARGIN = 2.0**-21
"""The most, in nats, that the score of a network is moved by."""

_WORD = (1 << 64) - 1


def tie_broken(candidates: CandidateSets, *, equivalent: bool) -> CandidateSets:
    """Return candidates whose scores are moved, so that no two networks score the same.

    Parameters
    ----------
    candidates : CandidateSets
        All that there are.
    equivalent : bool
        Whether equivalent networks score the same. Then they are moved alike: v with parents P by
        h(P and v) - h(P), h drawn for every set of variables. These sums are equal for
        equivalent networks and different for others (they are linear in the standard imset).

    References
    ----------
    M. Studeny: Probabilistic Conditional Independence Structures, Springer 2005.

    Examples
    --------
    >>> sets = ((ParentSet(-3.0, 0b10), ParentSet(-5.0, 0)), (ParentSet(-4.0, 0),))
    >>> moved = tie_broken(CandidateSets(("A", "B"), sets, (-3.0, -4.0)), equivalent=True)
    >>> moved.sets[0][0] != sets[0][0], abs(moved.sets[0][0].score + 3) < MARGIN
    (True, True)
    """
    unit = MARGIN / max(1, len(candidates.names))
    keys = [_mixed(v + 1) for v in range(len(candidates.names))]

    def moved(v: int, s: ParentSet) -> ParentSet:
        key = 0
        for p in bits(s.parents):
            key ^= keys[p]
        shift = _drawn(key ^ keys[v]) - _drawn(key) if equivalent else _drawn(_mixed(key) + v)
        return ParentSet(s.score + unit * shift, s.parents)

    sets = tuple(
        tuple(sorted((moved(v, s) for s in family), key=in_order))
        for v, family in enumerate(candidates.sets)
    )
    return replace(candidates, sets=sets, ceilings=tuple(family[0].score for family in sets))


def _drawn(key: int) -> float:
    """Return a number from 0 to 1 that belongs to a key."""
    return (_mixed(key) >> 11) * 2.0**-53


def _mixed(number: int) -> int:
    """Return 64 bits that look random (the finaliser of SplitMix64)."""
    number = (number + 0x9E3779B97F4A7C15) & _WORD
    number = ((number ^ number >> 30) * 0xBF58476D1CE4E5B9) & _WORD
    number = ((number ^ number >> 27) * 0x94D049BB133111EB) & _WORD
    return number ^ number >> 31
