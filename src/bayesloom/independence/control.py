"""Control of errors over many tests: frozen values that make stateful deciders.

A decider is asked once per batch, with the p-values of the conclusive tests in a fixed order, and
says which are rejected. Tests that a search chooses by looking at the same data carry no formal
guarantee on the false discovery rate, whatever the control: the rates below hold for p-values that
were fixed in advance (and for LORD and SAFFRON independent ones).
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from bayesloom.errors import check_number


class Decider(ABC):
    """Decides batch after batch; what was decided before may change what follows."""

    @abstractmethod
    def decide(self, p_values: Sequence[float]) -> list[bool]:
        """Return for every p-value whether its hypothesis is rejected."""


@dataclass(frozen=True, slots=True)
class Control(ABC):
    """A rule for rejecting hypotheses at level ``alpha``.

    Parameters
    ----------
    alpha : float
        The level, between 0 and 1. For BenjaminiHochberg, LORD and SAFFRON it bounds the false
        discovery rate, for AlphaSpending the chance of any false rejection.
    """

    alpha: float = 0.05

    def __post_init__(self) -> None:
        check_number("alpha", self.alpha, above=0, most=1)

    @abstractmethod
    def decider(self) -> Decider:
        """Start a fresh sequence of decisions."""


@dataclass(frozen=True, slots=True)
class FixedAlpha(Control):
    """Reject every hypothesis whose p-value is at most ``alpha``.

    Examples
    --------
    >>> FixedAlpha(0.05).decider().decide([0.01, 0.05, 0.2])
    [True, True, False]
    """

    def decider(self) -> Decider:
        """Start a fresh sequence of decisions."""
        return _Each(lambda _: self.alpha)


@dataclass(frozen=True, slots=True)
class AlphaSpending(Control):
    """Give the t-th test the level ``alpha * gamma_t``; valid under any dependence.

    Examples
    --------
    >>> AlphaSpending(0.05).decider().decide([1e-4, 1e-3])
    [True, False]
    """

    def decider(self) -> Decider:
        """Start a fresh sequence of decisions."""
        gamma = _GammaLORD()
        return _Each(lambda t: self.alpha * gamma(t))


@dataclass(frozen=True, slots=True)
class BenjaminiHochberg(Control):
    """Reject in each batch the p-values up to the largest p_(i) at most ``i * alpha / m``.

    Examples
    --------
    >>> BenjaminiHochberg(0.05).decider().decide([0.04, 0.01, 0.03, 0.9])
    [False, True, False, False]
    """

    def decider(self) -> Decider:
        """Start a fresh sequence of decisions."""
        return _PerBatch(self.alpha)


@dataclass(frozen=True, slots=True)
class LORD(Control):
    """LORD++: an online level that is earned back by every rejection.

    Parameters
    ----------
    wealth : float, optional
        The initial wealth w0, below ``alpha``; by default half of it.

    References
    ----------
    Ramdas, Yang, Wainwright, Jordan: Online control of the false discovery rate with decaying
    memory, 2017.
    """

    wealth: float | None = None

    def __post_init__(self) -> None:
        Control.__post_init__(self)
        _check_wealth(self.wealth, self.alpha)

    def decider(self) -> Decider:
        """Start a fresh sequence of decisions."""
        return _Lord(self.alpha, _wealth(self.wealth, self.alpha))


@dataclass(frozen=True, slots=True)
class SAFFRON(Control):
    """SAFFRON: like LORD, but tests that are no candidates (p above ``threshold``) cost nothing.

    Parameters
    ----------
    wealth : float, optional
        The initial wealth w0, below ``alpha``; by default half of it.
    threshold : float
        The candidate threshold lambda, between 0 and 1.

    References
    ----------
    Ramdas, Zrnic, Wainwright, Jordan: SAFFRON, an adaptive algorithm for online control of the
    false discovery rate, 2018.
    """

    wealth: float | None = None
    threshold: float = 0.5

    def __post_init__(self) -> None:
        Control.__post_init__(self)
        _check_wealth(self.wealth, self.alpha)
        check_number("threshold", self.threshold, above=0, below=1)

    def decider(self) -> Decider:
        """Start a fresh sequence of decisions."""
        return _Saffron(self.alpha, _wealth(self.wealth, self.alpha), self.threshold)


def _wealth(wealth: float | None, alpha: float) -> float:
    return alpha / 2 if wealth is None else wealth


def _check_wealth(wealth: float | None, alpha: float) -> None:
    if wealth is not None:
        check_number("wealth, a part of alpha,", wealth, above=0, below=alpha)


class _GammaLORD:
    """The sequence 0.07720838 log(max(j, 2)) / (j exp(sqrt(log j))), which sums to at most 1."""

    def __call__(self, j: int) -> float:
        return 0.07720838 * math.log(max(j, 2)) / (j * math.exp(math.sqrt(math.log(j))))


class _GammaSAFFRON:
    """The sequence j^-1.6, scaled to sum to 1 (zeta(1.6) = 2.2857656...)."""

    _ZETA = 2.285765656680129727

    def __call__(self, j: int) -> float:
        return math.pow(j, -1.6) / self._ZETA


@dataclass(slots=True)
class _Each(Decider):
    """Compare the t-th p-value with the t-th level."""

    level: Callable[[int], float]
    t: int = 0

    def decide(self, p_values: Sequence[float]) -> list[bool]:
        verdicts = []
        for p in p_values:
            self.t += 1
            verdicts.append(bool(p <= self.level(self.t)))
        return verdicts


@dataclass(slots=True)
class _PerBatch(Decider):
    """Benjamini and Hochberg's step-up procedure."""

    alpha: float

    def decide(self, p_values: Sequence[float]) -> list[bool]:
        if not len(p_values):
            return []
        p = np.asarray(p_values, dtype=np.float64)
        ranked = np.sort(p)
        below = np.flatnonzero(ranked <= self.alpha * (np.arange(1, len(p) + 1) / len(p)))
        if not len(below):
            return [False] * len(p)
        return [bool(rejected) for rejected in p <= ranked[below[-1]]]


@dataclass(slots=True)
class _Lord(Decider):
    """alpha_t = g_t w0 + (alpha - w0) g_(t - tau1) + alpha sum_(j >= 2) g_(t - tauj)."""

    alpha: float
    wealth: float
    t: int = 0
    rejected_at: list[int] = field(default_factory=list)

    def decide(self, p_values: Sequence[float]) -> list[bool]:
        verdicts = []
        for p in p_values:
            self.t += 1
            verdicts.append(bool(p <= self._level()))
            if verdicts[-1]:
                self.rejected_at.append(self.t)
        return verdicts

    def _level(self) -> float:
        gamma = _GammaLORD()
        earned = sum(gamma(self.t - tau) for tau in self.rejected_at[1:])
        first = gamma(self.t - self.rejected_at[0]) if self.rejected_at else 0.0
        return (
            gamma(self.t) * self.wealth + (self.alpha - self.wealth) * first + self.alpha * earned
        )


@dataclass(slots=True)
class _Saffron(Decider):
    """Levels as LORD's, on a clock that stands still for candidates since each rejection."""

    alpha: float
    wealth: float
    threshold: float
    t: int = 0
    candidates: int = 0
    rejected_at: list[tuple[int, int]] = field(default_factory=list)
    """Time of each rejection, and how many candidates there had been by then (itself included)."""

    def decide(self, p_values: Sequence[float]) -> list[bool]:
        verdicts = []
        for p in p_values:
            self.t += 1
            verdicts.append(bool(p <= self._level()))
            self.candidates += p <= self.threshold
            if verdicts[-1]:
                self.rejected_at.append((self.t, self.candidates))
        return verdicts

    def _level(self) -> float:
        gamma = _GammaSAFFRON()
        waits = [self.t - tau - (self.candidates - had) for tau, had in self.rejected_at]
        earned = sum(gamma(wait) for wait in waits[1:])
        first = gamma(waits[0]) if waits else 0.0
        spent = gamma(self.t - self.candidates) * self.wealth
        level = spent + (self.alpha - self.wealth) * first + self.alpha * earned
        return min(self.threshold, (1 - self.threshold) * level)
