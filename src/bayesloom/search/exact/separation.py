"""The cluster that a fractional choice of parents breaks most, found by a small integer program."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bayesloom.graphs import bits
from bayesloom.search.exact.cluster_program import highs_module

_SECONDS = 5.0
_HALF = 0.5  # beyond it a whole number is 1


def find_cluster(n: int, choices: Sequence[tuple[int, int, float]], least: float) -> int | None:
    """Return a cluster whose sources have shares of less than 1 - least, None if there is none.

    Parameters
    ----------
    n : int
        How many variables there are.
    choices : sequence of (child, parents, share)
        The shares that are not 0; those of a child add up to 1.
    least : float
        By how much a cluster must be broken.

    Examples
    --------
    >>> find_cluster(3, [(0, 0b010, 1.0), (1, 0b100, 1.0), (2, 0b001, 1.0)], 0.01)
    7
    """
    # z[v]: v is in the cluster. y[j]: choice j has its child in it, and a parent. The shares of y
    # minus the size of the cluster is minus the shares of its sources: look for more than -1.
    highspy = highs_module()
    inner = [choice for choice in choices if choice[1]]
    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("threads", 1)
    solver.setOptionValue("time_limit", _SECONDS)
    cost = np.array([*[-share for *_, share in inner], *[1.0] * n])
    size = len(cost)
    solver.addVars(size, np.zeros(size), np.ones(size))
    solver.changeColsCost(size, np.arange(size, dtype=np.int32), cost)
    whole = [highspy.HighsVarType.kInteger] * size
    solver.changeColsIntegrality(size, np.arange(size, dtype=np.int32), np.array(whole))
    for j, (child, parents, _) in enumerate(inner):
        z, among = len(inner) + child, [len(inner) + p for p in bits(parents)]
        solver.addRow(-np.inf, 0.0, 2, np.array([j, z], np.int32), np.array([1.0, -1.0]))
        row = np.array([j, *among], np.int32)
        solver.addRow(-np.inf, 0.0, len(row), row, np.array([1.0, *[-1.0] * len(among)]))
    solver.addRow(2.0, np.inf, n, np.arange(len(inner), size, dtype=np.int32), np.ones(n))
    solver.run()
    values = solver.getSolution().col_value
    if len(values) < size or solver.getInfo().objective_function_value > 1.0 - least:
        return None
    return sum(1 << v for v in range(n) if values[len(inner) + v] > _HALF)
