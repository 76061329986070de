"""Dynamic programming over all subsets of the variables, for few of them."""

from __future__ import annotations

import numpy as np

from bayesloom import _native
from bayesloom.engine import StopSignal
from bayesloom.errors import CapacityError
from bayesloom.search.exact.component import Component

MOST_VARIABLES = 26
"""More would take over 7 GB and minutes."""


def n_bytes(n: int) -> int:
    """Return the memory that n variables take: a score for every subset of the others, and more.

    Examples
    --------
    >>> n_bytes(20) // 2**20
    89
    """
    return (n * 8 << (n - 1)) + (9 << n)


def solve_dynamically(component: Component, stop: StopSignal) -> list[int]:
    """Return the best parents of every member, as masks over places.

    References
    ----------
    T. Silander, P. Myllymaki: A simple approach for finding the globally optimal Bayesian network
    structure, UAI 2006.

    Raises
    ------
    CapacityError
        If there are too many members.
    Stopped
        If the signal is given before the end.
    """
    n = len(component.members)
    if n > MOST_VARIABLES:
        msg = (
            f"dynamic programming over {n} variables that may all be on one cycle would need "
            f"{n_bytes(n) / 2**30:,.0f} GB; use Exact(method=ExactMethod.ILP), or fewer columns"
        )
        raise CapacityError(msg)
    flat = [s for sets in component.sets for s in sets]
    chosen = _native.best_sets(
        np.cumsum([0, *map(len, component.sets)], dtype=np.int64),
        np.array([s.parents for s in flat], np.uint64),
        np.array([s.score for s in flat], np.float64),
        stop,
    )
    return [flat[place].parents for place in chosen]
