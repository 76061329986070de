"""The linear program of parent choices with cluster cuts, on HiGHS."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from bayesloom.arrays import Floats, Longs
from bayesloom.errors import MissingExtraError
from bayesloom.graphs import bits
from bayesloom.search.exact.component import Component

_TOLERANCE = 1e-10
_LARGE = 1e6  # prices along a ray fall without end


def highs_module() -> Any:  # noqa: ANN401 - the module itself
    """Return the solver's module.

    Raises
    ------
    MissingExtraError
        If it is not installed.
    """
    try:
        import highspy
    except ImportError:
        msg = (
            "exact learning with so many variables needs highspy, which is not installed; install "
            "it with: pip install 'bayesloom[ilp]'"
        )
        raise MissingExtraError(msg) from None
    return highspy


class ClusterCut(NamedTuple):
    """A cluster of members, as a mask over places, and how many first ones it has."""

    cluster: int
    first: int


@dataclass(slots=True)
class ClusterProgram:
    """Choose for every member shares of its candidates, so that every cluster has a source.

    Column j is a candidate of ``child[j]``; it loses ``loss[j]`` against the best one of its child.
    The shares of a child add up to 1. A cut belongs to a cluster C of members and a number k: the
    first k members of C in causal order have fewer than k parents in C, so the shares of members of
    C with fewer than k parents in C add up to at least k.

    Bounds do not trust the solver: for any prices >= 0 on the cuts the best choice of every member
    on its own, prices included, bounds what all can reach together (Lagrangian relaxation).
    """

    component: Component
    child: Longs = field(init=False)
    loss: Floats = field(init=False)
    masks: list[int] = field(init=False)
    member: npt.NDArray[np.bool_] = field(init=False)
    alive: npt.NDArray[np.bool_] = field(init=False)
    first: Longs = field(init=False)
    cuts: list[ClusterCut] = field(init=False, default_factory=list)
    _columns: list[Longs] = field(init=False, default_factory=list)
    _solver: Any = field(init=False)

    def __post_init__(self) -> None:
        sets, n = self.component.sets, len(self.component.members)
        self.child = np.repeat(np.arange(n), list(map(len, sets)))
        self.first = np.concatenate([[0], np.cumsum([len(s) for s in sets])])
        self.loss = np.array([s.score - family[0].score for family in sets for s in family])
        self.masks = [s.parents for family in sets for s in family]
        self.member = np.zeros((len(self.masks), n), np.bool_)
        for j, mask in enumerate(self.masks):
            self.member[j, bits(mask)] = True
        self.alive = np.ones(len(self.masks), np.bool_)
        self._solver = self._made()

    def _made(self) -> Any:  # noqa: ANN401 - of highspy
        highspy = highs_module()
        solver = highspy.Highs()
        for option, value in {
            "output_flag": False,
            "parallel": "off",
            "random_seed": 1,
            "primal_feasibility_tolerance": _TOLERANCE,
            "dual_feasibility_tolerance": _TOLERANCE,
        }.items():
            solver.setOptionValue(option, value)
        n, size = len(self.component.members), len(self.masks)
        program = highspy.HighsLp()
        program.num_col_, program.num_row_ = size, n
        program.col_cost_ = -self.loss  # it minimises
        program.col_lower_, program.col_upper_ = np.zeros(size), np.ones(size)
        program.row_lower_ = program.row_upper_ = np.ones(n)
        program.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        program.a_matrix_.start_ = self.first.astype(np.int32)
        program.a_matrix_.index_ = np.arange(size, dtype=np.int32)
        program.a_matrix_.value_ = np.ones(size)
        solver.passModel(program)
        return solver

    def add_cuts(self, cuts: Sequence[ClusterCut]) -> None:
        """Add rows for cuts that are not there yet."""
        known = set(self.cuts)
        new = [cut for cut in cuts if cut not in known]
        columns = []
        for cluster, first in new:
            inside = np.zeros(len(self.component.members), np.bool_)
            inside[bits(cluster)] = True
            counts = inside[self.child] & (self.member[:, inside].sum(axis=1) < first)
            columns.append(np.flatnonzero(counts))
        self.cuts += new
        self._columns += columns
        start = np.cumsum([0, *map(len, columns)])[:-1].astype(np.int32)
        index = np.concatenate([np.zeros(0, np.int64), *columns]).astype(np.int32)
        least = np.array([float(cut.first) for cut in new])
        self._solver.addRows(
            len(new),
            least,
            np.full(len(new), np.inf),
            len(index),
            start,
            index,
            np.ones(len(index)),
        )

    def solve(
        self, allowed: npt.NDArray[np.bool_], seconds: float
    ) -> tuple[Floats | None, Floats] | None:
        """Return the shares of the optimum and the prices of the cuts; None if time is over.

        Where the solver has no optimum, there are no shares; if it says that nothing is possible,
        the prices prove it.

        Parameters
        ----------
        allowed : array of bool
            The columns that may be used.
        seconds : float
            How long it may take.
        """
        upper = (allowed & self.alive).astype(np.float64)
        size = len(upper)
        places = np.arange(size, dtype=np.int32)
        self._solver.changeColsBounds(size, places, np.zeros(size), upper)
        self._solver.setOptionValue("time_limit", self._solver.getRunTime() + max(seconds, 1e-3))
        self._solver.run()
        n, status = len(self.component.members), self._solver.getModelStatus()
        known = highs_module().HighsModelStatus
        if status == known.kTimeLimit:
            return None
        if status == known.kOptimal:
            found = self._solver.getSolution()
            return np.array(found.col_value), np.maximum(np.array(found.row_dual)[n:], 0.0)
        ray = np.zeros(n + len(self.cuts))
        if status == known.kInfeasible:
            _, is_there, values = self._solver.getDualRay()
            ray = np.array(values) if is_there else ray
        return None, _LARGE * np.maximum(ray[n:], 0.0)

    def has_choices(self, allowed: npt.NDArray[np.bool_]) -> bool:
        """Say whether every child has a column that may be used."""
        return bool(np.logical_or.reduceat(allowed & self.alive, self.first[:-1]).all())

    def even_shares(self, allowed: npt.NDArray[np.bool_]) -> Floats:
        """Return equal shares for all columns of a child that may be used."""
        some = (allowed & self.alive).astype(np.float64)
        shares: Floats = some / np.add.reduceat(some, self.first[:-1])[self.child]
        return shares

    def priced(self, prices: Floats) -> Floats:
        """Return the losses of all columns with what the prices of cuts add to them."""
        value = self.loss.copy()
        for price, columns in zip(prices.tolist(), self._columns, strict=True):
            if price > 0:
                value[columns] += price
        return value

    def bound(self, prices: Floats, allowed: npt.NDArray[np.bool_]) -> tuple[float, Floats]:
        """Return what no choice loses less than, and the same for every column with it.

        Both are negative numbers, sums of losses; columns that are not allowed have -infinity.
        """
        value = np.where(allowed & self.alive, self.priced(prices), -np.inf)
        best = np.maximum.reduceat(value, self.first[:-1])
        total = float(best.sum() - prices @ np.array([cut.first for cut in self.cuts]))
        return total, total - (best[self.child] - value)
