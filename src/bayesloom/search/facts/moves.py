"""Steps of a search: what was done to the graph, why, and what was not done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Self

from bayesloom.data import member
from bayesloom.data.member import Members
from bayesloom.data.plain import from_plain
from bayesloom.errors import listed
from bayesloom.search.facts.fact import Fact, V
from bayesloom.search.facts.tested import Dependency
from bayesloom.search.facts.wording import gain_text

_LINKS = ("link", "unlink")


class Reason(Enum):
    """Why a step was taken.

    SCORE: for its gain. DEPENDENCY: to cover a dependency. REQUIRED: because of knowledge. TRIAL:
    to see whether better steps follow; they did. RESTART: at random, to climb again from there.
    OPTIMUM: because the best network found by exact learning has the edge.
    """

    SCORE = "score"
    DEPENDENCY = "dependency"
    REQUIRED = "required"
    TRIAL = "trial"
    RESTART = "restart"
    OPTIMUM = "optimum"


_WHY = {
    Reason.SCORE: "",
    Reason.DEPENDENCY: " to cover a significant dependency, which the score alone would not do",
    Reason.REQUIRED: ", which knowledge requires",
    Reason.TRIAL: " for a trial, after which better steps followed",
    Reason.RESTART: " at random, to climb again from there",
    Reason.OPTIMUM: ", which the best network found has",
}
_FAILS = {
    Reason.SCORE: " but would uncover a dependency",
    Reason.DEPENDENCY: " but covers no more or would uncover something",
}
_DONE = {
    "insert": "inserted",
    "delete": "deleted",
    "reverse": "reversed",
    "link": "linked",
    "unlink": "unlinked",
}


@dataclass(frozen=True, slots=True)
class Alternative(Fact[V]):
    """A move that was possible and not made; its fields are those of `Step`."""

    operator: str
    x: V
    y: V
    gain: float
    others: tuple[V, ...] = ()

    @classmethod
    def of(cls, step: Step[V]) -> Alternative[V]:
        """Return what a step would have been."""
        return Alternative(step.operator, step.x, step.y, step.gain, step.others)

    def to_dict(self) -> dict[str, object]:
        """Return the move as plain data."""
        ends = {"operator": self.operator, "x": self.x, "y": self.y}
        return {**ends, "with": list(self.others), "gain": self.gain}

    @classmethod
    def from_dict(cls, payload: Members) -> Self:
        """Build a move from plain data."""
        return cls(**_move_in(payload))

    def edge(self) -> str:
        """Write what is joined or parted, ``A -> B`` or ``A - B``."""
        if self.operator in _LINKS:
            return listed(map(str, (self.x, self.y, *self.others)))
        return f"{self.x} -> {self.y}"

    def __str__(self) -> str:
        return f"{self.operator} {self.edge()} ({gain_text(self.gain)})"


def _move_in(payload: Members) -> dict[str, Any]:
    return {
        "operator": member.text(payload, "operator"),
        "x": member.text(payload, "x"),
        "y": member.text(payload, "y"),
        "others": member.many(member.text, payload, "with"),
        "gain": member.number(payload, "gain"),
    }


@dataclass(frozen=True, slots=True)
class LinkChange(Fact[V]):
    """What a set of links does to a decomposable Markov network.

    Parameters
    ----------
    links : tuple of pairs of int
        The links that were added, or taken away, in order.
    entropy : float
        By how much the entropy of the model fell, in nats per row; negative if it rose.
    parameters : float
        How many more parameters the model has; negative if fewer.
    crux : tuple of int
        The variables that were enough to compute both.
    """

    links: tuple[tuple[V, V], ...]
    entropy: float
    parameters: float
    crux: tuple[V, ...]

    def __str__(self) -> str:
        fell, more = self.entropy > 0, self.parameters > 0
        return (
            f"entropy {'fell' if fell else 'rose'} by {abs(self.entropy):.4g} nats per row for "
            f"{abs(self.parameters):,.0f} {'more' if more else 'fewer'} "
            f"parameter{'s' * (abs(self.parameters) != 1)} (crux {listed(map(str, self.crux))})"
        )


@dataclass(frozen=True, slots=True)
class Step(Alternative[V]):
    """One move of a search.

    Parameters
    ----------
    operator : str
        What was done: ``"insert"``, ``"delete"``, ``"reverse"``, ``"link"`` or ``"unlink"``.
    x, y : int
        The edge, ``x -> y`` after an insertion; ``x -> y`` becomes ``y -> x`` in a reversal of x
        and y. Names in a record.
    gain : float
        The change of the score.
    others : tuple of int
        The further variables the operator directs (T or H of GES) or joins, if any.
    reason : Reason
        Why it was taken.
    covered : tuple of int
        Places, in the result's list, of the dependencies that it covered.
    passed_over : Alternative, optional
        The best move of a higher gain that was not taken because of dependencies: it would have
        uncovered one or, where the reason is a dependency, it may just cover nothing more.
    runner_up : Alternative, optional
        The next move on another pair of variables in the order of gains, if the search could have
        taken it for the same reason.
    change : LinkChange, optional
        What links of a Markov network did.
    score : str, optional
        In a record what the gain is measured by, if that is not the score of the search.
    """

    reason: Reason = Reason.SCORE
    covered: tuple[int, ...] = ()
    passed_over: Alternative[V] | None = None
    runner_up: Alternative[V] | None = None
    change: LinkChange[V] | None = None
    score: str | None = None

    @property
    def joined(self) -> tuple[tuple[V, V], ...]:
        """The pairs that the step joined; a reversal joins none."""
        return self._pairs() if self.operator in ("insert", "link") else ()

    @property
    def parted(self) -> tuple[tuple[V, V], ...]:
        """The pairs that the step took apart."""
        return self._pairs() if self.operator in ("delete", "unlink") else ()

    def _pairs(self) -> tuple[tuple[V, V], ...]:
        return ((self.x, self.y),) if self.change is None else self.change.links

    def touches(self, x: V, y: V) -> bool:
        """Say whether the step changed the edge of a pair, or directed it on the way."""
        if self.change is not None:
            return (x, y) in self.change.links or (y, x) in self.change.links
        if {x, y} == {self.x, self.y}:
            return True
        # An insertion directs T at y; a reversal makes y -> x of x -> y and directs T at x.
        ends = {"delete": {self.x, self.y}, "reverse": {self.x}}.get(self.operator, {self.y})
        return any(a in self.others and b in ends for a, b in ((x, y), (y, x)))

    def to_dict(self) -> dict[str, object]:
        """Return the step as plain data, in the form of the command line's JSON."""
        return {
            "operator": self.operator,
            "x": self.x,
            "y": self.y,
            "with": list(self.others),
            "reason": self.reason.value,
            "gain": self.gain,
            **({} if self.score is None else {"score": self.score}),
            **({} if self.change is None else self.change.to_dict()),
        }

    def stored(self) -> dict[str, object]:
        """Return the step as files keep it, with what it covered and what was not done."""
        return {**self.to_dict(), "covered": list(self.covered), **self.alternatives()}

    def alternatives(self) -> dict[str, object]:
        """Return the moves that were not made as plain data."""
        moves = {"passed_over": self.passed_over, "runner_up": self.runner_up}
        return {key: None if move is None else move.to_dict() for key, move in moves.items()}

    @classmethod
    def from_dict(cls, payload: Members) -> Self:
        """Build a step from the plain data of a file."""
        return cls(
            **_move_in(payload),
            reason=member.choice(payload, "reason", Reason),
            covered=member.many(member.whole, payload, "covered"),
            passed_over=_alternative(payload, "passed_over"),
            runner_up=_alternative(payload, "runner_up"),
            change=from_plain(LinkChange, payload) if "links" in payload else None,
            score=member.optional(member.text, payload, "score"),
        )

    def edge(self) -> str:
        """Write what was joined, parted or turned."""
        if self.change is None:
            return super(Step, self).edge()
        return listed(f"{x} - {y}" for x, y in self.change.links)

    def sentence(self, number: int, covered: Sequence[Dependency[V]] = ()) -> str:
        """Say what the step did and why, and which dependencies it covered.

        Examples
        --------
        >>> Step("insert", "A", "B", 12.34).sentence(3)
        'Step 3 inserted A -> B: it changed the score by +12.34.'
        >>> links = LinkChange((("A", "B"),), 0.25, 1.0, ("A", "B"))
        >>> print(Step("link", "A", "B", 9.5, change=links).sentence(1))
        Step 1 linked A - B: entropy fell by 0.25 nats per row for 1 more parameter (crux A, B); \
this changed the score by +9.50.
        """
        text = f"Step {number} {_DONE.get(self.operator, self.operator)} {self.edge()}"
        text += _WHY[self.reason]
        if self.others and self.operator not in _LINKS:
            text += f", directing the edges of {listed(map(str, self.others))}"
        goal = f"the score of the Markov network ({self.score})" if self.score else "the score"
        effect = ": it" if self.change is None else f": {self.change}; this"
        text += f"{effect} changed {goal} by {gain_text(self.gain)}"
        if covered:
            text += f" and covered {listed((each.hypothesis() for each in covered), most=3)}"
        if self.passed_over is not None:
            how = "scores better" if self.passed_over.gain > self.gain else "scores as well"
            text += f"; not {self.passed_over}, which {how}{_FAILS.get(self.reason, '')}"
        if self.runner_up is not None:
            text += f"; the next best move was {self.runner_up}"
        return f"{text}."


def _alternative(payload: Members, key: str) -> Alternative[Any] | None:
    move = member.optional(member.part, payload, key)
    return None if move is None else Alternative.from_dict(move)
