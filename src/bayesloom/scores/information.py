"""Scores that are the log-likelihood minus a price per free parameter."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bayesloom.arrays import Floats
from bayesloom.engine import Batch, Engine, FamilyKernel, numeric_columns
from bayesloom.errors import check_number
from bayesloom.scores.score import Score, minus_price

_MOST = 1e100  # a penalty beyond this could overflow a score
_SETS = (
    "F(S) = sum_j [N_j log(N_j / N) + log density of the numbers in the rows of j], normal with "
    "covariance (S_j + k_j P) / (N_j + k_j), k_j = 1 below 30 rows, else 0"
)


@dataclass(frozen=True, slots=True)
class LogLikelihood(Score):
    """The log-likelihood at its maximum: the sum of N_jk log(N_jk / N_j).

    It never falls when a parent is added, so a search with it alone ends in a complete graph.

    With numbers it is a difference of one function of sets, F(family) - F(parents): F(S) is the
    log-likelihood of the categories in S and, in each of their configurations j, the normal
    log-density of the numbers in S at the mean of the rows and (S_j + k_j P) / (N_j + k_j). S_j are
    sums of products about that mean, P the covariance of all rows, k_j 1 in configurations of fewer
    than 30 rows and 0 in all others. So a number is a linear regression on its number parents, at
    its maximum, in every configuration of its category parents, and equivalent graphs have one
    score.
    """

    name: ClassVar[str] = "loglik"
    formula: ClassVar[str] = "sum_jk N_jk log(N_jk / N_j)"

    def formula_of(self, engine: Engine) -> str:
        """Return the formula of a local term: with numbers, of sets."""
        if not numeric_columns(engine).any():
            return self.formula
        of_sets = self.formula.replace("sum_jk N_jk log(N_jk / N_j)", "F(family) - F(parents)")
        return f"{of_sets.replace('(r - 1) q', 'parameters')}; {_SETS}"

    def fit(self, engine: Engine, batch: Batch, price: float) -> Floats:
        """Return the log-likelihoods, minus ``price`` per free parameter."""
        return engine.families(batch, FamilyKernel.LOG_LIKELIHOOD, price=price)

    def fit_ceilings(self, engine: Engine, batch: Batch, price: float) -> Floats:
        """Return minus the price: no log-likelihood is above 0, and no parent makes it cheaper.

        A density can be above 0: that of a number is at most the density given all other numbers,
        as far as an engine knows it.
        """
        ceilings = minus_price(engine, batch, price)
        if not numeric_columns(engine).any():
            return ceilings
        most: Floats = getattr(engine, "best_fits", np.full(engine.n_variables, np.inf))
        return ceilings + most[batch.target[batch.request_of]]


@dataclass(frozen=True, slots=True)
class AIC(LogLikelihood):
    """Log-likelihood minus one per free parameter."""

    name: ClassVar[str] = "aic"
    formula: ClassVar[str] = "sum_jk N_jk log(N_jk / N_j) - (r - 1) q"

    def price(self, n_rows: int) -> float:  # noqa: ARG002 - the same for any number
        """Return what a free parameter costs."""
        return 1.0


@dataclass(frozen=True, slots=True)
class BIC(LogLikelihood):
    """Log-likelihood minus ``penalty / 2 * log(N)`` per free parameter; 1 is the textbook BIC.

    Parameters
    ----------
    penalty : float
        Multiplies the textbook price of a parameter.

    Examples
    --------
    >>> BIC(penalty=0)
    Traceback (most recent call last):
    bayesloom.errors.OptionError: penalty must be above 0 and at most 1e+100, got 0
    """

    penalty: float = 1.0

    name: ClassVar[str] = "bic"
    formula: ClassVar[str] = "sum_jk N_jk log(N_jk / N_j) - penalty (log N / 2) (r - 1) q"

    def __post_init__(self) -> None:
        Score.__post_init__(self)
        check_number("penalty", self.penalty, above=0, most=_MOST)

    def price(self, n_rows: int) -> float:
        """Return what a free parameter costs with this many rows."""
        return 0.5 * self.penalty * math.log(n_rows)
