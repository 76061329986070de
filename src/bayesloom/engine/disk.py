"""An engine for rows on a disk: one scan of a compact file answers a batch."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from bayesloom import _native
from bayesloom.arrays import Floats, Longs
from bayesloom.data import Table
from bayesloom.data.block_cache import BlockCache
from bayesloom.data.table import code_type
from bayesloom.engine.batch import Batch, Tables
from bayesloom.engine.batch_fault import explains_batches
from bayesloom.engine.block import known_rows, occupied_cells
from bayesloom.engine.completion import Completions
from bayesloom.engine.described_engine import Reduce, ReducingEngine
from bayesloom.engine.drawn_blocks import drawn_cache, reading
from bayesloom.engine.memory_size import bytes_of
from bayesloom.engine.native import NativeEngine
from bayesloom.engine.prior import aligned_prior
from bayesloom.engine.reductions import Reductions, SparseTables
from bayesloom.engine.resample import check_draw
from bayesloom.errors import (
    CapacityError,
    check_flag,
    check_kind,
    check_whole,
)
from bayesloom.processor import n_processors

_MOST_DENSE = 1 << 22  # cells of a table that is not counted as a list
_PER_CELL = 32  # bytes of a cell in a list, with its part of the hash table
_PER_ROW, _PER_CODE = 32, 8  # bytes of a row, and of a cell of it, that is made ready for a graph
_FEW_BLOCKS = 8  # for fewer no search looks ahead
_READING_SPEED = 750e6  # bytes per second; see docs/scale-disk.md
_FIRST_LOOK = 4  # blocks per thread before progress is told for the first time

TableMask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class ScanProgress:
    """How far a scan is: rows read of all, and how long it has taken."""

    number: int
    rows: int
    of_rows: int
    seconds: float

    def __str__(self) -> str:
        speed = self.rows / max(self.seconds, 1e-9) / 1e6
        return f"scan {self.number}: {self.rows / self.of_rows:.0%}, {speed:,.1f} million rows/s"


class DiskEngine(ReducingEngine):
    """Answer batches from rows that lie in a file, of which a few blocks at a time are in memory.

    `bayesloom.open` makes one of files of any kind. Every batch is one scan of the columns that it
    asks for, or several if its tables together would take more than the memory allowed. Answers are
    those of `NativeEngine` bit for bit.

    Parameters
    ----------
    cache : BlockCache
        The rows.
    memory : int or str
        What tables and blocks may take, such as ``"1GB"``, beside the program itself.
    threads : int, optional
        How many threads share a scan; by default as many as there are processors. Fewer do if the
        blocks of all would take more than half of the memory.
    in_name_order : bool
        Whether variables come in name order, as searches want them, or in the order of the data.
    """

    def __init__(
        self,
        cache: BlockCache,
        memory: int | str = "1GB",
        threads: int | None = None,
        *,
        in_name_order: bool = True,
    ) -> None:
        check_kind("cache", cache, BlockCache, "a BlockCache; bayesloom.open makes it of files")
        if threads is not None:
            check_whole("threads", threads, 1)
        self._cache = cache
        self._memory = bytes_of(memory)
        check_flag("in_name_order", in_name_order)
        order = list(range(len(cache.names)))
        if in_name_order:
            order.sort(key=lambda v: cache.names[v])
        self._number = np.array(order, np.int32)  # of each variable in the file
        self._describe_by_counts(
            [cache.names[v] for v in order],
            [cache.states[v] for v in order],
            [cache.counts[v] for v in order],
        )
        self._threads = max(
            1, min(threads or n_processors(), self._memory // 2 // self._block_size)
        )
        self._report: Callable[[ScanProgress], None] | None = None
        self._prior: list[tuple[Table, NativeEngine]] = []
        self._scans = [0]
        self._in_name_order = in_name_order
        self._drawn_from: tuple[BlockCache, int] | None = None  # and the seed

    def __reduce__(self) -> tuple[Callable[..., DiskEngine], tuple[object, ...]]:
        """Make copies anew from the file; a signal stays behind."""
        cache, seed = self._drawn_from or (self._cache, None)
        options = {"in_name_order": self._in_name_order}
        return _made_again, (cache, self._memory, self._threads, options, seed)

    def __repr__(self) -> str:
        rows, columns = self._n_rows, len(self._names)
        return f"DiskEngine of {rows:,} rows x {columns:,} columns in {self._cache.path}"

    def resampled(self, seed: int) -> DiskEngine:
        """Return an engine over as many rows drawn from these with replacement; see `Resampling`.

        The rows that are drawn are written to a file beside the cache, as large as the cache; it is
        gone when the engine is.

        Raises
        ------
        FileFormatError
            If there is no room for the file.
        """
        check_draw(seed, again=self._drawn_from is not None)
        cache = drawn_cache(self._cache, seed)
        drawn = DiskEngine(cache, self._memory, self._threads, in_name_order=self._in_name_order)
        drawn._drawn_from = self._cache, seed
        drawn._stop = self._stop
        return drawn

    def reporting(self, report: Callable[[ScanProgress], None]) -> Self:
        """Return a view of the engine that tells of the progress of its scans."""
        return self._view(_report=report)

    @property
    def columns(self) -> tuple[str, ...]:
        """The same names in the order of the data."""
        return self._cache.names

    @property
    def notes(self) -> tuple[str, ...]:
        """What a user should know about the data."""
        return self._cache.notes

    @property
    def cache(self) -> BlockCache:
        """The file with the rows."""
        return self._cache

    @property
    def n_scans(self) -> int:
        """How many times the rows have been gone through."""
        return self._scans[0]

    @property
    def round_trip(self) -> float:
        """How many seconds a scan costs whatever it counts: those of reading all columns once.

        A few blocks stay near the processor, and cost nothing.
        """
        if len(self._cache.n_rows) < _FEW_BLOCKS:
            return 0.0
        return self._cache.n_bytes / _READING_SPEED

    def table(self, names: Sequence[str] | None = None) -> Table:
        """Return all rows as a table in memory, with the columns in the order of the data.

        Parameters
        ----------
        names : sequence of str, optional
            Only these columns, in this order.
        """
        cache = self._cache
        order = range(len(cache.names)) if names is None else map(cache.names.index, names)
        chosen = list(order)
        with reading(cache):
            columns = [np.concatenate(list(self._column(v))) for v in chosen]
        return Table(
            [cache.names[v] for v in chosen],
            [cache.states[v] for v in chosen],
            columns,
            notes=cache.notes,
            holes=bool(self._missing.any()),
        )

    def rows_in_memory(self) -> Table:
        """Return all rows as a table, for what goes through them one by one.

        Raises
        ------
        CapacityError
            If they take more than the engine may.
        """
        width = sum(np.dtype(code_type(len(some))).itemsize for some in self._cache.counts)
        if self._n_rows * width > self._memory:
            msg = (
                "what is asked for goes through rows one by one, and all of them take "
                f"{self._n_rows * width / 1e9:,.1f} GB; allow as much (memory=, --memory), or give "
                "a table of some of them"
            )
            raise CapacityError(msg)
        return self.table()

    @property
    def can_complete(self) -> bool:
        """Whether `completions` would fit the memory."""
        return self._n_rows * (_PER_ROW + _PER_CODE * self.n_variables) <= self._memory

    def completions(
        self, names: Sequence[str], parents: Sequence[int], **options: float
    ) -> Completions:
        """Return the rows of some variables made ready for a graph; see `completions_of`.

        Raises
        ------
        CapacityError
            If the rows do not fit the memory.
        """
        if not self.can_complete:
            size = self._n_rows * (_PER_ROW + _PER_CODE * self.n_variables) / 1e9
            msg = (
                f"completing rows needs all of them in memory, {size:,.1f} GB; allow as much "
                "(memory=, --memory), fit with method='available', or drop rows that miss cells "
                "(missing='drop', --missing drop)"
            )
            raise CapacityError(msg)
        return Completions(self.table(names), parents, self._threads, **options)

    def _column(self, v: int) -> Iterator[npt.NDArray[Any]]:
        """Return the codes of a column of the file, block after block."""
        kind = code_type(len(self._cache.counts[v]))
        for b in range(len(self._cache.n_rows)):
            yield self._cache.blocks.file.codes(b, v).astype(kind)

    @explains_batches
    def counts(self, batch: Batch) -> Tables:
        """Return the tables themselves."""
        start = batch.table_starts(self._cardinality)
        cells = np.empty(start[-1], np.int64)
        sizes = np.diff(start)
        dense = np.zeros(len(batch), np.bool_)
        for some in self._parts(sizes.astype(np.float64), dense):
            found, _ = self._scan(batch.only(some), dense[some])
            cells[np.repeat(some, sizes)] = found.cells
        return Tables(batch, self._cardinality, cells, start)

    @explains_batches
    def families_with_prior(
        self, batch: Batch, prior: Table, ess: float = 1.0, price: float = 0.0
    ) -> Floats:
        """Return the local scores that BDeu gives after it has seen the rows of ``prior``."""
        earlier = self._engine_of(prior)
        both = Reductions([*self._cardinality, 2], [*self._observed, 2])

        def reduce(tables: Tables | SparseTables) -> Floats:
            joined = (
                _joined_lists(tables, earlier)
                if isinstance(tables, SparseTables)
                else _joined(tables, earlier.counts(tables.batch))
            )
            return both.families_with_prior(joined, ess, price)

        return self._reduced(batch, reduce)

    def _engine_of(self, prior: Table) -> NativeEngine:
        """Return an engine over earlier rows; that of the latest prior table is kept."""
        for known, engine in self._prior:
            if known is prior:
                return engine
        engine = NativeEngine(aligned_prior(prior, self._names, self._states), self._threads)
        self._prior[:] = [(prior, engine)]
        return engine

    def _reduced(self, batch: Batch, reduce: Reduce) -> Floats:
        """Count the tables of a batch, in as few scans as fit the memory, and reduce them."""
        cells = batch.n_cells(self._cardinality)
        listed = cells > min(_MOST_DENSE, self._most_cells)
        parts = []
        for some in self._parts(cells, listed):
            dense, lists = self._scan(batch.only(some), listed[some])
            parts.append((some & ~listed, reduce(dense)))
            if lists is not None:
                parts.append((some & listed, reduce(lists)))
        answers = np.empty((len(batch), *parts[0][1].shape[1:]))
        for some, found in parts:
            answers[some] = found
        return answers

    @property
    def _most_cells(self) -> int:
        """How many cells of dense tables one scan may count."""
        left = self._memory - self._threads * self._block_size
        return max(left, self._memory // 4) // 2 // (8 * (self._threads + 2))

    @property
    def _block_size(self) -> int:
        """How many bytes a thread needs for a block: codes, bitmaps and planes of all columns."""
        rows = int(self._cache.n_rows.max())
        width = np.where(self._cardinality < 1 << 8, 1, 2)
        return int((rows * width + rows // 8 * np.minimum(self._cardinality, 32 + 16)).sum()) + 1

    def _parts(self, cells: Floats, listed: TableMask) -> Iterator[TableMask]:
        """Divide the tables of a batch among scans, so that those of one scan fit the memory."""
        size = np.where(listed, np.minimum(cells, self._n_rows) * (_PER_CELL // 8), cells)
        if size.sum() <= self._most_cells:
            yield np.ones(len(size), np.bool_)
            return
        start, total = 0, 0.0
        for i, n in enumerate(size.tolist()):
            if i > start and total + n > self._most_cells:
                yield _between(start, i, len(size))
                start, total = i, 0.0
            total += n
        yield _between(start, len(size), len(size))

    def _scan(self, batch: Batch, listed: TableMask) -> tuple[Tables, SparseTables | None]:
        """Go through the rows once and return the tables, dense ones and lists apart."""
        if not len(batch):
            return Tables(
                batch, self._cardinality, np.zeros(0, np.int64), np.zeros(1, np.int64)
            ), None
        cells = np.where(listed, 0, batch.n_cells(self._cardinality)).astype(np.int64)
        start = np.concatenate([[0], np.cumsum(cells)]).astype(np.int64)
        asked = batch.renumbered(self._number)
        most = max(self._memory // 2 // self._threads, 1)
        count = _native.BlockCount(
            self._cache.blocks.file, *asked.arrays, start, listed.tolist(), most
        )
        try:
            with reading(self._cache):
                self._run(count)
        except (ValueError, MemoryError) as fault:
            if "lists of cells" not in str(fault) and "too many cells" not in str(fault):
                raise
            msg = (
                f"a table of {batch.n_cells(self._cardinality).max():.3g} cells does not fit the "
                "memory; allow more (memory=, --memory) or fewer parents (max_parents=, "
                "--max-parents)"
            )
            raise CapacityError(msg) from None
        dense = Tables(
            batch.only(~listed),
            self._cardinality,
            count.cells(),
            np.append(start[:-1][~listed], start[-1]),
        )
        return dense, _lists(batch, count, listed) if listed.any() else None

    def _run(self, count: _native.BlockCount) -> None:
        """Count all blocks, at once or, if somebody wants to hear of it, some after another."""
        self._scans[0] += 1
        n_blocks, began = len(self._cache.n_rows), time.monotonic()
        if self._report is None:
            count.run(0, n_blocks, self._threads, self._stop)
            return
        at, step = 0, _FIRST_LOOK * self._threads
        while at < n_blocks:
            count.run(at, at + step, self._threads, self._stop)
            at = min(at + step, n_blocks)
            seconds = time.monotonic() - began
            rows = int(self._cache.n_rows[:at].sum())
            self._report(ScanProgress(self._scans[0], rows, self._n_rows, seconds))
            step = max(_FIRST_LOOK * self._threads, int(at / max(seconds, 1e-3) / 4))


def _made_again(
    cache: BlockCache, memory: int, threads: int, options: dict[str, bool], seed: int | None
) -> DiskEngine:
    engine = DiskEngine(cache, memory, threads, **options)
    return engine if seed is None else engine.resampled(seed)


def _between(start: int, stop: int, n: int) -> TableMask:
    some = np.zeros(n, np.bool_)
    some[start:stop] = True
    return some


def _lists(batch: Batch, count: _native.BlockCount, listed: TableMask) -> SparseTables:
    """Return the tables that are lists."""
    found = [count.list(i) for i in np.flatnonzero(listed).tolist()]
    return SparseTables(
        batch.only(listed),
        np.concatenate([codes for codes, _ in found]),
        np.concatenate([counts for _, counts in found]),
        np.concatenate([[0], np.cumsum([len(counts) for _, counts in found])]).astype(np.int64),
    )


def _joined(tables: Tables, earlier: Tables) -> Tables:
    """Return tables of data and earlier rows, told apart by one more given variable."""
    n = len(tables.cardinality)
    cells: list[Longs] = [np.zeros(0, np.int64)]
    inner = [
        int(np.prod(tables.cardinality[axes[given:]]))
        for axes, given in zip(tables.batch.axes, _n_given(tables.batch), strict=True)
    ]
    for own, theirs, size in zip(tables, earlier, inner, strict=True):
        both = np.stack([own.reshape(-1, size), theirs.reshape(-1, size)], axis=1)
        cells.append(both.ravel())
    start = 2 * (tables.start - tables.start[0])
    cardinality = np.append(tables.cardinality, np.int32(2))
    return Tables(tables.batch.with_given(n), cardinality, np.concatenate(cells), start)


def _joined_lists(tables: SparseTables, earlier: NativeEngine) -> SparseTables:
    """Return the same for lists."""
    lists = []
    at = 0
    codes = earlier.table.codes
    for i, (axes, given) in enumerate(zip(tables.batch.axes, _n_given(tables.batch), strict=True)):
        counts = tables.counts[tables.start[i] : tables.start[i + 1]]
        size = len(counts) * len(axes)
        own = tables.codes[at : at + size].reshape(-1, len(axes))
        at += size
        known = known_rows([codes[v] for v in axes], earlier.cardinality[axes])
        found, n = occupied_cells(known, earlier.cardinality[axes])
        both = np.concatenate(
            [np.insert(own, given, 0, axis=1), np.insert(found, given, 1, axis=1)]
        )
        lists.append((both, np.concatenate([counts, n])))
    return SparseTables.of(tables.batch.with_given(earlier.n_variables), lists)


def _n_given(batch: Batch) -> list[int]:
    """Return how many given variables each table has."""
    sizes: list[int] = np.diff(batch.given_start)[batch.request_of].tolist()
    return sizes
