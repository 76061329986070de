"""Every kind of engine; tests of what engines promise run on all of them."""

from __future__ import annotations

from collections.abc import Callable

from bayesloom.data import Table
from bayesloom.engine import BlockEngine, Engine, NativeEngine

EngineOf = Callable[[Table], Engine]


def three_blocks(table: Table) -> BlockEngine:
    """Make an engine that gets the rows in three blocks, or fewer if there are fewer rows."""
    size = -(-table.n_rows // 3)
    return BlockEngine([table.take(slice(i, i + size)) for i in range(0, table.n_rows, size)])


ENGINES: tuple[EngineOf, ...] = (NativeEngine, three_blocks)
