"""Means of Dirichlet posteriors: counts of a table, smoothed."""

from __future__ import annotations

from typing import TypeAlias

from bayesloom.arrays import Floats, Longs

Counts: TypeAlias = Longs | Floats
"""Counts of a table, or what is expected of them."""


def dirichlet_mean(counts: Counts, prior: float) -> Floats:
    """Return ``(n_jk + prior) / (n_j + r prior)``; uniform where nothing is known.

    Examples
    --------
    >>> import numpy as np
    >>> dirichlet_mean(np.array([[2.0, 0.0], [0.0, 0.0]]), 1.0)
    array([[0.75, 0.25],
           [0.5 , 0.5 ]])
    """
    n_j = counts.sum(axis=-1, keepdims=True)
    rows: Floats = (counts + prior) / (n_j + prior * counts.shape[-1])
    return rows
