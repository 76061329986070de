"""Find the delimiter of a CSV file and read the line of column names."""

from __future__ import annotations

import csv
from dataclasses import dataclass

from bayesloom.data.csv_quote import quote_fault
from bayesloom.data.csv_record import Bytes, Record, split_lines, split_records
from bayesloom.errors import FileFormatError, shown

BOM = b"\xef\xbb\xbf"
EMPTY = "the file is empty; a table needs a line of column names and at least one row"
NO_ROWS = "the file has column names but no rows; a table needs at least one row"

_DELIMITERS = (",", ";", "\t")
_OTHERS = ("|", ":")  # which are not looked for, but hinted at
_HEAD = 1 << 16  # bytes in which the delimiter is looked for
_VOTERS = 50  # records that vote on the delimiter


@dataclass(frozen=True, slots=True)
class Header:
    """The column names of a file, the delimiter, and where the body starts."""

    names: tuple[str, ...]
    delimiter: str
    body: int
    lines: int


def find_delimiter(data: Bytes) -> str:
    r"""Return the delimiter under which most of the first records have equally many cells.

    Between equals, the one that makes more cells wins, then comma before semicolon before tab. A
    file without any of them has one column.

    Examples
    --------
    >>> find_delimiter(b"a;b\n1,5;2\n"), find_delimiter(b"a\n1\n")
    (';', ',')
    """
    lines = _head_of(data)
    return max(_DELIMITERS, key=lambda delimiter: _agreement(lines, delimiter))


def _head_of(data: Bytes) -> list[str]:
    lines = list(split_lines(data[:_HEAD]))
    if len(data) > _HEAD:
        lines.pop()  # cut off somewhere
    return lines


def _agreement(lines: list[str], delimiter: str) -> tuple[float, int]:
    """Return the share of records with as many cells as the first, and that number of cells."""
    widths: list[int] = []
    try:
        for cells in csv.reader(lines, delimiter=delimiter):
            widths += [len(cells)] if cells else []
            if len(widths) == _VOTERS:
                break
    except csv.Error:
        return 0.0, 0
    if not widths or widths[0] == 1:
        return 0.0, 0
    return widths.count(widths[0]) / len(widths), widths[0]


def refuse_hidden_delimiter(data: Bytes, header: Header, title: str) -> None:
    """Refuse one column whose name and cells all contain equally many of what delimits cells.

    Raises
    ------
    FileFormatError
        With that character and what to do.
    """
    if len(header.names) > 1:
        return
    lines = _head_of(data)
    for other in (*_DELIMITERS, *_OTHERS):
        if other != header.delimiter and _agreement(lines, other)[0] == 1.0:
            problem = (
                f"the file reads as one column, {shown(repr(header.names[0]))}; if {other!r} "
                "separates its cells, save it with commas, or name the separator: "
                f"read(path, delimiter={other!r})"
            )
            raise FileFormatError(problem, title, header.lines)


def read_header(data: Bytes, delimiter: str, title: str) -> Header:
    """Read the column names: the first line that has a character.

    Raises
    ------
    FileFormatError
        If there is none, or a name is empty, there twice, or not UTF-8.
    """
    start = len(BOM) if data[: len(BOM)] == BOM else 0
    size = _HEAD
    while True:
        body, record = _first_record(data[start : start + size], delimiter, title)
        if body < size or start + size >= len(data):
            break
        size *= 2  # the header may go on
    if record is None:
        raise FileFormatError(EMPTY, title)
    if fault := quote_fault(record, delimiter):
        raise FileFormatError(fault, title, record.first_line)
    return Header(_checked_names(record, title), delimiter, start + body, record.last_line)


def _first_record(head: bytes, delimiter: str, title: str) -> tuple[int, Record | None]:
    """Return the first record that has cells and the number of bytes up to its end."""
    used = 0
    for record in split_records(split_lines(head), delimiter, title):
        used += len(record.text)
        if record.cells:
            return used, record
    return used, None


def _checked_names(record: Record, title: str) -> tuple[str, ...]:
    names: dict[str, int] = {}
    for position, cell in enumerate(record.cells, start=1):
        problem = None
        try:
            name = cell.encode("latin-1").decode("utf-8")
        except UnicodeDecodeError:
            problem = f"the name of column {position} is not UTF-8 text; save the file as UTF-8"
            name = ""
        else:
            if not name:
                problem = (
                    f"column {position} has no name; give it one, or save the file without that "
                    "column if it only numbers the rows"
                )
            elif name in names:
                problem = (
                    f"columns {names[name]} and {position} have the same name "
                    f"{shown(repr(name))}; rename or remove one of them"
                )
        if problem:
            raise FileFormatError(problem, title, record.first_line)
        names[name] = position
    return tuple(names)
