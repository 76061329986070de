"""Read a file some rows at a time, each time as the columns that reading it whole would give."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from bayesloom.data.arrow import ArrowTable, ArrowType, encode_arrow
from bayesloom.data.arrow_file import ArrowSchema, only_sound, open_ipc, texts_of
from bayesloom.data.byte_file import CHANGED
from bayesloom.data.column import MISSING, Column, Part
from bayesloom.data.csv_file import csv_chunks, csv_names
from bayesloom.data.dataset import DataFile
from bayesloom.data.frame import choose_columns
from bayesloom.data.reader import ARROW, CSV, PARQUET, file_kind
from bayesloom.data.reading import Reading
from bayesloom.data.source import Source
from bayesloom.data.text_file import TextFile
from bayesloom.errors import DataError, FileFormatError, shown

CHUNK_ROWS = 102_400
"""How many rows are taken of a Parquet file at a time."""

TEXT = "text"


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some rows of a source: their columns, the kinds of these, and where the rows stand."""

    columns: list[Column]
    kinds: tuple[str, ...]
    source: Source


def chunks(file: DataFile, reading: Reading) -> Iterator[Chunk]:
    """Yield the rows of a file, with the columns that its folders hold, chunk after chunk.

    Raises
    ------
    FileFormatError
        If the file is not there, is unsound or changes while it is read.
    DataError
        If its columns break the contract.
    """
    kind = file_kind(file.path)
    if kind not in CSV:
        reading.refuse_file_options(f"a {kind} file")
    stamp = file.stamp()
    read = _parquet if kind in PARQUET else _ipc if kind in ARROW else _text
    try:
        yield from read(file, reading)
    except OSError as error:
        problem = f"the file cannot be read ({error.strerror or error}); check that you may read it"
        raise FileFormatError(problem, file.path) from None
    if file.stamp() != stamp:
        raise FileFormatError(CHANGED, file.path)


def _text(file: DataFile, reading: Reading) -> Iterator[Chunk]:
    path, start = file.path, 0
    usual = "\t" if file_kind(path).startswith(".tsv") else None
    text = TextFile(path, path, reading.encoding)
    own = _own_reading(reading, file)
    order = _order(csv_names(text, own, usual=usual), file, reading)
    for columns, source in csv_chunks(text, own, usual=usual):
        n = columns[0].n_rows
        whole = _with_partition(columns, file, order, n)
        yield Chunk(whole, (TEXT,) * len(order), replace(source, rows=range(start, start + n)))
        start += n


def _parquet(file: DataFile, reading: Reading) -> Iterator[Chunk]:
    from pyarrow import parquet

    with only_sound("Parquet", Source(file.path)), parquet.ParquetFile(file.path) as opened:
        schema = opened.schema_arrow
        order = _order(schema.names, file, reading)
        there = frozenset(schema.names)
        chosen = [name for name in order if name in there]
        texts = texts_of(schema, chosen)
        groups = None if file.row_groups is None else list(range(*file.row_groups))
        skipped = range(groups[0] if groups else 0)
        before = sum(opened.metadata.row_group(k).num_rows for k in skipped)
        with parquet.ParquetFile(file.path, read_dictionary=texts) as again:
            batches = again.iter_batches(CHUNK_ROWS, row_groups=groups, columns=chosen)
            yield from arrow_chunks(batches, schema, file, order, frozenset(texts), before=before)


def divided(file: DataFile, n: int) -> list[DataFile]:
    """Divide a Parquet file at its row groups into at most ``n`` parts of about as many rows each.

    Other files, and such as cannot be read, stay whole: a cell in quotes may hold the ends of
    lines, so that nobody who begins in the middle of a text knows where he is.
    """
    import pyarrow as pa
    from pyarrow import parquet

    try:
        if n == 1 or file_kind(file.path) not in PARQUET:
            return [file]
        found = parquet.read_metadata(file.path)
    except (pa.ArrowException, OSError, ValueError):
        return [file]  # reading it says what is wrong
    rows = [found.row_group(k).num_rows for k in range(found.num_row_groups)]
    ends = np.cumsum(rows)
    cuts = {int(np.searchsorted(ends, found.num_rows * k / n)) + 1 for k in range(1, n)}
    places = [0, *sorted(cuts - {len(rows)}), len(rows)]
    if len(places) < 3 or found.num_rows == 0:  # noqa: PLR2004 - one part
        return [file]
    return [replace(file, row_groups=pair) for pair in pairwise(places)]


def _ipc(file: DataFile, reading: Reading) -> Iterator[Chunk]:
    import pyarrow as pa

    with only_sound("Arrow", Source(file.path)), pa.OSFile(file.path) as opened:
        reader = open_ipc(opened)
        n = getattr(reader, "num_record_batches", None)
        batches = iter(reader) if n is None else (reader.get_batch(k) for k in range(n))
        order = _order(reader.schema.names, file, reading)
        yield from arrow_chunks(batches, reader.schema, file, order)


def arrow_chunks(
    batches: Iterable[ArrowTable],
    schema: ArrowSchema,
    file: DataFile,
    order: list[str],
    texts: frozenset[str] = frozenset(),
    *,
    before: int = 0,
) -> Iterator[Chunk]:
    """Yield the chunks of record batches; the dictionaries of ``texts`` are no declared levels.

    ``before`` rows of the file come before them.
    """
    there = frozenset(schema.names)
    kinds = tuple(kind_of(schema.field(x).type) if x in there else TEXT for x in order)
    at = before
    for batch in batches:
        batch.validate(full=True)
        for start in range(0, batch.num_rows, CHUNK_ROWS):
            part = batch.slice(start, CHUNK_ROWS)
            n = part.num_rows
            source = Source(file.path, rows=range(at, at + n))
            columns = [
                encode_arrow(name, part.column(name), source, declared=name not in texts)
                for name in order
                if name in there
            ]
            yield Chunk(_with_partition(columns, file, order, n), kinds, source)
            at += n


def _own_reading(reading: Reading, file: DataFile) -> Reading:
    """Return the reading of the file itself, without the columns that its folders hold."""
    above = {name for name, _ in file.partition}
    if not above:
        return reading
    columns = None if reading.columns is None else [x for x in reading.columns if x not in above]
    states = {k: v for k, v in (reading.states or {}).items() if k not in above} or None
    return replace(
        reading,
        columns=columns,
        drop=[x for x in reading.drop if x not in above],
        states=states,
        discretize="none",
        target=None,
    )


def _order(names: tuple[str, ...] | list[str], file: DataFile, reading: Reading) -> list[str]:
    """Return the columns of a file and its folders that are to be read, in order."""
    for name, _ in file.partition:
        if name in set(names):
            what = f"column {shown(repr(name))} is in the file and in the name of a folder above it"
            msg = f"{file.path}: {what}; rename one of them"
            raise DataError(msg)
    every = [*names, *(name for name, _ in file.partition)]
    return [every[v] for v in choose_columns(every, reading, Source(file.path))]


def _with_partition(
    columns: list[Column], file: DataFile, order: list[str], n_rows: int
) -> list[Column]:
    """Return all the columns in order, with those that the folders hold."""
    found = {column.name: column for column in columns}
    for name, value in file.partition:
        code = np.array([MISSING if value is None else 0], np.intp)
        values = () if value is None else (value,)
        found[name] = Column(name, values, (Part(np.zeros(n_rows, np.uint8), code),))
    return [found[name] for name in order]


def kind_of(kind: ArrowType) -> str:
    """Return what values of an Arrow type are, for comparing files: numbers are numbers.

    Examples
    --------
    >>> import pyarrow as pa
    >>> kind_of(pa.int8()), kind_of(pa.float64()), kind_of(pa.date32()), kind_of(pa.large_string())
    ('number', 'number', 'date32[day]', 'text')
    """
    import pyarrow as pa

    types = pa.types
    if types.is_null(kind):
        return ""
    if types.is_dictionary(kind):
        return "category"
    if types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind):
        return TEXT
    if types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind):
        return "number"
    return "truth value" if types.is_boolean(kind) else str(kind)


def frame_chunks(frame: object, title: str, reading: Reading) -> Iterator[Chunk]:
    """Yield the rows of a pandas frame, chunk after chunk; messages call it by the title.

    Raises
    ------
    DataError
        If its columns break the contract.
    """
    import pyarrow as pa

    reading.refuse_file_options(title)
    file = DataFile(title)
    try:
        table = pa.Table.from_pandas(frame, preserve_index=False)
    except (pa.ArrowException, TypeError) as error:
        msg = f"{title}: {shown(str(error))}; give columns of text, numbers or categories"
        raise DataError(msg) from None
    order = _order(table.column_names, file, reading)
    yield from arrow_chunks(table.to_batches(), table.schema, file, order)
