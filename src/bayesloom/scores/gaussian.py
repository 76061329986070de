"""Scores of numbers: the marginal likelihood of linear regressions, and the degenerate Gaussian."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, Literal, Protocol, TypeGuard

import numpy as np

from bayesloom._native import log_gamma
from bayesloom.arrays import Floats
from bayesloom.engine import Batch, Engine, numeric_columns
from bayesloom.errors import DataError, OptionError, check_number, listed, shown
from bayesloom.scores.score import Score, n_parents

_MOST = 1e100
_NAMED = 6  # columns that a message names
_UNIT_SCALE = 0.01
"""The diagonal of the prior matrix on standardised columns: right where 0.5 swamps relations."""


class _HasMoments(Engine, Protocol):
    """An engine over numbers that answers what these scores ask."""

    def log_determinants(self, batch: Batch, ridge: float, *, unit: bool) -> Floats:
        """Return log-determinants with child and without."""

    def indicator_families(self, batch: Batch, price: float) -> Floats:
        """Return scores of the degenerate Gaussian."""

    def indicator_parameters(self, batch: Batch) -> Floats:
        """Return its free parameters."""


def _has_moments(engine: Engine) -> TypeGuard[_HasMoments]:
    return hasattr(engine, "log_determinants")


def _moments(engine: Engine, score: Score, *, alone: bool) -> _HasMoments:
    """Return an engine over numbers, ``alone`` or beside categories.

    Raises
    ------
    DataError
        If its columns are others; with their names and what can be used.
    """
    numeric = numeric_columns(engine)
    if _has_moments(engine) and (numeric.all() or not alone):
        return engine
    names = listed((shown(engine.names[v]) for v in np.flatnonzero(~numeric)), _NAMED)
    needs = "columns of numbers alone" if alone else "a column of numbers"
    use = "BIC() or DegenerateGaussian()" if numeric.any() else "BIC() or BDeu()"
    msg = f"the score {score.name} needs {needs}, and {names} hold categories; use {use}"
    raise DataError(msg)


@dataclass(frozen=True, slots=True)
class BGe(Score):
    """Bayesian Gaussian score: the marginal likelihood of linear regressions with normal errors.

    The prior is normal-Wishart, its mean that of the data and its matrix t times the identity.

    Parameters
    ----------
    alpha_mu : float
        How many rows the prior mean is worth.
    alpha_w : float, optional
        The degrees of freedom of the Wishart prior, above n + 1 for n columns; by default n + 2.
    scale : {"unit", "raw"}
        On which columns t stands: ``"unit"`` takes t = 0.01 on columns divided by their standard
        deviations, so that no unit changes the network; constant columns are left out. ``"raw"``
        takes the columns as they are, with t = alpha_mu (alpha_w - n - 1) / (alpha_mu + 1).

    References
    ----------
    D. Geiger, D. Heckerman: Learning Gaussian networks, UAI 1994. J. Kuipers, G. Moffa,
    D. Heckerman: Addendum on the scoring of Gaussian directed acyclic graphical models, Annals of
    Statistics 42, 2014.

    Examples
    --------
    >>> from bayesloom.data import Table
    >>> from bayesloom.graphs import DAG
    >>> numbers = [[0.0, 1.0, 2.0, 3.0], [1.0, 0.0, 3.0, 2.0]]
    >>> table = Table("AB", [(), ()], numbers)
    >>> round(BGe().explain(table, DAG.from_edges([("A", "B")])).value, 6)
    -30.831897
    """

    alpha_mu: float = 1.0
    alpha_w: float | None = None
    scale: Literal["unit", "raw"] = "unit"

    name: ClassVar[str] = "bge"
    formula: ClassVar[str] = (
        "1/2 log(a_mu / (N + a_mu)) + lgamma((N + a_w - n + p + 1)/2) - "
        "lgamma((a_w - n + p + 1)/2) - N/2 log pi + (a_w - n + 2p + 1)/2 log t + "
        "(N + a_w - n + p)/2 log det R_parents - (N + a_w - n + p + 1)/2 log det R_family, "
        "R = t I + S, p parents, n columns"
    )

    def __post_init__(self) -> None:
        Score.__post_init__(self)
        check_number("alpha_mu", self.alpha_mu, above=0, most=_MOST)
        if self.alpha_w is not None:
            check_number("alpha_w", self.alpha_w, above=0, most=_MOST)
        if self.scale not in ("unit", "raw"):
            msg = f"scale must be 'unit' or 'raw', got {self.scale!r}"
            raise OptionError(msg)

    def fit(self, engine: Engine, batch: Batch, price: float) -> Floats:
        """Return the log marginal likelihoods, minus ``price`` per free parameter."""
        moments = _moments(engine, self, alone=True)
        rows, unit = float(engine.n_rows), self.scale == "unit"
        n = np.count_nonzero(~engine.constant) if unit else engine.n_variables
        degrees = n + 2.0 if self.alpha_w is None else float(self.alpha_w)
        if degrees <= n + 1:
            msg = f"alpha_w must be above {n + 1} for {n} columns, got {self.alpha_w}"
            raise OptionError(msg)
        ridge = self.alpha_mu * (degrees - n - 1) / (self.alpha_mu + 1)
        ridge = _UNIT_SCALE if unit else ridge
        family, parents = moments.log_determinants(batch, ridge, unit=unit).T
        p = n_parents(batch)
        own = degrees - n + p + 1
        value: Floats = (
            (math.log(self.alpha_mu / (rows + self.alpha_mu)) - rows * math.log(math.pi)) / 2
            + log_gamma((rows + own) / 2)
            - log_gamma(own / 2)
            + (own + p) / 2 * math.log(ridge)
            + (rows + own - 1) / 2 * parents
            - (rows + own) / 2 * family
        )
        return value - price * engine.free_parameters(batch) if price else value


@dataclass(frozen=True, slots=True)
class DegenerateGaussian(Score):
    """A Gaussian score of categories and numbers alike, for the structure alone.

    A category of r states is taken for r - 1 columns of zeros and ones, one per state that occurs
    but the first. The score of a family is the Gaussian log-likelihood of the child's columns given
    those of the parents, minus ``penalty / 2 * log(N)`` per covariance. Edges go in either
    direction between categories and numbers.

    Parameters
    ----------
    penalty : float
        Multiplies the textbook price of a parameter.

    References
    ----------
    B. Andrews, J. Ramsey, G. F. Cooper: Learning high-dimensional directed acyclic graphs with
    mixed data-types, Proceedings of Machine Learning Research 104, 2019.

    Examples
    --------
    >>> from bayesloom.data import Table
    >>> from bayesloom.graphs import DAG
    >>> table = Table("AB", ["ny", ()], [[0, 1, 0, 1], [0.0, 1.0, 0.5, 1.5]])
    >>> round(DegenerateGaussian().explain(table, DAG.from_edges([("A", "B")])).value, 6)
    -5.113184
    """

    penalty: float = 1.0

    name: ClassVar[str] = "dg"
    formula: ClassVar[str] = (
        "-N/2 (log det C_family - log det C_parents + d_y (log 2 pi + 1)) - "
        "penalty (log N / 2) (d_y d_x + d_y (d_y + 1) / 2), C the covariance of numbers and of "
        "indicators of states, d_y and d_x the columns of child and parents"
    )

    def __post_init__(self) -> None:
        Score.__post_init__(self)
        check_number("penalty", self.penalty, above=0, most=_MOST)

    def price(self, n_rows: int) -> float:
        """Return what a free parameter costs with this many rows."""
        return 0.5 * self.penalty * math.log(n_rows)

    def fit(self, engine: Engine, batch: Batch, price: float) -> Floats:
        """Return the log-likelihoods, minus ``price`` per free parameter."""
        return _moments(engine, self, alone=False).indicator_families(batch, price)

    def parameters(self, engine: Engine, batch: Batch) -> Floats:
        """Return how many covariances the child of every family has."""
        return _moments(engine, self, alone=False).indicator_parameters(batch)
