"""The score for data with holes: log-likelihoods per row known, made comparable."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from bayesloom.arrays import Floats
from bayesloom.engine import Batch, Engine, FamilyKernel, is_counting
from bayesloom.errors import check_flag, check_number
from bayesloom.scores.information_chain import chained_scores
from bayesloom.scores.score import Score, minus_price

_MOST = 1e100  # a penalty beyond this could overflow a score


@dataclass(frozen=True, slots=True)
class PNAL(Score):
    """Penalised node-average likelihood, which compares families that know different rows.

    The log-likelihood of a family is that of the N_f rows in which child and parents are all known,
    divided by N_f and multiplied by N, the number of all rows, so that its scale is that of the
    other scores. On complete data it is the log-likelihood, and with ``alpha=None`` the score is
    `BIC`.

    Families that know different rows differ also by chance, by about ``sqrt(N)`` nats. Taken as it
    is in the references (``chained=False``) the average joins variables for that alone. A
    ``chained`` average compares what shares its rows: it is minus the entropy of the child plus
    what the parents tell of it, I(child; first) + I(child; second | first) + ..., each of the rows
    that know its variables. The parent that tells most alone comes first. So a parent that comes
    last adds its conditional information and nothing else. What few rows tell is less sure, so the
    price is divided by the square root of the share of rows that know the family if cells are
    missing independently: by as much as an average of so few rows scatters more.
    A family that no row knows adds nothing; not ``chained`` it gets the least that a log-likelihood
    can be, ``-N log r``.

    For cells that are missing completely at random either average tends to that of complete data.
    The best graph of many rows is then the true one if the price per row, ``price / N``, falls to 0
    more slowly than ``1 / sqrt(N)``: that is so for ``alpha`` below 0.5. Markov equivalent graphs
    get the same score on complete data, with holes only in the limit of many rows; a search over
    equivalence classes then takes for the score of a class that of one member.

    What is known for exact search: no average is above 0 and no parent makes a family cheaper, so
    a family and all with more parents score at most minus its price.

    Parameters
    ----------
    penalty : float
        Multiplies the price of a free parameter.
    alpha : float, optional
        A free parameter costs ``penalty * N ** (1 - alpha)``, above 0 and below 1. By default it
        costs what it does in BIC, ``penalty * log(N) / 2``.
    chained : bool
        Whether parents are compared on rows that they share; False is the score of the references.

    References
    ----------
    N. Balov: Consistent model selection of discrete Bayesian networks from incomplete data,
    Electronic Journal of Statistics 7, 2013. T. Bodewes, M. Scutari: Learning Bayesian networks
    from incomplete data with the node-average likelihood, International Journal of Approximate
    Reasoning 138, 2021.

    Examples
    --------
    >>> from bayesloom.data import Table
    >>> from bayesloom.graphs import DAG
    >>> frame = {"A": ["n", "y", "y", "n", None], "B": ["n", "y", "y", "y", "n"]}
    >>> table = Table.from_frame(frame, missing="keep")
    >>> round(PNAL(chained=False).explain(table, DAG.from_edges([("A", "B")])).value, 6)
    -7.612761
    >>> PNAL(alpha=1)
    Traceback (most recent call last):
    bayesloom.errors.OptionError: alpha must be between 0 and 1, got 1
    """

    penalty: float = 1.0
    alpha: float | None = None
    chained: bool = True

    name: ClassVar[str] = "pnal"
    formula: ClassVar[str] = (
        "(N / N_f) sum_jk N_jk log(N_jk / N_j) - price (r - 1) q, N_f the rows that know the "
        "family (chained: parent after parent), price = penalty (log N / 2) or "
        "penalty N^(1 - alpha)"
    )
    takes_holes: ClassVar[bool] = True

    def __post_init__(self) -> None:
        Score.__post_init__(self)
        check_number("penalty", self.penalty, above=0, most=_MOST)
        if self.alpha is not None:
            check_number("alpha", self.alpha, above=0, below=1)
        check_flag("chained", self.chained)

    def price(self, n_rows: int) -> float:
        """Return what a free parameter costs with this many rows."""
        if self.alpha is None:
            return 0.5 * self.penalty * math.log(n_rows)
        return self.penalty * math.pow(n_rows, 1 - self.alpha)

    def fit(self, engine: Engine, batch: Batch, price: float) -> Floats:
        """Return the averages times the number of rows, minus ``price`` per free parameter."""
        if not self.chained or not engine.missing.any() or not is_counting(engine):
            return engine.families(batch, FamilyKernel.NODE_AVERAGE, float(engine.n_rows), price)
        return chained_scores(engine, batch, price)

    def fit_ceilings(self, engine: Engine, batch: Batch, price: float) -> Floats:
        """Return minus the price: no average is above 0, and no parent makes it cheaper."""
        return minus_price(engine, batch, price)
