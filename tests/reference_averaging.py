"""Slow, obvious twins of what averages networks: enumeration of all DAGs, orders, thresholds."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise, permutations, product

import numpy as np
import numpy.typing as npt

LocalScore = Callable[[int, int], float]
"""The score of a variable with a mask of parents."""


def all_dags(n: int) -> Iterator[tuple[int, ...]]:
    """Yield the parent masks of all DAGs over n nodes."""
    choices = [[m for m in range(1 << n) if not m >> v & 1] for v in range(n)]
    for parents in product(*choices):
        if is_acyclic(parents):
            yield parents


def is_acyclic(parents: Sequence[int]) -> bool:
    """Say whether nodes can be taken away one by one, each without parents when it is its turn."""
    left = set(range(len(parents)))
    while left:
        free = [v for v in left if not any(parents[v] >> u & 1 for u in left)]
        if not free:
            return False
        left.remove(free[0])
    return True


def dag_posterior(n: int, score: LocalScore) -> npt.NDArray[np.float64]:
    """Return the probability of every edge, with the same prior for every DAG."""
    return _weighted(n, [(dag, 1.0) for dag in all_dags(n)], score)


def order_posterior(n: int, score: LocalScore) -> npt.NDArray[np.float64]:
    """Return the same with every DAG counted once for each order that it fits."""
    return _weighted(n, [(dag, float(n_orders(dag))) for dag in all_dags(n)], score)


def n_orders(parents: Sequence[int]) -> int:
    """Count the orders in which all edges go forward."""
    n = len(parents)
    return sum(
        all(not parents[v] >> u & 1 for k, v in enumerate(order) for u in order[k:])
        for order in permutations(range(n))
    )


def _weighted(
    n: int, dags: list[tuple[tuple[int, ...], float]], score: LocalScore
) -> npt.NDArray[np.float64]:
    logs = [math.fsum(score(v, p) for v, p in enumerate(dag)) + math.log(w) for dag, w in dags]
    most, total, edges = max(logs), 0.0, np.zeros((n, n))
    for (dag, _), log in zip(dags, logs, strict=True):
        weight = math.exp(log - most)
        total += weight
        for v, mask in enumerate(dag):
            for u in range(n):
                if mask >> u & 1:
                    edges[u, v] += weight
    found: npt.NDArray[np.float64] = edges / total
    return found


def step_distance(strengths: Sequence[float], height: float) -> float:
    """Return the L1 distance on [0, 1] between the distribution function and a flat line."""
    knots = sorted({0.0, 1.0, *strengths})
    total = 0.0
    for a, b in pairwise(knots):
        below = sum(s <= a for s in strengths) / len(strengths)
        total += (b - a) * abs(below - height)
    return total
