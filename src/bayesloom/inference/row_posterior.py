"""The posterior of one variable in many rows, each with its own evidence."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from bayesloom.arrays import Floats, Longs
from bayesloom.errors import check_number
from bayesloom.graphs import bits
from bayesloom.inference.compiled import CompiledNet, Strategy, compile_net
from bayesloom.model import BayesNet
from bayesloom.model.mixed.row_groups import RowGroups
from bayesloom.model.observation import Observations

_MOST_CONFIGURATIONS = 1 << 11  # of hidden variables that are summed over one by one
_BLOCK = 1 << 18  # cells at work at a time
_LARGEST_KEY = 1 << 62


class RowPosteriors:
    """Answers what every row says about one variable.

    Rows are grouped by which variables around the target are hidden in them. A group needs only the
    families of these variables and of their observed children; whatever else is observed is cut off
    from the target. Equal cases within a group are computed once, all of a group together: summed
    over the states of the hidden variables, or by elimination where there are too many.

    Parameters
    ----------
    net : BayesNet
        The network.
    target : int
        The node.
    memory : float
        The bytes that the tables of one case may take.
    """

    def __init__(self, net: BayesNet, target: int, memory: float) -> None:
        check_number("memory", memory, above=0)
        self.net, self.target, self.memory = net, target, memory
        self.groups = RowGroups(net, target)
        self.by_name = sorted(range(net.n), key=net.names.__getitem__)

    def of(self, rows: Observations) -> Floats:
        """Return one distribution per row; NaN where the row is impossible."""
        result = np.empty((rows.n_rows, len(self.net.states[self.target])))
        for members, hidden, families in self.groups.of(rows.known(), rows.n_rows):
            scope = [v for v in self._scope(families) if not hidden >> v & 1]
            first, case_of = _distinct([rows.codes[v][members] for v in scope], len(members))
            cases = {v: rows.codes[v][members[first]].astype(np.intp) for v in scope}
            result[members] = self._posteriors(hidden, families, cases, len(first))[case_of]
        return result

    def _scope(self, families: int) -> list[int]:
        """Return all variables of some families, in name order."""
        scope = families
        for v in bits(families):
            scope |= self.groups.parents[v]
        return [v for v in self.by_name if scope >> v & 1]

    def _posteriors(
        self, hidden: int, families: int, cases: dict[int, npt.NDArray[np.intp]], n_cases: int
    ) -> Floats:
        """Return the posterior of the target in each of several cases with these nodes hidden."""
        others = [v for v in self.by_name if hidden >> v & 1 and v != self.target]
        sizes = [len(self.net.states[v]) for v in (self.target, *others)]
        configurations = math.prod(sizes)
        if configurations > _MOST_CONFIGURATIONS:
            return self._eliminated(cases, n_cases)
        factors = [
            _Factor(self.net, v, (self.target, *others)) for v in self.by_name if families >> v & 1
        ]
        result = np.empty((n_cases, sizes[0]))
        step = max(1, _BLOCK // configurations)
        for start in range(0, n_cases, step):
            block = slice(start, min(start + step, n_cases))
            total = np.zeros((block.stop - block.start, *sizes))
            for factor in factors:
                total += factor.logarithms(cases, block)
            result[block] = _normalised(total.reshape(len(total), sizes[0], -1))
        return result

    def _eliminated(self, cases: dict[int, npt.NDArray[np.intp]], n_cases: int) -> Floats:
        """Ask the compiled network about one case after the other."""
        r = len(self.net.states[self.target])
        result = np.full((n_cases, r), np.nan)
        columns = {v: codes.tolist() for v, codes in cases.items()}
        for k in range(n_cases):
            state = {v: codes[k] for v, codes in columns.items()}
            found = self._compiled.posterior_of_node(self.target, state)
            if found is not None:
                result[k] = found
        return result

    @property
    def _compiled(self) -> CompiledNet:
        found: CompiledNet | None = self.__dict__.get("compiled")
        if found is None:
            found = compile_net(self.net, memory=self.memory, strategy=Strategy.APART)
            self.__dict__["compiled"] = found
        return found


class _Factor:
    """The logarithms of a family's table, one axis per hidden variable for every case."""

    def __init__(self, net: BayesNet, v: int, hidden: Sequence[int]) -> None:
        table = net.tables[v]
        with np.errstate(divide="ignore"):
            self.values = np.log(table).ravel()
        family = [*bits(net.dag.parent_masks[v]), v]
        stride = dict(zip(family, (s // table.itemsize for s in table.strides), strict=True))
        self.observed = {u: s for u, s in stride.items() if u not in hidden}
        self.offsets = np.zeros((1,) * (len(hidden) + 1), np.intp)
        for axis, u in enumerate(hidden, start=1):
            if u in stride:
                shape = [1] * (len(hidden) + 1)
                shape[axis] = len(net.states[u])
                self.offsets = self.offsets + (np.arange(shape[axis]) * stride[u]).reshape(shape)

    def logarithms(self, cases: dict[int, npt.NDArray[np.intp]], block: slice) -> Floats:
        """Return the entries for a block of cases, to be added to an array of all hidden states."""
        base = np.zeros(block.stop - block.start, np.intp)
        for u, stride in self.observed.items():
            base += cases[u][block] * stride
        places = base.reshape(-1, *[1] * (self.offsets.ndim - 1)) + self.offsets
        return self.values.take(places)


def _normalised(logarithms: Floats) -> Floats:
    """Sum out the last axis and scale each row to 1; NaN for a row that is impossible."""
    largest = logarithms.max(axis=(1, 2), keepdims=True)
    possible = largest > -np.inf
    weights = np.exp(logarithms - np.where(possible, largest, 0.0)).sum(axis=2)
    with np.errstate(invalid="ignore"):
        found: Floats = weights / weights.sum(axis=1, keepdims=True)
    return found


def _distinct(columns: Sequence[npt.NDArray[np.int32]], n_rows: int) -> tuple[Longs, Longs]:
    """Return one row of each different case, and for every row the number of its case."""
    key, span = np.zeros(n_rows, np.int64), 1
    for column in columns:
        size = int(column.max()) + 1
        if span * size > _LARGEST_KEY:
            key = np.unique(key, return_inverse=True)[1]
            span = n_rows
        key, span = key * size + column, span * size
    _, first, case_of = np.unique(key, return_index=True, return_inverse=True)
    return first, case_of
