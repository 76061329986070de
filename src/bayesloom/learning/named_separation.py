"""What tests of a search separated, and where they disagree on directions, by names."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from bayesloom.data import member
from bayesloom.learning.named_step import named_test, test_in, told_test
from bayesloom.search import Conflict, Opposition, Separation


@dataclass(frozen=True, slots=True)
class NamedSeparation:
    """A test that took a pair apart.

    Parameters
    ----------
    x, y : str
        The pair, in the order of names.
    given : tuple of str
        The separating set.
    statistic, df, p, log_p, min_expected : float
        The test, which did not reject independence; statistic and smallest expected count are None
        if nothing was counted, because the rows cannot suffice.
    conclusive : bool
        Whether the rows sufficed; if not, the search counted the test as independence.
    rows : int, optional
        How many rows the test stands on, if cells are missing and they are not all.
    """

    x: str
    y: str
    given: tuple[str, ...]
    statistic: float | None
    df: float
    p: float
    log_p: float
    min_expected: float | None
    conclusive: bool
    rows: int | None = None

    @classmethod
    def of(cls, separation: Separation, names: tuple[str, ...], n_rows: int) -> NamedSeparation:
        """Give a separation its names; ``n_rows`` are all there are."""
        test = named_test(separation, names, n_rows)
        for key in ("statistic", "min_expected"):
            test[key] = None if math.isnan(test[key]) else test[key]
        return cls(**test, conclusive=separation.conclusive)

    @classmethod
    def from_dict(cls, found: Mapping[str, Any]) -> NamedSeparation:
        """Build a separation from the plain data of a file."""
        test = test_in(found, partial(member.optional, member.number))
        return cls(**test, conclusive=member.flag(found, "conclusive"))

    def to_dict(self) -> dict[str, object]:
        """Return the separation as plain data, in the form of the command line's JSON."""
        return told_test(self)


@dataclass(frozen=True, slots=True)
class NamedConflict:
    """A collider ``x -> middle <- y`` on which what a search found and its graph disagree.

    Parameters
    ----------
    x, middle, y : str
        The triple; x and y are not joined.
    opposition : Opposition
        What stands against the collider, or behind it.
    """

    x: str
    middle: str
    y: str
    opposition: Opposition

    @classmethod
    def of(cls, conflict: Conflict, names: tuple[str, ...]) -> NamedConflict:
        """Give a conflict its names."""
        triple = (names[conflict.x], names[conflict.middle], names[conflict.y])
        return cls(*triple, conflict.opposition)

    @classmethod
    def from_dict(cls, found: Mapping[str, Any]) -> NamedConflict:
        """Build a conflict from the plain data of a file."""
        return cls(
            member.text(found, "x"),
            member.text(found, "middle"),
            member.text(found, "y"),
            member.choice(found, "opposition", Opposition),
        )

    def to_dict(self) -> dict[str, object]:
        """Return the conflict as plain data, in the form of the command line's JSON."""
        return {
            "x": self.x,
            "middle": self.middle,
            "y": self.y,
            "opposition": self.opposition.value,
        }

    def __str__(self) -> str:
        collider = f"{self.x} -> {self.middle} <- {self.y}"
        if self.opposition is Opposition.IMPLIED:
            return f"{collider}, which the search denies, follows from other directions"
        against = {
            Opposition.COLLIDER: "a clearer collider, or what follows from one, has turned an edge",
            Opposition.KNOWLEDGE: "knowledge has turned one of the edges",
            Opposition.CYCLE: "the arrows would close a cycle",
        }[self.opposition]
        return f"the search asks for {collider}, but {against}"
