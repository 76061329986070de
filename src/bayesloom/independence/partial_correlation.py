"""Tests on partial correlations of numbers: Fisher's z and Student's t."""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bayesloom import _native
from bayesloom.arrays import Floats
from bayesloom.engine import Batch, Engine, TestKernel, is_counting
from bayesloom.errors import DataError
from bayesloom.independence.independence_test import IndependenceTest, TestResults


@dataclass(frozen=True, slots=True)
class PartialCorrelationTest(IndependenceTest):
    """A test of two numbers given others by their partial correlation (base class).

    It is conclusive from N - 3 - k = 1 on, for N rows and k given variables. Where these determine
    one of the two numbers, the partial correlation is 0.
    """

    @abstractmethod
    def judged(self, r: Floats, degrees: Floats, level: float) -> tuple[Floats, Floats, Floats]:
        """Return statistic, degrees of freedom and log p-value, from r and N - 2 - k."""

    @abstractmethod
    def correlation(self, statistic: float, n_rows: int, n_given: int) -> float:
        """Return the partial correlation that has a statistic."""

    def run(self, engine: Engine, batch: Batch, level: float = 1.0) -> TestResults:
        """Test every table of the batch, from one question to the engine.

        Examples
        --------
        >>> from bayesloom.data import Table
        >>> from bayesloom.engine import as_engine
        >>> numbers = [[0.0, 1.0, 2.0, 3.0, 4.0], [1.0, 0.0, 3.0, 2.0, 5.0]]
        >>> found = StudentT().run(as_engine(Table("AB", [(), ()], numbers)), Batch.pairs(2))
        >>> float(found.statistic[0].round(6)), float(found.p[0].round(6))
        (2.5, 0.087707)
        """
        if is_counting(engine):
            msg = (
                f"the test {self.name} needs columns of numbers, and these hold categories; use "
                "ChiSquare() or GSquare()"
            )
            raise DataError(msg)
        r, given, _, _, rows = engine.tests(batch, TestKernel.PARTIAL_CORRELATION).T
        varies = ~engine.constant
        both = varies[batch.target][batch.request_of] & varies[batch.partner]
        conclusive = both & (rows - 3 - given >= 1)
        degrees = np.maximum(rows - 2 - given, 0.0)
        statistic, df, log_p = self.judged(r, degrees, level)
        return TestResults(
            statistic,
            np.where(both, df, 0.0),
            np.exp(log_p),
            log_p,
            np.full(len(r), np.nan),
            conclusive,
            np.ascontiguousarray(rows),
        )

    @property
    def rule(self) -> str:
        """What the test asks of the rows, as a clause."""
        return "there should be 4 rows more than given variables"


@dataclass(frozen=True, slots=True)
class FisherZ(PartialCorrelationTest):
    """Fisher's z of the partial correlation r: atanh(r) sqrt(N - 3 - k) against a normal.

    Examples
    --------
    >>> round(FisherZ().correlation(0.549306, 4, 0), 6)
    0.5
    """

    name: ClassVar[str] = "fisher-z"

    def judged(self, r: Floats, degrees: Floats, level: float) -> tuple[Floats, Floats, Floats]:
        """Return z, no degrees of freedom, and the log p-value."""
        with np.errstate(divide="ignore", invalid="ignore"):
            z = np.where(degrees > 1, np.arctanh(r) * np.sqrt(np.maximum(degrees - 1, 0.0)), 0.0)
        log_p = _native.log_p_values(z**2, np.ones_like(z), level)
        return z, np.full_like(z, np.nan), log_p

    def correlation(self, statistic: float, n_rows: int, n_given: int) -> float:
        """Return the partial correlation that has a statistic."""
        return math.tanh(statistic / math.sqrt(n_rows - 3 - n_given))

    def words(self, statistic: str, freedom: str) -> str:  # noqa: ARG002 - it has none
        """Say what the test found."""
        return f"Fisher z {statistic}"


@dataclass(frozen=True, slots=True)
class StudentT(PartialCorrelationTest):
    """Student's exact t of the partial correlation r: r sqrt((N - 2 - k) / (1 - r^2)).

    Examples
    --------
    >>> round(StudentT().correlation(2.522625, 5, 0), 6)
    0.824386
    """

    name: ClassVar[str] = "student-t"

    def judged(
        self,
        r: Floats,
        degrees: Floats,
        level: float,  # noqa: ARG002 - every p-value is computed
    ) -> tuple[Floats, Floats, Floats]:
        """Return t, N - 2 - k and the log p-value."""
        with np.errstate(divide="ignore"):
            t = r * np.sqrt(degrees / ((1 - r) * (1 + r)))
        log_p = _native.log_correlation_p_values(np.ascontiguousarray(r), degrees)
        return np.where(degrees > 0, t, 0.0), degrees, log_p

    def correlation(self, statistic: float, n_rows: int, n_given: int) -> float:
        """Return the partial correlation that has a statistic."""
        if math.isinf(statistic):
            return math.copysign(1.0, statistic)
        return statistic / math.sqrt(statistic**2 + n_rows - 2 - n_given)

    def words(self, statistic: str, freedom: str) -> str:
        """Say what the test found."""
        return f"Student t {statistic} with {freedom}"
