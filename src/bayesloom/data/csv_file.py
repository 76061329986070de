"""Read CSV: check the header, then encode the body in threads.

A body without quotes is encoded natively; Arrow parses the others, and those that turn out to be
faulty, whose faults are then looked for line by line.

Cells are text. A cell without a character is missing, also when it is written as a pair of quotes.
Lines without a character are skipped, but are a missing cell in a file of one column.
"""

from __future__ import annotations

import mmap
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from bayesloom.data.arrow import ArrowTable, encode_dictionary
from bayesloom.data.column import Column, column_of_parts
from bayesloom.data.csv_fault import find_fault, line_of_row
from bayesloom.data.csv_header import (
    BOM,
    EMPTY,
    NO_ROWS,
    Header,
    find_delimiter,
    read_header,
    refuse_hidden_delimiter,
)
from bayesloom.data.csv_quote import has_sound_quotes
from bayesloom.data.csv_record import Bytes
from bayesloom.data.options import Options
from bayesloom.data.source import Source
from bayesloom.errors import FileFormatError
from bayesloom.processor import n_processors

_BLOCK = 1 << 22  # bytes that one thread parses at a time
_LARGEST_BLOCK = (1 << 31) - 1


def read_csv_columns(
    path: Path, title: str, options: Options, delimiter: str | None, *, usual: str | None = None
) -> tuple[list[Column], Source]:
    """Return the chosen columns of a CSV file, and a source that knows the lines of its rows.

    Without a delimiter it is the ``usual`` one of such files, or else the one that fits best.

    Raises
    ------
    FileFormatError
        If the file is empty, has no rows, has an undecodable byte, a quote that is not closed at
        the end of its cell or a row of the wrong length, or if a column has no name of its own.
    DataError
        If an option names a column that is not there.
    """
    data = _bytes_of(path, title)
    if not data:
        raise FileFormatError(EMPTY, title)
    header = read_header(data, delimiter or usual or find_delimiter(data), title)
    if delimiter is None:
        refuse_hidden_delimiter(data, header, title)
    source = Source(title, lambda row: line_of_row(data, header, row))
    chosen = options.chosen(header.names, source)
    quoted = data.find(b'"', header.body) >= 0
    if quoted:
        _refuse_unsound_quotes(data, header, title)
    columns = None if quoted else _encode_natively(data, header, chosen)
    if columns is None:
        body = _parse(data, header, chosen, quoted=quoted, title=title)
        columns = [encode_dictionary(header.names[v], body.column(k)) for k, v in enumerate(chosen)]
    if columns[0].n_rows == 0:
        raise FileFormatError(NO_ROWS, title)
    return columns, source


def _bytes_of(path: Path, title: str) -> Bytes:
    """Return the bytes of a file: mapped, not copied, unless they have to be unpacked."""
    if path.suffix.lower() == ".gz":
        import gzip
        import zlib

        try:
            return gzip.decompress(path.read_bytes())
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            msg = f"the file cannot be unpacked ({error}); compress it again with gzip"
            raise FileFormatError(msg, title) from None
    with path.open("rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def _encode_natively(data: Bytes, header: Header, chosen: Sequence[int]) -> list[Column] | None:
    """Return the chosen columns of a body without quotes, or None if something is wrong with it."""
    from bayesloom import _native

    body = np.frombuffer(data, dtype=np.uint8)[header.body :]
    threads = n_processors()
    found = _native.encode_text(body, header.delimiter, len(header.names), chosen, threads)
    if found is None:
        return None
    try:
        return [
            column_of_parts(header.names[v], [(_decoded(labels), codes) for labels, codes in parts])
            for v, parts in zip(chosen, found, strict=True)
        ]
    except UnicodeDecodeError:
        return None


def _decoded(labels: Sequence[bytes]) -> list[str | None]:
    return [label.decode() or None for label in labels]


def _parse(
    data: Bytes, header: Header, chosen: Sequence[int], *, quoted: bool, title: str
) -> ArrowTable:
    """Return the chosen columns of the body as Arrow dictionaries."""
    import pyarrow as pa

    if header.body == len(data):
        raise FileFormatError(NO_ROWS, title)
    try:
        return _parsed_in_blocks(data, header, chosen, quoted=quoted, block=_BLOCK)
    except pa.ArrowInvalid:
        fault = find_fault(data, header, title)
        if fault is not None:
            raise fault from None
    try:  # a row longer than a block
        return _parsed_in_blocks(data, header, chosen, quoted=quoted, block=_LARGEST_BLOCK)
    except pa.ArrowInvalid as error:
        msg = f"the file cannot be parsed ({error}); save it as comma-separated UTF-8 text"
        raise FileFormatError(msg, title) from None


def _parsed_in_blocks(
    data: Bytes, header: Header, chosen: Sequence[int], *, quoted: bool, block: int
) -> ArrowTable:
    import pyarrow as pa
    from pyarrow import csv

    names = [str(v) for v in range(len(header.names))]
    text = pa.dictionary(pa.int32(), pa.string())
    body = pa.py_buffer(data).slice(header.body)
    if data[header.body : header.body + len(BOM)] == BOM:  # a label; Arrow would skip it
        body = pa.py_buffer(BOM + data[header.body :])
    return csv.read_csv(
        pa.BufferReader(body),
        read_options=csv.ReadOptions(column_names=names, block_size=block),
        parse_options=csv.ParseOptions(
            delimiter=header.delimiter,
            newlines_in_values=quoted,
            ignore_empty_lines=len(names) > 1,
        ),
        convert_options=csv.ConvertOptions(
            column_types=dict.fromkeys(names, text),
            include_columns=[names[v] for v in chosen],
            null_values=[""],
            strings_can_be_null=True,
        ),
    )


def _refuse_unsound_quotes(data: Bytes, header: Header, title: str) -> None:
    """Refuse quotes that are never closed and text after closed ones, which Arrow accepts."""
    if not has_sound_quotes(data, header.body, header.delimiter):
        fault = find_fault(data, header, title)
        if fault is not None:
            raise fault
