"""Slow, obvious versions of what is done with missing cells: enumeration over completions."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Row = Sequence[int | None]
"""A state per variable; None is a missing cell."""

Families = Sequence[tuple[int, ...]]
"""For each variable its parents in order, and itself."""


def completions(row: Row, sizes: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Every full row that agrees with what is known."""
    choices = [range(r) if x is None else [x] for x, r in zip(row, sizes, strict=True)]
    return itertools.product(*choices)


def probability(full: Sequence[int], families: Families, tables: Sequence[Floats]) -> float:
    """The probability of a full row."""
    return math.prod(
        float(tables[v][tuple(full[u] for u in family)]) for v, family in enumerate(families)
    )


def row_probability(
    row: Row, sizes: Sequence[int], families: Families, tables: Sequence[Floats]
) -> float:
    """The probability of what is known of a row."""
    return math.fsum(probability(full, families, tables) for full in completions(row, sizes))


def expected_counts(
    rows: Sequence[Row], sizes: Sequence[int], families: Families, tables: Sequence[Floats]
) -> tuple[list[Floats], float]:
    """The expected counts of all families, and the log-probability of what is known."""
    counts = [np.zeros([sizes[u] for u in family]) for family in families]
    total = 0.0
    for row in rows:
        known = row_probability(row, sizes, families, tables)
        total += math.log(known)
        for full in completions(row, sizes):
            share = probability(full, families, tables) / known
            for v, family in enumerate(families):
                counts[v][tuple(full[u] for u in family)] += share
    return counts, total


def estimated(counts: Floats, added: float) -> Floats:
    """``(n + a) / (sum + r a)`` row by row; uniform where that is 0 / 0."""
    result = np.empty_like(counts)
    for configuration in np.ndindex(counts.shape[:-1]):
        row = counts[configuration] + added
        total = row.sum()
        result[configuration] = row / total if total > 0 else 1.0 / len(row)
    return result


def em(
    rows: Sequence[Row],
    sizes: Sequence[int],
    families: Families,
    tables: Sequence[Floats],
    *,
    added: Sequence[float],
    steps: int,
) -> tuple[list[Floats], list[float]]:
    """So many steps of EM; the value after each: log-likelihood plus ``a`` times all log-tables."""
    now, values = list(tables), []
    for _ in range(steps):
        counts, _ = expected_counts(rows, sizes, families, now)
        now = [estimated(part, a) for part, a in zip(counts, added, strict=True)]
        _, reached = expected_counts(rows, sizes, families, now)
        prior = sum(a * np.log(table).sum() for table, a in zip(now, added, strict=True) if a > 0)
        values.append(float(reached + prior))
    return now, values
