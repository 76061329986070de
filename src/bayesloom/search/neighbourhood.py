"""The neighbourhood of a local search as a constrained search walks through it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from bayesloom.search.facts.moves import Step
from bayesloom.search.result import ScoredResult, Stop
from bayesloom.search.watch import Watch

if TYPE_CHECKING:
    from bayesloom._native import OperatorKind


@dataclass(frozen=True, slots=True)
class Phase:
    """A kind of moves that are tried together.

    Parameters
    ----------
    kind : OperatorKind, optional
        What the moves do to an edge; None if they may do anything.
    covers : bool
        Whether a move may be taken against the score to cover a dependency.
    uncovers : bool
        Whether a move may uncover a dependency, so that this has to be checked.
    """

    kind: OperatorKind | None
    covers: bool
    uncovers: bool


@dataclass(frozen=True, slots=True)
class Candidate:
    """A move."""

    step: Step
    token: object
    """What the walk needs to make the move."""


class Neighbourhood(Protocol):
    """A graph that is changed by the moves of a local search."""

    @property
    def phases(self) -> tuple[Phase, ...]:
        """The kinds of moves, in the order they are tried."""

    @property
    def epsilon(self) -> float:
        """How far apart two scores must be to count as different."""

    @property
    def patience(self) -> int:
        """How many moves in a row may lead down before the walk ends (0: none)."""

    @property
    def score(self) -> float:
        """The score of the graph."""

    @property
    def candidates(self) -> int:
        """How many families have been scored."""

    @property
    def dag(self) -> list[int]:
        """The parent masks of the graph, or of a member of its class."""

    def moves(self, phase: Phase, floor: float, *, back: bool = False) -> Iterator[Candidate]:
        """Yield the legal moves with a gain above ``floor``, the best first.

        With ``back`` moves to recent graphs are among them, where the walk avoids these.
        """

    def after(self, move: Candidate) -> list[int]:
        """Return the parent masks of the graph a move leads to, or of a member of its class."""

    def take(self, move: Candidate) -> None:
        """Make a move."""

    def ahead(self) -> list[list[int]]:
        """Return the parent masks of graphs that probably come next, where the rows are far."""

    def think_again(self, watch: Watch, admits: Callable[[list[int]], bool]) -> bool:
        """Make a change of many moves that raises the score, if there is one; tell its steps.

        ``admits`` is asked about the parent masks of the graph a change leads to.
        """

    def remember(self) -> None:
        """Make the graph at hand the result, whatever follows."""

    def result(self, watch: Watch, stop: Stop) -> ScoredResult:
        """Return the graph at hand, or the one to remember, as the result of a search."""
