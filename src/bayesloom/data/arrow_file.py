"""Read the columns of Parquet and Arrow files."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bayesloom.data.arrow import ArrowTable
from bayesloom.data.column import Column
from bayesloom.data.frame import choose_columns, encode_columns
from bayesloom.data.reading import Reading
from bayesloom.data.source import Source
from bayesloom.errors import BayesloomError, FileFormatError


def read_parquet_columns(path: Path, reading: Reading, source: Source) -> list[Column]:
    """Return the chosen columns of a Parquet file; the others are not read.

    Raises
    ------
    FileFormatError
        If the file is not sound.
    DataError
        If the columns break the contract.
    """
    from pyarrow import parquet

    with _only_sound("Parquet", source), parquet.ParquetFile(path) as file:
        names = file.schema_arrow.names
        chosen = [names[v] for v in choose_columns(names, reading, source)]
        table = file.read(columns=chosen)
        table.validate(full=True)
    return _encoded(table, chosen, source)


def read_ipc_columns(path: Path, reading: Reading, source: Source) -> list[Column]:
    """Return the chosen columns of an Arrow file, in the file or in the stream format.

    Raises
    ------
    FileFormatError
        If the file is not sound.
    DataError
        If the columns break the contract.
    """
    import pyarrow as pa

    with _only_sound("Arrow", source), pa.OSFile(str(path)) as file:
        try:
            table = pa.ipc.open_file(file).read_all()
        except pa.ArrowInvalid:
            file.seek(0)
            table = pa.ipc.open_stream(file).read_all()
        table.validate(full=True)
        names = table.column_names
        chosen = [names[v] for v in choose_columns(names, reading, source)]
    return _encoded(table, chosen, source)


def _encoded(table: ArrowTable, names: list[str], source: Source) -> list[Column]:
    return encode_columns([(name, table.column(name)) for name in names], source)


@contextmanager
def _only_sound(kind: str, source: Source) -> Iterator[None]:
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
