"""The cluster that a fractional choice of parents breaks most, found by a small integer program."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from bayesloom.graphs import bits
from bayesloom.search.exact.cluster_program import highs_module

ClusterChoice = tuple[int, int, float]
"""A child, its parents as a mask, and the share of the choice."""

_SECONDS = 2.0
_HALF = 0.5  # beyond it a whole number is 1


def find_cluster(
    n: int, first: int, choices: Sequence[ClusterChoice], least: float, seconds: float = math.inf
) -> int | None:
    """Return a cluster that shares break by more than ``least``, None if there is none.

    Parameters
    ----------
    n : int
        How many variables there are.
    first : int
        How many variables of a cluster have fewer parents in it than this.
    choices : sequence of (child, parents, share)
        The shares that are not 0; those of a child add up to 1.
    least : float
        By how much a cluster must be broken.
    seconds : float
        How long it may take, if not longer than some seconds.

    Examples
    --------
    >>> find_cluster(3, 1, [(0, 0b010, 1.0), (1, 0b100, 1.0), (2, 0b001, 1.0)], 0.01)
    7
    """
    # z[v]: v is in the cluster. y[j]: choice j has its child in it, and `first` parents. The size
    # of the cluster minus the shares of y is what the cut is about: look for less than `first`.
    highspy = highs_module()
    inner = [choice for choice in choices if choice[1].bit_count() >= first]
    m, size = len(inner), len(inner) + n
    solver = highspy.Highs()
    for option, value in {
        "output_flag": False,
        "parallel": "off",
        "time_limit": min(seconds, _SECONDS),
    }.items():
        solver.setOptionValue(option, value)
    places = np.arange(size, dtype=np.int32)
    solver.addVars(size, np.zeros(size), np.ones(size))
    solver.changeColsCost(size, places, np.array([*[-share for *_, share in inner], *[1.0] * n]))
    solver.changeColsIntegrality(size, places, np.array([highspy.HighsVarType.kInteger] * size))
    for j, (child, parents, _) in enumerate(inner):
        among = [m + p for p in bits(parents)]
        solver.addRow(-np.inf, 0.0, 2, np.array([j, m + child], np.int32), np.array([1.0, -1.0]))
        row = np.array([j, *among], np.int32)
        solver.addRow(-np.inf, 0.0, len(row), row, np.array([float(first), *[-1.0] * len(among)]))
    solver.addRow(float(first + 1), np.inf, n, places[m:], np.ones(n))
    solver.run()
    values = solver.getSolution().col_value
    if len(values) < size or solver.getInfo().objective_function_value > first - least:
        return None
    return sum(1 << v for v in range(n) if values[m + v] > _HALF)
