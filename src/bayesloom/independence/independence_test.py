"""What every test of X against Y given S has, whatever the columns hold."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from bayesloom.arrays import Floats
from bayesloom.engine import Batch, Engine
from bayesloom.registry import TESTS


@dataclass(frozen=True, slots=True, eq=False)
class TestResults:
    """The results of a batch of tests, one entry per table.

    Parameters
    ----------
    statistic, df, p, log_p, min_expected : arrays of float
        Test statistic, degrees of freedom, p-value and its logarithm (which does not underflow),
        and the smallest expected count; NaN as degrees of freedom of a normal statistic, and as
        smallest expected count of a test that counts no cells.
        A test that was not made, because the rows cannot suffice, has p = 1 and NaN as statistic.
    conclusive : array of bool
        Whether the coverage rule holds. An inconclusive test neither rejects nor accepts.
    rows : array of float
        How many rows the test stands on: those in which all its variables are known, or NaN where
        the test was not made.
    """

    __test__: ClassVar[bool] = False

    statistic: Floats
    df: Floats
    p: Floats
    log_p: Floats
    min_expected: Floats
    conclusive: npt.NDArray[np.bool_]
    rows: Floats

    def __len__(self) -> int:
        return len(self.statistic)


@dataclass(frozen=True, slots=True)
class IndependenceTest(ABC):
    """A test of target against partner given the rest, for every table of a batch.

    A test of your own is a subclass with a ``name`` and a method `run`, which asks an engine for
    whatever it needs; of tables of counts `ContingencyTest`, which knows their rule of coverage.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> from bayesloom.engine import as_engine
    >>> @dataclass(frozen=True)
    ... class Never(IndependenceTest):
    ...     name = "never"
    ...
    ...     def run(self, engine, batch, level=1.0):
    ...         none, n = np.zeros(len(batch)), np.full(len(batch), np.nan)
    ...         return TestResults(none, none, none + 1, none, n, none == 0, none + engine.n_rows)
    >>> engine = as_engine({"A": ["n", "y"], "B": ["n", "y"]})
    >>> Never().run(engine, Batch.pairs(2)).p.tolist()
    [1.0]
    """

    name: ClassVar[str]

    @abstractmethod
    def run(self, engine: Engine, batch: Batch, level: float = 1.0) -> TestResults:
        """Test every table of the batch, from one question to the engine.

        Parameters
        ----------
        engine : Engine
            The data.
        batch : Batch
            Table ``(given..., target, partner)`` tests target against partner given the rest.
        level : float
            Only p-values up to this matter: one above it may be told as 1, which saves its
            computation.

        Returns
        -------
        TestResults
            In the order of ``batch.partner``.
        """

    def rules_out(self, engine: Engine, sets: Sequence[Sequence[int]]) -> list[bool]:  # noqa: ARG002
        """Say for which sets no test can be conclusive that has one more variable.

        False promises nothing, and is what a test says that does not know.

        Parameters
        ----------
        engine : Engine
            The data.
        sets : sequence of sequences of int
            The target with the given variables; the sets are asked about in one batch.
        """
        return [False] * len(sets)

    def suffices(self, engine: Engine, variables: Sequence[int]) -> bool:  # noqa: ARG002
        """Say whether the rows suffice, as far as is known, for a test of these variables."""
        return True

    def without_rule(self, *, per_stratum: bool = False) -> IndependenceTest:  # noqa: ARG002
        """Return the test that asks for no rows; a hint, where it would not count otherwise.

        ``per_stratum`` takes degrees of freedom of the states that occur in each stratum, of a test
        that has strata.
        """
        return self

    @property
    def rule(self) -> str:
        """What the test asks of the rows, as a clause."""
        return "fewer than the test asks for"

    @property
    def threshold(self) -> str:
        """What asks for rows."""
        return "the test"

    def words(self, statistic: str, freedom: str) -> str:
        """Say what a test found, before its p-value is told; both numbers are written already.

        ``freedom`` are the degrees of freedom, nothing for a statistic that has none.
        """
        return f"{TESTS.name_of(self)} {statistic}{freedom and f' with {freedom}'}"
