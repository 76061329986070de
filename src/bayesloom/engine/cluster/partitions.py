"""How the rows of a source are divided among the workers of a cluster."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import bayesloom
from bayesloom.data import Reading, Table
from bayesloom.engine.cluster.connection import ClusterConnection
from bayesloom.engine.cluster.share import Looked, Rows, look
from bayesloom.engine.opening import refuse_holes
from bayesloom.errors import DataError

if TYPE_CHECKING:
    from bayesloom.data.scan import Scan


class Partition(NamedTuple):
    """Some rows of a source, which a worker reads and, when it is lost, another one."""

    title: str
    rows: Rows
    n_rows: int
    stamp: tuple[int, int] | None = None
    """Of a file, what changes when it does."""


@dataclass(frozen=True, slots=True)
class Partitions:
    """The partitions of a source and the states that they have agreed on."""

    parts: tuple[Partition, ...]
    names: tuple[str, ...]
    states: tuple[tuple[str, ...], ...]
    scan: Scan | None
    columns: tuple[str, ...]
    """The variables in the order of the data."""
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, source: object, connection: ClusterConnection, reading: Reading) -> Partitions:
        """Look at a source: files, a frame of Dask, or tables.

        Raises
        ------
        DataError, FileFormatError
            If the data break the contract, or a file cannot be read.
        """
        refuse_holes(reading.missing, "a cluster")
        if isinstance(source, Table):
            source = [source]
        if isinstance(source, Sequence) and source and isinstance(source[0], Table):
            tables = [reading.apply(each) for each in source]
            if not all(table.is_complete for table in tables):
                refuse_holes("keep", "a cluster")
            return cls._of_tables(tables)
        if hasattr(source, "to_delayed"):
            frames = connection.client.compute(list(source.to_delayed()))
            titles = [f"{k} of the frame" for k in range(len(frames))]
            return cls._looked_at(frames, titles, connection, reading)
        from bayesloom.data.dataset import data_files

        files = data_files(source)  # type: ignore[arg-type]
        return cls._looked_at(files, [file.path for file in files], connection, reading)

    @classmethod
    def _of_tables(cls, tables: Sequence[Table]) -> Partitions:
        ordered = [table.in_name_order() for table in tables]
        names, states = ordered[0].names, ordered[0].states
        for k, table in enumerate(ordered):
            if (table.names, table.states) != (names, states):
                msg = f"table {k} has other variables or states than the first; declare the same"
                raise DataError(msg)
        parts = tuple(Partition(f"{k}", each, each.n_rows) for k, each in enumerate(ordered))
        return cls(parts, names, states, None, tables[0].names, tables[0].notes)

    @classmethod
    def _looked_at(
        cls,
        rows: Sequence[Rows],
        titles: Sequence[str],
        connection: ClusterConnection,
        reading: Reading,
    ) -> Partitions:
        """Let workers count the values of all partitions, and agree on states."""
        from bayesloom.data.scan import agreed

        n, version = len(rows), bayesloom.__version__
        looks = connection.start(look, rows, titles, [reading] * n, [version] * n)
        found: list[Looked] = connection.results(looks)
        title = titles[0] if len(titles) == 1 else f"{titles[0]} and {len(titles) - 1} more"
        scan = agreed([each.part for each in found], reading, title)
        order = sorted(range(len(scan.names)), key=lambda v: scan.names[v])
        parts = (
            Partition(name, each, seen.part.n_kept(reading), seen.stamp)
            for each, name, seen in zip(rows, titles, found, strict=True)
        )
        return cls(
            tuple(part for part in parts if part.n_rows),
            tuple(scan.names[v] for v in order),
            tuple(scan.states[v] for v in order),
            scan,
            scan.names,
            scan.notes,
        )

    def divided(self, n: int) -> list[list[Partition]]:
        """Divide the partitions into at most ``n`` groups with about as many rows each."""
        groups: list[list[Partition]] = [[] for _ in range(min(n, len(self.parts)))]
        for part in sorted(self.parts, key=lambda each: -each.n_rows):
            min(groups, key=lambda group: sum(each.n_rows for each in group)).append(part)
        return groups
