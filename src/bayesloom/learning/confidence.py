"""How sure every edge is, as a network that was averaged keeps it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from bayesloom.data import member
from bayesloom.errors import DataError


class PairStrength(NamedTuple):
    """How sure it is that two variables are joined, and which way.

    Parameters
    ----------
    x, y : str
        The pair; the direction x -> y is at least as frequent as the other.
    strength : float
        The share of networks that join the two, either way.
    direction : float
        The share of these with x -> y; an edge without direction counts half each way.
    """

    x: str
    y: str
    strength: float
    direction: float


@dataclass(frozen=True, slots=True)
class Confidence:
    """How many networks joined each pair, of those that a network was averaged from.

    Parameters
    ----------
    networks : int
        How many networks there were.
    pairs : tuple of PairStrength
        The pairs that at least one of them joined, the strongest first.
    threshold : float
        Pairs above it were taken for joined.
    of : str
        What the networks are: ``"resamples"`` of the data or ``"samples"`` of the posterior.
    call : str
        The call in Python that made them of ``data``, without knowledge and limits; empty if it
        cannot be written in a line.

    Examples
    --------
    >>> sure = Confidence(200, (PairStrength("A", "B", 0.935, 0.8),), 0.5)
    >>> print(sure.sentence("B", "A"))
    The two are joined in 187 of 200 resamples, A -> B in 80 % of these (undirected counts half).
    """

    networks: int
    pairs: tuple[PairStrength, ...]
    threshold: float
    of: str = "resamples"
    call: str = field(default="", compare=False)

    def pair(self, x: str, y: str) -> PairStrength | None:
        """Return what is known of a pair; None if no network joins it."""
        return next((pair for pair in self.pairs if {pair.x, pair.y} == {x, y}), None)

    def direction(self, x: str, y: str) -> float:
        """Return the share of networks with x -> y among those that join the two; a half if none.

        Examples
        --------
        >>> sure = Confidence(200, (PairStrength("A", "B", 0.935, 0.75),), 0.5)
        >>> sure.direction("A", "B"), sure.direction("B", "A"), sure.direction("A", "C")
        (0.75, 0.25, 0.5)
        """
        pair = self.pair(x, y)
        if pair is None:
            return 0.5
        return pair.direction if pair.x == x else 1 - pair.direction

    def share(self, x: str, y: str) -> str:
        """Say how often a pair was joined, such as ``187 of 200 resamples``."""
        pair = self.pair(x, y)
        strength = 0.0 if pair is None else pair.strength
        if self.of != "resamples":
            return f"posterior probability {strength:.3f}"
        return f"{round(strength * self.networks):,} of {self.networks:,} {self.of}"

    def sentence(self, x: str, y: str, *, links: bool = False) -> str:
        """Say how often a pair was joined and which way, unless edges are ``links``."""
        pair = self.pair(x, y)
        if pair is None:
            return f"The two are joined in none of {self.networks:,} {self.of}."
        way = f", {pair.x} -> {pair.y} in {pair.direction:.0%} of these".replace("%", " %")
        if self.of != "resamples":
            told = f"The two are joined with {self.share(x, y)}"
        else:
            told = f"The two are joined in {self.share(x, y)}"
            way += " (undirected counts half)"
        return f"{told}{'' if links else way}."

    def to_dict(self) -> dict[str, object]:
        """Return it as plain data that `from_dict` reads."""
        return {
            "networks": self.networks,
            "of": self.of,
            "threshold": self.threshold,
            "pairs": [list(pair) for pair in self.pairs],
            **({"call": self.call} if self.call else {}),
        }

    @classmethod
    def from_dict(cls, found: Mapping[str, Any]) -> Confidence:
        """Build it from the plain data of a file.

        Raises
        ------
        DataError
            If the data are something else.
        """
        pairs = tuple(map(_pair, found["pairs"]))
        threshold = member.number(found, "threshold")
        call = member.text(found, "call") if "call" in found else ""
        return cls(
            member.whole(found, "networks"), pairs, threshold, member.text(found, "of"), call
        )


def _pair(found: object) -> PairStrength:
    match found:
        case [str(x), str(y), float() | int() as strength, float() | int() as direction]:
            return PairStrength(x, y, float(strength), float(direction))
    problem = "'pairs' must hold two names, a strength and a direction each"
    raise DataError(problem)
