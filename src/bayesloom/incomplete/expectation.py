"""Expectation-maximisation (EM): parameters of a graph from rows with missing cells."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

import numpy as np

from bayesloom.arrays import Bools, Floats
from bayesloom.engine import Completions, StopSignal
from bayesloom.errors import Stopped, check_number, check_whole
from bayesloom.incomplete.smoothing import Counts, dirichlet_mean


class Halt(Enum):
    """Why EM ended."""

    CONVERGED = "it no longer rises"
    STEP_LIMIT = "the step limit was reached"
    STOPPED = "it was stopped before it converged"


class Smoothing(Protocol):
    """An estimator that adds the same number to every count of a table: a Dirichlet prior."""

    def added(self, shape: tuple[int, ...]) -> float:
        """Return what is added to every count of a table of this shape."""

    def probabilities(self, counts: Counts) -> Floats:
        """Return the rows of a table from counts of shape (parents..., child)."""


@dataclass(frozen=True, slots=True)
class EM:
    """Expectation-maximisation: how parameters are fitted to rows with missing cells.

    Every step computes the exact expectation of all counts given what is known of each row, and
    estimates the parameters from these as if they had been counted. The log-likelihood of what is
    known never falls; with an estimator that smooths, it is the log-likelihood plus the logarithm
    of the Dirichlet prior whose mode the estimates are (MAP).

    Parameters
    ----------
    tolerance : float
        Ends when a step gains less than this share of the value itself.
    max_steps : int
        The most steps from one start.
    starts : int
        From how many random starts, where a column has no known cell (a latent variable); the best
        is kept. Otherwise there is one start: what is known of each family.
    seed : int
        The seed of the random starts.

    References
    ----------
    A. P. Dempster, N. M. Laird, D. B. Rubin: Maximum likelihood from incomplete data via the EM
    algorithm, Journal of the Royal Statistical Society B 39, 1977. S. L. Lauritzen: The EM
    algorithm for graphical association models with missing data, Computational Statistics & Data
    Analysis 19, 1995.

    Examples
    --------
    >>> EM(max_steps=0)
    Traceback (most recent call last):
    bayesloom.errors.OptionError: max_steps must be at least 1, got 0
    """

    tolerance: float = 1e-8
    max_steps: int = 500
    starts: int = 10
    seed: int = 0

    def __post_init__(self) -> None:
        check_number("tolerance", self.tolerance, above=0)
        check_whole("max_steps", self.max_steps, 1)
        check_whole("starts", self.starts, 1)
        check_whole("seed", self.seed, 0)


@dataclass(frozen=True, slots=True)
class EvenPrior:
    """Smoothing by a number of rows that is spread evenly over every table, as BDeu does.

    Examples
    --------
    >>> EvenPrior(4.0).probabilities(np.array([[2.0, 0.0], [0.0, 0.0]]))
    array([[0.75, 0.25],
           [0.5 , 0.5 ]])
    """

    ess: float

    def added(self, shape: tuple[int, ...]) -> float:
        """Return what is added to every count of a table of this shape."""
        return self.ess / math.prod(shape)

    def probabilities(self, counts: Counts) -> Floats:
        """Return the rows of a table from counts of shape (parents..., child)."""
        return dirichlet_mean(counts, self.added(counts.shape))


@dataclass(frozen=True, slots=True, eq=False)
class Maximum:
    """Where EM ended: the tables, what they are worth after each step, and why it ended."""

    tables: list[Floats]
    values: tuple[float, ...]
    log_likelihood: float
    halt: Halt

    @property
    def value(self) -> float:
        """What was maximised: log-likelihood plus log-prior, up to a constant."""
        return self.values[-1] if self.values else -math.inf


Report = Callable[[int, float], None]
"""Called after every step with its number and the value reached."""


def maximise(
    rows: Completions,
    estimator: Smoothing,
    em: EM,
    *,
    start: Sequence[Floats] | None = None,
    stop: StopSignal | None = None,
    report: Report | None = None,
) -> tuple[Maximum, int]:
    """Run EM from one start, or from several where a column is latent.

    Parameters
    ----------
    rows : Completions
        The rows, made ready for the graph.
    estimator : Smoothing
        How tables are estimated from expected counts.
    em : EM
        The options.
    start : sequence of array, optional
        The tables to start from.
    stop : StopSignal, optional
        Ends the work; the best so far is returned.
    report : callable, optional
        Told of every step.

    Returns
    -------
    Maximum
        The best that was found.
    int
        The number of starts made.
    """
    latent = rows.holes.all(axis=0)
    first = available_tables(rows) if start is None else list(start)
    if rows.is_complete or start is not None or not latent.any():
        return run_from(rows, estimator, em, first, stop=stop, report=report), 1
    best, made = None, 0
    for k in range(em.starts):
        tables = _random_tables(rows, first, latent, np.random.default_rng([em.seed, k]))
        found = run_from(rows, estimator, em, tables, stop=stop, report=report)
        made += 1
        if best is None or found.value > best.value:
            best = found
        if stop is not None and stop.is_set:
            break
    assert best is not None
    return best, made


def run_from(
    rows: Completions,
    estimator: Smoothing,
    em: EM,
    tables: list[Floats],
    *,
    stop: StopSignal | None = None,
    report: Report | None = None,
) -> Maximum:
    """Alternate expectation and maximisation until nothing is gained any more."""
    values: list[float] = []
    log_likelihood, before, halt = -math.inf, -math.inf, Halt.STEP_LIMIT
    try:
        counts: Sequence[Counts] = rows.known if rows.is_complete else rows.expect(tables, stop)[0]
        while len(values) < em.max_steps:
            proposed = [estimator.probabilities(part) for part in counts]
            counts, reached = rows.expect(proposed, stop)
            value = float(reached) + log_prior(proposed, estimator)
            tables, log_likelihood = proposed, reached
            values.append(value)
            if report is not None:
                report(len(values), value)
            if rows.is_complete or value - before <= em.tolerance * abs(value):
                halt = Halt.CONVERGED
                break
            before = value
    except Stopped:
        halt = Halt.STOPPED
    return Maximum(tables, tuple(values), log_likelihood, halt)


def available_tables(rows: Completions) -> list[Floats]:
    """Return tables from the rows in which a family is known, with one more row for every case."""
    return [dirichlet_mean(known, 1.0 / known.shape[-1]) for known in rows.known]


def log_prior(tables: Sequence[Floats], estimator: Smoothing) -> float:
    """Return the logarithm of the prior whose mode an estimator finds, up to a constant."""
    total = 0.0
    for table in tables:
        added = estimator.added(table.shape)
        if added > 0:
            total += added * float(np.log(table).sum())
    return total


def _random_tables(
    rows: Completions, tables: list[Floats], latent: Bools, rng: np.random.Generator
) -> list[Floats]:
    """Draw the tables of families with a latent variable; the others stay."""
    hidden = {v for v in range(len(tables)) if latent[v]}
    return [
        rng.dirichlet(np.ones(table.shape[-1]), table.shape[:-1])
        if hidden & set(rows.scopes[v])
        else table
        for v, table in enumerate(tables)
    ]
