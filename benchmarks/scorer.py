"""The common scorer: BIC and BDeu in plain numpy, the same for every program measured."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from dataset import Codes

_LARGEST_TABLE = 1 << 22  # cells; beyond it only the configurations that occur are numbered

_lgamma = np.vectorize(math.lgamma, otypes=[float])


def log_likelihood(counts: np.ndarray) -> float:
    """Return the sum over configurations j and states k of n_jk log(n_jk / n_j)."""
    cells = counts[counts > 0]
    rows = counts.sum(axis=1)
    rows = rows[rows > 0]
    return float((cells * np.log(cells)).sum() - (rows * np.log(rows)).sum())


def family_counts(codes: Codes, child: int, parents: Sequence[int]) -> tuple[np.ndarray, float]:
    """Return the table n_jk of the occurring configurations and q, the number of all of them."""
    config = np.zeros(codes.n_rows, dtype=np.intp)
    size = 1
    for parent in parents:
        config = config * codes.cardinality[parent] + codes.columns[parent]
        size *= codes.cardinality[parent]
        if size > _LARGEST_TABLE:
            seen, config = np.unique(config, return_inverse=True)
            size = len(seen)
    r = codes.cardinality[child]
    counts = np.bincount(config * r + codes.columns[child], minlength=size * r).reshape(-1, r)
    return counts, math.prod(float(codes.cardinality[p]) for p in parents)


def bic(codes: Codes, child: int, parents: Sequence[int]) -> float:
    """Return log-likelihood minus half of log N per free parameter."""
    counts, q = family_counts(codes, child, parents)
    free = (codes.cardinality[child] - 1) * q
    return log_likelihood(counts) - 0.5 * math.log(codes.n_rows) * free


def bdeu(
    codes: Codes,
    child: int,
    parents: Sequence[int],
    *,
    ess: float = 10.0,
    lgamma: Callable[[np.ndarray], np.ndarray] = _lgamma,
) -> float:
    """Return the log marginal likelihood with ess / (q r) pseudo-counts per cell."""
    counts, q = family_counts(codes, child, parents)
    a, b = ess / q, ess / (q * codes.cardinality[child])
    cells = counts[counts > 0]
    rows = counts.sum(axis=1)
    rows = rows[rows > 0]
    gain = lgamma(cells + b).sum() - lgamma(rows + a).sum()
    return float(gain - len(cells) * math.lgamma(b) + len(rows) * math.lgamma(a))


LOCAL: Mapping[str, Callable[..., float]] = {"bic": bic, "bdeu": bdeu}


def score(codes: Codes, edges: Sequence[Sequence[str]], name: str) -> float:
    """Return the score (``bic`` or ``bdeu``, ess 10) of a DAG given by its edges."""
    place = {variable: v for v, variable in enumerate(codes.names)}
    parents: list[list[int]] = [[] for _ in codes.names]
    for tail, head in edges:
        parents[place[head]].append(place[tail])
    return math.fsum(LOCAL[name](codes, v, given) for v, given in enumerate(parents))
