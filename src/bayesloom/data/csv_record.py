"""Go through CSV records one by one, to know their lines: slow, for headers and for messages."""

from __future__ import annotations

import csv
import io
import mmap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from bayesloom.errors import FileFormatError

Bytes = bytes | mmap.mmap


@dataclass(frozen=True, slots=True)
class Record:
    """The cells of one record, its lines counted from 1, and the text it was made of.

    Each character of a cell or of the text stands for one byte of the file.
    """

    cells: list[str]
    first_line: int
    last_line: int
    text: str


def split_lines(data: bytes) -> Iterator[str]:
    """Yield the lines with their ends, whether CR, LF or both; one character for each byte."""
    return io.TextIOWrapper(io.BytesIO(data), encoding="latin-1", newline="")


def split_records(
    lines: Iterable[str], delimiter: str, title: str, line: int = 0
) -> Iterator[Record]:
    """Yield the records of lines that follow after line number ``line``.

    A line without a character is a record without cells.

    Raises
    ------
    FileFormatError
        If a cell is longer than any label can be.
    """
    used: list[str] = []
    reader = csv.reader(_noted(lines, used), delimiter=delimiter)
    first = line + 1
    try:
        for cells in reader:
            last = line + reader.line_num
            yield Record(cells, first, last, "".join(used))
            used.clear()
            first = last + 1
    except csv.Error:
        msg = (
            "a cell of more than 100,000 characters starts in this line; shorten it, or close its "
            "quote if that is open"
        )
        raise FileFormatError(msg, title, first) from None


def _noted(lines: Iterable[str], used: list[str]) -> Iterator[str]:
    for text in lines:
        used.append(text)
        yield text
