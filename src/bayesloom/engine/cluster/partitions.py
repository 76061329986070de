"""How the rows of a source are divided among the workers of a cluster."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, repeat
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import bayesloom
from bayesloom.data import Reading, Table
from bayesloom.engine.cluster.connection import ClusterConnection
from bayesloom.engine.cluster.share import About, Looked, Rows, look
from bayesloom.engine.cluster.waiting import LostError, deadly
from bayesloom.errors import ClusterError, DataError

if TYPE_CHECKING:
    from bayesloom.data.scan import Scan


_PER_WORKER = 4  # partitions of few files, so that workers get about as many rows each


class Partition(NamedTuple):
    """Some rows of a source, which a worker reads and, when it is lost, another one."""

    rows: Rows
    about: About


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
        if isinstance(source, Table):
            source = [source]
        if isinstance(source, Sequence) and source and isinstance(source[0], Table):
            return cls._of_tables([reading.apply(each) for each in source])
        if hasattr(source, "to_delayed"):
            frames = connection.client.compute(list(source.to_delayed()))
            titles = [f"{k} of the frame" for k in range(len(frames))]
            return cls._looked_at(frames, titles, connection, reading)
        from bayesloom.data.chunk import divided
        from bayesloom.data.dataset import data_files

        files = [
            replace(file, path=str(Path(file.path).absolute()))  # workers stand elsewhere
            for file in data_files(source)  # type: ignore[arg-type]
        ]
        parts_each = -(-_PER_WORKER * len(connection.workers()) // len(files))
        parts = [part for file in files for part in divided(file, parts_each)]
        return cls._looked_at(parts, [part.title for part in parts], connection, reading)

    @classmethod
    def _of_tables(cls, tables: Sequence[Table]) -> Partitions:
        ordered = [table.in_name_order() for table in tables]
        names, states = ordered[0].names, ordered[0].states
        for k, table in enumerate(ordered):
            if (table.names, table.states) != (names, states):
                msg = f"table {k} has other variables or states than the first; declare the same"
                raise DataError(msg)
        sizes = [table.n_rows for table in ordered]
        parts = _numbered(ordered, map(str, range(len(ordered))), sizes)
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
        from bayesloom.data.number_column import refuse_numbers
        from bayesloom.data.scan import agreed

        n, version = len(rows), bayesloom.__version__
        looks = connection.start(look, rows, titles, [reading] * n, [version] * n)
        try:
            found: list[Looked] = connection.results(looks, connection.waiting())
        except LostError:
            raise ClusterError(deadly(titles)) from None
        title = titles[0] if len(titles) == 1 else f"{titles[0]} and {len(titles) - 1} more"
        scan = agreed([each.part for each in found], reading, title)
        refuse_numbers("the engine on a cluster", scan)
        order = sorted(range(len(scan.names)), key=lambda v: scan.names[v])
        sizes = [each.part.n_kept(reading) for each in found]
        return cls(
            _numbered(rows, titles, sizes, [each.stamp for each in found]),
            tuple(scan.names[v] for v in order),
            tuple(scan.states[v] for v in order),
            scan,
            scan.names,
            scan.notes,
        )

    def divided(self, n: int) -> list[list[Partition]]:
        """Divide the partitions into at most ``n`` groups with about as many rows each."""
        groups: list[list[Partition]] = [[] for _ in range(min(n, len(self.parts)))]
        for part in sorted(self.parts, key=lambda each: -each.about.n_rows):
            min(groups, key=lambda group: sum(each.about.n_rows for each in group)).append(part)
        return groups


def _numbered(
    rows: Iterable[Rows],
    titles: Iterable[str],
    sizes: Sequence[int],
    stamps: Iterable[tuple[int, int] | None] = repeat(None),
) -> tuple[Partition, ...]:
    """Return the partitions that have rows, and where these stand among all."""
    firsts = accumulate(sizes, initial=0)
    about = map(About, titles, stamps, firsts, sizes)
    return tuple(Partition(*pair) for pair in zip(rows, about, strict=False) if pair[1].n_rows)
