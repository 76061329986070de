"""Rows of a layered drawing put in an order with few crossings."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

Matrix = npt.NDArray[np.float32]
RowOrder = npt.NDArray[np.int64]

_WORK = 5e5
"""How much may be done for one picture: variations times what each of them costs, about."""
_MOST = 20
_VARIATIONS = ((0.4, 0), (0.15, 2), (1.0, 6))
"""How far nodes move, and how often rows are sorted afterwards."""
_PROMISING = 1.25
_LITTLE = 0.99


def with_few_crossings(
    rows: Sequence[Sequence[int]],
    below: Sequence[Sequence[int]],
    chains: Iterable[Sequence[int]],
) -> list[list[int]]:
    """Order every row such that few edges cross.

    Rows are sorted by the mean place of their neighbours, down and up; then single nodes move to
    their best place in the row (sifting), and long edges are led anew. This is repeated from
    several starts and with variations of the best order, the same ones for every call.

    Parameters
    ----------
    rows : sequence of sequences of int
        The nodes of every row.
    below : sequence of sequences of int
        The neighbours of every node, all in the next row.
    chains : iterable of sequences of int
        The nodes that every edge of the graph passes, row by row; all but the ends are its own.

    References
    ----------
    C. Matuszewski, R. Schoenfeld, P. Molitor: Using sifting for k-layer straightline crossing
    minimization, Graph Drawing 1999.

    Examples
    --------
    >>> with_few_crossings([[0, 1], [2, 3]], [[3], [2], [], []], [(0, 3), (1, 2)])
    [[0, 1], [3, 2]]
    """
    ordering = _Ordering(rows, below, chains)
    best, fewest = ordering.copy(), ordering.crossings()
    dice = random.Random(1)  # noqa: S311 - the same picture every time
    work = sum(len(row) ** 2 + 60 * len(row) for row in rows)
    variations = min(_MOST, max(1, round(_WORK / max(work, 1))))
    starts = max(3, variations)
    for turn in range(starts + variations):
        if not fewest:
            break
        if turn < starts:
            ordering.shake(dice, 5.0 if turn else 0.0)
            ordering.sweep(6, down=turn % 2 == 0)
            crossings = ordering.sift()
        else:
            ordering.orders = [order.copy() for order in best]
            strength, sweeps = _VARIATIONS[turn % 3]
            if turn > starts:
                ordering.shake(dice, strength)
                ordering.sweep(sweeps, down=turn % 4 == 1)
            crossings = ordering.sift()
            if crossings <= _PROMISING * fewest:
                crossings = ordering.polish()
        if crossings < fewest:
            best, fewest = ordering.copy(), crossings
    return [[row[k] for k in order] for row, order in zip(rows, best, strict=True)]


class _Ordering:
    """The order of every row, with the edges between neighbouring rows as matrices."""

    def __init__(
        self,
        rows: Sequence[Sequence[int]],
        below: Sequence[Sequence[int]],
        chains: Iterable[Sequence[int]],
    ) -> None:
        place = {v: k for row in rows for k, v in enumerate(row)}
        row_of = {v: r for r, row in enumerate(rows) for v in row}
        self._chains = [
            (row_of[chain[0]], [place[v] for v in chain])
            for chain in chains
            if len(chain) > 2  # noqa: PLR2004 - it has bends
        ]
        self.orders: list[RowOrder] = [np.arange(len(row)) for row in rows]
        self._down: list[Matrix] = []
        for row, following in zip(rows, [*rows[1:], []], strict=True):
            edges = np.zeros((len(row), len(following)), np.float32)
            for k, v in enumerate(row):
                for w in below[v]:
                    edges[k, place[w]] = 1.0
            self._down.append(edges)
        self._up = [np.zeros((len(row), 0), np.float32) for row in rows[:1]]
        self._up += [np.ascontiguousarray(edges.T) for edges in self._down[:-1]]

    def copy(self) -> list[RowOrder]:
        return [order.copy() for order in self.orders]

    def crossings(self) -> int:
        """Count the pairs of edges that cross."""
        total = 0.0
        for r, order in enumerate(self.orders[:-1]):
            pairs = _pairs(self._down[r][:, self.orders[r + 1]])
            total += float(np.triu(pairs[np.ix_(order, order)], 1).sum())
        return round(total)

    def shake(self, dice: random.Random, strength: float) -> None:
        """Move the nodes of every row a little, or by chance altogether."""
        for r, order in enumerate(self.orders):
            reach = strength * len(order)
            wish = [k + reach * dice.random() for k in range(len(order))]
            self.orders[r] = order[np.argsort(wish, kind="stable")]

    def sweep(self, times: int, *, down: bool) -> None:
        """Sort rows by the mean place of their neighbours, down and up by turns."""
        for turn in range(times):
            forth = down == (turn % 2 == 0)
            numbers = range(len(self.orders))
            for r in numbers[1:] if forth else reversed(numbers[:-1]):
                near = self._up[r] if forth else self._down[r]
                beside = self.orders[r - 1 if forth else r + 1]
                place = np.empty(len(beside))
                place[beside] = np.arange(len(beside)) + 0.5
                degree = near.sum(axis=1)
                own = np.empty(len(near))
                own[self.orders[r]] = (np.arange(len(near)) + 0.5) * len(beside) / len(near)
                mean = np.where(degree > 0, near @ place / np.maximum(degree, 1.0), own)
                order = self.orders[r]
                self.orders[r] = order[np.argsort(mean[order], kind="stable")]

    def sift(self) -> int:
        """Move single nodes to their best places until little is gained; count the crossings."""
        before, now, numbers = math.inf, self.crossings(), range(len(self.orders))
        while now < _LITTLE * before:
            before = now
            for r in (*numbers, *reversed(numbers)):
                self._sift(r)
            now = self.crossings()
        return now

    def polish(self) -> int:
        """Move single nodes and long edges by turns while that pays; count the crossings."""
        before = self.sift()
        while before:
            if self.reroute() == before:
                break
            now = self.sift()
            if now > _LITTLE * before:
                return now
            before = now
        return before

    def reroute(self) -> int:
        """Lead every long edge anew where it crosses the fewest others; count the crossings."""
        for r, (top, *bends, bottom) in self._chains:
            self._lead(r, top, bends, bottom)
        return self.crossings()

    def _lead(self, r: int, top: int, bends: Sequence[int], bottom: int) -> None:
        """Lead a long edge from row r on the best way through the rows (dynamic programming)."""
        rows = [self.orders[r]]
        rows += [
            order[order != bend]
            for order, bend in zip(self.orders[r + 1 : r + 1 + len(bends)], bends, strict=True)
        ]
        rows.append(self.orders[r + 1 + len(bends)])
        # Where the edge can be in a row: what is left of it ends there, what is right begins there.
        ends = [np.arange(len(row) + 1) for row in rows]
        begins = ends.copy()
        for k, node in ((0, top), (-1, bottom)):
            at = int(np.flatnonzero(rows[k] == node)[0])
            ends[k], begins[k] = np.array([at]), np.array([at + 1])
        cost, steps = np.zeros(1, np.float32), []
        for k in range(len(rows) - 1):
            among = np.zeros((len(rows[k]) + 1, len(rows[k + 1]) + 1), np.float32)
            edges = self._down[r + k][rows[k][:, None], rows[k + 1]]
            among[1:, 1:] = edges.cumsum(axis=0).cumsum(axis=1)
            left, right = among[ends[k]], among[begins[k]]
            total = (
                (cost + left[:, -1])[:, None]
                - left[:, begins[k + 1]]
                + among[-1, ends[k + 1]]
                - right[:, ends[k + 1]]
            )
            steps.append(total.argmin(axis=0))
            cost = total.min(axis=0)
        place = 0
        for k in range(len(bends), 0, -1):
            place = int(steps[k][place])
            self.orders[r + k] = np.insert(rows[k], place, bends[k - 1])

    def _sift(self, r: int) -> None:
        """Move every node of a row to the place where its edges cross the fewest others."""
        pairs = np.zeros((len(self.orders[r]),) * 2, np.float32)
        if r:
            pairs += _pairs(self._up[r][:, self.orders[r - 1]])
        if r + 1 < len(self.orders):
            pairs += _pairs(self._down[r][:, self.orders[r + 1]])
        gain = pairs - pairs.T  # [u, v]: what it costs to have u left of v instead of right
        order = self.orders[r].copy()
        for u in self.orders[r].tolist():
            i = int((order == u).argmax())
            saved = gain[u].take(order).cumsum()  # by being right of the first, the first two, ...
            g = int(saved.argmax()) + 1
            if saved[g - 1] <= 0:
                g = 0
            if (saved[g - 1] if g else 0) <= saved[i]:
                continue
            if g < i:
                order[g + 1 : i + 1] = order[g:i].copy()
                order[g] = u
            else:
                order[i : g - 1] = order[i + 1 : g].copy()
                order[g - 1] = u
        self.orders[r] = order


def _pairs(edges: Matrix) -> Matrix:
    """Count for rows u, v of edges how many cross if u is left of v: ends of v left of u's."""
    return edges @ (edges.cumsum(axis=1) - edges).T
