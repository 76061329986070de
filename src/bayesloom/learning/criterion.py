"""By which test, and at which level, a story calls two variables dependent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bayesloom.data import member
from bayesloom.independence import ChiSquare, Coverage, FixedAlpha, GSquare, IndependenceTest
from bayesloom.search import Search, facts_of


@dataclass(frozen=True, slots=True)
class Criterion:
    """A test of independence and the level at which it is read.

    Parameters
    ----------
    test : IndependenceTest
        The test; its coverage rule says when there is a verdict.
    level : float
        The largest p-value that is called a dependency.
    """

    test: IndependenceTest = ChiSquare()
    level: float = 0.05

    @classmethod
    def of(cls, search: Search) -> Criterion | None:
        """Return the criterion of a search, with its level if that is fixed; None without tests.

        Examples
        --------
        >>> from bayesloom.search import GES, IGES
        >>> Criterion.of(IGES(test=GSquare(), control=FixedAlpha(0.001))).level, Criterion.of(GES())
        (0.001, None)
        """
        testing = facts_of(search).testing()
        if testing is None:
            return None
        test, control = testing
        return cls(test, control.alpha) if isinstance(control, FixedAlpha) else cls(test)

    def to_dict(self) -> dict[str, object]:
        """Return the criterion as plain data."""
        return {
            "test": self.test.name,
            "min_expected": self.test.min_expected,
            "coverage": self.test.coverage.value,
            "level": self.level,
        }

    @classmethod
    def from_dict(cls, found: Mapping[str, Any] | None) -> Criterion | None:
        """Build a criterion from plain data; None if there is none or the test is not known."""
        kinds: dict[str, type[IndependenceTest]] = {
            kind.name: kind for kind in (ChiSquare, GSquare)
        }
        if found is None or member.text(found, "test") not in kinds:
            return None
        coverage = member.choice(found, "coverage", Coverage)
        test = kinds[member.text(found, "test")](member.number(found, "min_expected"), coverage)
        return cls(test, member.number(found, "level"))
