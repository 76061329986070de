"""The engine for rows in the workers of a Dask cluster."""

from __future__ import annotations

import statistics
import time
from typing import TYPE_CHECKING, Unpack

from bayesloom.data import Reading
from bayesloom.engine.batch import Batch
from bayesloom.engine.cluster.connection import ClusterConnection
from bayesloom.engine.cluster.counted import SplitBatch
from bayesloom.engine.cluster.counted_engine import CountedEngine
from bayesloom.engine.cluster.partitions import Partitions
from bayesloom.engine.cluster.shares import Shares
from bayesloom.errors import check_number

if TYPE_CHECKING:
    from distributed import Client

    from bayesloom.data.reading import ReadingOptions

_PROBES = 5  # round trips that are timed


class DaskEngine(CountedEngine):
    """Answer batches from rows that are spread over the workers of a Dask cluster.

    Every worker holds a share of the rows in memory and counts it; a batch goes out once, and the
    counts come back summed. The answers are those of `NativeEngine`, bit for bit. When a worker
    dies, others read its share again. `round_trip` is measured, and searches adapt to it.

    Parameters
    ----------
    client : distributed.Client
        A client of any cluster: local, Kubernetes, SLURM, YARN.
    source : path, glob, folder, list of paths, dask dataframe or list of Table
        The rows. Workers read files themselves, so paths must mean the same to all of them. Tables
        have the same variables and states, and travel to the workers.
    patience : float
        How many seconds to wait for a cluster that has lost all its workers; also for what a search
        that is over must still know.
    **reading
        How files and frames are read, such as ``missing="keep"``; see `bayesloom.Reading`.

    Raises
    ------
    DataError, FileFormatError
        If the rows break the data contract, or a file cannot be read.
    ClusterError
        If the cluster is gone, has no workers, or workers with another version of bayesloom.

    Examples
    --------
    >>> from bayesloom.data import Table
    >>> from distributed import Client  # doctest: +SKIP
    >>> client = Client("tcp://scheduler:8786")  # doctest: +SKIP
    >>> engine = DaskEngine(client, "big/*.parquet")  # doctest: +SKIP
    >>> bayesloom.learn(engine)  # doctest: +SKIP
    """

    def __init__(
        self,
        client: Client,
        source: object,
        *,
        patience: float = 60.0,
        **reading: Unpack[ReadingOptions],
    ) -> None:
        check_number("patience", patience, above=0)
        how = Reading.from_dict(reading, DaskEngine)
        connection = ClusterConnection(client, patience)
        connection.workers()
        connection.check_versions()
        partitions = Partitions.of(source, connection, how)
        self._columns, self._notes = partitions.columns, partitions.notes
        shares = Shares(partitions, connection)
        super().__init__(partitions.names, partitions.states, shares)
        self._seconds = self._measured()

    @property
    def columns(self) -> tuple[str, ...]:
        """The variables in the order of the data."""
        return self._columns

    @property
    def notes(self) -> tuple[str, ...]:
        """What a user should know about the data."""
        return self._notes

    @property
    def round_trip(self) -> float:
        """How many seconds a batch costs besides the counting, as measured in the beginning."""
        return self._seconds

    def _measured(self) -> float:
        probe = SplitBatch.of(Batch.sets([(0,)]), self._cardinality)
        seconds = []
        for _ in range(_PROBES):
            started = time.monotonic()
            self._counter.ask(probe, self._until)
            seconds.append(time.monotonic() - started)
        return statistics.median(seconds)
