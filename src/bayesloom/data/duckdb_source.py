"""Rows of a DuckDB database: a table or a query, streamed as Arrow record batches."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bayesloom.data.census import ValueNumbers
from bayesloom.data.chunk import CHUNK_ROWS, Chunk, arrow_chunks
from bayesloom.data.dataset import DataFile
from bayesloom.data.frame import choose_columns
from bayesloom.data.path import checked_path
from bayesloom.data.reading import Reading
from bayesloom.data.scan import scan
from bayesloom.data.source import Source
from bayesloom.data.table import Table
from bayesloom.errors import DataError, FileFormatError, MissingExtraError, OptionError

Connection = Any


@dataclass(frozen=True, slots=True)
class DuckDBSource:
    """A table of a DuckDB database, or what a query returns; needs the extra ``duckdb``.

    The database is opened for reading only. A table of Postgres that DuckDB has attached is read by
    a query on a connection of your own.

    Parameters
    ----------
    database : path or connection
        A file, or an open connection. Rows of a connection are encoded anew every time, as nothing
        tells whether they have changed.
    table : str, optional
        The name of a table or a view.
    query : str, optional
        A query, instead of a table.

    Raises
    ------
    OptionError
        If there is not exactly one of table and query, or a value of another kind.

    Examples
    --------
    >>> DuckDBSource("shop.duckdb", table="orders").title
    'shop.duckdb, table orders'
    """

    database: Any
    table: str | None = None
    query: str | None = None

    def __post_init__(self) -> None:
        if (self.table is None) == (self.query is None):
            msg = "a DuckDBSource needs table='orders' or query='select ...', and not both"
            raise OptionError(msg)
        if not isinstance(self.table or self.query, str):
            msg = f"table and query must be texts, got {self.table or self.query!r}"
            raise OptionError(msg)
        if not hasattr(self.database, "execute"):
            checked_path(self.database)

    @property
    def is_file(self) -> bool:
        """Whether the database is a file, which tells when it changes."""
        return not hasattr(self.database, "execute")

    @property
    def title(self) -> str:
        """How messages call the source."""
        place = os.fspath(self.database) if self.is_file else "the connection"
        return f"{place}, table {self.table}" if self.table else f"{place}, a query"

    def fingerprint(self) -> dict[str, Any]:
        """Return plain data that change when the rows might.

        Raises
        ------
        FileFormatError
            If the file is not there.
        """
        place = str(Path(os.fspath(self.database)).resolve())
        stamps = [file.fingerprint() for file in self._files]
        return {"database": place, "stamps": stamps, "rows": self._rows}

    @property
    def _files(self) -> list[DataFile]:
        """The file of the database, and that of what is not yet written into it, if it is there."""
        path = os.fspath(self.database)
        wal = f"{path}.wal"
        return [DataFile(path), *([DataFile(wal)] if Path(wal).exists() else [])]

    @property
    def _rows(self) -> str:
        return f"from {_quoted(self.table)}" if self.table else str(self.query)

    def chunks(self, reading: Reading) -> Iterator[Chunk]:
        """Yield the rows, chunk after chunk.

        Raises
        ------
        MissingExtraError
            If DuckDB is not installed.
        FileFormatError
            If the database cannot be read, or has no such table.
        """
        reading.refuse_file_options("a DuckDB source")
        before = [file.stamp() for file in self._files] if self.is_file else None
        with self._connected() as connection, self._only_sound():
            rows = self._rows.rstrip().rstrip(";")
            names = [x[0] for x in connection.execute(f"describe {rows}").fetchall()]
            order = [names[v] for v in choose_columns(names, reading, Source(self.title))]
            wanted = ", ".join(map(_quoted, order))
            found = connection.sql(f"select {wanted} from ({rows}) as source")  # noqa: S608
            # Called so since version 2.
            stream = getattr(found, "to_arrow_reader", None) or found.fetch_arrow_reader
            reader = stream(CHUNK_ROWS)
            yield from arrow_chunks(reader, reader.schema, DataFile(self.title), order)
        if before is not None and [file.stamp() for file in self._files] != before:
            problem = "the database was changed while it was read; read it again"
            raise FileFormatError(problem, self.title)

    def table_read_with(self, reading: Reading) -> Table:
        """Return all rows as a table in memory."""
        kept: list[Sequence[ValueNumbers]] = []
        return scan(self.chunks(reading), reading, self.title, kept.append).decoded(kept)

    @contextmanager
    def _connected(self) -> Iterator[Connection]:
        if not self.is_file:
            yield self.database.cursor()
            return
        try:
            import duckdb
        except ImportError:
            msg = "DuckDB sources need the package duckdb; install bayesloom[duckdb]"
            raise MissingExtraError(msg) from None
        DataFile(os.fspath(self.database)).stamp()
        with self._only_sound():
            connection = duckdb.connect(os.fspath(self.database), read_only=True)
        try:
            yield connection
        finally:
            connection.close()

    @contextmanager
    def _only_sound(self) -> Iterator[None]:
        """Turn what DuckDB says into one sentence."""
        try:
            yield
        except (DataError, FileFormatError):
            raise
        except Exception as error:
            if not type(error).__module__.partition(".")[0].endswith("duckdb"):
                raise
            reason = str(error).partition("\n")[0]
            problem = f"DuckDB cannot read this ({reason}); check the names and the query"
            raise FileFormatError(problem, self.title) from None


def _quoted(name: str | None) -> str:
    """Return a name as SQL wants it; dots separate catalog, schema and table."""
    return ".".join('"' + part.replace('"', '""') + '"' for part in str(name).split("."))
