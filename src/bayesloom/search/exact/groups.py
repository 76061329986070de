"""What no network can score more than, by the cycles inside groups of variables."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from bayesloom import _native
from bayesloom.arrays import Floats, Longs
from bayesloom.engine import StopSignal
from bayesloom.graphs import bits

MOST_IN_GROUP = 12
"""Variables of a group: twice as many subsets are looked at with each more."""

ParentScores = tuple[Floats, Longs]
"""Scores of sets of parents, the best first, and the sets as bits in words of 64 variables."""


def family_of(scores: Floats, words: Longs) -> ParentScores:
    """Return the sets of parents of a variable, the best first."""
    order = np.argsort(-scores, kind="stable")
    return scores[order], words[order]


def words_of(masks: Sequence[int], n: int) -> Longs:
    """Return masks over n variables as rows of words.

    Examples
    --------
    >>> words_of([0b101, 1 << 64], 65).tolist()
    [[5, 0], [0, 1]]
    """
    n_words = -(-n // 64)
    flat = b"".join(mask.to_bytes(8 * n_words, "little") for mask in masks)
    return np.frombuffer(flat, np.int64).reshape(len(masks), n_words)


def grouped_bound(families: Sequence[ParentScores], signal: StopSignal | None = None) -> float:
    """Return an upper bound on the score of all networks made of one family per variable.

    Variables are put into groups of those whose best families exclude each other most; within a
    group the best choice without a cycle inside the group is found by dynamic programming, and what
    lies between groups is not looked at (a static pattern database).

    Parameters
    ----------
    families : sequence of families
        For every variable what it may have, see `family_of`. A score may be that of the set or a
        ceiling for all that contain it.
    signal : StopSignal, optional
        Ends the work.

    Returns
    -------
    float
        Never more than the sum of the best scores, never less than the best network's score.

    Raises
    ------
    Stopped
        If the signal is given.

    References
    ----------
    C. Yuan, B. Malone: Learning optimal Bayesian networks: a shortest path perspective, JAIR 48,
    2013.

    Examples
    --------
    >>> both = [family_of(np.array([-1.0, -5.0]), words_of([other, 0], 2)) for other in (2, 1)]
    >>> grouped_bound(both)
    -6.0
    """
    if any(math.isinf(scores[0]) for scores, _ in families):
        return math.inf
    groups = _groups(_losses(families))
    return math.fsum(_group_score(families, members, signal) for members in groups)


def _losses(families: Sequence[ParentScores]) -> Floats:
    """Return what every variable loses if another must not be among its parents."""
    n = len(families)
    losses = np.zeros((n, n))
    for v, (scores, words) in enumerate(families):
        shared = (1 << n) - 1  # by all sets that score more
        for score, row in zip(scores.tolist(), words.tolist(), strict=True):
            mask = sum((word & (1 << 64) - 1) << 64 * k for k, word in enumerate(row))
            losses[v, bits(shared & ~mask)] = scores[0] - score
            shared &= mask
            if not shared:
                break
        losses[v, bits(shared)] = np.inf  # in all sets: such an edge is required
    return losses


def _groups(losses: Floats) -> list[list[int]]:
    """Join variables into groups, those first of which one must lose most."""
    n = len(losses)
    either = np.triu(np.minimum(losses, losses.T), 1)
    x, y = np.nonzero(either)
    group = {v: [v] for v in range(n)}
    for k in np.argsort(-either[x, y], kind="stable").tolist():
        one, other = group[int(x[k])], group[int(y[k])]
        if one is not other and len(one) + len(other) <= MOST_IN_GROUP:
            one += other
            group |= dict.fromkeys(other, one)
    return [sorted(members) for v, members in group.items() if v == min(members)]


def _group_score(
    families: Sequence[ParentScores], members: Sequence[int], signal: StopSignal | None
) -> float:
    """Return the best total of the members without a cycle among them."""
    if len(members) == 1:
        return float(families[members[0]][0][0])
    starts, masks, scores = [0], [], []
    for v in members:
        all_scores, words = families[v]
        inside = np.zeros(len(all_scores), np.uint64)
        for place, p in enumerate(members):
            there = words[:, p // 64] >> (p % 64) & 1
            inside |= there.astype(np.uint64) << np.uint64(place)
        some, first = np.unique(inside, return_index=True)  # the first is the best
        starts.append(starts[-1] + len(some))
        masks.append(some)
        scores.append(all_scores[first])
    flat = np.concatenate(scores)
    chosen = _native.best_sets(
        np.array(starts, np.int64), np.concatenate(masks), np.ascontiguousarray(flat), signal
    )
    return math.fsum(flat[chosen].tolist())
