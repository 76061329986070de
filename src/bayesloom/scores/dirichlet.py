"""Bayesian Dirichlet scores: the marginal likelihood of a family."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bayesloom.arrays import Floats
from bayesloom.data import Table
from bayesloom.data.table import check_table
from bayesloom.engine import Batch, Engine, FamilyKernel, counting
from bayesloom.errors import check_number
from bayesloom.scores.information import BIC
from bayesloom.scores.score import Score, minus_price


def even_ceilings(engine: Engine, batch: Batch, price: float) -> Floats:
    """Return ceilings of marginal likelihoods whose prior is even within a configuration.

    Before the first row of a parent configuration all r states of the child have the chance 1 / r,
    and further rows can only lower the likelihood. Further parents split configurations, so there
    are never fewer that occur.

    References
    ----------
    C. P. de Campos, Q. Ji: Efficient structure learning of Bayesian networks using constraints,
    JMLR 12, 2011.
    """
    states = counting(engine, "this score").cardinality
    chances: Floats = np.log(states[batch.target[batch.request_of]])
    found: Floats = minus_price(engine, batch, price)
    return found - occupied_configurations(engine, batch) * chances


def occupied_configurations(engine: Engine, batch: Batch) -> Floats:
    """Return how many parent configurations of every family occur; each set is counted once."""
    sizes = np.diff(batch.given_start)
    most = int(sizes.max(initial=0)) + 1
    parents = np.full((len(batch), most), -1, np.int64)
    parents[:, -1] = batch.partner
    given = np.full((len(sizes), most - 1), -1, np.int64)
    given[np.arange(most - 1) < sizes[:, None]] = batch.given
    parents[:, :-1] = given[batch.request_of]
    parents.sort(axis=1)
    sets, place = np.unique(parents, axis=0, return_inverse=True)
    members = [[v for v in row if v >= 0] for row in sets.tolist()]
    asked = Batch.sets(row for row in members if row)
    counts = engine.families(asked, FamilyKernel.OCCUPIED) if len(asked) else np.zeros(0)
    every = np.ones(len(members))  # without parents there is one configuration
    every[[bool(row) for row in members]] = counts
    return every[place.reshape(-1)]


@dataclass(frozen=True, slots=True)
class BDeu(Score):
    """Bayesian Dirichlet score with the equivalent sample ``ess`` spread evenly over all cells.

    Parameters
    ----------
    ess : float
        The equivalent sample size: how many rows the prior is worth.

    Examples
    --------
    >>> BDeu(ess=10, kappa=0.001)
    BDeu(kappa=0.001, per_parent=None, sparsity=None, ess=10)
    """

    ess: float = 10.0

    name: ClassVar[str] = "bdeu"
    formula: ClassVar[str] = (
        "sum_j [lgamma(a) - lgamma(a + N_j)] + sum_jk [lgamma(b + N_jk) - lgamma(b)], "
        "a = ess / q, b = ess / (q r)"
    )

    def __post_init__(self) -> None:
        Score.__post_init__(self)
        check_number("ess", self.ess, above=0)

    @property
    def guides(self) -> tuple[Score, ...]:
        """BIC, whose graphs are sparser."""
        return (BIC(),)

    def fit(self, engine: Engine, batch: Batch, price: float) -> Floats:
        """Return the marginal likelihoods, minus ``price`` per free parameter."""
        return engine.families(batch, FamilyKernel.BDEU, self.ess, price)

    def fit_ceilings(self, engine: Engine, batch: Batch, price: float) -> Floats:
        """Return the chances of the first row of every parent configuration, minus the price."""
        return even_ceilings(engine, batch, price)


@dataclass(frozen=True, slots=True)
class K2Score(Score):
    """Bayesian Dirichlet score with one prior count per cell, after Cooper and Herskovits.

    Markov equivalent graphs can get different scores, so searches over equivalence classes
    refuse it.
    """

    name: ClassVar[str] = "k2"
    formula: ClassVar[str] = "sum_j [lgamma(r) - lgamma(r + N_j)] + sum_jk lgamma(1 + N_jk)"
    equivalent: ClassVar[bool] = False

    def fit(self, engine: Engine, batch: Batch, price: float) -> Floats:
        """Return the marginal likelihoods, minus ``price`` per free parameter."""
        return engine.families(batch, FamilyKernel.K2, price=price)

    def fit_ceilings(self, engine: Engine, batch: Batch, price: float) -> Floats:
        """Return the chances of the first row of every parent configuration, minus the price."""
        return even_ceilings(engine, batch, price)


@dataclass(frozen=True, slots=True)
class BDs(Score):
    """Bayesian Dirichlet sparse score: BDeu's sample spread over the configurations that occur.

    Parent configurations without rows get no share of the equivalent sample. Markov equivalent
    graphs can get different scores, so searches over equivalence classes refuse it.

    What is known for exact search: every configuration that occurs costs at least log r, as with
    BDeu, so a family and all with more parents score at most minus log r times the configurations
    it shows.

    Parameters
    ----------
    ess : float
        The equivalent sample size: how many rows the prior is worth.

    References
    ----------
    M. Scutari: An empirical-Bayes score for discrete Bayesian networks, PGM 2016.

    Examples
    --------
    >>> BDs(ess=10)
    BDs(kappa=None, per_parent=None, sparsity=None, ess=10)
    """

    ess: float = 10.0

    name: ClassVar[str] = "bds"
    formula: ClassVar[str] = (
        "sum_j [lgamma(a) - lgamma(a + N_j)] + sum_jk [lgamma(b + N_jk) - lgamma(b)], "
        "a = ess / (configurations that occur), b = a / r"
    )
    equivalent: ClassVar[bool] = False

    def __post_init__(self) -> None:
        Score.__post_init__(self)
        check_number("ess", self.ess, above=0)

    def fit(self, engine: Engine, batch: Batch, price: float) -> Floats:
        """Return the marginal likelihoods, minus ``price`` per free parameter."""
        return engine.families(batch, FamilyKernel.BDS, self.ess, price)

    def fit_ceilings(self, engine: Engine, batch: Batch, price: float) -> Floats:
        """Return the chances of the first row of every parent configuration, minus the price."""
        return even_ceilings(engine, batch, price)


@dataclass(frozen=True, slots=True)
class BDm(Score):
    """Bayesian Dirichlet mixture score: BDeu whose equivalent sample size the data choose.

    The likelihood of a table over some variables is the mean of three: of Dirichlet priors that
    are worth ``ess / 4``, ``ess`` and ``4 ess`` rows, spread evenly over all its cells. A family
    scores the log-likelihood of its own table minus that of its parents' table. So it is the mean
    of three BDeu scores, as likelihoods, each weighed by how likely it makes the parents' rows.

    A table most of whose cells are impossible speaks for a small size, one that is evenly filled
    for a large one; `BDeu` has one size for both. Equivalent graphs get equal scores, as they do
    for every score that is a function of the family's table minus the same function of the
    parents' table.

    What is known for exact search: every configuration that occurs costs at least log r under each
    of the sizes, so a family and all with more parents score at most minus log r times the
    configurations it shows.

    Parameters
    ----------
    ess : float
        The middle one of the three equivalent sample sizes: how many rows a prior is worth. With
        ``sparsity=1``, this is the score that the default search of `bayesloom.learn` maximises.

    Examples
    --------
    >>> from bayesloom.graphs import DAG
    >>> frame = {"A": ["n", "y", "y", "n"], "B": ["n", "y", "y", "y"]}
    >>> round(BDm(ess=20).explain(frame, DAG.from_edges([("A", "B")])).value, 6)
    -5.708378
    """

    ess: float = 20.0

    name: ClassVar[str] = "bdm"
    formula: ClassVar[str] = (
        "log D(N_jk, r q) - log D(N_j, q), D(n, K) the mean of gamma(s) / gamma(s + N) "
        "prod_i [gamma(s / K + n_i) / gamma(s / K)] over s = ess / 4, ess, 4 ess"
    )

    def __post_init__(self) -> None:
        Score.__post_init__(self)
        check_number("ess", self.ess, above=0)

    @property
    def guides(self) -> tuple[Score, ...]:
        """BIC, whose graphs are sparser, and a Dirichlet score of one size."""
        return BIC(), BDeu(ess=10, sparsity=1)

    def fit(self, engine: Engine, batch: Batch, price: float) -> Floats:
        """Return the marginal likelihoods, minus ``price`` per free parameter."""
        return engine.families(batch, FamilyKernel.SIZE_MIXTURE, self.ess, price)

    def fit_ceilings(self, engine: Engine, batch: Batch, price: float) -> Floats:
        """Return the chances of the first row of every parent configuration, minus the price."""
        return even_ceilings(engine, batch, price)


@dataclass(frozen=True, slots=True)
class BDe(Score):
    """Bayesian Dirichlet score whose prior counts come from earlier rows.

    The prior of cell jk is the number of its rows in ``prior`` plus ``ess / (q r)``: what BDeu
    would believe after it had seen the earlier rows. Equivalent graphs get equal scores if no cell
    of ``prior`` is missing.

    Parameters
    ----------
    prior : Table
        Earlier or imagined rows over the same variables and states.
    ess : float
        The equivalent sample size that is spread evenly on top.
    """

    prior: Table
    ess: float = 1.0

    name: ClassVar[str] = "bde"
    formula: ClassVar[str] = (
        "sum_j [lgamma(a_j) - lgamma(a_j + N_j)] + sum_jk [lgamma(b_jk + N_jk) - lgamma(b_jk)], "
        "b_jk = prior count + ess / (q r), a_j = sum_k b_jk"
    )

    def __post_init__(self) -> None:
        Score.__post_init__(self)
        check_table("prior", self.prior)
        check_number("ess", self.ess, above=0)

    @property
    def guides(self) -> tuple[Score, ...]:
        """BIC, whose graphs are sparser."""
        return (BIC(),)

    def is_equivalent(self, engine: Engine) -> bool:
        """Say whether equivalent graphs get the same score: not if cells of ``prior`` are missing.

        Families would know different earlier rows.
        """
        return Score.is_equivalent(self, engine) and self.prior.is_complete

    def fit(self, engine: Engine, batch: Batch, price: float) -> Floats:
        """Return the marginal likelihoods, minus ``price`` per free parameter."""
        asked = counting(engine, "the score bde")
        found: Floats = asked.families_with_prior(batch, self.prior, self.ess, price)
        return found

    def fit_ceilings(self, engine: Engine, batch: Batch, price: float) -> Floats:
        """Return minus the price: no marginal likelihood is above 0."""
        return minus_price(engine, batch, price)

    def settings(self) -> dict[str, float | str]:
        """Return the options that change the value, by name."""
        return {"ess": self.ess, "prior rows": self.prior.n_rows, **Score.settings(self)}
