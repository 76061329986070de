"""Say in which line of a CSV file a row stands, or a fault is."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace

from bayesloom.data.csv_header import Header
from bayesloom.data.csv_quote import quote_fault
from bayesloom.data.csv_record import Bytes, Record, split_lines, split_records
from bayesloom.errors import FileFormatError


def rows_of(data: Bytes, header: Header, title: str) -> Iterator[Record]:
    """Yield the records that are rows of the table.

    Lines without a character are skipped, but are a missing cell if there is only one column.
    """
    lines = split_lines(data[header.body :])
    for record in split_records(lines, header.delimiter, title, header.lines):
        if record.cells:
            yield record
        elif len(header.names) == 1:
            yield replace(record, cells=[""])


def line_of_row(data: Bytes, header: Header, row: int) -> int:
    """Return the line, counted from 1, in which a row of the table starts."""
    return next(itertools.islice(rows_of(data, header, ""), row, None)).first_line


def find_fault(data: Bytes, header: Header, title: str) -> FileFormatError | None:
    """Return the first fault of a file: a byte, the length of a row, or a quote."""
    faults = (_undecodable(data, title), _wrong_row(data, header, title))
    return min(filter(None, faults), key=lambda fault: fault.line or 0, default=None)


def _undecodable(data: Bytes, title: str) -> FileFormatError | None:
    raw = data[:]
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = sum(1 for _ in split_lines(raw[: error.start] + b"x"))
        msg = (
            f"the byte 0x{raw[error.start]:02x} is not UTF-8 text; save the file with the "
            "encoding UTF-8"
        )
        return FileFormatError(msg, title, line)
    return None


def _wrong_row(data: Bytes, header: Header, title: str) -> FileFormatError | None:
    n, d = len(header.names), header.delimiter
    try:
        for row in rows_of(data, header, title):
            if fault := quote_fault(row, d):
                return FileFormatError(fault, title, row.first_line)
            if len(row.cells) != n:
                msg = (
                    f"the row has {len(row.cells)} cells but there are {n} columns; add or remove "
                    f"cells, or put cells that contain the delimiter {d!r} in quotes"
                )
                return FileFormatError(msg, title, row.first_line)
    except FileFormatError as error:
        return error
    return None
