"""Slow, obvious versions of what the data layer computes."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence


def entropy(classes: Sequence[int]) -> float:
    """The entropy of the classes of some rows, in bits."""
    n = len(classes)
    return sum(-c / n * math.log2(c / n) for c in Counter(classes).values())


def mdl_cuts(rows: Sequence[tuple[float, int]]) -> list[float]:
    """The numbers after which Fayyad and Irani cut rows of (number, class)."""
    rows = sorted(rows)
    n = len(rows)
    cuts = [i for i in range(1, n) if rows[i - 1][0] < rows[i][0]]
    if not cuts:
        return []
    classes = [c for _, c in rows]

    def left_over(i: int) -> float:
        return (i * entropy(classes[:i]) + (n - i) * entropy(classes[i:])) / n

    least = min(map(left_over, cuts))
    best = next(i for i in cuts if left_over(i) <= least + 1e-9)
    left, right = classes[:best], classes[best:]
    k, k1, k2 = (len(set(some)) for some in (classes, left, right))
    delta = math.log2(3**k - 2) - (k * entropy(classes) - k1 * entropy(left) - k2 * entropy(right))
    if entropy(classes) - least <= (math.log2(n - 1) + delta) / n:
        return []
    return [*mdl_cuts(rows[:best]), rows[best - 1][0], *mdl_cuts(rows[best:])]
