"""The engine for a table in memory, by what its columns hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bayesloom.engine.native import NativeEngine

if TYPE_CHECKING:
    from bayesloom.data import Table
    from bayesloom.engine.moments import MomentsEngine


def engine_in_memory(table: Table, threads: int | None = None) -> NativeEngine | MomentsEngine:
    """Return the engine for a table: one that counts, or `MomentsEngine` where there are numbers.

    Parameters
    ----------
    table : Table
        The data.
    threads : int, optional
        How many threads share a batch; by default as many as there are processors.

    Examples
    --------
    >>> from bayesloom.data import Table
    >>> engine_in_memory(Table(["age"], [()], [[39.5, 17.0]])).numeric.tolist()
    [True]
    """
    if not table.numeric.any():
        return NativeEngine(table, threads)
    from bayesloom.engine.moments import MomentsEngine

    return MomentsEngine(table, threads)
