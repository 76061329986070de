"""What runs in the workers of a cluster: reading partitions, holding rows, counting them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

import bayesloom
from bayesloom.data import Table
from bayesloom.data.dataset import DataFile
from bayesloom.engine.cluster.counted import Counted
from bayesloom.engine.native import NativeEngine
from bayesloom.errors import BayesloomError, ClusterError, DataError, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bayesloom.arrays import Longs
    from bayesloom.data.chunk import Chunk
    from bayesloom.data.reading import Reading
    from bayesloom.data.scan import Scan, ScannedPart

Rows = DataFile | Table | object
"""Where the rows of a partition come from: a file, a table, or a frame that Dask has computed."""


class Looked(NamedTuple):
    """What a first look at a partition found."""

    part: ScannedPart
    stamp: tuple[int, int] | None


class Share:
    """The rows of some partitions in the memory of a worker, ready to be counted."""

    def __init__(self, engine: NativeEngine) -> None:
        self.engine = engine

    def __sizeof__(self) -> int:
        """Tell the cluster how much would travel if another worker were to count."""
        return 2 * sum(codes.nbytes for codes in self.engine.table.codes)


def look(rows: Rows, title: str, reading: Reading, version: str) -> Looked:
    """Count the values of a partition, so that all can agree on states."""
    from bayesloom.data.scan import scan_part

    _check_version(version)
    stamp = rows.stamp() if isinstance(rows, DataFile) else None
    return Looked(scan_part(_chunks(rows, title, reading), reading, title), stamp)


def read_share(
    rows: Sequence[Rows],
    about: Sequence[tuple[str, tuple[int, int] | None]],
    scan: Scan | None,
    version: str,
) -> Share:
    """Read the partitions of a share.

    Parameters
    ----------
    rows : sequence
        Where their rows come from.
    about : sequence of (title, stamp)
        How messages call each, and how its file looked at first.
    scan : Scan, optional
        The states that all have agreed on; tables have theirs already.
    version : str
        The version of bayesloom that the client has.
    """
    _check_version(version)
    tables = [_read(each, *told, scan) for each, told in zip(rows, about, strict=True)]
    ordered = [table.in_name_order() for table in tables]
    codes = [np.concatenate(each) for each in zip(*(t.codes for t in ordered), strict=True)]
    first = ordered[0]
    return Share(NativeEngine(Table(first.names, first.states, codes), _threads()))


def count(share: Share, packed: bytes) -> Counted:
    """Count the tables of a question."""
    return Counted.by(share.engine, packed)


def seen(share: Share) -> list[Longs]:
    """Return for every variable how many rows are in each of its states."""
    table = share.engine.table
    pairs = zip(table.codes, table.states, strict=True)
    return [np.bincount(codes, minlength=len(states)) for codes, states in pairs]


def _chunks(rows: Rows, title: str, reading: Reading) -> Iterator[Chunk]:
    from bayesloom.data.chunk import chunks, frame_chunks

    if isinstance(rows, DataFile):
        return chunks(rows, reading)
    return frame_chunks(rows, title, reading)


def _read(rows: Rows, title: str, stamp: tuple[int, int] | None, scan: Scan | None) -> Table:
    """Read a partition; what goes wrong names it."""
    if isinstance(rows, Table):
        return rows
    assert scan is not None, "only tables know their states"
    try:
        has_changed = isinstance(rows, DataFile) and rows.stamp() != stamp
        table = None if has_changed else scan.table_of(_chunks(rows, title, scan.reading))
    except (BayesloomError, OSError) as error:
        msg = f"partition {title} is lost and cannot be read again: {shown(str(error), 200)}"
        raise DataError(msg) from None
    if table is None:
        msg = f"partition {title} has changed since it was first read; make the engine anew"
        raise DataError(msg)
    return table


def _threads() -> int:
    """Return how many threads the worker may use."""
    from distributed import get_worker

    return int(get_worker().state.nthreads)


def _check_version(wanted: str) -> None:
    """Refuse to work for a client of another version."""
    if bayesloom.__version__ != wanted:
        raise ClusterError(other_version("a worker", bayesloom.__version__, wanted))


def other_version(worker: str, found: str | None, wanted: str) -> str:
    """Say that a worker has another version, or none."""
    has = "no bayesloom" if found is None else f"bayesloom {found}"
    return f"{worker} has {has}, and this program {wanted}; install the same version on all workers"
