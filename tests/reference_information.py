"""Slow, obvious learners from informations: dictionaries of counts, one pair at a time."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from itertools import combinations

from bayesloom.data import Table

Pair = tuple[int, int]


def rows_of(table: Table) -> list[tuple[int, ...]]:
    """Return the rows of a table as tuples of codes."""
    return list(zip(*(column.tolist() for column in table.codes), strict=True))


def counts_of(rows: Iterable[tuple[int, ...]], variables: Iterable[int]) -> Counter[object]:
    """Count how often every combination of values of some variables occurs."""
    chosen = tuple(variables)
    return Counter(tuple(row[v] for v in chosen) for row in rows)


def information(rows: list[tuple[int, ...]], x: int, y: int, given: Iterable[int] = ()) -> float:
    """Return the conditional mutual information in nats, by four entropies."""
    base = tuple(given)

    def entropy(variables: tuple[int, ...]) -> float:
        n = len(rows)
        return -math.fsum(c / n * math.log(c / n) for c in counts_of(rows, variables).values())

    return entropy((x, *base)) + entropy((y, *base)) - entropy((x, y, *base)) - entropy(base)


def aracne(
    joined: set[Pair], shared: dict[Pair, float], tolerance: float, kept: set[Pair]
) -> set[Pair]:
    """Take the weakest pair of every triangle out of a graph; pairs are (x, y) with x < y."""
    out = set()
    for triple in combinations(sorted({v for pair in joined for v in pair}), 3):
        pairs = list(combinations(triple, 2))
        if not all(pair in joined for pair in pairs):
            continue
        for pair in pairs:
            least = min(shared[other] for other in pairs if other != pair)
            if shared[pair] < (1 - tolerance) * least - 1e-12:
                out.add(pair)
    return joined - (out - kept)
