"""The gains of all single-edge moves of a DAG, kept up to date with one batch per move."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bayesloom.engine import Batch, Engine
from bayesloom.engine.batch import NONE, Floats
from bayesloom.errors import CapacityError
from bayesloom.graphs import bits, topological_order
from bayesloom.scores import Score
from bayesloom.scores.score import family_batch
from bayesloom.search.limits import Limits

Bools = npt.NDArray[np.bool_]


def tolerance(score: float) -> float:
    """Return how far apart two gains must be to count as different.

    Local scores are right to a few units in the last place, so the noise of a gain is below
    ``1e-14 |score|``; a thousand times that is a safe margin and far below any real difference.
    """
    return 1e-11 * max(1.0, abs(score))


class Move(NamedTuple):
    """Change one edge: ``operator`` is "insert", "delete" or "reverse" of x -> y."""

    operator: str
    x: int
    y: int
    gain: float


@dataclass(slots=True)
class Gains:
    """A DAG and what every change of one edge would do to its score.

    ``value[x, y]`` is the local score of y after x has been added to its parents, or taken away if
    it is one; NaN where that is not allowed. ``path[x, y]`` says whether a directed path leads from
    x to y (every node reaches itself).
    """

    engine: Engine
    score: Score
    limits: Limits
    parents: list[int]
    local: Floats
    value: Floats
    edge: Bools
    path: Bools
    allowed: Bools
    required: Bools
    epsilon: float
    candidates: int = 0

    @classmethod
    def of(cls, engine: Engine, score: Score, limits: Limits, parents: Sequence[int]) -> Gains:
        """Score a graph and all its neighbours: two batches.

        Raises
        ------
        CapacityError
            If a family of the graph has more configurations than a number can hold.
        """
        n = engine.n_variables
        families = [(v, bits(mask)) for v, mask in enumerate(parents)]
        local = score.local_scores(engine, family_batch(families))
        for v in np.flatnonzero(~np.isfinite(local)):
            msg = (
                f"{engine.names[v]} has {len(families[v][1])} parents in the first graph, too many "
                f"to score with {score.name}; start from a smaller graph or set max_parents"
            )
            raise CapacityError(msg)
        gains = cls(
            engine=engine,
            score=score,
            limits=limits,
            parents=list(parents),
            local=local.copy(),
            value=np.full((n, n), np.nan),
            edge=as_matrix(parents),
            path=np.zeros((n, n), np.bool_),
            allowed=as_matrix(limits.allowed) & _varied(engine),
            required=as_matrix(limits.required),
            epsilon=tolerance(math.fsum(local)),
        )
        gains._find_paths()
        gains.refresh(range(n))
        return gains

    @property
    def total(self) -> float:
        """The score of the graph."""
        return math.fsum(self.local)

    def refresh(self, children: Iterable[int]) -> None:
        """Ask for the values of all changes at these children, in one batch."""
        requests: list[tuple[int, Sequence[int], Sequence[int]]] = []
        places: list[tuple[Sequence[int], int]] = []
        for y in children:
            given = bits(self.parents[y])
            self.value[:, y] = np.nan
            if len(given) < self.limits.most:
                others = np.flatnonzero(self.allowed[:, y] & ~self.edge[:, y]).tolist()
                requests.append((y, given, others))
                places.append((others, y))
            for x in bits(self.parents[y] & ~self.limits.required[y]):
                rest = [p for p in given if p != x]
                requests.append((y, rest[:-1], rest[-1:]) if rest else (y, (), (NONE,)))
                places.append(([x], y))
        batch = Batch.of(requests)
        if not len(batch):
            return
        values = self.score.local_scores(self.engine, batch)
        self.candidates += len(batch)
        start = 0
        for xs, y in places:
            self.value[xs, y] = values[start : start + len(xs)]
            start += len(xs)

    def changes(self) -> tuple[Floats, Floats]:
        """Return the gains of all legal insertions and of all deletions, -inf elsewhere."""
        gain = self.value - self.local
        gain[np.isnan(gain)] = -np.inf
        insert = np.where(self.edge | self.path.T, -np.inf, gain)
        delete = np.where(self.edge, gain, -np.inf)
        return insert, delete

    def reversals(self) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp], Floats]:
        """Return x, y and gain of the reversals of x -> y, cyclic ones included."""
        x, y = np.nonzero(self.edge & ~self.required)
        gain = (self.value[x, y] - self.local[y]) + (self.value[y, x] - self.local[x])
        gain[np.isnan(gain)] = -np.inf
        return x, y, gain

    def is_reversible(self, x: int, y: int) -> bool:
        """Say whether no other directed path leads from x to y."""
        others = bits(self.parents[y] & ~(1 << x))
        return not self.path[x, others].any()

    def best(self, floor: float, barred: Sequence[Move] = ()) -> Move | None:
        """Return the best legal move whose gain is above ``floor``; ties go to the first.

        Insertions come before deletions, deletions before reversals, then the order of (x, y).
        Moves in ``barred`` are left out.
        """
        insert, delete = self.changes()
        x, y, gain = self.reversals()
        for move in barred:
            if move.operator == "reverse":
                gain[(x == move.x) & (y == move.y)] = -np.inf
            else:
                (insert if move.operator == "insert" else delete)[move.x, move.y] = -np.inf
        best_insert, best_delete = insert.max(initial=-np.inf), delete.max(initial=-np.inf)
        while True:
            best_reverse = gain.max(initial=-np.inf)
            top = max(best_insert, best_delete, best_reverse)
            if not top > floor:
                return None
            near = top - self.epsilon
            for operator, table, best in (
                ("insert", insert, best_insert),
                ("delete", delete, best_delete),
            ):
                if best >= near:
                    i, j = divmod(int(np.argmax(table >= near)), len(self.parents))
                    return Move(operator, i, j, float(table[i, j]))
            k = int(np.argmax(gain >= near))
            if self.is_reversible(int(x[k]), int(y[k])):
                return Move("reverse", int(x[k]), int(y[k]), float(gain[k]))
            gain[k] = -np.inf

    def legal_moves(self) -> list[Move]:
        """List every legal move in the order of ties."""
        insert, delete = self.changes()
        moves = [
            Move(operator, int(x), int(y), float(table[x, y]))
            for operator, table in (("insert", insert), ("delete", delete))
            for x, y in np.argwhere(table > -np.inf)
        ]
        moves += [
            Move("reverse", int(x), int(y), float(gain))
            for x, y, gain in zip(*self.reversals(), strict=True)
            if gain > -np.inf and self.is_reversible(int(x), int(y))
        ]
        return moves

    def apply(self, move: Move) -> None:
        """Make a move and ask for what it changed: one batch."""
        x, y = move.x, move.y
        self._toggle(x, y)
        changed = [y]
        if move.operator == "reverse":
            self._toggle(y, x)
            changed.append(x)
        # A start with huge families must not blur the small gains that come after them.
        self.epsilon = tolerance(self.total)
        if move.operator == "insert":
            self.path |= self.path[:, x : x + 1] & self.path[y : y + 1, :]
        else:
            self._find_paths()
        self.refresh(changed)

    def _toggle(self, x: int, y: int) -> None:
        self.local[y] = self.value[x, y]
        self.parents[y] ^= 1 << x
        self.edge[x, y] = not self.edge[x, y]

    def _find_paths(self) -> None:
        above = [1 << v for v in range(len(self.parents))]
        for v in topological_order(self.parents):
            rest = self.parents[v]
            while rest:
                low = rest & -rest
                above[v] |= above[low.bit_length() - 1]
                rest ^= low
        self.path = as_matrix(above)


def _varied(engine: Engine) -> Bools:
    """Return the matrix that is true where both variables have more than one state.

    A variable with one state changes no score, so nothing would ever take its edges away again.
    """
    varied = engine.cardinality > 1
    return np.logical_and.outer(varied, varied)


def as_matrix(parents: Sequence[int]) -> Bools:
    """Return the matrix with [x, y] true where x is in the mask of y."""
    n = len(parents)
    width = (n + 7) // 8
    packed = b"".join([mask.to_bytes(width, "little") for mask in parents])
    rows = np.frombuffer(packed, np.uint8).reshape(n, width)
    bits_of = np.unpackbits(rows, axis=1, count=n, bitorder="little")
    return np.ascontiguousarray(bits_of.T).view(np.bool_)
