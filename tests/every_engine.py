"""Every kind of engine; tests of what engines promise run on all of them."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pyarrow as pa

from bayesloom.data import Reading, Table
from bayesloom.engine import BlockEngine, Engine, NativeEngine
from bayesloom.engine.disk import DiskEngine
from bayesloom.engine.opening import open_source

EngineOf = Callable[[Table], Engine]


def three_blocks(table: Table) -> BlockEngine:
    """Make an engine that gets the rows in three blocks, or fewer if there are fewer rows."""
    size = -(-table.n_rows // 3)
    return BlockEngine([table.take(slice(i, i + size)) for i in range(0, table.n_rows, size)])


def on_disk(table: Table, n_blocks: int, threads: int | None = None) -> DiskEngine:
    """Make an engine that reads the rows from so many blocks on a disk, or fewer."""
    size = -(-table.n_rows // n_blocks)
    arrow = table.to_arrow()
    with tempfile.TemporaryDirectory() as folder:  # an open file outlives its name
        with pa.ipc.new_file(Path(folder, "rows.arrow"), arrow.schema) as file:
            file.write_table(arrow)
        found = open_source(
            Path(folder, "rows.arrow"), Reading(), cache=Path(folder, "cache"), block_rows=size
        )
        return DiskEngine(found.cache, "64MB", threads, in_name_order=False)


def disk_of(n_blocks: int) -> EngineOf:
    made = partial(on_disk, n_blocks=n_blocks)
    made.__name__ = f"disk_of_{n_blocks}"  # type: ignore[attr-defined]
    return made


ENGINES: tuple[EngineOf, ...] = (NativeEngine, three_blocks, *map(disk_of, (1, 2, 7)))
