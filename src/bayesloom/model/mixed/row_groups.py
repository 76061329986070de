"""Rows in groups of those in which the same variables around a target are hidden."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from bayesloom.arrays import Bools, Longs
from bayesloom.graphs import bits, blanket_mask, transposed
from bayesloom.model.bayes_net import BayesNet

_MOST_BITS = 60  # columns told apart in one step


class RowGroups:
    """Parts rows by what matters for one variable in them.

    Parameters
    ----------
    net : BayesNet
        The network.
    target : int
        The node.
    """

    def __init__(self, net: BayesNet, target: int) -> None:
        self.target, self.parents = target, net.dag.parent_masks
        self.children = transposed(self.parents)
        self.blankets = [blanket_mask(self.parents, v, self.children) for v in range(net.n)]

    def of(self, known: Mapping[int, Bools], n_rows: int) -> Iterator[tuple[Longs, int, int]]:
        """Return groups of rows, with the hidden variables and the families that matter in them.

        Parameters
        ----------
        known : mapping of int to array
            For each node that the rows have a column of, in which rows it is known.
        n_rows : int
            The number of rows.
        """
        parts: dict[tuple[int, int], list[Longs]] = defaultdict(list)
        for some, hidden in self.parts(known, n_rows):
            parts[self.relevant(hidden)].append(some)
        for (hidden, families), groups in parts.items():
            yield np.concatenate(groups), hidden, families

    def parts(self, known: Mapping[int, Bools], n_rows: int) -> Iterator[tuple[Longs, int]]:
        """Part the rows by the hidden variables that nothing observed separates from the target."""
        mixed = {v: there for v, there in known.items() if not there.all()}
        observed = sum(1 << v for v in known if v not in mixed)
        waiting = [(np.arange(n_rows), 1 << self.target, 0)]
        while waiting:
            some, hidden, looked_at = waiting.pop()
            wanted = 0
            for v in bits(hidden):
                wanted |= self.blankets[v]
            wanted &= ~(hidden | looked_at)
            if not wanted:
                yield some, hidden
                continue
            doubtful = [v for v in bits(wanted) if v in mixed][:_MOST_BITS]
            settled = wanted & ~sum(1 << v for v in bits(wanted) if v in mixed)
            looked_at |= settled | sum(1 << v for v in doubtful)
            hidden |= settled & ~observed
            for part, pattern in _split(some, [mixed[v] for v in doubtful]):
                missing = sum(1 << v for k, v in enumerate(doubtful) if not pattern >> k & 1)
                waiting.append((part, hidden | missing, looked_at))

    def relevant(self, hidden: int) -> tuple[int, int]:
        """Return the hidden variables that matter for the target, and the families that do.

        Variables without anything observed below them sum to 1; what is connected to the target by
        such variables only does not matter either.
        """
        barren = 0
        rest = hidden & ~(1 << self.target)
        while found := sum(1 << v for v in bits(rest) if not self.children[v] & ~barren):
            barren |= found
            rest &= ~found
        near, edge, families = 0, 1 << self.target, 0
        while edge:
            near |= edge
            touched = edge
            for v in bits(edge):
                touched |= self.children[v] & ~barren
            families |= touched
            edge = 0
            for v in bits(touched):
                edge |= (self.parents[v] | 1 << v) & hidden & ~(barren | near)
        return near, families


def _split(rows: Longs, columns: Sequence[Bools]) -> Iterator[tuple[Longs, int]]:
    """Part rows by which of the columns hold in them: the rows and the pattern, a mask."""
    if not columns:
        yield rows, 0
        return
    key = np.zeros(len(rows), np.int64)
    for k, column in enumerate(columns):
        key |= column[rows].astype(np.int64) << k
    order = np.argsort(key, kind="stable")
    ordered = key[order]
    starts = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1]))
    ends = np.append(starts[1:], len(rows))
    for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
        yield rows[order[start:end]], int(ordered[start])
