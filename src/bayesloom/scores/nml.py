"""Normalised maximum likelihood scores: the likelihood minus the regret of fitting so much."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from bayesloom._native import Regrets
from bayesloom.arrays import Floats
from bayesloom.engine import Batch, Engine, FamilyKernel, counting
from bayesloom.errors import CapacityError, check_number
from bayesloom.scores.dirichlet import BDeu, even_ceilings
from bayesloom.scores.information import BIC
from bayesloom.scores.score import Score, minus_price

_MOST = 1e100  # a guard beyond this could overflow a score
_SLACK = 2e-5  # nats by which prices may fall where approximate regrets follow exact ones


@dataclass(frozen=True, slots=True)
class QNML(Score):
    """Quotient normalised maximum likelihood: a score without a parameter to choose.

    The log-likelihood minus log C(N, r q) - log C(N, q), where the regret (parametric complexity)
    C(N, K) is the sum of the maximal likelihoods of all samples of N rows over K states. The price
    depends on N, r and q alone; equivalent graphs get equal scores.

    Regrets are exact (by their recurrence) up to 65,536 cells. Beyond, the approximation of
    Szpankowski and Weinberger is off by less than 0.2 / K, here 3e-6.

    Where a family has far more cells than there are rows, the price ends at N log r, and a huge
    table whose parameters cannot be estimated may win. ``guard`` is a price per free parameter on
    top, which keeps equivalent graphs equal and falls as rows become many.

    What is known for exact search: the price never falls when q grows (by more than that error) and
    likelihoods are not above 0, so a family and all with more parents score at most minus its
    price.

    Parameters
    ----------
    guard : float
        A free parameter costs ``guard / sqrt(N)`` nats besides; 0 is the score of the reference, 4
        what the default search of `bayesloom.learn` takes.

    References
    ----------
    T. Silander, J. Leppa-aho, E. Jaasaari, T. Roos: Quotient normalized maximum likelihood
    criterion for learning Bayesian network structures, AISTATS 2018. P. Kontkanen, P. Myllymaki: A
    linear-time algorithm for computing the multinomial stochastic complexity, Information
    Processing Letters 103, 2007. W. Szpankowski, M. J. Weinberger: Minimax pointwise redundancy for
    memoryless models over large alphabets, IEEE Transactions on Information Theory 58, 2012.

    Examples
    --------
    >>> from bayesloom.graphs import DAG
    >>> frame = {"A": ["n", "y", "y", "n"], "B": ["n", "y", "y", "y"]}
    >>> round(QNML().explain(frame, DAG.from_edges([("A", "B")])).value, 6)
    -6.77308
    """

    guard: float = 0.0

    name: ClassVar[str] = "qnml"
    formula: ClassVar[str] = (
        "sum_jk N_jk log(N_jk / N_j) - [log C(N, r q) - log C(N, q)] - guard (r - 1) q / sqrt(N), "
        "C(N, K) the multinomial regret"
    )

    def __post_init__(self) -> None:
        Score.__post_init__(self)
        check_number("guard", self.guard, least=0, most=_MOST)

    @property
    def guides(self) -> tuple[Score, ...]:
        """BIC, and a Dirichlet score: a parameter costs more there, or less."""
        return BIC(), BDeu(ess=10, sparsity=1)

    def price(self, n_rows: int) -> float:
        """Return what a free parameter costs besides, with this many rows."""
        return self.guard / math.sqrt(n_rows)

    def fit(self, engine: Engine, batch: Batch, price: float) -> Floats:
        """Return the log-likelihoods minus the regrets, and ``price`` per free parameter."""
        likelihoods = engine.families(batch, FamilyKernel.LOG_LIKELIHOOD, price=price)
        states = counting(engine, "the score qnml").cardinality
        prices = regrets_of(engine.n_rows).quotients(*batch.arrays, states)
        if math.isinf(prices.max(initial=0.0)):
            child = batch.target[batch.request_of[np.isinf(prices)][0]]
            msg = (
                f"a family of {engine.names[child]!r} has more than 1e308 cells, beyond which qNML "
                "has no price; set max_parents"
            )
            raise CapacityError(msg)
        fitted: Floats = likelihoods - prices
        return fitted

    def fit_ceilings(self, engine: Engine, batch: Batch, price: float) -> Floats:
        """Return minus the regrets and the price: no log-likelihood is above 0."""
        states = counting(engine, "the score qnml").cardinality
        prices = regrets_of(engine.n_rows).quotients(*batch.arrays, states)
        known = np.where(np.isinf(prices), 0.0, prices)  # a regret that is not known rules out none
        ceilings: Floats = minus_price(engine, batch, price) - known + _SLACK
        return ceilings


@dataclass(frozen=True, slots=True)
class FNML(Score):
    """Factorised normalised maximum likelihood: the regret of every parent configuration.

    Markov equivalent graphs can get different scores, so searches over equivalence classes
    refuse it; `QNML` is the one for them.

    What is known for exact search: every configuration that occurs costs at least log r, so a
    family and all with more parents score at most minus log r times the configurations it shows.

    References
    ----------
    T. Silander, T. Roos, P. Kontkanen, P. Myllymaki: Factorized normalized maximum likelihood
    criterion for learning Bayesian network structures, PGM 2008.

    Examples
    --------
    >>> from bayesloom.graphs import DAG
    >>> frame = {"A": ["n", "y", "y", "n"], "B": ["n", "y", "y", "y"]}
    >>> round(FNML().explain(frame, DAG.from_edges([("A", "B")])).value, 6)
    -7.160458
    """

    name: ClassVar[str] = "fnml"
    formula: ClassVar[str] = (
        "sum_jk N_jk log(N_jk / N_j) - sum_j log C(N_j, r), C(N, K) the multinomial regret"
    )
    equivalent: ClassVar[bool] = False

    def fit(self, engine: Engine, batch: Batch, price: float) -> Floats:
        """Return the log-likelihoods minus the regrets, and ``price`` per free parameter."""
        return engine.families(batch, FamilyKernel.FNML, price=price)

    def fit_ceilings(self, engine: Engine, batch: Batch, price: float) -> Floats:
        """Return log r for every parent configuration that occurs, and the price, as a loss."""
        return even_ceilings(engine, batch, price)


@lru_cache(maxsize=8)
def regrets_of(n_rows: int) -> Regrets:
    """Return the regrets of so many rows: a function of arrays of numbers of states.

    They are kept for the latest numbers of rows, because a search asks in every step.

    Examples
    --------
    >>> regrets_of(1)(np.array([1.0, 2.0, 3.0])).round(6).tolist()
    [0.0, 0.693147, 1.098612]
    """
    return Regrets(n_rows)
