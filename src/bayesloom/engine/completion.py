"""Rows with missing cells under a network: expected counts, likelihoods and completions."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise

import numpy as np
import numpy.typing as npt

from bayesloom import _native
from bayesloom._native import StopSignal
from bayesloom.arrays import Floats, Longs
from bayesloom.data import Table
from bayesloom.engine.contract import Engine
from bayesloom.errors import CapacityError, EvidenceError, OptionError
from bayesloom.graphs.masks import bits
from bayesloom.processor import n_processors

_MOST_CELLS = float(1 << 25)  # of the tables that missing cells are summed over in


class Completions:
    """The rows of a table made ready for a graph: what is missing in them is summed over exactly.

    Missing cells of a row that families join form a component; equal components with equal
    surroundings are computed once, whatever number of rows they stand in, and families without a
    missing cell are counted once for all. Rows are put into an order of their own first, so that
    nothing depends on the order in which they come.

    Parameters
    ----------
    table : Table
        The rows; the code after the last state of a column is a missing cell.
    parents : sequence of int
        The parents of each column, as masks.
    threads : int, optional
        How many threads share the work; by default as many as there are processors. The number
        changes the time, never a bit of an answer.
    most_cells : float
        The most cells of the tables that missing cells are summed over in.

    Raises
    ------
    CapacityError
        If the tables would be larger.

    Examples
    --------
    >>> import numpy as np
    >>> from bayesloom.data import Table
    >>> rows = Table(["rain", "wet"], [["no", "yes"]] * 2, [[0, 1, 1], [0, 1, 0]])
    >>> ready = Completions(rows, [0, 1])
    >>> [counts.tolist() for counts in ready.known]
    [[1, 2], [[1, 0], [1, 1]]]
    """

    def __init__(
        self,
        table: Table,
        parents: Sequence[int],
        threads: int | None = None,
        most_cells: float = _MOST_CELLS,
    ) -> None:
        self.table = table
        self.threads = threads or n_processors()
        self._order = np.lexsort(table.codes[::-1])
        rows = np.stack([column[self._order].astype(np.uint16) for column in table.codes], axis=1)
        self.scopes = scopes = [(*bits(mask), v) for v, mask in enumerate(parents)]
        sizes = [len(states) for states in table.states]
        self.shapes = [tuple(sizes[u] for u in scope) for scope in scopes]
        self._starts = [0, *accumulate(int(np.prod(shape)) for shape in self.shapes)]
        self._native = _native.Completion(
            np.array(sizes, np.int32),
            np.array([0, *accumulate(map(len, scopes))], np.int64),
            np.array([u for scope in scopes for u in scope], np.int32),
            np.ascontiguousarray(rows),
            most_cells,
        )
        if self._native.needed > most_cells:
            msg = (
                f"the missing cells take tables of more than {most_cells:.3g} cells to be summed "
                "over; drop rows or columns with many holes, or use a sparser graph"
            )
            raise CapacityError(msg)
        self.holes = rows == np.array(sizes, np.uint16)
        self.known: list[Longs] = self._parts(self._native.known())

    @property
    def is_complete(self) -> bool:
        """Whether no cell is missing."""
        return not self.holes.any()

    @property
    def n_cases(self) -> int:
        """How many different components of missing cells there are."""
        return self._native.n_cases

    def expect(
        self, tables: Sequence[Floats], stop: StopSignal | None = None
    ) -> tuple[list[Floats], float]:
        """Return the expected counts of all families, and the log-probability of the known cells.

        Parameters
        ----------
        tables : sequence of array
            The probabilities of each column given its parents.
        stop : StopSignal, optional
            Ends the work with `Stopped`.

        Raises
        ------
        EvidenceError
            If the network gives a row probability 0; the message names it.
        """
        flat = self._flat(tables)
        counts, log_likelihood = self._native.expect(flat, self.threads, stop)
        known = np.concatenate([part.ravel() for part in self.known])
        occurs = known > 0
        with np.errstate(divide="ignore"):
            log_likelihood += float(known[occurs] @ np.log(flat[occurs]))
        if log_likelihood == -np.inf:
            self._check_possible(flat)
        return self._parts(counts + known), log_likelihood

    def log_likelihoods(self, tables: Sequence[Floats]) -> Floats:
        """Return the log-probability of the known cells of every row."""
        found = np.empty(self.table.n_rows)
        found[self._order] = self._native.log_likelihoods(self._flat(tables))
        return found

    def drawn(self, tables: Sequence[Floats], seed: int) -> Table:
        """Return the rows with missing cells drawn from their joint distribution given the rest.

        The rows come in an order of their own: the same rows in another order, or with another
        number of threads, give the same table.
        """
        codes, _, _ = self._completed(tables, most_probable=False, seed=seed, cells=False)
        return self._as_table(codes)

    def completed(
        self, tables: Sequence[Floats], *, most_probable: bool, seed: int = 0
    ) -> tuple[Table, Floats, Floats]:
        """Return the rows completed, in their own order, with probabilities.

        Returns
        -------
        Table
            The rows without missing cells.
        array
            For each row the log-probability of all that was filled in, given what was known.
        array
            One row per row and one column per column: the probability of the single state that was
            filled in, 1 where the cell was known.
        """
        codes, logs, single = self._completed(
            tables, most_probable=most_probable, seed=seed, cells=True
        )
        back = np.empty_like(self._order)
        back[self._order] = np.arange(len(back))
        single = np.where(self.holes, single, 1.0)
        return self._as_table(codes[back]), logs[back], single[back]

    def _completed(
        self, tables: Sequence[Floats], *, most_probable: bool, seed: int, cells: bool
    ) -> tuple[npt.NDArray[np.uint16], Floats, Floats]:
        flat = self._flat(tables)
        self._check_possible(flat)
        codes, logs, single = self._native.complete(flat, most_probable, seed, cells)
        shape = self.holes.shape
        return codes.reshape(shape), logs, single.reshape(shape if cells else (0,))

    def _as_table(self, codes: npt.NDArray[np.uint16]) -> Table:
        table = self.table
        return Table(table.names, table.states, list(np.ascontiguousarray(codes.T)), table.notes)

    def _check_possible(self, flat: Floats) -> None:
        """Refuse tables under which a row cannot occur."""
        logs = self._native.log_likelihoods(flat)
        impossible = np.sort(self._order[np.isneginf(logs)])
        if len(impossible):
            more = f" ({len(impossible):,} such rows)" if len(impossible) > 1 else ""
            msg = (
                f"row {impossible[0]} (counted from 0) is impossible: the network gives what is "
                f"known of it probability 0{more}; correct or drop it, or use parameters that "
                "leave nothing impossible, as BDeuMean() does"
            )
            raise EvidenceError(msg)

    def _flat(self, tables: Sequence[Floats]) -> Floats:
        return np.concatenate([np.ascontiguousarray(table, np.float64).ravel() for table in tables])

    def _parts(self, flat: npt.NDArray[np.generic]) -> list[npt.NDArray]:  # type: ignore[type-arg]
        return [
            flat[a:b].reshape(shape)
            for (a, b), shape in zip(pairwise(self._starts), self.shapes, strict=True)
        ]


def can_complete(engine: Engine) -> bool:
    """Say whether rows behind an engine can be made ready: it holds them, and has the memory.

    Examples
    --------
    >>> from bayesloom.engine import BlockEngine, NativeEngine
    >>> rows = Table(["A"], [["no", "yes"]], [[0, 1]])
    >>> can_complete(NativeEngine(rows)), can_complete(BlockEngine([rows]))
    (True, False)
    """
    return hasattr(engine, "completions") and bool(getattr(engine, "can_complete", True))


def completions_of(
    engine: Engine, names: Sequence[str], parents: Sequence[int], **options: float
) -> Completions:
    """Return the rows behind an engine made ready for a graph over some of its variables.

    Parameters
    ----------
    engine : Engine
        The data; the engine must have a method ``completions``, as `NativeEngine` has.
    names : sequence of str
        The variables of the graph.
    parents : sequence of int
        The parents of each, as masks.
    **options
        Of `Completions`.

    Raises
    ------
    OptionError
        If the engine does not hold its rows in memory.

    Examples
    --------
    >>> from bayesloom.engine import NativeEngine
    >>> rows = Table(["A"], [["no", "yes"]], [[0, 2]], holes=True)
    >>> completions_of(NativeEngine(rows), ["A"], [0]).n_cases
    1
    """
    made = getattr(engine, "completions", None)
    if made is None:
        msg = (
            f"completing rows needs them one by one, and {type(engine).__name__} does not hand "
            "them out; give a table in memory, or fit with method='available'"
        )
        raise OptionError(msg)
    ready: Completions = made(names, parents, **options)
    return ready
