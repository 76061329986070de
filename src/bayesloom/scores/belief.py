"""A score with a prior probability for arrows: soft knowledge (Castelo and Siebes)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bayesloom.arrays import Floats
from bayesloom.engine import Batch, Engine
from bayesloom.scores.score import Score, checked_scores

Arrow = tuple[str, str, float]
"""A parent, a child and a number."""

_GRID = 2.0**-44
"""Log odds are multiples of this, so that their sums are exact in whatever order they are added."""


@dataclass(frozen=True, slots=True)
class PairBelief:
    """What is believed of a pair: the probabilities of ``first -> second``, back, and no arrow.

    Examples
    --------
    >>> PairBelief.of("A", "B", forward=0.8)
    PairBelief(first='A', second='B', forward=0.8, back=0.1, none=0.1)
    """

    first: str
    second: str
    forward: float
    back: float
    none: float

    @classmethod
    def of(
        cls, first: str, second: str, forward: float | None = None, back: float | None = None
    ) -> PairBelief:
        """Complete the belief in one or both arrows; what one leaves is shared by the others."""
        if forward is None or back is None:
            known = forward if back is None else back
            assert known is not None
            rest = round((1.0 - known) / 2.0, 15)
            forward, back = (known, rest) if back is None else (rest, known)
            return cls(first, second, forward, back, rest)
        return cls(first, second, forward, back, round(1.0 - forward - back, 15))

    @property
    def is_even(self) -> bool:
        """Whether all three are equally likely, which is no knowledge at all."""
        return max(abs(self.forward - self.none), abs(self.back - self.none)) < 1e-12  # noqa: PLR2004 - rounding

    def log_odds(self) -> tuple[float, float, float]:
        """Return the log odds of both arrows against none, and the log prior of none."""
        forward, back = math.log(self.forward / self.none), math.log(self.back / self.none)
        return _rounded(forward), _rounded(back), _rounded(math.log(3.0 * self.none))

    def sentence(self) -> str:
        """Return the belief as a story tells it.

        Examples
        --------
        >>> PairBelief.of("A", "B", forward=0.8).sentence()
        'The belief is A -> B 0.8, B -> A 0.1, no arrow 0.1, and the score counts it.'
        """
        a, b = self.first, self.second
        return (
            f"The belief is {a} -> {b} {self.forward:g}, {b} -> {a} {self.back:g}, "
            f"no arrow {self.none:g}, and the score counts it."
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class BelievedScore(Score):
    """A score plus the log prior of what a graph has of the pairs that something is believed of.

    A pair adds log(3 p): p is the probability of the arrow, or of none. It is charged once, to the
    family of the arrow's child; what the pair adds without an arrow is a constant, which the family
    of the second of the two always has.

    Parameters
    ----------
    then : Score
        The score of the data.
    arrows : tuple of (parent, child, log odds)
        Log odds of arrows against no arrow.
    bare : tuple of (variable, number)
        The constants.

    References
    ----------
    R. Castelo, A. Siebes: Priors on network structures. Biasing the search for Bayesian networks,
    International Journal of Approximate Reasoning 24, 2000.
    """

    then: Score
    arrows: tuple[Arrow, ...]
    bare: tuple[tuple[str, float], ...]

    @classmethod
    def over(
        cls, then: Score, beliefs: Iterable[PairBelief], one_way: Sequence[tuple[str, str]] = ()
    ) -> Score:
        """Add beliefs to a score; the score itself if they say nothing.

        Parameters
        ----------
        then : Score
            The score of the data.
        beliefs : iterable of PairBelief
            What is believed.
        one_way : sequence of (parent, child)
            Arrows that no graph may have: they count as their opposites do, which changes no
            graph's score and makes the prior of a class one number more often.
        """
        arrows: list[Arrow] = []
        bare: dict[str, float] = {}
        for belief in beliefs:
            if belief.is_even:
                continue
            a, b = belief.first, belief.second
            forward, back, none = belief.log_odds()
            if (a, b) in one_way:
                forward = back
            elif (b, a) in one_way:
                back = forward
            arrows += [(a, b, forward), (b, a, back)]
            bare[b] = bare.get(b, 0.0) + none
        if not arrows:
            return then
        return cls(then=then, arrows=tuple(sorted(arrows)), bare=tuple(sorted(bare.items())))

    @property
    def named_after(self) -> Score:
        """The score of the data, whose registered name stands for both."""
        return self.then

    @property
    def name(self) -> str:  # type: ignore[override]
        """The name of the score of the data."""
        return self.then.name

    @property
    def formula(self) -> str:  # type: ignore[override]
        """The formula of the score of the data, and what is added."""
        return f"{self.then.formula} + log(3 p) of what each believed pair has"

    @property
    def is_equal_both_ways(self) -> bool:
        """Whether every believed arrow counts as much as its opposite."""
        odds = {(parent, child): worth for parent, child, worth in self.arrows}
        return all(odds[child, parent] == worth for (parent, child), worth in odds.items())

    @property
    def equivalent(self) -> bool:  # type: ignore[override]
        """Whether equivalent graphs get the same score, the prior included."""
        return self.then.equivalent and self.is_equal_both_ways

    @property
    def takes_holes(self) -> bool:  # type: ignore[override]
        """Whether the score of the data compares families that know different rows."""
        return self.then.takes_holes

    @property
    def guides(self) -> tuple[Score, ...]:
        """The guides of the score of the data, with the same beliefs."""
        return tuple(
            type(self)(then=g, arrows=self.arrows, bare=self.bare) for g in self.then.guides
        )

    @property
    def has_ceilings(self) -> bool:
        """Whether the score of the data has them."""
        return self.then.has_ceilings

    def is_equivalent(self, engine: Engine) -> bool:
        """Say whether equivalent graphs get the same score of these data."""
        return self.is_equal_both_ways and self.then.is_equivalent(engine)

    def fit(self, engine: Engine, batch: Batch, price: float) -> Floats:
        """Return what the score of the data gives; `local_scores` adds the prior."""
        return self.then.fit(engine, batch, price)

    def local_scores(self, engine: Engine, batch: Batch) -> Floats:
        """Return the local scores of the data, and the log prior of each family's arrows."""
        odds, bare = self._tables(engine)
        return checked_scores(self.then, engine, batch) + _log_priors(odds, bare, batch)

    def ceilings(self, engine: Engine, batch: Batch) -> Floats:
        """Return what no family scores more than that has at least these parents.

        Of the arrows that may still come, those count that are likelier than none.
        """
        odds, bare = self._tables(engine)
        most = _Odds(odds.place, np.minimum(odds.values, 0.0))
        likely = np.maximum(odds.values, 0.0).sum(axis=0)[odds.place]
        return self.then.ceilings(engine, batch) + _log_priors(most, bare + likely, batch)

    def settings(self) -> dict[str, float | str]:
        """Return the options of the score of the data."""
        return self.then.settings()

    def _tables(self, engine: Engine) -> tuple[_Odds, Floats]:
        """Return the log odds of arrows and the constants, by the engine's variables."""
        index = {name: v for v, name in enumerate(engine.names)}
        members = sorted(
            {index[name] for parent, child, _ in self.arrows for name in (parent, child)}
        )
        row = {v: k for k, v in enumerate(members)}
        values = np.zeros((len(members) + 1, len(members) + 1))
        for parent, child, worth in self.arrows:
            values[row[index[parent]], row[index[child]]] = worth
        place = np.full(engine.n_variables + 1, len(members))
        place[members] = range(len(members))
        bare = np.zeros(engine.n_variables + 1)
        for name, worth in self.bare:
            bare[index[name]] = worth
        return _Odds(place, values), bare


class _Odds(NamedTuple):
    """Log odds of arrows among the variables that beliefs are about."""

    place: npt.NDArray[np.intp]
    """The row and column of every variable; the last ones, of zeros, for others and for none."""
    values: Floats
    """By parent and child."""


def _log_priors(odds: _Odds, bare: Floats, batch: Batch) -> Floats:
    """Return what every family gets: the constant of its child, and the log odds of its arrows."""
    child = odds.place[batch.target]
    of_given = np.repeat(np.arange(len(child)), batch.n_given)
    worth = odds.values[odds.place[batch.given], child[of_given]]
    base = np.bincount(of_given, worth, len(child)) + bare[batch.target]
    request = batch.request_of
    partner = np.asarray(odds.values[odds.place[batch.partner], child[request]])
    found: Floats = base[request] + partner
    return found


def _rounded(value: float) -> float:
    return round(value / _GRID) * _GRID
