"""From counts to scores, tests, informations and entropies: the arithmetic that engines share."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bayesloom import _native
from bayesloom.arrays import Floats, Ints, Longs
from bayesloom.engine.batch import Batch, Tables
from bayesloom.engine.batch_fault import check_options
from bayesloom.engine.contract import TEST_NUMBERS, FamilyKernel, TestKernel
from bayesloom.errors import OptionError, check_kind

StateCodes = npt.NDArray[np.uint16]


@dataclass(frozen=True, slots=True, eq=False)
class SparseTables:
    """The tables of a batch as lists of the cells that occur, which is what a GROUP BY returns.

    Parameters
    ----------
    batch : Batch
        The questions.
    codes : array of uint16
        The states of the cells, one number per variable (given..., target, partner), cell after
        cell and table after table.
    counts : array of int64
        How many rows each cell holds.
    start : array of int64
        ``counts[start[i]:start[i + 1]]`` belong to table ``i``.
    """

    batch: Batch
    codes: StateCodes
    counts: Longs
    start: Longs

    @classmethod
    def of(cls, batch: Batch, lists: Iterable[tuple[npt.ArrayLike, npt.ArrayLike]]) -> SparseTables:
        """Take one list ``(codes, counts)`` per table, with one row of codes per cell.

        Cells may come in any order, and more than once: their counts are added.

        Raises
        ------
        OptionError
            If there are not as many lists as tables, or one has not one code per variable of its
            table and one count per cell, or a code or a count is not whole or below 0.
        """
        codes: list[StateCodes] = [np.zeros(0, np.uint16)]
        counts: list[Longs] = [np.zeros(0, np.int64)]
        widths = [len(axes) for axes in batch.axes]
        for i, (cells, n) in enumerate(lists):
            table, rows = np.asarray(cells), np.asarray(n)
            if i >= len(widths) or table.shape != (len(rows), widths[i]) or rows.ndim != 1:
                msg = (
                    f"list {i} has codes of the shape {table.shape} for {len(rows)} counts, and "
                    f"the batch has {len(widths)} tables; give one row of codes per cell, with one "
                    "column per variable of the table"
                )
                raise OptionError(msg)
            if table.size and not 0 <= table.min() <= table.max() < 1 << 16:
                msg = f"list {i} has a code that is no state; states are numbered from 0 on"
                raise OptionError(msg)
            for what, numbers in (("code", table), ("count", rows)):
                _check_whole_numbers(f"list {i} has a {what}", numbers)
            codes.append(table.astype(np.uint16).ravel())
            counts.append(rows.astype(np.int64))
        if len(counts) != len(batch) + 1:
            msg = f"there are {len(counts) - 1} lists for the {len(batch)} tables of the batch"
            raise OptionError(msg)
        start = np.cumsum([len(n) for n in counts], dtype=np.int64)
        return cls(batch, np.concatenate(codes), np.concatenate(counts), start)

    def dense(self, cardinality: npt.ArrayLike) -> Tables:
        """Return the same as dense tables, for variables with so many states.

        Raises
        ------
        CapacityError, OptionError
            If dense tables are too large, or a code is no state of its variable.

        Examples
        --------
        >>> from bayesloom.engine import Batch
        >>> listed = SparseTables.of(Batch.sets([[0, 1]]), [([(1, 1), (0, 0)], [3, 4])])
        >>> listed.dense([2, 3])[0].tolist()
        [[4, 0, 0], [0, 3, 0]]
        """
        states: Ints = np.ascontiguousarray(cardinality, np.int32)
        start = self.batch.table_starts(states)
        cells, place = np.zeros(start[-1], np.int64), 0
        for i, axes in enumerate(self.batch.axes):
            counts = self.counts[self.start[i] : self.start[i + 1]]
            codes = self.codes[place : place + len(counts) * len(axes)].reshape(-1, len(axes))
            place += codes.size
            if (codes >= states[axes]).any():
                msg = f"list {i} has the code {codes.max()}, and states are numbered from 0 on"
                raise OptionError(msg)
            numbers = np.ravel_multi_index(tuple(codes.T), tuple(states[axes]))
            np.add.at(cells, start[i] + numbers, counts)
        return Tables(self.batch, states, cells, start)


def _check_whole_numbers(what: str, numbers: npt.NDArray[Any]) -> None:
    """Refuse what would lose its fraction, or change its sign, as a code or a count."""
    wrong = numbers < 0
    if numbers.dtype.kind == "f":
        wrong |= numbers != np.floor(numbers)
    if wrong.any():
        msg = f"{what} of {numbers[wrong][0]}; codes and counts are whole numbers, 0 or more"
        raise OptionError(msg)


class Reductions:
    """Reduce counted tables to what engines answer, with the same bits on every engine.

    An engine of your own counts (in a database, on a cluster) and leaves the rest to this: the sums
    run in a fixed order and in extended precision, whoever counted.

    Parameters
    ----------
    cardinality, observed : arrays of int
        The number of declared states of every variable, and of those that occur in the data.

    Examples
    --------
    >>> from bayesloom.data import Table
    >>> from bayesloom.engine import Batch, FamilyKernel, NativeEngine
    >>> engine = NativeEngine(Table("AB", ["ny", "xz"], [[0, 1, 1, 1], [0, 1, 1, 0]]))
    >>> batch = Batch.families([(1, (0,))])
    >>> listed = [([(0, 0), (1, 0), (1, 1)], [1, 1, 2])]  # select A, B, count(*) ... group by A, B
    >>> reductions = Reductions(engine.cardinality, engine.observed)
    >>> score = reductions.families(SparseTables.of(batch, listed), FamilyKernel.BDEU)
    >>> bool(score == engine.families(batch, FamilyKernel.BDEU))
    True
    >>> bool(score == reductions.families(engine.counts(batch), FamilyKernel.BDEU))
    True
    """

    def __init__(self, cardinality: npt.ArrayLike, observed: npt.ArrayLike) -> None:
        self._cardinality: Ints = np.ascontiguousarray(cardinality, np.int32)
        self._observed: Ints = np.ascontiguousarray(observed, np.int32)

    def families(
        self,
        tables: Tables | SparseTables,
        kernel: FamilyKernel,
        ess: float = 1.0,
        price: float = 0.0,
    ) -> Floats:
        """Return the local score of the target given (given..., partner)."""
        check_options("families", {"kernel": kernel, "ess": ess, "price": price})
        return self._counted(tables).families(kernel, ess, price)

    def families_with_prior(
        self, tables: Tables | SparseTables, ess: float = 1.0, price: float = 0.0
    ) -> Floats:
        """Return the local scores that BDeu gives after it has seen other rows.

        The last given variable of every request tells the rows apart: 0 to be scored, 1 seen
        before; see `Engine.families_with_prior`.
        """
        check_options("families_with_prior", {"ess": ess, "price": price})
        try:
            return self._counted(tables).families_with_prior(ess, price)
        except ValueError as fault:
            raise OptionError(str(fault)) from None

    def informations(self, tables: Tables | SparseTables) -> Floats:
        """Return the mutual information of target and partner given the rest, in nats."""
        return self._counted(tables).informations()

    def tests(self, tables: Tables | SparseTables, kernel: TestKernel) -> Floats:
        """Return statistic, df, adjusted df, least expected count and rows, one line per table."""
        check_options("tests", {"kernel": kernel})
        return self._counted(tables).tests(kernel).reshape(-1, TEST_NUMBERS)

    def entropies(self, tables: Tables | SparseTables) -> Floats:
        """Return the joint entropy of all variables of each table, in nats."""
        return self._counted(tables).entropies()

    def _counted(self, tables: Tables | SparseTables) -> _native.CountedTables:
        check_kind("tables", tables, Tables | SparseTables, "Tables or SparseTables")
        if isinstance(tables, SparseTables):
            counts, codes = tables.counts, tables.codes
        else:
            counts, codes = tables.cells, None
        try:
            return _native.CountedTables(
                self._cardinality, self._observed, *tables.batch.arrays, counts, tables.start, codes
            )
        except (TypeError, ValueError) as fault:
            tables.batch.check(len(self._cardinality))
            raise OptionError(str(fault)) from None
