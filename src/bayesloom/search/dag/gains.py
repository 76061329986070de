"""The gains of all single-edge moves of a DAG, kept up to date with one batch per move."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bayesloom import _native
from bayesloom._native import OperatorKind
from bayesloom.arrays import Floats
from bayesloom.engine import Engine, StopSignal
from bayesloom.errors import CapacityError
from bayesloom.graphs import bits, mask_of
from bayesloom.registry import SCORES
from bayesloom.scores import Score
from bayesloom.search.limits import Limits
from bayesloom.search.local_scores import LocalScores, tolerance
from bayesloom.search.memory import check_memory
from bayesloom.search.result import Step, operator_text

Bools = npt.NDArray[np.bool_]
_BYTES_PER_PAIR = 16  # of a value, an edge, a path, and while a move is looked for


class Move(NamedTuple):
    """Insert, delete or reverse x -> y."""

    kind: OperatorKind
    x: int
    y: int
    gain: float

    @property
    def step(self) -> Step:
        """The record of the move."""
        return Step(operator_text(self.kind), self.x, self.y, self.gain)


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
    stale: set[int]
    """The children whose values are to be brought up to date."""

    @classmethod
    def of(
        cls,
        engine: Engine,
        score: Score,
        limits: Limits,
        parents: Sequence[int],
        stop: StopSignal | None = None,
    ) -> Gains:
        """Score a graph; its neighbours are scored when they are first asked for.

        Once the signal ``stop`` is given, what asks for them raises `Stopped`.

        Raises
        ------
        CapacityError
            If a family of the graph has more configurations than a number can hold, or the
            matrices do not fit into memory.
        """
        return cls._of(LocalScores(engine, score, stop), limits, parents)

    @classmethod
    def _of(cls, scores: LocalScores, limits: Limits, parents: Sequence[int]) -> Gains:
        engine = scores.engine
        n = engine.n_variables
        check_memory(_BYTES_PER_PAIR * n * n, f"a search over DAGs with {n:,} variables")
        local = np.array(scores.known(list(enumerate(parents))))
        for v in np.flatnonzero(~np.isfinite(local)).tolist():
            name = SCORES.name_of(scores.score)
            msg = (
                f"{engine.names[v]} has {parents[v].bit_count()} parents in the first graph, too "
                f"many to score with {name}; start from a smaller graph or set max_parents"
            )
            raise CapacityError(msg)
        edge = as_matrix(parents)
        return cls(
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
            stale=set(range(n)),
        )

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

    def refresh(self) -> None:
        """Bring the values of all changes up to date, with one batch."""
        changes = []
        for y in sorted(self.stale):
            mask = self.parents[y]
            free = self.allowed[y] & ~mask if mask.bit_count() < self.limits.most else 0
            changes.append((y, mask, free, mask & ~self.limits.required[y]))
        self.scores.ask_changes(changes, self.value)
        self.stale.clear()

    def best(self, floor: float, barred: Sequence[Move] = ()) -> Move | None:
        """Return the best legal move whose gain is above ``floor``; ties go to the first.

        Insertions come before deletions, deletions before reversals, then the order of (x, y).
        Moves in ``barred`` are left out.
        """
        self.refresh()
        out = [move[:3] for move in barred]
        found = _native.best_change(
            self.value, self.local, self.edge, self.path, self.required, floor, self.epsilon, out
        )
        return Move(*found) if found else None

    def legal_moves(self) -> list[Move]:
        """List every legal move in the order of ties."""
        self.refresh()
        gain = self.value - self.local
        gain[np.isnan(gain)] = -np.inf
        moves = [
            Move(kind, int(x), int(y), float(gain[x, y]))
            for kind, legal in (
                (OperatorKind.INSERT, ~(self.edge | self.path.T)),
                (OperatorKind.DELETE, self.edge),
            )
            for x, y in np.argwhere(legal & (gain > -np.inf))
        ]
        for x, y in np.argwhere(self.edge & ~self.required).tolist():
            both = float(gain[x, y] + gain[y, x])
            if both > -np.inf and self._is_reversible(x, y):
                moves.append(Move(OperatorKind.REVERSE, x, y, both))
        return moves

    def _is_reversible(self, x: int, y: int) -> bool:
        """Say whether no other directed path leads from x to y."""
        return not self.path[x, bits(self.parents[y] & ~(1 << x))].any()

    def apply(self, move: Move) -> None:
        """Make a move; what it changed is asked for when it is needed."""
        x, y = move.x, move.y
        self._toggle(x, y)
        if move.kind is OperatorKind.REVERSE:
            self._toggle(y, x)
        self.total = math.fsum(self.local.tolist())
        if move.kind is OperatorKind.INSERT:
            self.path |= self.path[:, x : x + 1] & self.path[y : y + 1, :]
        else:
            self.path = _native.directed_paths(self.edge)

    def _toggle(self, x: int, y: int) -> None:
        self.local[y] = self.value[x, y]
        self.parents[y] ^= 1 << x
        self.edge[x, y] = not self.edge[x, y]
        self.stale.add(y)


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
