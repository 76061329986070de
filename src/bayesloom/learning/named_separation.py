"""What tests of a search separated, and where they disagree on directions, by names."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bayesloom.data import member
from bayesloom.learning.named_step import some_rows
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
        s = separation
        return cls(
            names[s.x],
            names[s.y],
            tuple(names[v] for v in s.given),
            None if math.isnan(s.statistic) else s.statistic,
            s.df,
            s.p,
            s.log_p,
            None if math.isnan(s.min_expected) else s.min_expected,
            s.conclusive,
            some_rows(s.rows, n_rows),
        )

    @classmethod
    def from_dict(cls, found: Mapping[str, Any]) -> NamedSeparation:
        """Build a separation from the plain data of a file."""
        return cls(
            x=member.text(found, "x"),
            y=member.text(found, "y"),
            given=member.many(member.text, found, "given"),
            statistic=member.optional(member.number, found, "statistic"),
            df=member.number(found, "df"),
            p=member.share(found, "p"),
            log_p=member.number(found, "log_p"),
            min_expected=member.optional(member.number, found, "min_expected"),
            conclusive=member.flag(found, "conclusive"),
            rows=member.optional(member.whole, found, "rows") if "rows" in found else None,
        )

    def to_dict(self) -> dict[str, object]:
        """Return the separation as plain data, in the form of the command line's JSON."""
        return {
            "x": self.x,
            "y": self.y,
            "given": list(self.given),
            "statistic": self.statistic,
            "df": self.df,
            "p": self.p,
            "log_p": self.log_p,
            "min_expected": self.min_expected,
            "conclusive": self.conclusive,
            **({} if self.rows is None else {"rows": self.rows}),
        }


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
