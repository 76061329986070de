"""What took pairs apart without a test, by names: triangles, and informations that were weighed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bayesloom.data import member
from bayesloom.errors import DataError
from bayesloom.learning.named_separation import NamedSeparation
from bayesloom.search import Separation, Triangle, Weighing


@dataclass(frozen=True, slots=True)
class NamedTriangle:
    """A triangle that took its weakest pair apart.

    Parameters
    ----------
    x, y : str
        The pair, in the order of names.
    middle : str
        The third variable.
    information : float
        The mutual information of x and y, in nats.
    sides : pair of float
        Those of x and of y with the middle.
    """

    x: str
    y: str
    middle: str
    information: float
    sides: tuple[float, float]

    @classmethod
    def of(cls, found: Triangle, names: tuple[str, ...]) -> NamedTriangle:
        """Give a triangle its names."""
        triple = names[found.x], names[found.y], names[found.middle]
        return cls(*triple, found.information, found.sides)

    @classmethod
    def from_dict(cls, found: Mapping[str, Any]) -> NamedTriangle:
        """Build a triangle from the plain data of a file."""
        sides = member.many(member.number, found, "sides")
        if len(sides) != 2:  # noqa: PLR2004 - x and y
            msg = f'"sides" must be a list of two numbers, got {len(sides)}'
            raise DataError(msg)
        return cls(
            member.text(found, "x"),
            member.text(found, "y"),
            member.text(found, "middle"),
            member.number(found, "information"),
            (sides[0], sides[1]),
        )

    @property
    def given(self) -> tuple[str, ...]:
        """Nothing: the informations of a triangle are those of pairs."""
        return ()

    def to_dict(self) -> dict[str, object]:
        """Return the triangle as plain data, in the form of the command line's JSON."""
        return {
            "x": self.x,
            "y": self.y,
            "middle": self.middle,
            "information": self.information,
            "sides": list(self.sides),
        }


@dataclass(frozen=True, slots=True)
class NamedWeighing:
    """The information of a pair given a set, weighed against its complexity.

    Parameters
    ----------
    x, y : str
        The pair, in the order of names.
    given : tuple of str
        What was conditioned on.
    information, complexity : float
        The conditional mutual information, and what is taken off for so few rows, in nats per row;
        the two are joined if the information is larger.
    """

    x: str
    y: str
    given: tuple[str, ...]
    information: float
    complexity: float

    @classmethod
    def of(cls, found: Weighing, names: tuple[str, ...]) -> NamedWeighing:
        """Give a weighing its names."""
        given = tuple(names[v] for v in found.given)
        return cls(names[found.x], names[found.y], given, found.information, found.complexity)

    @classmethod
    def from_dict(cls, found: Mapping[str, Any]) -> NamedWeighing:
        """Build a weighing from the plain data of a file."""
        return cls(
            member.text(found, "x"),
            member.text(found, "y"),
            member.many(member.text, found, "given"),
            member.number(found, "information"),
            member.number(found, "complexity"),
        )

    def to_dict(self) -> dict[str, object]:
        """Return the weighing as plain data, in the form of the command line's JSON."""
        return {
            "x": self.x,
            "y": self.y,
            "given": list(self.given),
            "information": self.information,
            "complexity": self.complexity,
        }


NamedParting = NamedSeparation | NamedTriangle | NamedWeighing
"""What took a pair apart: a test, a triangle, or an information that is not worth its cost."""


def named_parting(
    found: Separation | Triangle | Weighing, names: tuple[str, ...], n_rows: int
) -> NamedParting:
    """Give what took a pair apart its names; ``n_rows`` are all there are."""
    if isinstance(found, Triangle):
        return NamedTriangle.of(found, names)
    if isinstance(found, Weighing):
        return NamedWeighing.of(found, names)
    return NamedSeparation.of(found, names, n_rows)


def parting_from_dict(found: Mapping[str, Any]) -> NamedParting:
    """Build what took a pair apart from the plain data of a file.

    Examples
    --------
    >>> parting_from_dict(
    ...     {"x": "A", "y": "B", "given": [], "information": 0.01, "complexity": 0.02}
    ... )
    NamedWeighing(x='A', y='B', given=(), information=0.01, complexity=0.02)
    """
    if "middle" in found:
        return NamedTriangle.from_dict(found)
    if "complexity" in found:
        return NamedWeighing.from_dict(found)
    return NamedSeparation.from_dict(found)
