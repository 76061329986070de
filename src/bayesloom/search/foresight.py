"""Scores asked for before they are wanted, where a round trip costs more than counting."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Generic, TypeVar

from bayesloom import _native
from bayesloom.engine import Batch, Engine

if TYPE_CHECKING:
    from bayesloom.arrays import Floats

MOST_FORESEEN = 1 << 14
"""Families that are asked for on a guess in one batch."""

FARTHEST = 16
"""How many steps a copy of a search goes ahead."""

Guess = Callable[["Foresight"], None]
"""Notes in the memory of a foresight what will probably be wanted."""

_Question = TypeVar("_Question", bound=Hashable)
_Answer = TypeVar("_Answer")


class Prefetch(Generic[_Question, _Answer]):
    """Answers that were asked for before they are wanted, each until it is (speculative prefetch).

    Parameters
    ----------
    ask : callable
        Answers questions: one batch.
    guess : callable, optional
        Called when there is something to ask; returns questions that will probably come. A search
        near its rows has none.

    Examples
    --------
    >>> asked = []
    >>> def squares(numbers):
    ...     asked.append(numbers)
    ...     return [n * n for n in numbers]
    >>> ahead = Prefetch(squares, lambda: [3, 4])
    >>> ahead.take([2]), ahead.take([4]), asked
    ([4], [16], [[2, 3, 4]])
    """

    __slots__ = ("_ask", "_guess", "_held")

    def __init__(
        self,
        ask: Callable[[list[_Question]], Iterable[_Answer]],
        guess: Callable[[], Iterable[_Question]] | None = None,
    ) -> None:
        self._ask, self._guess = ask, guess
        self._held: dict[_Question, _Answer] = {}

    def take(self, questions: Sequence[_Question]) -> list[_Answer]:
        """Return answers: from here, or with one batch, which asks for guessed ones too."""
        lacking = [question for question in questions if question not in self._held]
        if lacking:
            guessed = () if self._guess is None else self._guess()
            more = (question for question in guessed if question not in self._held)
            asked = list(dict.fromkeys([*lacking, *more]))
            self._held.update(zip(asked, self._ask(asked), strict=True))
        return [self._held.pop(question) for question in questions]


class Unforeseen(Exception):  # noqa: N818 - control flow inside a guess, never seen by a user
    """What a guess leads to depends on scores that are not known yet, or it has led far enough."""


class Foresight:
    """A second memory of local scores, which runs ahead of the search (speculative prefetch).

    A far engine is asked for what the search wants and, in the same batch, for what it will want if
    it goes on as a guess says. What the search has asked for, and all that follows from it, is as
    without a guess: its own memory takes from this one what it would have asked the engine for.
    A batch may hold so many guessed families that counting them takes as long as one round trip.
    """

    __slots__ = ("_limit", "_per_table", "_round_trip", "_until", "guess", "memory", "n_unforeseen")

    def __init__(self, engine: Engine) -> None:
        self.memory = _native.ScoreMemory(engine.n_variables)
        self.guess: Guess | None = None
        self._round_trip = engine.round_trip
        self._per_table = math.inf
        self._limit = 0
        self._until = 0.0
        self.n_unforeseen = 0

    @contextmanager
    def guessing(self, guess: Guess) -> Iterator[None]:
        """Let a guess note what will be wanted next, whenever the search asks.

        A guess that is at work already looks farther than one inside it, and so goes on.
        """
        before, self.guess = self.guess, self.guess or guess
        try:
            yield
        finally:
            self.guess = before

    def settle(
        self,
        wanted: _native.ScoreMemory,
        ask: Callable[[Batch], Floats],
        *,
        ahead: bool = True,
    ) -> None:
        """Fill a memory with what it lacks: from here, or with one batch.

        Parameters
        ----------
        wanted : ScoreMemory
            The memory of the search.
        ask : callable
            Scores the families of a batch.
        ahead : bool
            Whether to ask for guessed families, too.
        """
        try:
            self.memory.want_missing_of(wanted)
            if self.memory.n_wanted:
                if ahead and self.guess is not None:
                    self._look(self.guess)
                self._ask(ask)
            wanted.fill_from(self.memory)
        except BaseException:
            self.memory.give_up()
            raise

    def peek(self, guess: Guess) -> None:
        """Run a guess on the scores that are known; nothing is asked for."""
        self._limit, self._until = MOST_FORESEEN, time.monotonic() + self._round_trip
        self.memory.take_lack()
        try:
            with suppress(Unforeseen):
                guess(self)
        finally:
            self.memory.give_up()

    def check(self) -> None:
        """End a guess where a score is not known yet, or where enough has been asked for.

        Raises
        ------
        Unforeseen
            If that is so.
        """
        if self.memory.take_lack() or not self.has_room:
            self.n_unforeseen += 1
            raise Unforeseen

    @property
    def has_room(self) -> bool:
        """Whether there is time to guess on, and the batch may hold more families."""
        return self.memory.n_wanted < self._limit and time.monotonic() < self._until

    def _look(self, guess: Guess) -> None:
        needed = self.memory.n_wanted
        self._limit = needed + self._affordable()
        self._until = time.monotonic() + self._round_trip
        self.memory.take_lack()
        if self.has_room:
            with suppress(Unforeseen):
                guess(self)

    def _affordable(self) -> int:
        """Return how many families are counted in the time of a round trip."""
        if not self._per_table > 0:
            return MOST_FORESEEN
        return int(min(self._round_trip / self._per_table, MOST_FORESEEN))

    def _ask(self, ask: Callable[[Batch], Floats]) -> None:
        missing = self.memory.missing()
        assert missing is not None
        started = time.monotonic()
        batch = Batch(*missing)
        self.memory.fill(ask(batch))
        counting = time.monotonic() - started - self._round_trip
        # The least is the best guess: anything else on the way only adds to it.
        self._per_table = min(self._per_table, max(0.0, counting) / len(batch))
