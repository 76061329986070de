"""What every engine answers, wherever its table lives."""

from __future__ import annotations

from enum import IntEnum
from typing import Protocol, runtime_checkable

from bayesloom.arrays import Bools, Floats, Ints, Longs
from bayesloom.data import Table
from bayesloom.engine.batch import Batch, Tables
from bayesloom.engine.interpreter import StopSignal


class FamilyKernel(IntEnum):
    """The family scores that engines compute without handing out tables.

    OCCUPIED is none, but what bounds of scores are made of: how many cells of the table occur.
    NODE_AVERAGE is the log-likelihood per row that the table holds, times ``ess``, the number of
    rows that it shall stand for; of a table without a row it is the least it can be, ``-ess log r``
    for a target of r states. SIZE_MIXTURE averages the likelihoods that BDEU gives with a quarter
    of ``ess``, with ``ess`` and with four times as much, each weighed by how likely it makes the
    rows of the parents.
    """

    LOG_LIKELIHOOD = 0
    BDEU = 1
    K2 = 2
    FNML = 3
    BDS = 4
    OCCUPIED = 5
    NODE_AVERAGE = 6
    SIZE_MIXTURE = 7


class TestKernel(IntEnum):
    """The statistics of independence tests that engines compute without handing out tables."""

    __test__ = False

    CHI_SQUARE = 0
    G_SQUARE = 1
    PARTIAL_CORRELATION = 2


TEST_NUMBERS = 5
"""How many numbers engines tell of a test: statistic, df, adjusted df, least expected, rows."""


@runtime_checkable
class Engine(Protocol):
    """One table, wherever it lives and whatever its columns hold: what every search may ask.

    Variables are numbered 0 to ``n_variables - 1`` and come in name order: `learn` sorts them, so
    that ties, which go to the first, never depend on the order of columns.

    A batch is many questions asked at once, and one round trip: a search puts all it wants to know
    for a step into one batch and waits for the answer. Every method takes one batch and returns one
    answer per table of it, in the order of ``batch.partner``.

    Nothing here is about states: an engine over numbers answers all of it. One over categories is
    a `CountingEngine`, which hands out its tables, too. A kernel that an engine does not know is
    refused with an `OptionError`.

    Cells may be missing. A table holds the rows in which all its variables are known (available
    cases), and whatever is computed of it is of these rows: informations and entropies are divided
    by their number, and tests tell it. Tables of one batch may therefore hold different rows.
    """

    @property
    def names(self) -> tuple[str, ...]:
        """The variables' names."""

    @property
    def n_variables(self) -> int:
        """The number of variables."""

    @property
    def n_rows(self) -> int:
        """The number of rows, N."""

    @property
    def missing(self) -> Longs:
        """The number of rows in which every variable is missing; 0 for complete data."""

    @property
    def constant(self) -> Bools:
        """Whether each variable never varies in the rows: it depends on nothing, so has no edge."""

    @property
    def round_trip(self) -> float:
        """How many seconds a batch costs besides the counting: the way there and back.

        0 means that the table is near: questions are asked when they arise. Where it is more,
        searches ask in one batch for what they want and for what they guess that they will want
        next, as far as that counts faster than another round trip goes; the result is the same.
        """

    def until(self, signal: StopSignal) -> Engine:
        """Return the same engine, whose answers raise `Stopped` once the signal is given.

        Nothing is copied, and the engine itself goes on answering. An engine that cannot be stopped
        in the middle of a batch returns itself.
        """

    def families(
        self, batch: Batch, kernel: FamilyKernel, ess: float = 1.0, price: float = 0.0
    ) -> Floats:
        """Return the local score of the target given (given..., partner).

        ``price`` is taken off for each free parameter: doing so outside cost a third of a
        hill-climbing step.
        """

    def free_parameters(self, batch: Batch) -> Floats:
        """Return how many free parameters the target has given (given..., partner).

        With states, (r - 1) q. Those of a set are the sum along any order of its variables, each
        given the earlier ones, so they are the same for all graphs of an equivalence class.
        """

    def informations(self, batch: Batch) -> Floats:
        """Return the mutual information of target and partner given the rest, in nats.

        It is that of the rows of the table; 0 if there is none.
        """

    def tests(self, batch: Batch, kernel: TestKernel) -> Floats:
        """Return statistic, df, adjusted df, least expected count and rows, one line per table."""

    def entropies(self, batch: Batch) -> Floats:
        """Return the joint entropy of all variables of each table, in nats.

        It is that of the rows of the table; 0 if there is none.
        """


@runtime_checkable
class CountingEngine(Engine, Protocol):
    """One table of codes: an engine whose variables have states, and that hands out its counts.

    Answers are exact: counts are whole numbers, and floats are those that `Reductions` makes of the
    counts, to the last bit. So searches find the same graph, step by step, on every engine. An
    engine needs no arithmetic of its own: it counts, and leaves the rest to `Reductions`, as
    `BlockEngine` does.
    """

    @property
    def states(self) -> tuple[tuple[str, ...], ...]:
        """The labels of every variable's declared states."""

    @property
    def cardinality(self) -> Ints:
        """The number of declared states of every variable."""

    @property
    def observed(self) -> Ints:
        """The number of states of every variable that occur."""

    def until(self, signal: StopSignal) -> CountingEngine:
        """Return the same engine, whose answers raise `Stopped` once the signal is given."""

    def counts(self, batch: Batch) -> Tables:
        """Return the tables themselves."""

    def families_with_prior(
        self, batch: Batch, prior: Table, ess: float = 1.0, price: float = 0.0
    ) -> Floats:
        """Return the local scores that BDeu gives after it has seen the rows of ``prior``.

        ``prior`` has the variables of the engine (`aligned_prior` checks it) in any order. Dense
        counts of both tables would do for small families only, so an engine counts its own and the
        earlier rows together: with a variable of two states that tells them apart as the last
        given one, the cells that occur in the data and the totals of their configurations are all
        that is needed. Rows with holes are left out of either table by the same rule. What an
        engine prepares for a prior table it may keep: searches ask for the same one in every step.
        """
