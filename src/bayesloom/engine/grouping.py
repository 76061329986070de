"""An engine for rows that somebody else can group and count, such as a database."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from bayesloom.engine.batch import Batch, Tables
from bayesloom.engine.batch_fault import explains_batches
from bayesloom.engine.block import known_rows, occupied_cells
from bayesloom.engine.described_engine import Reduce, ReducingEngine
from bayesloom.engine.prior import aligned_prior
from bayesloom.engine.reductions import Reductions, SparseTables
from bayesloom.errors import DataError, OptionError, Stopped, check_kind, check_whole, shown

if TYPE_CHECKING:
    from bayesloom.arrays import Floats, Longs
    from bayesloom.data import Table

Cells = tuple[npt.ArrayLike, npt.ArrayLike]
"""The cells of a table that occur, one row of codes each, and how many rows each holds."""


class GroupingEngine(ReducingEngine, ABC):
    """An engine that has its rows grouped by some variables at a time (base class).

    All that an engine of your own says is `grouped`: what a GROUP BY with a COUNT returns. Answers
    have the same bits as those of every other engine.

    Parameters
    ----------
    states : mapping of str to sequence of str
        The labels of every variable's states; searches want the variables in name order.
    n_rows : int, optional
        How many rows there are. It is needed where cells are missing.

    Raises
    ------
    DataError
        If variables are known in different numbers of rows and ``n_rows`` is not given.

    Examples
    --------
    >>> class Two(GroupingEngine):
    ...     def grouped(self, variables):
    ...         rows = np.array([[0, 0], [1, 1], [1, 1]])[:, variables]
    ...         return np.unique(rows, axis=0, return_counts=True)
    >>> engine = Two({"A": ["n", "y"], "B": ["x", "z"]})
    >>> engine.n_rows, engine.counts(Batch.pairs(2))[0].tolist()
    (3, [[1, 0], [0, 2]])
    """

    def __init__(self, states: Mapping[str, Sequence[str]], n_rows: int | None = None) -> None:
        check_kind("states", states, Mapping, 'such as {"rain": ["no", "yes"]}')
        if n_rows is not None:
            check_whole("n_rows", n_rows, 0)
        if not states:
            msg = "an engine needs at least one variable, and states name none"
            raise DataError(msg)
        self._names = tuple(states)
        kinds = [states[name] for name in self._names]
        self._cardinality = np.array([len(kind) for kind in kinds], np.int32)
        seen = list(self.counts(Batch.sets([[v] for v in range(len(kinds))])))
        known = {int(counts.sum()) for counts in seen}
        total = max(known) if n_rows is None else n_rows
        if (n_rows is None and len(known) > 1) or total < max(known):
            few, many = min(known), max(known)
            msg = (
                f"variables are known in {few:,} to {many:,} rows; where cells are missing, an "
                "engine needs n_rows, the number of all"
            )
            raise DataError(msg)
        self._describe_by_counts(
            self._names, kinds, [np.append(some, total - some.sum()) for some in seen]
        )

    @abstractmethod
    def grouped(self, variables: Sequence[int]) -> Cells:
        """Return the cells that occur in the table of some variables, and how many rows each has.

        Variables are numbered in the order of ``states``. A cell is a row of codes, in the order of
        the variables; rows in which one of them is missing are left out.
        """

    @explains_batches
    def counts(self, batch: Batch) -> Tables:
        """Return the tables themselves."""
        return self._listed(batch).dense(self._cardinality)

    @explains_batches
    def families_with_prior(
        self, batch: Batch, prior: Table, ess: float = 1.0, price: float = 0.0
    ) -> Floats:
        """Return the local scores that BDeu gives after it has seen the rows of ``prior``."""
        batch.check(self.n_variables)
        earlier = aligned_prior(prior, self._names, self._states).codes
        marked = batch.with_given(self.n_variables)

        def both(axes: Sequence[int]) -> Cells:
            """Group both kinds of rows; one more variable tells the earlier ones (1) apart."""
            place = axes.index(self.n_variables)
            own = [v for v in axes if v != self.n_variables]
            states = self._cardinality[own]
            known = known_rows([earlier[v] for v in own], states)
            new, old = self._grouped(own), occupied_cells(known, states)
            codes = [
                np.insert(np.reshape(cells, (-1, len(own))), place, kind, axis=1)
                for kind, (cells, _) in enumerate((new, old))
            ]
            return np.concatenate(codes), np.concatenate([new[1], old[1]])

        tables = SparseTables.of(marked, map(both, marked.axes))
        reductions = Reductions([*self._cardinality, 2], [*self._observed, 2])
        return reductions.families_with_prior(tables, ess, price)

    def _reduced(self, batch: Batch, reduce: Reduce) -> Floats:
        return reduce(self._listed(batch))

    def _listed(self, batch: Batch) -> SparseTables:
        batch.check(self.n_variables)
        return SparseTables.of(batch, map(self._grouped, batch.axes))

    def _grouped(self, variables: Sequence[int]) -> tuple[Longs, Longs]:
        if self._stop is not None and self._stop.is_set:
            raise Stopped
        told = self.grouped(variables)
        try:
            codes, counts = map(np.asarray, told)
        except (TypeError, ValueError):
            codes = counts = np.array(None)
        if not codes.size and not counts.size:  # no row knows all the variables
            return np.zeros((0, len(variables)), np.int64), np.zeros(0, np.int64)
        if codes.dtype.kind not in "iuf" or counts.dtype.kind not in "iuf":
            wanted = "the codes of the cells that occur, one row each, and how many rows each has"
            msg = f"{type(self).__name__}.grouped must return {wanted}, got {shown(repr(told))}"
            raise OptionError(msg)
        return codes, counts
