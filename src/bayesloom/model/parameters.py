"""Parameters of a network from sums: maximum likelihood, Laplace, BDeu means, smoothing.

A number has a regression in each configuration of its category parents, from the moments of the
rows. Where an estimator says nothing of numbers, they are those of `BDeuMean`. A parent
configuration that never occurs gets the uniform distribution under every estimator but
`TANSmoothing`, which gives it the distribution of the child alone; a number has the line of all
rows there.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np

from bayesloom.arrays import Floats, Longs
from bayesloom.errors import (
    DataError,
    ModelError,
    OptionError,
    UnknownVariableError,
    check_flag,
    check_kind,
    check_number,
)
from bayesloom.graphs import DAG
from bayesloom.graphs.dag import check_dag
from bayesloom.graphs.masks import bits
from bayesloom.incomplete.smoothing import Counts, dirichlet_mean
from bayesloom.model.bayes_net import BayesNet
from bayesloom.model.family import MOST_PARENTS, NodeFamily
from bayesloom.model.linear_gaussian import LinearGaussian
from bayesloom.model.regression import FamilyMoments, least_squares, shrunken

if TYPE_CHECKING:
    from bayesloom.data import Table
    from bayesloom.engine import Batch


@runtime_checkable
class Estimator(Protocol):
    """Turns the counts of a family into its probabilities."""

    def probabilities(self, counts: Counts) -> Floats:
        """Return the rows of a table from counts ``n_jk`` of shape (parents..., child)."""


@dataclass(frozen=True, slots=True, repr=False)
class MaximumLikelihood:
    """Relative frequencies ``n_jk / n_j``, uniform where ``n_j`` is 0; least squares for numbers.

    Parameters
    ----------
    unbiased : bool
        Whether the variance about a regression on p numbers is the residual sum of squares divided
        by ``n_j - p - 1``, as R has it, and not by ``n_j``.

    Examples
    --------
    >>> MaximumLikelihood().probabilities(np.array([[3, 1], [0, 0]]))
    array([[0.75, 0.25],
           [0.5 , 0.5 ]])
    """

    unbiased: bool = False

    def __post_init__(self) -> None:
        check_flag("unbiased", self.unbiased)

    def __repr__(self) -> str:
        return f"MaximumLikelihood({'unbiased=True' * self.unbiased})"

    def regressions(self, moments: FamilyMoments) -> LinearGaussian:
        """Return the regressions of a number."""
        return least_squares(moments, unbiased=self.unbiased)

    def probabilities(self, counts: Counts) -> Floats:
        """Return the rows of a table from counts ``n_jk`` of shape (parents..., child)."""
        n_j = counts.sum(axis=-1, keepdims=True)
        unseen = n_j == 0
        rows: Floats = np.where(unseen, 1, counts) / np.where(unseen, counts.shape[-1], n_j)
        return rows

    def added(self, shape: tuple[int, ...]) -> float:  # noqa: ARG002 - as in others
        """Return what is added to every count: nothing."""
        return 0.0


@dataclass(frozen=True, slots=True)
class Laplace:
    """Frequencies with a constant added to every count: ``(n_jk + c) / (n_j + r c)``.

    Parameters
    ----------
    pseudocount : float
        What is added, above 0; 1 is Laplace's rule of succession.

    Examples
    --------
    >>> Laplace().probabilities(np.array([[2, 0], [0, 0]]))
    array([[0.75, 0.25],
           [0.5 , 0.5 ]])
    """

    pseudocount: float = 1.0

    def __post_init__(self) -> None:
        check_number("pseudocount", self.pseudocount, above=0)
        object.__setattr__(self, "pseudocount", float(self.pseudocount))

    def probabilities(self, counts: Counts) -> Floats:
        """Return the rows of a table from counts ``n_jk`` of shape (parents..., child)."""
        return dirichlet_mean(counts, self.added(counts.shape))

    def added(self, shape: tuple[int, ...]) -> float:  # noqa: ARG002 - as in others
        """Return what is added to every count of a table of this shape."""
        return self.pseudocount


@dataclass(frozen=True, slots=True, repr=False)
class BDeuMean:
    """Posterior means under the BDeu prior: ``(n_jk + a) / (n_j + r a)`` with ``a = ess / (q r)``.

    A number has a normal-inverse-gamma prior around the regression that all rows of its family
    share, so that a configuration without rows has that line.

    Parameters
    ----------
    ess : float
        The equivalent sample size, above 0. The study (``docs/study.md``) says why it is 10.
    number_ess : float
        How many rows the prior of a number's regression is worth in each configuration, as far as
        the lines of configurations are alike; above 0.

    References
    ----------
    .. [1] D. Heckerman, D. Geiger, D. Chickering, Learning Bayesian networks, 1995.

    Examples
    --------
    >>> BDeuMean(ess=4).probabilities(np.array([[2, 0], [0, 0]]))
    array([[0.75, 0.25],
           [0.5 , 0.5 ]])
    """

    ess: float = 10.0
    number_ess: float = 1.0

    def __post_init__(self) -> None:
        for name in ("ess", "number_ess"):
            check_number(name, getattr(self, name), above=0)
            object.__setattr__(self, name, float(getattr(self, name)))

    def __repr__(self) -> str:
        of_numbers = f", number_ess={self.number_ess}" if self.number_ess != 1 else ""
        return f"BDeuMean(ess={self.ess}{of_numbers})"

    def regressions(self, moments: FamilyMoments) -> LinearGaussian:
        """Return the regressions of a number."""
        return shrunken(moments, self.number_ess)

    def probabilities(self, counts: Counts) -> Floats:
        """Return the rows of a table from counts ``n_jk`` of shape (parents..., child)."""
        return dirichlet_mean(counts, self.added(counts.shape))

    def added(self, shape: tuple[int, ...]) -> float:
        """Return what is added to every count of a table of this shape."""
        return self.ess / math.prod(shape)


@dataclass(frozen=True, slots=True)
class TANSmoothing:
    """Frequencies drawn towards those of the child alone: Friedman's smoothing for TAN.

    ``w n_jk / n_j + (1 - w) n_k / n`` with ``w = n_j / (n_j + strength)``: the fewer rows a parent
    configuration has, the nearer are its probabilities to those without parents. A state that never
    occurs keeps probability 0, and without any rows all states are equally probable.

    Parameters
    ----------
    strength : float
        With so many rows a configuration counts as much as the whole table; above 0.

    References
    ----------
    N. Friedman, D. Geiger, M. Goldszmidt: Bayesian network classifiers, Machine Learning 29, 1997.

    Examples
    --------
    >>> TANSmoothing().probabilities(np.array([[5, 0], [0, 0], [0, 5]]))
    array([[0.75, 0.25],
           [0.5 , 0.5 ],
           [0.25, 0.75]])
    """

    strength: float = 5.0

    def __post_init__(self) -> None:
        check_number("strength", self.strength, above=0)
        object.__setattr__(self, "strength", float(self.strength))

    def probabilities(self, counts: Counts) -> Floats:
        """Return the rows of a table from counts ``n_jk`` of shape (parents..., child)."""
        n_j = counts.sum(axis=-1, keepdims=True)
        alone = MaximumLikelihood().probabilities(counts.reshape(-1, counts.shape[-1]).sum(axis=0))
        rows: Floats = (counts + self.strength * alone) / (n_j + self.strength)
        return rows


def fit_net(dag: DAG, data: object, estimator: Estimator | None = None) -> BayesNet:
    """Fit the parameters of a graph to data, with the states that the data declare.

    All counts are asked for in one batch.

    Parameters
    ----------
    dag : DAG
        The graph; its nodes are variables of the data, in any order.
    data : path, frame, Table or Engine
        The data, of any kind that `bayesloom.learn` takes.
    estimator : Estimator, optional
        `MaximumLikelihood` (default), `Laplace`, `BDeuMean` or `TANSmoothing`.

    Returns
    -------
    BayesNet
        The network, with the nodes in the order of ``dag``.

    Raises
    ------
    UnknownVariableError
        If the graph has a node that the data do not have.
    CapacityError
        If the tables are too large.

    Examples
    --------
    >>> rows = {"rain": ["no", "no", "yes", "yes"], "wet": ["no", "no", "no", "yes"]}
    >>> net = fit_net(DAG.from_edges([("rain", "wet")]), rows, Laplace(1))
    >>> net.table("wet")
    array([[0.75, 0.25],
           [0.5 , 0.5 ]])
    """
    from bayesloom.engine import Batch, as_engine, counting

    chosen = MaximumLikelihood() if estimator is None else estimator
    check_kind("estimator", chosen, Estimator, "an estimator such as Laplace()")
    engine = as_engine(data)
    check_variables(dag, engine.names)
    place = {name: v for v, name in enumerate(engine.names)}
    nodes = [place[name] for name in dag.names]
    families = [
        (nodes[v], tuple(nodes[u] for u in bits(mask))) for v, mask in enumerate(dag.parent_masks)
    ]
    if isinstance(engine, _Moments):
        return _fit_with_numbers(dag, engine, chosen, families)
    counter = counting(engine, "fitting tables")
    sizes = counter.cardinality.tolist()
    tables = []
    for (v, parents), counts in zip(
        families, counter.counts(Batch.families(families)), strict=True
    ):
        if counts.shape != (shape := (*(sizes[u] for u in parents), sizes[v])):
            msg = f"the engine counted {engine.names[v]!r} in the shape {counts.shape}, not {shape}"
            raise OptionError(msg)
        tables.append(chosen.probabilities(counts))
    return BayesNet(dag, tuple(counter.states[v] for v in nodes), tuple(tables))


class _MomentTable(Protocol):
    """What the rows say of one family: its numbers by configuration of its categories."""

    @property
    def rows(self) -> Longs:
        """The rows of every configuration."""

    @property
    def means(self) -> Floats:
        """The means of the numbers, the child last."""

    @property
    def products(self) -> Floats:
        """The sums of products about these means."""


@runtime_checkable
class _Moments(Protocol):
    """What hands out the moments of numbers, as `MomentsEngine` does."""

    @property
    def table(self) -> Table:
        """The rows."""

    def moments(self, batch: Batch) -> Sequence[_MomentTable]:
        """Return what the rows say of the numbers of every table."""


def _fit_with_numbers(
    dag: DAG,
    engine: _Moments,
    estimator: Estimator,
    families: Sequence[tuple[int, tuple[int, ...]]],
) -> BayesNet:
    """Fit tables and regressions to the moments of one batch."""
    from bayesloom.engine import Batch

    table = engine.table
    states = tuple(table.states[v] for v, _ in families)
    regressions = getattr(estimator, "regressions", BDeuMean().regressions)
    parts: list[NodeFamily] = []
    answers = engine.moments(Batch.families(families))
    for (v, _), found in zip(families, answers, strict=True):
        if table.states[v]:
            parts.append(estimator.probabilities(found.rows))  # counts, with no number in them
            continue
        moments = FamilyMoments(found.rows.astype(np.float64), found.means, found.products)
        try:
            parts.append(regressions(moments))
        except DataError as error:
            msg = f"the number {table.names[v]!r}: {error}"
            raise DataError(msg) from None
    return BayesNet(dag, states, tuple(parts))


def check_variables(dag: DAG, names: Sequence[str]) -> None:
    """Refuse a graph with variables that the data do not have, or with too many parents."""
    check_dag(dag)
    there = set(names)
    for name, mask in zip(dag.names, dag.parent_masks, strict=True):
        if name not in there:
            raise UnknownVariableError(name, names)
        if mask.bit_count() > MOST_PARENTS:
            msg = f"variable {name!r} has {mask.bit_count()} parents; at most {MOST_PARENTS} fit"
            raise ModelError(msg)
