"""Steps and dependencies of a search, by the names of their variables."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from bayesloom.data import member
from bayesloom.search import Reason

if TYPE_CHECKING:
    from bayesloom.search import Dependency, LinkChange, Separation, Step
    from bayesloom.search.result import Alternative


@dataclass(frozen=True, slots=True)
class NamedMove:
    """A change of a graph.

    Parameters
    ----------
    operator : str
        What is done: ``"insert"``, ``"delete"``, ``"reverse"``, ...
    x, y : str
        The edge ``x -> y``; a reversal turns it into ``y -> x``.
    others : tuple of str
        Further variables whose edges the operator directs.
    gain : float
        The change of the score.
    """

    operator: str
    x: str
    y: str
    others: tuple[str, ...]
    gain: float

    @classmethod
    def of(cls, move: Alternative | Step, names: tuple[str, ...]) -> NamedMove:
        """Give a move of a search its names."""
        others = tuple(sorted(names[v] for v in move.others))
        return cls(move.operator, names[move.x], names[move.y], others, move.gain)

    @classmethod
    def from_dict(cls, found: Mapping[str, Any]) -> NamedMove:
        """Build a move from plain data."""
        return cls(
            member.text(found, "operator"),
            member.text(found, "x"),
            member.text(found, "y"),
            member.many(member.text, found, "with"),
            member.number(found, "gain"),
        )

    def to_dict(self) -> dict[str, object]:
        """Return the move as plain data."""
        return {
            "operator": self.operator,
            "x": self.x,
            "y": self.y,
            "with": list(self.others),
            "gain": self.gain,
        }


@dataclass(frozen=True, slots=True)
class NamedLinks:
    """What links that were added to a Markov network, or taken away, did to it.

    Parameters
    ----------
    links : tuple of pairs of str
        The links.
    entropy : float
        By how much the entropy of the model fell, in nats per row.
    parameters : float
        How many more parameters it has.
    crux : tuple of str
        The variables that were enough to compute both.
    """

    links: tuple[tuple[str, str], ...]
    entropy: float
    parameters: float
    crux: tuple[str, ...]

    @classmethod
    def of(cls, change: LinkChange, names: tuple[str, ...]) -> NamedLinks:
        """Give a change its names."""
        links = sorted((min(names[x], names[y]), max(names[x], names[y])) for x, y in change.links)
        crux = tuple(sorted(names[v] for v in change.crux))
        return cls(tuple(links), change.entropy, change.parameters, crux)

    @classmethod
    def from_dict(cls, found: Mapping[str, Any]) -> NamedLinks:
        """Build a change from the plain data of a step."""
        links = member.many(member.pair, found, "links")
        crux = member.many(member.text, found, "crux")
        return cls(links, member.number(found, "entropy"), member.number(found, "parameters"), crux)

    def to_dict(self) -> dict[str, object]:
        """Return the change as plain data."""
        return {
            "links": [list(link) for link in self.links],
            "entropy": self.entropy,
            "parameters": self.parameters,
            "crux": list(self.crux),
        }


@dataclass(frozen=True, slots=True)
class NamedStep(NamedMove):
    """A move that a search has made.

    Parameters
    ----------
    operator, x, y, others, gain
        As in `NamedMove`.
    reason : Reason
        Why it was taken.
    covered : tuple of int
        Places, in the list of dependencies, of those that it covered.
    passed_over : NamedMove, optional
        The best move of a higher gain that was not taken because of dependencies.
    runner_up : NamedMove, optional
        The next move in the order of gains, where the search tells it.
    change : NamedLinks, optional
        What links of a Markov network did.
    score : str, optional
        What the gain is measured by, if that is not the score of the search.
    """

    reason: Reason
    covered: tuple[int, ...] = ()
    passed_over: NamedMove | None = None
    runner_up: NamedMove | None = None
    change: NamedLinks | None = None
    score: str | None = None

    @classmethod
    def of_step(cls, step: Step, names: tuple[str, ...], link_score: str | None) -> NamedStep:
        """Give a step of a search its names, and links the name of a score of their own."""
        return cls(
            *_values(NamedMove.of(step, names)),
            reason=step.reason,
            covered=step.covered,
            passed_over=None if step.passed_over is None else NamedMove.of(step.passed_over, names),
            runner_up=None if step.runner_up is None else NamedMove.of(step.runner_up, names),
            change=None if step.change is None else NamedLinks.of(step.change, names),
            score=None if step.change is None else link_score,
        )

    @classmethod
    def from_dict(cls, found: Mapping[str, Any]) -> NamedStep:
        """Build a step from the plain data of a file."""
        passed = member.optional(member.part, found, "passed_over")
        next_one = member.optional(member.part, found, "runner_up")
        return cls(
            *_values(NamedMove.from_dict(found)),
            reason=member.choice(found, "reason", Reason),
            covered=member.many(member.whole, found, "covered"),
            passed_over=None if passed is None else NamedMove.from_dict(passed),
            runner_up=None if next_one is None else NamedMove.from_dict(next_one),
            change=NamedLinks.from_dict(found) if "links" in found else None,
            score=member.optional(member.text, found, "score"),
        )

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

    def alternatives(self) -> dict[str, object]:
        """Return the moves that were not made as plain data."""
        return {
            "passed_over": None if self.passed_over is None else self.passed_over.to_dict(),
            "runner_up": None if self.runner_up is None else self.runner_up.to_dict(),
        }


def _values(move: NamedMove) -> tuple[str, str, str, tuple[str, ...], float]:
    return move.operator, move.x, move.y, move.others, move.gain


@dataclass(frozen=True, slots=True)
class NamedDependency:
    """A dependency that a search has detected: x and y depend on each other given the rest.

    Parameters
    ----------
    x, y : str
        The pair, in the order of names.
    given : tuple of str
        What was given.
    statistic, df, p, log_p, min_expected : float
        The test that rejected independence.
    covered : bool
        Whether the two are d-connected given the rest in the network found.
    information : float, optional
        Their conditional mutual information, in nats.
    rows : int, optional
        How many rows the test stands on, if cells are missing and they are not all.
    """

    x: str
    y: str
    given: tuple[str, ...]
    statistic: float
    df: float
    p: float
    log_p: float
    min_expected: float
    covered: bool
    information: float | None = None
    rows: int | None = None

    @classmethod
    def of(cls, dependency: Dependency, names: tuple[str, ...], n_rows: int) -> NamedDependency:
        """Give a dependency its names; ``n_rows`` are all there are."""
        information = None if math.isnan(dependency.information) else dependency.information
        test = named_test(dependency, names, n_rows)
        return cls(**test, covered=dependency.covered, information=information)

    @classmethod
    def from_dict(cls, found: Mapping[str, Any]) -> NamedDependency:
        """Build a dependency from the plain data of a file."""
        information = member.optional(member.number, found, "information")
        covered = member.flag(found, "covered")
        return cls(**test_in(found, member.number), covered=covered, information=information)

    def to_dict(self) -> dict[str, object]:
        """Return the dependency as plain data, in the form of the command line's JSON."""
        return {key: value for key, value in told_test(self).items() if key != "information"}


def named_test(
    found: Dependency | Separation, names: tuple[str, ...], n_rows: int
) -> dict[str, Any]:
    """Return the test of a pair with its names; ``n_rows`` are all there are."""
    return {
        "x": names[found.x],
        "y": names[found.y],
        "given": tuple(names[v] for v in found.given),
        **{key: getattr(found, key) for key in ("statistic", "df", "p", "log_p", "min_expected")},
        "rows": some_rows(found.rows, n_rows),
    }


def test_in(
    found: Mapping[str, Any], counted: Callable[[Mapping[str, Any], str], float | None]
) -> dict[str, Any]:
    """Take the test of a pair out of plain data; ``counted`` takes out what counts have shown."""
    return {
        "x": member.text(found, "x"),
        "y": member.text(found, "y"),
        "given": member.many(member.text, found, "given"),
        "statistic": counted(found, "statistic"),
        "df": member.number(found, "df"),
        "p": member.share(found, "p"),
        "log_p": member.number(found, "log_p"),
        "min_expected": counted(found, "min_expected"),
        "rows": member.optional(member.whole, found, "rows"),
    }


def told_test(found: Any) -> dict[str, object]:  # noqa: ANN401 - whatever test with names
    """Return the test of a pair as plain data; rows are told where they are not all."""
    told = {field.name: getattr(found, field.name) for field in fields(found)}
    told["given"] = list(found.given)
    return told if found.rows is not None else {k: x for k, x in told.items() if k != "rows"}


def some_rows(rows: float, n_rows: int) -> int | None:
    """Return how many rows a test stands on; None if these are all, or if nobody has counted them.

    Examples
    --------
    >>> some_rows(812.0, 1000), some_rows(1000.0, 1000), some_rows(math.nan, 1000)
    (812, None, None)
    """
    return None if math.isnan(rows) or rows >= n_rows else int(rows)
