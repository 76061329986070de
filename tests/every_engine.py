"""Every kind of engine; tests of what engines promise run on all of them."""

from __future__ import annotations

import itertools
import pickle
import tempfile
import weakref
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa

from bayesloom.arrays import Floats, Longs
from bayesloom.data import Reading, Table
from bayesloom.engine import (
    Batch,
    BlockEngine,
    CountingEngine,
    FamilyKernel,
    GroupingEngine,
    NativeEngine,
    Tables,
    TestKernel,
    row_weights,
)
from bayesloom.engine.block import known_rows, occupied_cells
from bayesloom.engine.cluster.counted import Counted, SplitBatch, added
from bayesloom.engine.cluster.counted_engine import CountedEngine
from bayesloom.engine.cluster.share import Share
from bayesloom.engine.cluster.waiting import Until
from bayesloom.engine.disk import DiskEngine
from bayesloom.engine.grouping import Cells
from bayesloom.engine.opening import open_source
from bayesloom.engine.resample import check_draw
from bayesloom.errors import Stopped

EngineOf = Callable[[Table], CountingEngine]


def three_blocks(table: Table) -> BlockEngine:
    """Make an engine that gets the rows in three blocks, or fewer if there are fewer rows."""
    size = -(-table.n_rows // 3)
    return BlockEngine([table.take(slice(i, i + size)) for i in range(0, table.n_rows, size)])


def on_disk(table: Table, n_blocks: int, threads: int | None = None) -> DiskEngine:
    """Make an engine that reads the rows from so many blocks on a disk, or fewer."""
    size = -(-table.n_rows // n_blocks)
    arrow = table.to_arrow()
    reading = Reading(missing="keep" if table.missing.any() else "error")
    folder = tempfile.TemporaryDirectory()
    with pa.ipc.new_file(Path(folder.name, "rows.arrow"), arrow.schema) as file:
        file.write_table(arrow)
    found = open_source(
        Path(folder.name, "rows.arrow"), reading, cache=Path(folder.name, "cache"), block_rows=size
    )
    weakref.finalize(found.cache, folder.cleanup)
    return DiskEngine(found.cache, "64MB", threads, in_name_order=False)


def disk_of(n_blocks: int) -> EngineOf:
    made = partial(on_disk, n_blocks=n_blocks)
    made.__name__ = f"disk_of_{n_blocks}"  # type: ignore[attr-defined]
    return made


class FarEngine(NativeEngine):
    """An engine that says it is far away, so that searches look ahead, and counts round trips."""

    def __init__(self, table: Table, threads: int | None = 1, round_trip: float = 60.0) -> None:
        super().__init__(table, threads)
        self.seconds = round_trip

    def _set_up(self, table: Table, threads: int | None, seed: int | None = None) -> None:
        super()._set_up(table, threads, seed)
        self.seconds = 60.0
        self.trips: list[tuple[str, int]] = []
        """What was asked for, and for how many tables."""

    @property
    def round_trip(self) -> float:
        return self.seconds

    def _asked(self, what: str, batch: Batch) -> None:
        if isinstance(batch, Batch):
            self.trips.append((what, len(batch)))

    def counts(self, batch: Batch) -> Tables:
        self._asked("counts", batch)
        return super().counts(batch)

    def families(
        self, batch: Batch, kernel: FamilyKernel, ess: float = 1.0, price: float = 0.0
    ) -> Floats:
        self._asked("families", batch)
        return super().families(batch, kernel, ess, price)

    def families_with_prior(
        self, batch: Batch, prior: Table, ess: float = 1.0, price: float = 0.0
    ) -> Floats:
        self._asked("families", batch)
        return super().families_with_prior(batch, prior, ess, price)

    def informations(self, batch: Batch) -> Floats:
        self._asked("informations", batch)
        return super().informations(batch)

    def tests(self, batch: Batch, kernel: TestKernel) -> Floats:
        self._asked("tests", batch)
        return super().tests(batch, kernel)

    def entropies(self, batch: Batch) -> Floats:
        self._asked("entropies", batch)
        return super().entropies(batch)


class Grouped(GroupingEngine):
    """Has the rows of a table grouped as a database would."""

    def __init__(self, table: Table, *, drawn: bool = False) -> None:
        self.table, self.drawn = table, drawn
        super().__init__(dict(zip(table.names, table.states, strict=True)), table.n_rows)

    def grouped(self, variables: Sequence[int]) -> Cells:
        states = self.cardinality[variables]
        return occupied_cells(known_rows([self.table.codes[v] for v in variables], states), states)

    def resampled(self, seed: int) -> Grouped:
        check_draw(seed, again=self.drawn)
        rows = np.repeat(np.arange(self.n_rows), row_weights(seed, self.n_rows))
        return Grouped(self.table.take(rows), drawn=True)


class PackedParts:
    """Counts shares of the rows as the workers of a cluster do, and sums what they send."""

    def __init__(self, shares: list[Share]) -> None:
        self.shares = shares

    def ask(self, question: SplitBatch, until: Until) -> Counted:
        if until.stop is not None and until.stop.is_set:
            raise Stopped
        sent = [share.counted(question.packed()) for share in self.shares]
        return added(pickle.loads(pickle.dumps(sent)))

    def seen(self, until: Until) -> list[Longs]:  # noqa: ARG002 - nobody is waited for
        return [sum(counts) for counts in zip(*(s.seen() for s in self.shares), strict=True)]

    def resampled(self, seed: int, n_rows: int) -> PackedParts:
        return PackedParts([share.drawn(seed, n_rows) for share in self.shares])


def packed_parts(table: Table) -> CountedEngine:
    """Make an engine that gets packed counts of three parts of the rows, as from a cluster.

    One share has two partitions that do not follow each other.
    """
    n = table.n_rows
    cuts = [0, n // 3, 2 * n // 3, n]
    spans = [span for span in itertools.pairwise(cuts) if span[0] < span[1]]
    groups = [group for group in (spans[1:2], [*spans[:1], *spans[2:]]) if group]
    shares = [
        Share(table.take(np.concatenate([np.arange(*span) for span in group])), group)
        for group in groups
    ]
    return CountedEngine(table.names, table.states, PackedParts(shares))


ENGINES: tuple[EngineOf, ...] = (
    NativeEngine,
    three_blocks,
    *map(disk_of, (1, 2, 7)),
    FarEngine,
    packed_parts,
    Grouped,
)
