"""What runs in the workers of a cluster: reading partitions, holding rows, counting them."""

from __future__ import annotations

import socket
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

import bayesloom
from bayesloom import _native
from bayesloom.data import Table
from bayesloom.data.dataset import DataFile
from bayesloom.engine.cluster.counted import Counted, lists_of, unpacked
from bayesloom.engine.resample import Weights, row_weights
from bayesloom.errors import BayesloomError, ClusterError, DataError, FileFormatError, shown

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


class About(NamedTuple):
    """How messages call a partition, how its file looked at first, and which rows it holds."""

    title: str
    stamp: tuple[int, int] | None
    first: int
    """How many rows come before it in the data."""
    n_rows: int


class Share:
    """The rows of some partitions in the memory of a worker, ready to be counted.

    Parameters
    ----------
    table : Table
        The rows, with columns in name order.
    spans : sequence of (first, last)
        Which rows of all data they are, partition after partition.
    threads : int
        How many threads count.
    weights : array of int, optional
        How often each row was drawn; without it, each stands for itself.
    """

    def __init__(
        self,
        table: Table,
        spans: Sequence[tuple[int, int]],
        threads: int = 1,
        weights: Weights | None = None,
    ) -> None:
        self.table = table
        self.spans = tuple(spans)
        self.threads = threads
        self.weights = None if weights is None else np.require(weights, requirements=["C", "A"])
        self._cardinality = np.array(table.cardinality, np.int32)
        self._store: _native.Store | None = None
        if weights is None or weights.any():
            self._store = _native.Store(
                list(table.codes), self._cardinality, threads=threads, weights=self.weights
            )

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        """Travel as rows, and make the store anew."""
        return type(self), (self.table, self.spans, self.threads, self.weights)

    def __sizeof__(self) -> int:
        """Tell the cluster how much would travel if another worker were to count."""
        return 2 * sum(codes.nbytes for codes in self.table.codes)

    def drawn(self, seed: int, n_rows: int) -> Share:
        """Return the rows as often as they are drawn in a replicate of all ``n_rows`` rows."""
        parts = [row_weights(seed, n_rows, first, last) for first, last in self.spans]
        return Share(self.table, self.spans, self.threads, np.concatenate(parts))

    def counted(self, packed: bytes) -> Counted:
        """Count the tables of a question."""
        dense, sparse = unpacked(packed)
        start = dense.table_starts(self._cardinality)
        cells = np.zeros(start[-1], np.int64)
        if len(dense) and self._store is not None:
            cells = self._store.counts(*dense.arrays, start, self.threads, None)
        return Counted.of(cells, lists_of(self.table, sparse, self.weights))

    def seen(self) -> list[Longs]:
        """Return for every variable how many rows are in each of its states, and missing."""
        sizes = (self._cardinality + 1).tolist()
        return [
            np.bincount(codes, self.weights, minlength=size).astype(np.int64)
            for codes, size in zip(self.table.codes, sizes, strict=True)
        ]


def look(rows: Rows, title: str, reading: Reading, version: str) -> Looked:
    """Count the values of a partition, so that all can agree on states."""
    from bayesloom.data.scan import scan_part

    check_version(version)
    stamp = None
    if isinstance(rows, DataFile):
        if not Path(rows.path).exists():
            problem = (
                f"a worker on {socket.gethostname()} does not find the file; give a path that "
                "means the same on all machines"
            )
            raise FileFormatError(problem, rows.path)
        stamp = rows.stamp()
    return Looked(scan_part(_chunks(rows, title, reading), reading, title), stamp)


def read_share(
    rows: Sequence[Rows], about: Sequence[About], scan: Scan | None, version: str
) -> Share:
    """Read the partitions of a share.

    Parameters
    ----------
    rows : sequence
        Where their rows come from.
    about : sequence of About
        What is known of each.
    scan : Scan, optional
        The states that all have agreed on; tables have theirs already.
    version : str
        The version of bayesloom that the client has.
    """
    check_version(version)
    tables = [_read(each, told, scan) for each, told in zip(rows, about, strict=True)]
    ordered = [table.in_name_order() for table in tables]
    codes = [np.concatenate(each) for each in zip(*(t.codes for t in ordered), strict=True)]
    first = ordered[0]
    table = Table(first.names, first.states, codes, holes=True)
    spans = [(part.first, part.first + part.n_rows) for part in about]
    return Share(table, spans, _threads())


def draw(share: Share, seed: int, n_rows: int) -> Share:
    """Draw the rows of a share for a replicate."""
    return share.drawn(seed, n_rows)


def count(share: Share, packed: bytes) -> Counted:
    """Count the tables of a question."""
    return share.counted(packed)


def seen(share: Share) -> list[Longs]:
    """Return for every variable how many rows are in each of its states, and missing."""
    return share.seen()


def _chunks(rows: Rows, title: str, reading: Reading) -> Iterator[Chunk]:
    from bayesloom.data.chunk import chunks, frame_chunks

    if isinstance(rows, DataFile):
        return chunks(rows, reading)
    return frame_chunks(rows, title, reading)


def _read(rows: Rows, about: About, scan: Scan | None) -> Table:
    """Read a partition; what goes wrong names it."""
    if isinstance(rows, Table):
        return rows
    assert scan is not None, "only tables know their states"
    title = about.title
    try:
        has_changed = isinstance(rows, DataFile) and rows.stamp() != about.stamp
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


def check_version(wanted: str) -> None:
    """Refuse to work for a client of another version.

    Raises
    ------
    ClusterError
        If the client has another one.
    """
    if bayesloom.__version__ != wanted:
        raise ClusterError(other_version("a worker", bayesloom.__version__, wanted))


def other_version(worker: str, found: str | None, wanted: str) -> str:
    """Say that a worker has another version, or none."""
    has = "no bayesloom" if found is None else f"bayesloom {found}"
    return f"{worker} has {has}, and this program {wanted}; install the same version on all workers"
