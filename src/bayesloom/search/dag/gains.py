"""The gains of all single-edge moves of a DAG, kept up to date with one batch per move."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bayesloom import _native
from bayesloom.engine import Engine
from bayesloom.engine.batch import Floats
from bayesloom.errors import CapacityError
from bayesloom.graphs import bits, mask_of
from bayesloom.scores import Score
from bayesloom.search.limits import Limits
from bayesloom.search.local_scores import LocalScores, tolerance

Bools = npt.NDArray[np.bool_]


class Move(NamedTuple):
    """Change one edge: ``operator`` is "insert", "delete" or "reverse" of x -> y."""

    operator: str
    x: int
    y: int
    gain: float


KINDS = ("insert", "delete", "reverse")  # in the order of ties


@dataclass(slots=True)
class Gains:
    """A DAG and what every change of one edge would do to its score.

    ``value[x, y]`` is the local score of y after x has been added to its parents, or taken away if
    it is one; NaN where that is not allowed. ``path[x, y]`` says whether a directed path leads from
    x to y (every node reaches itself).
    """

    scores: LocalScores
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

    @classmethod
    def of(cls, engine: Engine, score: Score, limits: Limits, parents: Sequence[int]) -> Gains:
        """Score a graph and all its neighbours: two batches.

        Raises
        ------
        CapacityError
            If a family of the graph has more configurations than a number can hold.
        """
        return cls._of(LocalScores(engine, score), limits, parents)

    @classmethod
    def _of(cls, scores: LocalScores, limits: Limits, parents: Sequence[int]) -> Gains:
        engine = scores.engine
        n = engine.n_variables
        families = list(enumerate(parents))
        scores.ask([], families)
        local = np.array([scores[family] for family in families])
        for v in np.flatnonzero(~np.isfinite(local)).tolist():
            msg = (
                f"{engine.names[v]} has {parents[v].bit_count()} parents in the first graph, too "
                f"many to score with {scores.score.name}; start from a smaller graph or set "
                "max_parents"
            )
            raise CapacityError(msg)
        edge = as_matrix(parents)
        gains = cls(
            scores=scores,
            limits=limits,
            parents=list(parents),
            local=local,
            total=math.fsum(local.tolist()),
            value=np.empty((n, n)),
            edge=edge,
            path=_native.directed_paths(edge),
            allowed=_varied(engine, limits.allowed),
            required=as_matrix(limits.required),
        )
        gains.refresh(range(n))
        return gains

    def elsewhere(self, parents: Sequence[int]) -> Gains:
        """Return the gains of another graph; the scores known so far are shared."""
        return Gains._of(self.scores, self.limits, parents)

    @property
    def candidates(self) -> int:
        """How many families have been scored."""
        return len(self.scores)

    @property
    def epsilon(self) -> float:
        """How far apart two gains must be to count as different."""
        # A start with huge families must not blur the small gains that come after them.
        return tolerance(self.total)

    def refresh(self, children: Iterable[int]) -> None:
        """Bring the values of all changes at these children up to date, with one batch."""
        self.scores.make_room()
        changes = []
        for y in children:
            mask = self.parents[y]
            free = self.allowed[y] & ~mask if mask.bit_count() < self.limits.most else 0
            changes.append((y, mask, free, mask & ~self.limits.required[y]))
        self.scores.ask_changes(changes, self.value)

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
