"""What a search did, told by names: the part of a result that files keep."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from bayesloom.errors import FileFormatError
from bayesloom.scores import AIC, BIC, BDeu, K2Score, LogLikelihood, Score
from bayesloom.search import Knowledge, Reason, Step, Stop

SCORES: dict[str, type[Score]] = {
    kind.name: kind for kind in (LogLikelihood, AIC, BIC, BDeu, K2Score)
}
"""The scores that their name and settings say all about."""


class ScoreValue(NamedTuple):
    """The value of a score, in nats, and which score it is."""

    name: str
    value: float


@dataclass(frozen=True, slots=True)
class NamedStep:
    """One move of a search, by names.

    Parameters
    ----------
    operator : str
        What was done: ``"insert"``, ``"delete"``, ``"reverse"``, ...
    x, y : str
        The edge ``x -> y``; a reversal turns it into ``y -> x``.
    others : tuple of str
        Further variables whose edges the operator directed.
    gain : float
        The change of the score.
    reason : Reason
        Why it was taken.
    """

    operator: str
    x: str
    y: str
    others: tuple[str, ...]
    gain: float
    reason: Reason

    @classmethod
    def of(cls, step: Step, names: tuple[str, ...]) -> NamedStep:
        """Give a step of a search its names."""
        others = tuple(sorted(names[v] for v in step.others))
        return cls(step.operator, names[step.x], names[step.y], others, step.gain, step.reason)

    def to_dict(self) -> dict[str, object]:
        """Return the step as plain data, in the form of the command line's JSON."""
        return {
            "operator": self.operator,
            "x": self.x,
            "y": self.y,
            "with": list(self.others),
            "reason": self.reason.value,
            "gain": self.gain,
        }


@dataclass(frozen=True, slots=True)
class Record:
    """How a network was learned.

    Parameters
    ----------
    search : str
        The search with its options.
    score : Score or None
        What it maximised; None if a file cannot tell it in full.
    value : ScoreValue
        The score of the result.
    steps : tuple of NamedStep
        Every move, in order.
    stop : Stop
        Why it ended.
    candidates, n_rows : int
        How many graphs were looked at, and how many rows of data there were.
    knowledge : Knowledge
        What was known before.
    max_parents : int, optional
        The most parents a variable could have.
    """

    search: str
    score: Score | None
    value: ScoreValue
    steps: tuple[NamedStep, ...]
    stop: Stop
    candidates: int
    n_rows: int
    knowledge: Knowledge
    max_parents: int | None

    def to_dict(self) -> dict[str, object]:
        """Return the record as plain data that `from_dict` reads; the same for every run."""
        settings = self.score.settings() if self.score is not None else {}
        return {
            "search": self.search,
            "score": {**self.value._asdict(), "settings": settings},
            "steps": [step.to_dict() for step in self.steps],
            "stop": stop_name(self.stop),
            "candidates": self.candidates,
            "rows": self.n_rows,
            "knowledge": asdict(self.knowledge),
            "max_parents": self.max_parents,
        }

    @classmethod
    def from_dict(cls, found: Mapping[str, Any], path: str) -> Record:
        """Build a record from the plain data of a file.

        Raises
        ------
        FileFormatError
            If the data are not a record.
        """
        try:
            score = found["score"]
            return cls(
                search=str(found["search"]),
                score=_score_from(score),
                value=ScoreValue(str(score["name"]), float(score["value"])),
                steps=tuple(_step_from(step) for step in found["steps"]),
                stop=Stop[str(found["stop"]).upper()],
                candidates=int(found["candidates"]),
                n_rows=int(found["rows"]),
                knowledge=Knowledge(**found["knowledge"]),
                max_parents=found["max_parents"],
            )
        except (KeyError, TypeError, ValueError) as error:
            what = f"{type(error).__name__}: {error}"
            problem = f'the member "learned" is damaged ({what}); learn again'
            raise FileFormatError(problem, path) from None


def stop_name(stop: Stop) -> str:
    """Return the name of a reason to stop as JSON gives it.

    Examples
    --------
    >>> stop_name(Stop.LOCAL_OPTIMUM)
    'local_optimum'
    """
    return stop.name.lower()


def _step_from(step: Mapping[str, Any]) -> NamedStep:
    return NamedStep(
        operator=str(step["operator"]),
        x=str(step["x"]),
        y=str(step["y"]),
        others=tuple(map(str, step["with"])),
        gain=float(step["gain"]),
        reason=Reason(step["reason"]),
    )


def _score_from(found: Mapping[str, Any]) -> Score | None:
    kind = SCORES.get(str(found["name"]))
    return None if kind is None else kind(**found["settings"])
