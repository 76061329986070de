"""Steps and dependencies of a search, by the names of their variables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bayesloom.search import Dependency, Reason, Step


@dataclass(frozen=True, slots=True)
class NamedStep:
    """One move of a search.

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
    covered : tuple of int
        Places, in the list of dependencies, of those that it covered.
    """

    operator: str
    x: str
    y: str
    others: tuple[str, ...]
    gain: float
    reason: Reason
    covered: tuple[int, ...] = ()

    @classmethod
    def of(cls, step: Step, names: tuple[str, ...]) -> NamedStep:
        """Give a step of a search its names."""
        return cls(
            step.operator,
            names[step.x],
            names[step.y],
            tuple(sorted(names[v] for v in step.others)),
            step.gain,
            step.reason,
            step.covered,
        )

    @classmethod
    def from_dict(cls, found: Mapping[str, Any]) -> NamedStep:
        """Build a step from the plain data of a file."""
        return cls(
            str(found["operator"]),
            str(found["x"]),
            str(found["y"]),
            tuple(map(str, found["with"])),
            float(found["gain"]),
            Reason(found["reason"]),
            tuple(map(int, found.get("covered", ()))),
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
        }


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

    @classmethod
    def of(cls, dependency: Dependency, names: tuple[str, ...]) -> NamedDependency:
        """Give a dependency its names."""
        d = dependency
        given = tuple(names[v] for v in d.given)
        test = (d.statistic, d.df, d.p, d.log_p, d.min_expected)
        return cls(names[d.x], names[d.y], given, *test, d.covered)

    @classmethod
    def from_dict(cls, found: Mapping[str, Any]) -> NamedDependency:
        """Build a dependency from the plain data of a file."""
        return cls(
            x=str(found["x"]),
            y=str(found["y"]),
            given=tuple(map(str, found["given"])),
            statistic=float(found["statistic"]),
            df=float(found["df"]),
            p=float(found["p"]),
            log_p=float(found["log_p"]),
            min_expected=float(found["min_expected"]),
            covered=bool(found["covered"]),
        )

    def to_dict(self) -> dict[str, object]:
        """Return the dependency as plain data, in the form of the command line's JSON."""
        return {
            "x": self.x,
            "y": self.y,
            "given": list(self.given),
            "statistic": self.statistic,
            "df": self.df,
            "p": self.p,
            "log_p": self.log_p,
            "min_expected": self.min_expected,
            "covered": self.covered,
        }
