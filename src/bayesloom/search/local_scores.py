"""A memory of local scores, asked for in batches."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import TYPE_CHECKING, Self

from bayesloom import _native
from bayesloom.arrays import Floats
from bayesloom.engine import Batch, Engine, StopSignal
from bayesloom.errors import Stopped
from bayesloom.scores import Score
from bayesloom.scores.score import are_of_package, checked_scores

if TYPE_CHECKING:
    from bayesloom.search.foresight import Foresight
    from bayesloom.search.score_audit import ScoreAudit

Change = tuple[int, int, int, int]
MOST_REMEMBERED = 1 << 28
"""Bytes of scores; after that they are forgotten and found again when they are needed."""


_TABLES = 1 << 22  # asked for in one batch


def tolerance(score: float) -> float:
    """Return how far apart two gains must be to count as different.

    Local scores are right to a few units in the last place, so the noise of a gain is below
    ``1e-14 |score|``; a thousand times that is a safe margin and far below any real difference.
    """
    return 1e-11 * max(1.0, abs(score))


_AS_EVER = nullcontext()


class LocalScores:
    """A cache of local scores by child and parents; what is missing is asked for in one batch."""

    __slots__ = ("_asked", "audit", "engine", "foresight", "memory", "score", "stop")

    def __init__(self, engine: Engine, score: Score, stop: StopSignal | None = None) -> None:
        self.engine = engine
        self.stop = stop
        self._asked = engine if stop is None else engine.until(stop)
        self.score = score
        self.memory = _native.ScoreMemory(engine.n_variables)
        self.foresight = _foresight(engine) if engine.round_trip > 0 else None
        self.audit: ScoreAudit | None = None

    @classmethod
    def audited(cls, engine: Engine, score: Score, stop: StopSignal | None = None) -> Self:
        """Return the scores of a search that takes equivalent graphs to score the same.

        A score or an engine of somebody's own is held to that, unless it says that it is not so.
        """
        scores = cls(engine, score, stop)
        if score.is_equivalent(engine):
            scores.audit = audit_of(score, engine)
        return scores

    def guessing(
        self, guess: Callable[..., None], *arguments: object
    ) -> AbstractContextManager[None]:
        """Let a guess say what will be wanted next, so that far engines are asked ahead.

        It is called with the foresight and the arguments. Near its rows an engine is asked as ever,
        and nothing is guessed.
        """
        if self.foresight is None:
            return _AS_EVER
        return self.foresight.guessing(lambda sight: guess(sight, *arguments))

    def __getitem__(self, family: tuple[int, int]) -> float:
        """Return the score of a family (child, parents) that has been asked for."""
        return self.memory.family(*family)

    def row(self, child: int, base: int) -> Floats:
        """Return the scores of a child given a base and each further parent asked for, else NaN."""
        return self.memory.row(child, base)

    def ask(
        self,
        rows: Sequence[tuple[int, int, int]],
        families: Sequence[tuple[int, int]] = (),
    ) -> None:
        """Make sure that scores are known, with one batch for all that are not.

        Parameters
        ----------
        rows : sequence of (child, base, partners)
            The scores of the child given the base alone, and with each of the partners (a mask).
        families : sequence of (child, parents)
            Single families.
        """
        self._make_room()
        self.memory.want(rows, families)
        self._settle()

    def ask_changes(self, changes: Sequence[Change], table: _native.EdgeChanges) -> None:
        """Write the scores after changes of one parent into a table, mostly with one batch.

        Raises
        ------
        Stopped
            If the signal is given before all are known.

        Parameters
        ----------
        changes : sequence of (child, parents, added, taken)
            A child, its parents, and the masks of those that may be added or taken away, one at a
            time.
        table : EdgeChanges
            Gets the scores of the child by the parent that is changed.
        """
        per_block = max(1, _TABLES // self.engine.n_variables)
        for first in range(0, len(changes), per_block):
            block = changes[first : first + per_block]
            self._make_room()
            for change in block:
                self.memory.want_changes(*change)
            self._settle()
            for change in block:
                table.write(self.memory, *change)

    def find_operators(self, cache: _native.OperatorCache) -> None:
        """Let a cache find the operators it was asked for, mostly with one batch.

        Raises
        ------
        Stopped
            If the signal is given before all are known; nothing of them stays wanted.
        """
        try:
            while cache.want(self.memory, self.stop):
                self._settle()
                cache.take(self.memory)
                self._make_room()
        except Stopped:
            self.memory.give_up()
            raise

    def _settle(self, engine: Engine | None = None) -> None:
        """Ask for what the memory has noted and does not know yet: one batch."""
        missing = self.memory.missing()
        if missing is None:
            return
        asked = engine or self._asked
        try:
            if self.foresight is None:
                self.memory.fill(self._values(asked, Batch(*missing)))
            else:
                values = partial(self._values, asked)
                self.foresight.settle(self.memory, values, ahead=engine is None)
        except BaseException:
            self.memory.give_up()
            raise

    def answers(self, batch: Batch) -> Floats:
        """Return the scores of a batch without remembering them.

        Raises
        ------
        Stopped
            If the signal is given before all are known.
        """
        return self._values(self._asked, batch)

    def _values(self, engine: Engine, batch: Batch) -> Floats:
        return checked_scores(self.score, engine, batch)

    def known(self, families: Sequence[tuple[int, int]]) -> list[float]:
        """Return the scores of some families (child, parents), even if the signal was given."""
        self._make_room()
        self.memory.want([], families)
        self._settle(self.engine)
        return [self[family] for family in families]

    def total(self, parents: Sequence[int]) -> float:
        """Return the score of the graph with these parent masks, even if the signal was given."""
        return math.fsum(self.known(list(enumerate(parents))))

    def _make_room(self) -> None:
        """Forget everything once there is too much of it."""
        if self.memory.n_bytes > MOST_REMEMBERED:
            self.memory.forget()
        if self.foresight is not None and self.foresight.memory.n_bytes > MOST_REMEMBERED:
            self.foresight.memory.forget()

    def __len__(self) -> int:
        """How many families have been scored."""
        return self.memory.n_asked


def audit_of(score: Score, engine: Engine) -> ScoreAudit | None:
    """Return an audit of a score or an engine of somebody's own; None if both are the package's."""
    if are_of_package(score, engine):
        return None
    from bayesloom.search.score_audit import ScoreAudit

    return ScoreAudit(score, engine)


def _foresight(engine: Engine) -> Foresight:
    from bayesloom.search.foresight import Foresight

    return Foresight(engine)


class ForeseenScores(LocalScores):
    """The scores that a guess may look at: what is not known is noted, and ends the guess."""

    __slots__ = ("_sight",)

    def __init__(self, scores: LocalScores, sight: Foresight) -> None:
        self.engine, self.score, self.stop = scores.engine, scores.score, scores.stop
        self._asked, self._sight, self.foresight, self.audit = scores.engine, sight, None, None
        self.memory = sight.memory

    def _settle(self, engine: Engine | None = None) -> None:  # noqa: ARG002 - nobody is asked
        self._sight.check()

    def _make_room(self) -> None:
        """Leave that to the search itself."""
