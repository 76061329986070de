"""The engine for tables in memory that hold numbers: exact sums of products in place of counts."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Self, TypeVar

import numpy as np
import numpy.typing as npt

from bayesloom import _native
from bayesloom.arrays import Bools, Floats, Ints, Longs
from bayesloom.data import Table
from bayesloom.data.table import check_table
from bayesloom.engine.batch import MOST_CELLS, Batch
from bayesloom.engine.batch_fault import explains_batches
from bayesloom.engine.contract import TEST_NUMBERS, FamilyKernel, TestKernel
from bayesloom.engine.moment_table import MomentTable
from bayesloom.engine.native import NativeEngine
from bayesloom.engine.number_columns import (
    exact_sums,
    holds_numbers,
    indicator_columns,
    number_rows,
)
from bayesloom.errors import (
    CapacityError,
    DataError,
    OptionError,
    check_kind,
    check_whole,
    listed,
    shown,
)
from bayesloom.processor import n_processors

if TYPE_CHECKING:
    from bayesloom._native import StopSignal

_FAMILY, _INFORMATION, _ENTROPY = range(3)
_MOST_THREADS = 256
_NAMED = 6  # columns that a message names
_SAFE_PIVOT = 1e-8  # of the correlations; far from what is raised
_ANSWER = 4  # numbers of a native answer: value, rows, smallest configuration, parameters


class MomentsEngine:
    """Answer batches from a table in memory that holds numbers, with threads.

    Everything about numbers is made of exact sums of them and of their products, so the order of
    rows and the number of threads cannot change a bit; categories are counted by a `NativeEngine`.
    A family's score is a difference of one function of sets, F(family) - F(parents), where F(S) is
    the log-likelihood of the categories in S plus the normal log-density of its numbers in every
    configuration of these; so equivalent graphs have one score.

    Parameters
    ----------
    table : Table
        The data; at least one column holds numbers.
    threads : int, optional
        How many threads share a batch; by default as many as there are processors.

    Examples
    --------
    >>> from bayesloom.data import Table
    >>> from bayesloom.engine import Batch
    >>> numbers = [[0.0, 1.0, 2.0, 3.0], [1.0, 0.0, 3.0, 2.0]]
    >>> engine = MomentsEngine(Table("AB", [(), ()], numbers), threads=1)
    >>> engine.informations(Batch.pairs(2)).round(6).tolist()
    [0.223144]
    """

    _stop: StopSignal | None = None

    def __init__(self, table: Table, threads: int | None = None) -> None:
        check_table("table", table)
        if threads is not None:
            check_whole("threads", threads, 1)
        if not table.numeric.any():
            msg = "a table without numbers is counted by NativeEngine, not by MomentsEngine"
            raise OptionError(msg)
        self._set_up(table, threads, None)

    def _set_up(self, table: Table, threads: int | None, seed: int | None) -> None:
        """Hold a table, with a seed the rows that are drawn of it."""
        self._source, self._seed = table, seed
        self._threads = min(threads or n_processors(), _MOST_THREADS)
        self._table = table if seed is None else _drawn(table, seed)
        self._numeric = self._table.numeric
        self._missing = np.array(self._table.missing, np.int64)
        categories = np.flatnonzero(~self._numeric)
        self._categories = (
            NativeEngine(self._table.select([table.names[v] for v in categories]), self._threads)
            if len(categories)
            else None
        )
        self._place = np.full(len(self._numeric), -1, np.int32)
        self._place[categories] = np.arange(len(categories))
        self._grouped: _native.NumberRows | None = None
        self._shared: dict[str, _native.WholeTable] = {}
        self._numbers: _native.WholeTable | _native.NumberRows
        if self._categories is None and not self._missing.any():
            sums = exact_sums(self._table.codes, self._threads)
            self._numbers = _native.WholeTable(
                sums, np.arange(self.n_variables + 1, dtype=np.int32)
            )
            self._constant = sums.description[4] == 0
        else:
            self._numbers = number_rows(self._table, self._threads)
            self._constant = np.array([*map(_never_varies, self._table.codes, self._table.states)])
        for array in (self._numeric, self._missing, self._constant):
            array.flags.writeable = False  # they are handed out

    def __reduce__(self) -> tuple[object, tuple[type[Self], Table, int, int | None]]:
        """Make copies, and what comes from another process, anew from the table."""
        return _made_again, (type(self), self._source, self._threads, self._seed)

    def resampled(self, seed: int) -> Self:
        """Return an engine over as many rows drawn from these with replacement; see `Resampling`.

        Examples
        --------
        >>> table = Table(["A"], [()], [range(100)])
        >>> MomentsEngine(table, threads=1).resampled(1).table["A"][:4]
        [0.0, 0.0, 1.0, 1.0]
        """
        from bayesloom.engine.resample import check_draw

        check_draw(seed, again=self._seed is not None)
        return _made_again(type(self), self._source, self._threads, seed)

    def until(self, signal: StopSignal) -> Self:
        """Return a view of the engine whose answers raise `Stopped` once the signal is given."""
        check_kind("signal", signal, _native.StopSignal, "a StopSignal")
        view = type(self).__new__(type(self))
        counts = None if self._categories is None else self._categories.until(signal)
        view.__dict__.update(self.__dict__, _stop=signal, _categories=counts)
        return view

    @property
    def table(self) -> Table:
        """The table; of an engine that is resampled, one with the rows that were drawn."""
        return self._table

    @property
    def names(self) -> tuple[str, ...]:
        """The variables' names."""
        return self._table.names

    @property
    def n_variables(self) -> int:
        """The number of variables."""
        return len(self._table.names)

    @property
    def n_rows(self) -> int:
        """The number of rows, N."""
        return self._table.n_rows

    @property
    def numeric(self) -> Bools:
        """Which variables are numbers."""
        return self._numeric

    @property
    def missing(self) -> Longs:
        """The number of rows in which every variable is missing; 0 for complete data."""
        return self._missing

    @property
    def constant(self) -> Bools:
        """Whether each variable never varies in the rows."""
        constant: Bools = self._constant
        return constant

    @property
    def round_trip(self) -> float:
        """How many seconds a batch costs besides the work: none, the rows are near."""
        return 0.0

    @property
    def categories(self) -> NativeEngine | None:
        """The engine that counts the categories, in their order; None if there are none."""
        return self._categories

    @explains_batches
    def families(
        self, batch: Batch, kernel: FamilyKernel, ess: float = 1.0, price: float = 0.0
    ) -> Floats:
        """Return the local score of the target given (given..., partner).

        Raises
        ------
        OptionError
            If the kernel counts states, which numbers do not have.
        """
        if kernel is FamilyKernel.LOG_LIKELIHOOD and isinstance(self._numbers, _native.WholeTable):
            return self._numbers.families(*batch.arrays, price, self._threads, self._stop)
        if kernel not in {FamilyKernel.LOG_LIKELIHOOD, FamilyKernel.NODE_AVERAGE}:
            self._refuse_counting(f"the family score {kernel.name}")
        if kernel is FamilyKernel.NODE_AVERAGE and self._missing.any():
            return self._averages(batch, ess, price)
        found, own = self._answers(batch, _FAMILY, price)
        return self._with_counts(
            batch, own, found[:, 0], lambda e, some: e.families(some, kernel, ess, price)
        )

    def _averages(self, batch: Batch, ess: float, price: float) -> Floats:
        """Return log-likelihoods per row known, times ``ess``; the price is not averaged."""
        found, own = self._answers(batch, _FAMILY, 0.0)
        value = found[:, 0] / np.maximum(found[:, 1], 1.0) * ess
        average = FamilyKernel.NODE_AVERAGE
        value = self._with_counts(batch, own, value, lambda e, some: e.families(some, average, ess))
        return value - price * self.free_parameters(batch)

    @explains_batches
    def free_parameters(self, batch: Batch) -> Floats:
        """Return how many free parameters the target has given (given..., partner).

        A number has a mean, a variance and a coefficient per number parent in every configuration
        of its category parents. Those of a category given numbers are what keeps their sum the
        same along any order of the variables.
        """
        return _native.mixed_parameters(*batch.arrays, self._table.cardinality)

    @explains_batches
    def informations(self, batch: Batch) -> Floats:
        """Return the mutual information of target and partner given the rest, in nats."""
        found, own = self._answers(batch, _INFORMATION, 0.0)
        value = found[:, 0] / np.maximum(found[:, 1], 1.0)
        return self._with_counts(batch, own, value, lambda e, some: e.informations(some))

    @explains_batches
    def entropies(self, batch: Batch) -> Floats:
        """Return the joint entropy of all variables of each table, in nats; of numbers, density."""
        found, own = self._answers(batch, _ENTROPY, 0.0)
        value = -found[:, 0] / np.maximum(found[:, 1], 1.0)
        return self._with_counts(batch, own, value, lambda e, some: e.entropies(some))

    @explains_batches
    def tests(self, batch: Batch, kernel: TestKernel) -> Floats:
        """Return five numbers of a test of target against partner given the rest, per table.

        Of G_SQUARE these are the statistic, the degrees of freedom twice, the rows of the smallest
        configuration that occurs and all rows; of PARTIAL_CORRELATION the partial correlation, the
        number of given variables twice, and the rows twice. Both categories given a number are
        compared as the degenerate Gaussian has them. Tables of categories alone are those of
        `NativeEngine`.

        Raises
        ------
        OptionError
            If the kernel needs other columns than those of a table.
        """
        if kernel is TestKernel.PARTIAL_CORRELATION:
            return self._correlations(batch)
        if kernel is not TestKernel.G_SQUARE:
            self._refuse_counting(f"the test statistic {kernel.name}")
        numbers = np.zeros((len(batch), TEST_NUMBERS))
        own = self._holds_numbers(batch)
        whole = own & self._parts_categories(batch)
        for chosen, answer in ((own & ~whole, self._ratios), (whole, self._indicator_ratios)):
            if chosen.any():
                numbers[chosen] = answer(batch.only(chosen))
        if not own.all():
            numbers[~own] = self._counted(batch.only(~own), lambda e, b: e.tests(b, kernel))
        return numbers

    def moments(self, batch: Batch) -> list[MomentTable]:
        """Return rows, means and sums of products of the numbers of every table, by configuration.

        Configurations are those of the categories of the table. The units are those of the data.

        Raises
        ------
        DataError
            If a sum is beyond what a float can hold.
        """
        return [self._moments(axes) for axes in batch.axes]

    def log_determinants(self, batch: Batch, ridge: float, *, unit: bool) -> Floats:
        """Return the log-determinants of ``ridge I + S`` of parents with child, and of parents.

        S are the sums of products about the means, ``unit`` those of columns that are divided by
        their standard deviations.
        """
        table = self._whole("numbers")
        return table.log_determinants(*batch.arrays, ridge, unit).reshape(-1, 2)

    def indicator_families(self, batch: Batch, price: float) -> Floats:
        """Return log-likelihood minus price per parameter of the degenerate Gaussian.

        Its categories are columns of zeros and ones, one per state but the first.
        """
        return np.ascontiguousarray(self._indicators(batch, _FAMILY, price)[:, 0])

    def indicator_parameters(self, batch: Batch) -> Floats:
        """Return the free parameters of the degenerate Gaussian: covariances, not means."""
        return np.ascontiguousarray(self._indicators(batch, _FAMILY, 0.0)[:, 3])

    @property
    def best_fits(self) -> Floats:
        """What no family of each variable can exceed in likelihood; infinity where unknown.

        Among complete numbers it is the likelihood given all others, if none is nearly a linear
        function of these.
        """
        if not isinstance(self._numbers, _native.WholeTable):
            return np.full(self.n_variables, np.inf)
        n = self.n_variables
        batch = Batch.families((v, [w for w in range(n) if w != v]) for v in range(n))
        fits = self.families(batch, FamilyKernel.LOG_LIKELIHOOD)
        return fits if self._numbers.least_pivot > _SAFE_PIVOT else np.full(n, np.inf)

    def _indicators(self, batch: Batch, question: int, price: float) -> Floats:
        """Return native answers of the degenerate Gaussian."""
        table = self._whole("indicators")
        asked = (question, price, False, self._threads, self._stop)
        return table.answers(*batch.arrays, *asked).reshape(-1, _ANSWER)

    def _answers(
        self, batch: Batch, question: int, price: float, *, helped: bool = True
    ) -> tuple[Floats, Bools]:
        """Return the native answers of the tables that hold numbers, and which these are."""
        own = self._holds_numbers(batch)
        asked = batch if own.all() else batch.only(own)
        found = self._numbers.answers(
            *asked.arrays, question, price, helped, self._threads, self._stop
        ).reshape(-1, _ANSWER)
        if asked is batch:
            return found, own
        spread = np.zeros((len(batch), _ANSWER))
        spread[own] = found
        return spread, own

    def _holds_numbers(self, batch: Batch) -> Bools:
        if self._categories is None:
            return np.ones(len(batch), np.bool_)
        return holds_numbers(batch, self._numeric)

    def _with_counts(self, batch: Batch, own: Bools, value: Floats, ask: _Ask) -> Floats:
        """Fill in the tables of categories alone."""
        if not own.all():
            value = value.copy()
            value[~own] = self._counted(batch.only(~own), ask)
        return np.ascontiguousarray(value)

    def _counted(self, batch: Batch, ask: _Ask) -> Floats:
        assert self._categories is not None  # a table without numbers has categories
        return ask(self._categories, batch.renumbered(self._place))

    def _parts_categories(self, batch: Batch) -> Bools:
        """Return which tables have two categories as target and partner."""
        both: Bools = ~self._numeric[batch.target][batch.request_of] & ~self._numeric[batch.partner]
        return both

    def _ratios(self, batch: Batch) -> Floats:
        """Return what a test tells, from likelihood ratios at their maximum."""
        found, _ = self._answers(batch, _INFORMATION, 0.0, helped=False)
        value, rows, least, df = found.T
        return np.stack([2 * np.maximum(value, 0.0), df, df, least, rows], axis=1)

    def _indicator_ratios(self, batch: Batch) -> Floats:
        """Return the same of two categories given numbers, by the degenerate Gaussian."""
        if self._missing.any():
            return self._one_by_one(batch, lambda e, b: e._indicator_ratios(b))  # noqa: SLF001
        value, rows, _, df = self._indicators(batch, _INFORMATION, 0.0).T
        return np.stack([2 * np.maximum(value, 0.0), df, df, rows, rows], axis=1)

    def _correlations(self, batch: Batch) -> Floats:
        """Return what tests of partial correlations tell."""
        variables = np.concatenate([batch.target, batch.given, batch.partner])
        if not self._numeric[variables].all():
            self._refuse("a partial correlation", ~self._numeric, "categories", "GSquare()")
        if self._missing.any():
            return self._one_by_one(batch, lambda e, b: e._correlations(b))  # noqa: SLF001
        table, numbers = self._whole("numbers"), self._number_places()
        r = table.partial_correlations(*batch.renumbered(numbers).arrays)
        given = batch.n_given[batch.request_of].astype(np.float64)
        rows = np.full(len(batch), float(self.n_rows))
        return np.stack([r, given, given, rows, rows], axis=1)

    def _one_by_one(self, batch: Batch, ask: Callable[[MomentsEngine, Batch], Floats]) -> Floats:
        """Answer table by table, each from the rows that know all its variables."""
        found = np.zeros((len(batch), TEST_NUMBERS))
        for i, axes in enumerate(batch.axes):
            some = self._table.select([self.names[v] for v in axes])
            known = np.ones(some.n_rows, np.bool_)
            for codes, states in zip(some.codes, some.states, strict=True):
                known &= codes < len(states) if states else ~np.isnan(codes)
            if known.any():
                engine = MomentsEngine(some.take(known), self._threads)
                n = len(axes)
                found[i] = ask(engine, Batch.of([(n - 2, range(n - 2), (n - 1,))]))[0]
        return found

    def _number_places(self) -> Ints:
        places: Ints = (np.cumsum(self._numeric) - 1).astype(np.int32)
        return places

    def _whole(self, what: str) -> _native.WholeTable:
        """Return one covariance matrix of all numbers, or of all variables with indicators."""
        if what == "numbers" and isinstance(self._numbers, _native.WholeTable):
            return self._numbers
        if what not in self._shared:
            if self._missing.any():
                missing = self._missing > 0
                self._refuse("this score", missing, "missing cells", "missing='drop'")
            columns, start = (
                indicator_columns(self._table)
                if what == "indicators"
                else ([c for c, n in zip(self._table.codes, self._numeric, strict=True) if n], None)
            )
            sums = exact_sums(columns, self._threads, self._stop)
            begin = range(len(columns) + 1) if start is None else start
            self._shared[what] = _native.WholeTable(
                sums, np.array(begin, np.int32), counts_means=start is None
            )
        return self._shared[what]

    def _moments(self, axes: Sequence[int]) -> MomentTable:
        categories = tuple(v for v in axes if not self._numeric[v])
        numbers = tuple(v for v in axes if self._numeric[v])
        shape = tuple(int(self._table.cardinality[v]) for v in categories)
        p = len(numbers)
        if math.prod(shape) * (p + 1) ** 2 > MOST_CELLS:
            msg = (
                f"the moments of {listed(shown(self.names[v]) for v in axes)} have "
                f"{math.prod(shape):,} configurations, more than fit; ask for fewer categories"
            )
            raise CapacityError(msg)
        found = self._rows().described(categories, numbers, axes, self._threads, self._stop)
        counts, keys, means, correlations, deviations = found
        order = np.argsort(np.argsort(numbers, kind="stable"), kind="stable")
        table = MomentTable(
            categories,
            numbers,
            np.zeros(shape, np.int64),
            np.zeros((*shape, p)),
            np.zeros((*shape, p, p)),
        )
        lower = correlations.reshape(len(counts), p, p)
        both = lower + np.tril(lower, -1).transpose(0, 2, 1)
        with np.errstate(over="ignore"):
            scale = np.multiply.outer(deviations, deviations)
            products = both * scale * counts[:, None, None]
        if not np.isfinite(products).all():
            msg = (
                f"the squares of {listed(shown(self.names[v]) for v in numbers)} are beyond what a "
                "number can hold; divide the columns by a power of 10"
            )
            raise DataError(msg)
        table.rows.reshape(table.rows.size)[keys] = counts
        table.means.reshape(table.rows.size, p)[keys] = means.reshape(len(counts), p)[:, order]
        table.products.reshape(table.rows.size, p, p)[keys] = products[:, order][:, :, order]
        for k, v in enumerate(numbers):
            if self.constant[v]:  # sums leave it out, as it varies with nothing
                column = self._table.codes[v]
                value = column[int(np.argmin(np.isnan(column)))]
                table.means[..., k] = np.where(table.rows > 0, value, 0.0)
        return table

    def _rows(self) -> _native.NumberRows:
        """Return the rows in groups; a table of numbers alone has them when they are asked for."""
        if isinstance(self._numbers, _native.NumberRows):
            return self._numbers
        if self._grouped is None:
            self._grouped = number_rows(self._table, self._threads)
        return self._grouped

    def _refuse_counting(self, what: str) -> None:
        use = "BIC(), AIC() or BGe(), GSquare() or FisherZ()"
        self._refuse(f"{what}, which counts states,", self._numeric, "numbers", use)

    def _refuse(self, what: str, columns: Bools, kind: str, use: str) -> None:
        names = (shown(self.names[v]) for v in np.flatnonzero(columns))
        msg = f"{what} cannot take {kind} ({listed(names, _NAMED)}); use {use}"
        raise OptionError(msg)


_Ask = Callable[[NativeEngine, Batch], Floats]


def _never_varies(codes: npt.NDArray[Any], states: tuple[str, ...]) -> bool:
    known = codes[codes < len(states)] if states else codes[~np.isnan(codes)]
    return len(known) == 0 or bool((known == known[0]).all())


def _drawn(table: Table, seed: int) -> Table:
    """Return the rows that a seed draws."""
    from bayesloom.engine.resample import row_weights

    return table.take(np.repeat(np.arange(table.n_rows), row_weights(seed, table.n_rows)))


_Kind = TypeVar("_Kind", bound=MomentsEngine)


def _made_again(kind: type[_Kind], table: Table, threads: int, seed: int | None) -> _Kind:
    engine = kind.__new__(kind)
    engine._set_up(table, threads, seed)  # noqa: SLF001 - of this class
    return engine
