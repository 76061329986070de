"""Control of errors over many tests: frozen values that make stateful deciders.

A decider is asked once per batch, with the p-values of the conclusive tests in a fixed order, and
says which are rejected. Tests that a search chooses by looking at the same data carry no formal
guarantee on the false discovery rate, whatever the control: the rates below hold for p-values that
were fixed in advance (and for LORD and SAFFRON independent ones).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from bayesloom.arrays import Bools, Floats
from bayesloom.errors import OptionError, check_number, shown

_SHORTEST = 64  # of the arrays that grow with the number of tests
_ABOVE = 1.001  # of alpha is above all levels of LORD, rounded or not: gamma sums to at most 1


class Decider(ABC):
    """Decides batch after batch; what was decided before may change what follows."""

    @abstractmethod
    def decide(self, p_values: Sequence[float]) -> list[bool]:
        """Return for every p-value whether its hypothesis is rejected.

        Raises
        ------
        OptionError
            If they are no list of numbers from 0 to 1.
        """

    def rejects(self, p_values: Floats) -> Bools:
        """Return the same from an array and as one, for p-values that need no check.

        Raises
        ------
        OptionError
            If a decider of somebody's own does not say yes or no to each.
        """
        said = self.decide(p_values.tolist())
        found = np.asarray(said)
        if found.shape != p_values.shape or (len(found) and found.dtype != np.bool_):
            what = f"{type(self).__name__}.decide must return True or False for each p-value"
            msg = f"{what} of {len(p_values)}, got {shown(repr(said))}"
            raise OptionError(msg)
        return found.astype(np.bool_, copy=False)

    @property
    def indifference(self) -> float:
        """From where on p-values are all the same to the next decisions and to later ones.

        None above it is rejected, and each might as well be 1. By default there is no such level.
        """
        return 1.0


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
        return _Each(lambda first, last: np.full(last - first, self.alpha))


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
        gamma = _Gamma(_gamma_lord)
        return _Each(lambda first, last: self.alpha * gamma.up_to(last)[first:last])


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
        return _Lord(_Account(_Gamma(_gamma_lord), self.alpha, _wealth(self.wealth, self.alpha)))


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
        wealth = _wealth(self.wealth, self.alpha)
        return _Saffron(_Account(_Gamma(_gamma_saffron), self.alpha, wealth), self.threshold)


def _wealth(wealth: float | None, alpha: float) -> float:
    return alpha / 2 if wealth is None else wealth


def _check_wealth(wealth: float | None, alpha: float) -> None:
    if wealth is not None:
        check_number("wealth, a part of alpha,", wealth, above=0, below=alpha)


def _checked(p_values: Sequence[float]) -> Floats:
    """Return p-values as an array if they are numbers from 0 to 1."""
    if isinstance(p_values, Sequence | np.ndarray) and len(p_values) == 0:
        return np.zeros(0)
    try:
        p = np.asarray(p_values)
    except ValueError:  # lists of different lengths
        p = np.asarray(None)
    if p.ndim != 1 or p.dtype.kind not in "fiu":
        msg = f"p_values must be a list of numbers, got {shown(repr(p_values))}"
        raise OptionError(msg)
    wrong = np.flatnonzero(~((p >= 0) & (p <= 1)))
    if len(wrong):
        msg = f"p_values must be from 0 to 1, got {p[wrong[0]]} at position {wrong[0]}"
        raise OptionError(msg)
    return p.astype(np.float64)


def _gamma_lord(j: Floats) -> Floats:
    """Return 0.07720838 log(max(j, 2)) / (j exp(sqrt(log j))), which sums to at most 1."""
    return 0.07720838 * np.log(np.maximum(j, 2)) / (j * np.exp(np.sqrt(np.log(j))))


def _gamma_saffron(j: Floats) -> Floats:
    """Return j^-1.6, scaled to sum to 1 (zeta(1.6) = 2.2857656...)."""
    return np.power(j, -1.6) / 2.285765665680129877


class _Gamma:
    """A sequence gamma_1, gamma_2, ..., computed as far as it is needed."""

    def __init__(self, formula: Callable[[Floats], Floats]) -> None:
        self._formula = formula
        self._values: Floats = np.zeros(1)

    def up_to(self, j: int) -> Floats:
        """Return an array that holds gamma_j at place j."""
        if j >= len(self._values):
            places = np.arange(1, max(2 * j, _SHORTEST), dtype=np.float64)
            self._values = np.concatenate([[0.0], self._formula(places)])
        return self._values


@dataclass(slots=True)
class _Account:
    """What may be spent: w0 at first, alpha - w0 for the first rejection, alpha for the others.

    All of it is paid out by gamma: at time t the level is
    g_t w0 + (alpha - w0) g_(t - tau1) + alpha sum_(j >= 2) g_(t - tauj).
    """

    gamma: _Gamma
    alpha: float
    wealth: float
    _rewards: int = 0
    _earned_at: npt.NDArray[np.intp] = field(default_factory=lambda: np.zeros(_SHORTEST, np.intp))

    def level(self, t: int) -> float:
        """Return the level at time ``t``."""
        gamma = self.gamma.up_to(t)
        level = self.wealth * gamma[t]
        if self._rewards:
            paid = gamma[t - self._earned_at[: self._rewards]]
            level += (self.alpha - self.wealth) * paid[0] + self.alpha * paid[1:].sum()
        return float(level)

    def reward(self, t: int) -> None:
        """Note a rejection at time ``t``."""
        if self._rewards == len(self._earned_at):
            self._earned_at = np.concatenate([self._earned_at, self._earned_at])
        self._earned_at[self._rewards] = t
        self._rewards += 1


class _ArrayDecider(Decider):
    """A decider that works on arrays."""

    def decide(self, p_values: Sequence[float]) -> list[bool]:
        return [bool(verdict) for verdict in self.rejects(_checked(p_values))]


@dataclass(slots=True)
class _Each(_ArrayDecider):
    """Compare the t-th p-value with the t-th level; levels never rise."""

    levels: Callable[[int, int], Floats]
    """The levels from a first time on, up to a last one that is left out."""
    t: int = 0

    def rejects(self, p_values: Floats) -> Bools:
        first, self.t = self.t + 1, self.t + len(p_values)
        return p_values <= self.levels(first, self.t + 1)

    @property
    def indifference(self) -> float:
        return float(self.levels(self.t + 1, self.t + 2)[0])


@dataclass(slots=True)
class _PerBatch(_ArrayDecider):
    """Benjamini and Hochberg's step-up procedure."""

    alpha: float

    def rejects(self, p_values: Floats) -> Bools:
        n = len(p_values)
        ranked = np.sort(p_values)
        below = np.flatnonzero(ranked <= self.alpha * (np.arange(1, n + 1) / n))
        return p_values <= ranked[below[-1]] if len(below) else np.zeros(n, np.bool_)

    @property
    def indifference(self) -> float:
        return self.alpha


@dataclass(slots=True)
class _Lord(_ArrayDecider):
    """Compare the t-th p-value with the level of an account at time t."""

    account: _Account
    t: int = 0

    def rejects(self, p_values: Floats) -> Bools:
        verdicts = np.zeros(len(p_values), np.bool_)
        for k in np.flatnonzero(p_values <= self.indifference).tolist():
            t = self.t + k + 1
            if p_values[k] <= self.account.level(t):
                verdicts[k] = True
                self.account.reward(t)
        self.t += len(p_values)
        return verdicts

    @property
    def indifference(self) -> float:
        return min(1.0, _ABOVE * self.account.alpha)


@dataclass(slots=True)
class _Saffron(_ArrayDecider):
    """Levels as LORD's, on a clock that stands still for candidates."""

    account: _Account
    threshold: float
    clock: int = 1

    def rejects(self, p_values: Floats) -> Bools:
        verdicts = np.zeros(len(p_values), np.bool_)
        ticks = np.cumsum(p_values > self.threshold)
        for k in np.flatnonzero(p_values <= self.threshold).tolist():
            clock = self.clock + int(ticks[k])
            level = (1 - self.threshold) * self.account.level(clock)
            if p_values[k] <= level:
                verdicts[k] = True  # a candidate: the next test is the first after it
                self.account.reward(clock - 1)
        self.clock += int(ticks[-1]) if len(ticks) else 0
        return verdicts

    @property
    def indifference(self) -> float:
        return self.threshold
