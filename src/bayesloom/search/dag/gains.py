"""The gains of all single-edge moves of a DAG, kept up to date with one batch per move."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, overload

import numpy as np
import numpy.typing as npt

from bayesloom._native import EdgeChanges, OperatorKind
from bayesloom.arrays import Bools, Floats, Ints
from bayesloom.engine import Batch, Engine, StopSignal
from bayesloom.errors import CapacityError
from bayesloom.graphs import mask_of
from bayesloom.registry import SCORES
from bayesloom.scores import Score
from bayesloom.search.facts.moves import Step
from bayesloom.search.limits import Limits
from bayesloom.search.local_scores import MOST_REMEMBERED, Change, LocalScores, tolerance
from bayesloom.search.memory import check_memory
from bayesloom.search.result import operator_text

if TYPE_CHECKING:
    from bayesloom.search.foresight import Foresight

_KINDS = tuple(OperatorKind)
_LIKELY, _PER_STALE = 16, 2  # moves that are looked at ahead of a far engine's answer
_BYTES_PER_PAIR = 10  # of a value and of sets of nodes by node


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


class Moves(Sequence[Move]):
    """Many moves, kept as arrays."""

    __slots__ = ("_kind", "_x", "_y", "gain")

    def __init__(self, kind: npt.NDArray[np.uint8], x: Ints, y: Ints, gain: Floats) -> None:
        self._kind, self._x, self._y, self.gain = kind, x, y, gain

    def __len__(self) -> int:
        return len(self.gain)

    @overload
    def __getitem__(self, k: int) -> Move: ...
    @overload
    def __getitem__(self, k: slice) -> Moves: ...
    def __getitem__(self, k: int | slice) -> Move | Moves:
        if isinstance(k, slice):
            return Moves(self._kind[k], self._x[k], self._y[k], self.gain[k])
        kind = _KINDS[self._kind[k]]
        return Move(kind, int(self._x[k]), int(self._y[k]), float(self.gain[k]))


@dataclass(slots=True)
class Gains:
    """A DAG and what every change of one edge would do to its score."""

    scores: LocalScores
    limits: Limits
    parents: list[int]
    table: EdgeChanges
    """The changes and what they gain."""
    terms: list[float]
    """Numbers whose exact sum is the score of the graph."""
    total: float
    """The score of the graph."""
    allowed: list[int]
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
        return cls.over(LocalScores(engine, score, stop), limits, parents)

    @classmethod
    def over(cls, scores: LocalScores, limits: Limits, parents: Sequence[int]) -> Gains:
        """Score a graph with a memory of local scores that others share."""
        engine = scores.engine
        n = engine.n_variables
        needed = MOST_REMEMBERED + _BYTES_PER_PAIR * n * n
        check_memory(needed, f"a search over DAGs with {n:,} variables")
        local = np.array(scores.known(list(enumerate(parents))))
        for v in np.flatnonzero(~np.isfinite(local)).tolist():
            name = SCORES.name_of(scores.score)
            msg = (
                f"{engine.names[v]} has {parents[v].bit_count()} parents in the first graph, too "
                f"many to score with {name}; start from a smaller graph or set max_parents"
            )
            raise CapacityError(msg)
        return cls(
            scores=scores,
            limits=limits,
            parents=list(parents),
            table=EdgeChanges(parents, limits.required, local),
            terms=_exact(local.tolist()),
            total=math.fsum(local.tolist()),
            allowed=_varied(engine, limits.allowed),
            stale=set(range(n)),
        )

    def elsewhere(self, parents: Sequence[int]) -> Gains:
        """Return the gains of another graph; the scores known so far are shared."""
        return Gains.over(self.scores, self.limits, parents)

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
        changes = [self._changes_of(y, self.parents[y]) for y in sorted(self.stale)]
        with self.scores.guessing(self._look_ahead):
            self.scores.ask_changes(changes, self.table)
        self.stale.clear()

    def _changes_of(self, y: int, mask: int) -> Change:
        """Return the changes that a child may make to its parents."""
        free = self.allowed[y] & ~mask if mask.bit_count() < self.limits.most else 0
        return y, mask, free, mask & ~self.limits.required[y]

    def _look_ahead(self, sight: Foresight) -> None:
        """Note what will be asked for after each of the moves that are likely to come next.

        Those are the best ones where the values are up to date, and elsewhere those that were best.
        """
        left, other = dict.fromkeys(self.stale, _PER_STALE), _LIKELY
        for move in self.likely_moves():
            if move.y in left and left[move.y] > 0:
                left[move.y] -= 1
            elif move.y not in left and other > 0:
                other -= 1
            else:
                continue
            if not sight.has_room:
                return
            sight.memory.want_changes(*self._changes_of(move.y, self.parents[move.y] ^ 1 << move.x))
            if move.kind is OperatorKind.REVERSE:
                after = self.parents[move.x] ^ 1 << move.y
                sight.memory.want_changes(*self._changes_of(move.x, after))

    def likely_moves(self) -> Iterator[Move]:
        """Yield the legal moves, best first, by their gains when these were last asked for."""
        moves = Moves(*self.table.legal())
        return (moves[k] for k in np.argsort(-moves.gain, kind="stable").tolist())

    def best(self, floor: float, barred: Sequence[Move] = ()) -> Move | None:
        """Return the best legal move whose gain is above ``floor``; ties go to the first.

        Insertions come before deletions, deletions before reversals, then the order of (x, y).
        Moves in ``barred`` are left out.
        """
        self.refresh()
        found = self.table.best(floor, self.epsilon, [move[:3] for move in barred])
        return Move(*found) if found else None

    def legal_moves(self) -> Moves:
        """List every legal move in the order of ties."""
        self.refresh()
        return Moves(*self.table.legal())

    def apply(self, move: Move) -> None:
        """Make a move; what it changed is asked for when it is needed."""
        x, y = move.x, move.y
        self.terms = _exact(self.terms + self.table.apply(move.kind, x, y))
        self.total = math.fsum(self.terms)
        self.parents[y] ^= 1 << x
        self.stale.add(y)
        if move.kind is OperatorKind.REVERSE:
            self.parents[x] ^= 1 << y
            self.stale.add(x)


def _exact(terms: list[float]) -> list[float]:
    """Return a few numbers with the same exact sum, so that it can be rounded once."""
    few: list[float] = []
    while rest := math.fsum(terms + [-each for each in few]):
        few.append(rest)
    return few


def _varied(engine: Engine, allowed: Sequence[int]) -> list[int]:
    """Return the allowed parents, where both variables have more than one state.

    A variable without parameters, such as one with one state, changes no score, so nothing would
    ever take its edges away again.
    """
    free = engine.free_parameters(Batch.sets((v,) for v in range(engine.n_variables)))
    varied = mask_of(np.flatnonzero(free > 0).tolist())
    return [mask & varied if varied >> y & 1 else 0 for y, mask in enumerate(allowed)]


def as_matrix(parents: Sequence[int]) -> Bools:
    """Return the matrix with [x, y] true where x is in the mask of y."""
    n = len(parents)
    width = (n + 7) // 8
    packed = b"".join([mask.to_bytes(width, "little") for mask in parents])
    rows = np.frombuffer(packed, np.uint8).reshape(n, width)
    bits_of = np.unpackbits(rows, axis=1, count=n, bitorder="little")
    return np.ascontiguousarray(bits_of.T).view(np.bool_)
