"""Exact learning the slow, obvious way: all graphs, or all subsets with all sets of parents."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, product

from bayesloom.data import Table
from bayesloom.engine import NativeEngine
from bayesloom.graphs import bits
from bayesloom.scores import Score
from bayesloom.scores.score import family_batch
from bayesloom.search import Limits

Family = tuple[int, int]


def all_dags(n: int) -> Iterator[tuple[int, ...]]:
    """Yield the parent masks of every DAG over n nodes."""
    for parents in product(range(1 << n), repeat=n):
        if not any(mask >> v & 1 for v, mask in enumerate(parents)) and is_acyclic(parents):
            yield parents


def is_acyclic(parents: Sequence[int]) -> bool:
    left = set(range(len(parents)))
    while left:
        sources = {v for v in left if not any(parents[v] >> p & 1 for p in left)}
        if not sources:
            return False
        left -= sources
    return True


def every_family(limits: Limits) -> list[Family]:
    """Return all families (child, parents) that limits allow."""
    found = []
    for v in range(len(limits.names)):
        others = bits(limits.allowed[v])
        for size in range(min(len(others), limits.most) + 1):
            for chosen in combinations(others, size):
                mask = sum(1 << p for p in chosen)
                if not limits.required[v] & ~mask:
                    found.append((v, mask))
    return found


def local_scores(table: Table, score: Score, limits: Limits) -> dict[Family, float]:
    families = every_family(limits)
    batch = family_batch([(v, bits(mask)) for v, mask in families])
    values = score.local_scores(NativeEngine(table), batch)
    return dict(zip(families, values.tolist(), strict=True))


def best_of_all_dags(table: Table, score: Score, limits: Limits) -> float:
    """Return the highest score of all DAGs, looking at each."""
    local = local_scores(table, score, limits)
    return max(
        math.fsum(local[v, mask] for v, mask in enumerate(parents))
        for parents in all_dags(len(limits.names))
        if all((v, mask) in local for v, mask in enumerate(parents))
    )


def best_by_subsets(table: Table, score: Score, limits: Limits) -> float:
    """Return the highest score by the recursion over which variable of a set comes last."""
    local = local_scores(table, score, limits)

    @cache
    def best_parents(v: int, among: int) -> float:
        here = local.get((v, among), -math.inf)
        return max([here, *(best_parents(v, among ^ 1 << p) for p in bits(among))])

    @cache
    def best(among: int) -> float:
        if not among:
            return 0.0
        return max(best(among ^ 1 << v) + best_parents(v, among ^ 1 << v) for v in bits(among))

    return best((1 << len(limits.names)) - 1)
