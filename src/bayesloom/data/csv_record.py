"""Go through CSV records one by one, to know their lines: slow, for headers and for messages."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass

from bayesloom.errors import FileFormatError

OPEN_QUOTE = "a cell that starts in this line opens a quote that is never closed; close it"
AFTER_QUOTE = (
    "a cell that starts in this line goes on after its closing quote; write quotes inside a cell "
    "twice, or remove what follows"
)

_BLOCK = 1 << 20  # bytes read at a time
_LINE = re.compile(rb"[^\r\n]*+(?:\r\n?|\n|\Z)")
_LINE_END = re.compile(rb"\r\n?|\n")
_QUOTED = rb'"[^"]*+(?:""[^"]*+)*+"'


@dataclass(frozen=True, slots=True)
class CsvRecord:
    """The cells of one record, its lines counted from 1, its own bytes, and where they end."""

    cells: list[bytes]
    first_line: int
    last_line: int
    raw: bytes
    end: int


def cell_pattern(delimiter: str) -> tuple[bytes, bytes]:
    """Return the patterns of a cell, in quotes or without one at its start, and of its end.

    Examples
    --------
    >>> re.match(cell_pattern(",")[0], b'"a,b",c')[0]
    b'"a,b"'
    """
    d = re.escape(delimiter.encode())
    return rb"(?:%b|(?!\")[^%b\r\n]*+)" % (_QUOTED, d), rb"(?:%b|\r\n?|\n|\Z)" % d


def count_line_ends(data: bytes) -> int:
    r"""Return how many lines end in some bytes, with CR, LF or both.

    Examples
    --------
    >>> count_line_ends(b"a\nb\r\nc\rd")
    3
    """
    return len(_LINE_END.findall(data))


def split_records(
    data: bytes, delimiter: str, title: str, start: int = 0, lines: int = 0
) -> Iterator[CsvRecord]:
    r"""Yield the records from byte ``start`` on, before which there are so many ``lines``.

    A line without a character is a record without cells.

    Raises
    ------
    FileFormatError
        If a cell that starts with a quote does not end with one.

    Examples
    --------
    >>> [record.cells for record in split_records(b'A,B\n\n"x,y",\n', ",", "")]
    [[b'A', b'B'], [], [b'x,y', b'']]
    """
    cell = re.compile(rb"(%b)(%b)" % cell_pattern(delimiter))
    separator = delimiter.encode()
    line = lines + 1
    while start < len(data):
        found = _LINE.match(data, start)
        end, last = found.end() if found else len(data), line
        text = data[start:end]
        if b'"' in text:
            cells, end, is_sound = _quoted_cells(data, cell, separator, start)
            last += count_line_ends(
                data[start:end].rstrip(b"\r\n") if is_sound else data[start:end]
            )
            if not is_sound:
                is_closed = re.compile(_QUOTED).match(data, end)
                raise FileFormatError(AFTER_QUOTE if is_closed else OPEN_QUOTE, title, last)
        else:
            plain = text.rstrip(b"\r\n")
            cells = plain.split(separator) if plain else []
        yield CsvRecord(cells, line, last, data[start:end], end)
        start, line = end, last + 1


def read_records(
    stream: io.RawIOBase, delimiter: str, title: str, start: int, lines: int
) -> Iterator[CsvRecord]:
    """Yield the records of a file from byte ``start`` on, as `split_records` does.

    Raises
    ------
    FileFormatError
        If a cell that starts with a quote does not end with one.
    """
    held = b""
    more = True
    while more:
        block = stream.read(max(_BLOCK, len(held), start)) or b""
        more, held = bool(block), held + block
        if start > len(held):
            continue
        try:
            for record in split_records(held, delimiter, title, start, lines):
                if more and record.end == len(held):
                    break  # it may go on
                yield record
                start, lines = record.end, record.last_line
        except FileFormatError as error:
            if not more or error.problem != OPEN_QUOTE:
                raise
        held, start = held[start:], 0


def _quoted_cells(
    data: bytes, cell: re.Pattern[bytes], delimiter: bytes, start: int
) -> tuple[list[bytes], int, bool]:
    """Return the cells of a record with quotes, its end, and True; or where a cell is not sound."""
    cells: list[bytes] = []
    position, ended_by = start, delimiter
    while ended_by == delimiter:
        found = cell.match(data, position)
        if found is None:
            return cells, position, False
        text, ended_by = found[1], found[2]
        cells.append(text[1:-1].replace(b'""', b'"') if text.startswith(b'"') else text)
        position = found.end()
    return cells, position, True
