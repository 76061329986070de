"""Read the columns of Parquet and Arrow files."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from bayesloom.data.arrow import ArrowTable, ArrowType, encode_arrow
from bayesloom.data.column import Column
from bayesloom.data.frame import checked_columns, choose_columns
from bayesloom.data.reading import Reading
from bayesloom.data.source import Source
from bayesloom.errors import BayesloomError, FileFormatError

ArrowFile = Any
ArrowReader = Any
ArrowSchema = Any


def read_parquet_columns(path: str, reading: Reading, source: Source) -> list[Column]:
    """Return the chosen columns of a Parquet file; the others are not read.

    Raises
    ------
    FileFormatError
        If the file is not sound.
    DataError
        If the columns break the contract.
    """
    from pyarrow import parquet

    with only_sound("Parquet", source), parquet.ParquetFile(path) as file:
        schema = file.schema_arrow
        chosen = [schema.names[v] for v in choose_columns(schema.names, reading, source)]
        texts = texts_of(schema, chosen)
        with parquet.ParquetFile(path, read_dictionary=texts) as again:
            table = again.read(columns=chosen)
        table.validate(full=True)
    return _encoded(table, chosen, source, frozenset(texts))


def read_ipc_columns(path: str, reading: Reading, source: Source) -> list[Column]:
    """Return the chosen columns of an Arrow file, in the file or in the stream format.

    Raises
    ------
    FileFormatError
        If the file is not sound.
    DataError
        If the columns break the contract.
    """
    import pyarrow as pa

    with only_sound("Arrow", source), pa.OSFile(path) as file:
        table = open_ipc(file).read_all()
        table.validate(full=True)
        names = table.column_names
        chosen = [names[v] for v in choose_columns(names, reading, source)]
    return _encoded(table, chosen, source)


def open_ipc(file: ArrowFile) -> ArrowReader:
    """Open an Arrow file to read it, in the file or in the stream format."""
    import pyarrow as pa

    try:
        return pa.ipc.open_file(file)
    except pa.ArrowInvalid:
        file.seek(0)
        return pa.ipc.open_stream(file)


def texts_of(schema: ArrowSchema, names: Sequence[str]) -> list[str]:
    """Return the columns of texts, which Parquet stores as dictionaries.

    As such they need not be spelled out row by row.
    """
    return [name for name in names if _is_text(schema.field(name).type)]


def _is_text(kind: ArrowType) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _encoded(
    table: ArrowTable, names: list[str], source: Source, texts: Collection[str] = ()
) -> list[Column]:
    """Return the columns of a table; the dictionaries of texts are no declared levels."""
    columns = [
        encode_arrow(name, table.column(name), source, declared=name not in texts) for name in names
    ]
    return checked_columns(columns, source)


@contextmanager
def only_sound(kind: str, source: Source) -> Iterator[None]:
    """Turn what Arrow says about a broken file into one sentence."""
    import pyarrow as pa

    try:
        yield
    except BayesloomError:
        raise
    except (pa.ArrowException, ValueError, OSError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise  # the file system's trouble, not the file's
        reason = str(error).partition("\n")[0]
        msg = f"this is not a sound {kind} file ({reason}); write it again"
        raise FileFormatError(msg, source.title) from None
