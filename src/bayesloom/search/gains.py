"""The gains of all single-edge moves of a DAG, kept up to date with one batch per move."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bayesloom import _native
from bayesloom.engine import Batch, Engine
from bayesloom.engine.batch import NONE, Floats
from bayesloom.errors import CapacityError
from bayesloom.graphs import bits, mask_of
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


Columns = dict[tuple[int, int], Floats]
"""By child and its parents: what the local score would be after each change at the child."""
KINDS = ("insert", "delete", "reverse")  # in the order of ties
MOST_REMEMBERED = 1 << 23  # values


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
    total: float
    """The score of the graph."""
    value: Floats
    edge: Bools
    path: Bools
    allowed: list[int]
    required: Bools
    columns: Columns
    """The columns of ``value`` seen so far: a search that comes back finds them ready."""
    candidates: int = 0

    @classmethod
    def of(
        cls,
        engine: Engine,
        score: Score,
        limits: Limits,
        parents: Sequence[int],
        columns: Columns | None = None,
    ) -> Gains:
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
        edge = as_matrix(parents)
        gains = cls(
            engine=engine,
            score=score,
            limits=limits,
            parents=list(parents),
            local=local.copy(),
            total=math.fsum(local.tolist()),
            value=np.full((n, n), np.nan),
            edge=edge,
            path=_native.directed_paths(edge),
            allowed=_varied(engine, limits.allowed),
            required=as_matrix(limits.required),
            columns={} if columns is None else columns,
        )
        gains.refresh(range(n))
        return gains

    def elsewhere(self, parents: Sequence[int]) -> Gains:
        """Return the gains of another graph; what is remembered is shared, the count is not."""
        return Gains.of(self.engine, self.score, self.limits, parents, self.columns)

    @property
    def epsilon(self) -> float:
        """How far apart two gains must be to count as different."""
        # A start with huge families must not blur the small gains that come after them.
        return tolerance(self.total)

    def refresh(self, children: Sequence[int]) -> None:
        """Bring the values of all changes at these children up to date, with one batch."""
        missing = [y for y in children if (y, self.parents[y]) not in self.columns]
        if missing:
            if len(self.columns) * len(self.parents) > MOST_REMEMBERED:
                self.columns.clear()
                missing = list(children)
            self._ask(missing)
        for y in children:
            self.value[:, y] = self.columns[y, self.parents[y]]

    def _ask(self, children: Iterable[int]) -> None:
        requests: list[tuple[int, Sequence[int], Sequence[int]]] = []
        places: list[tuple[int, list[int]]] = []
        for y in children:
            mask = self.parents[y]
            given = bits(mask)
            xs = bits(self.allowed[y] & ~mask) if len(given) < self.limits.most else []
            requests.append((y, given, xs[:]))
            for x in bits(mask & ~self.limits.required[y]):
                rest = [p for p in given if p != x]
                requests.append((y, rest[:-1], rest[-1:]) if rest else (y, (), (NONE,)))
                xs.append(x)
            places.append((y, xs))
        values = self.score.local_scores(self.engine, Batch.of(requests))
        self.candidates += len(values)
        start = 0
        for y, xs in places:
            column = np.full(len(self.parents), np.nan)
            column[xs] = values[start : start + len(xs)]
            self.columns[y, self.parents[y]] = column
            start += len(xs)

    def best(self, floor: float, barred: Sequence[Move] = ()) -> Move | None:
        """Return the best legal move whose gain is above ``floor``; ties go to the first.

        Insertions come before deletions, deletions before reversals, then the order of (x, y).
        Moves in ``barred`` are left out.
        """
        out = [(KINDS.index(move.operator), move.x, move.y) for move in barred]
        found = _native.best_change(
            self.value, self.local, self.edge, self.path, self.required, floor, self.epsilon, out
        )
        return Move(KINDS[found[0]], *found[1:]) if found else None

    def legal_moves(self) -> list[Move]:
        """List every legal move in the order of ties."""
        gain = self.value - self.local
        gain[np.isnan(gain)] = -np.inf
        moves = [
            Move(operator, int(x), int(y), float(gain[x, y]))
            for operator, legal in (("insert", ~(self.edge | self.path.T)), ("delete", self.edge))
            for x, y in np.argwhere(legal & (gain > -np.inf))
        ]
        for x, y in np.argwhere(self.edge & ~self.required).tolist():
            both = float(gain[x, y] + gain[y, x])
            if both > -np.inf and self._is_reversible(x, y):
                moves.append(Move("reverse", x, y, both))
        return moves

    def _is_reversible(self, x: int, y: int) -> bool:
        """Say whether no other directed path leads from x to y."""
        return not self.path[x, bits(self.parents[y] & ~(1 << x))].any()

    def apply(self, move: Move) -> None:
        """Make a move and ask for what it changed: one batch."""
        x, y = move.x, move.y
        self._toggle(x, y)
        changed = [y]
        if move.operator == "reverse":
            self._toggle(y, x)
            changed.append(x)
        self.total = math.fsum(self.local.tolist())
        if move.operator == "insert":
            self.path |= self.path[:, x : x + 1] & self.path[y : y + 1, :]
        else:
            self.path = _native.directed_paths(self.edge)
        self.refresh(changed)

    def _toggle(self, x: int, y: int) -> None:
        self.local[y] = self.value[x, y]
        self.parents[y] ^= 1 << x
        self.edge[x, y] = not self.edge[x, y]


def _varied(engine: Engine, allowed: Sequence[int]) -> list[int]:
    """Return the allowed parents, where both variables have more than one state.

    A variable with one state changes no score, so nothing would ever take its edges away again.
    """
    varied = mask_of(np.flatnonzero(engine.cardinality > 1).tolist())
    return [mask & varied if varied >> y & 1 else 0 for y, mask in enumerate(allowed)]


def as_matrix(parents: Sequence[int]) -> Bools:
    """Return the matrix with [x, y] true where x is in the mask of y."""
    n = len(parents)
    width = (n + 7) // 8
    packed = b"".join([mask.to_bytes(width, "little") for mask in parents])
    rows = np.frombuffer(packed, np.uint8).reshape(n, width)
    bits_of = np.unpackbits(rows, axis=1, count=n, bitorder="little")
    return np.ascontiguousarray(bits_of.T).view(np.bool_)
