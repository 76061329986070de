"""Say in which line of a CSV file a row stands, or a fault is."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace

from bayesloom.data.byte_file import CHANGED
from bayesloom.data.csv_header import Header
from bayesloom.data.csv_record import CsvRecord, count_line_ends, read_records
from bayesloom.data.text_file import NAME_THE_ENCODING, TextFile
from bayesloom.errors import FileFormatError, shown
from bayesloom.graphs.text import counted


def rows_of(file: TextFile, header: Header) -> Iterator[CsvRecord]:
    """Yield the records that are rows of the table.

    Lines without a character are skipped, but are a missing cell if there is only one column.
    """
    with file.open() as stream:
        records = read_records(stream, header.delimiter, file.title, header.body, header.lines)
        for record in records:
            if record.cells:
                yield record
            elif len(header.names) == 1:
                yield replace(record, cells=[b""])


def line_of_row(file: TextFile, header: Header, row: int) -> int:
    """Return the line, counted from 1, in which a row of the table starts.

    Raises
    ------
    FileFormatError
        If the file has no such row any more.
    """
    found = next(itertools.islice(rows_of(file, header), row, None), None)
    if found is None:
        raise FileFormatError(CHANGED, file.title)
    return found.first_line


def find_fault(file: TextFile, header: Header) -> FileFormatError:
    """Return the first fault of a file: a byte, the length of a row, or a quote."""
    title = file.title
    try:
        for row in rows_of(file, header):
            fault = _wrong_length(row, header, title) or _undecodable(row, header, title)
            if fault is not None:
                return fault
    except FileFormatError as error:
        return error
    return FileFormatError(CHANGED, title)


def _wrong_length(row: CsvRecord, header: Header, title: str) -> FileFormatError | None:
    n = len(header.names)
    if len(row.cells) == n:
        return None
    there = f"there {'is' if n == 1 else 'are'} {counted(n, 'column')}"
    msg = (
        f"the row has {counted(len(row.cells), 'cell')} but {there}; add or remove cells, or put "
        f"cells that contain the delimiter {header.delimiter!r} in quotes"
    )
    return FileFormatError(msg, title, row.first_line)


def _undecodable(row: CsvRecord, header: Header, title: str) -> FileFormatError | None:
    raw = row.raw
    try:
        raw.decode()
    except UnicodeDecodeError as error:
        cells = zip(header.names, row.cells, strict=True)
        name = next(name for name, cell in cells if not _is_utf8(cell))
        msg = (
            f"the byte 0x{raw[error.start]:02x} in column {shown(repr(name))} is not UTF-8 text; "
            f"{NAME_THE_ENCODING}"
        )
        return FileFormatError(msg, title, row.first_line + count_line_ends(raw[: error.start]))
    return None


def _is_utf8(cell: bytes) -> bool:
    try:
        cell.decode()
    except UnicodeDecodeError:
        return False
    return True
