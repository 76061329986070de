"""MixedCases in which the same variables are known: one, or the rows of a table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from bayesloom.arrays import Floats, Longs
from bayesloom.data import Table
from bayesloom.model.bayes_net import BayesNet

_LARGEST_KEY = 1 << 62


@dataclass(frozen=True, slots=True, eq=False)
class MixedCases:
    """What is known in each of several cases.

    Parameters
    ----------
    n : int
        The number of cases.
    states : mapping of int to array
        For each category that is known its state in every case.
    values : mapping of int to array
        For each number that is known its value in every case.
    likelihood : mapping of int to array
        For categories the logarithms of the likelihoods of their states, in all cases the same.

    Examples
    --------
    >>> cases = MixedCases(3, {0: np.array([1, 0, 1])})
    >>> cases.distinct([0])
    (array([1, 0]), array([1, 0, 1]))
    """

    n: int
    states: Mapping[int, Longs] = field(default_factory=dict)
    values: Mapping[int, Floats] = field(default_factory=dict)
    likelihood: Mapping[int, Floats] = field(default_factory=dict)

    def distinct(self, nodes: Iterable[int]) -> tuple[Longs, Longs]:
        """Return one case for each combination of states, and which of these every case is."""
        key, span = np.zeros(self.n, np.int64), 1
        for v in nodes:
            if v not in self.states:
                continue
            column = self.states[v]
            size = int(column.max(initial=0)) + 1
            if span * size > _LARGEST_KEY:
                key = np.unique(key, return_inverse=True)[1]
                span = self.n
            key, span = key * size + column, span * size
        if span == 1 and self.n:
            return np.zeros(1, np.int64), np.zeros(self.n, np.int64)
        _, first, case_of = np.unique(key, return_index=True, return_inverse=True)
        return first.astype(np.int64), case_of.astype(np.int64)

    def part(self, rows: slice) -> MixedCases:
        """Return some of the cases."""
        return MixedCases(
            len(range(*rows.indices(self.n))),
            {v: column[rows] for v, column in self.states.items()},
            {v: column[rows] for v, column in self.values.items()},
            self.likelihood,
        )


def known_parts(net: BayesNet, rows: Table) -> Iterator[tuple[Longs, MixedCases]]:
    """Part the rows of a table by which of their cells are known.

    Parameters
    ----------
    net : BayesNet
        The network.
    rows : Table
        The rows, with the variables of the network in its order and with its states.

    Returns
    -------
    iterator of (rows, cases)
        Which rows they are, and what is known in them.
    """
    numbers = net.number_mask
    holes = np.array(
        [
            np.isnan(column) if numbers >> v & 1 else column == len(net.states[v])
            for v, column in enumerate(rows.codes)
        ]
    )
    _, pattern_of = np.unique(np.packbits(holes, axis=0), axis=1, return_inverse=True)
    order = np.argsort(pattern_of.ravel(), kind="stable")
    bounds = np.flatnonzero(np.diff(pattern_of.ravel()[order])) + 1
    for members in np.split(order, bounds):
        known = [v for v in range(net.n) if not holes[v, members[0]]]
        cases = MixedCases(
            len(members),
            {v: rows.codes[v][members].astype(np.int64) for v in known if not numbers >> v & 1},
            {v: rows.codes[v][members] for v in known if numbers >> v & 1},
        )
        yield members.astype(np.int64), cases
