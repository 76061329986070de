"""Find the delimiter of a CSV file and read the line of column names."""

from __future__ import annotations

import io
import re
from contextlib import suppress
from dataclasses import dataclass

from bayesloom.data.csv_record import CsvRecord, split_records
from bayesloom.data.reading import Reading
from bayesloom.data.text_file import NAME_THE_ENCODING
from bayesloom.errors import FileFormatError, shown

BOM = b"\xef\xbb\xbf"
EMPTY = "the file is empty; a table needs a line of column names and at least one row"
NO_ROWS = "the file has column names but no rows; a table needs at least one row"

_LINE_END = re.compile(rb"\r\n?|\n")
_SEP = re.compile(rb'"?sep=([^\r\n"])"?[,;\t]*(?:\r\n?|\n)', re.IGNORECASE)
_DELIMITERS = (",", ";", "\t")
_OTHERS = ("|", ":")  # which are not looked for, but hinted at
HEAD = 1 << 16
"""Bytes in which the delimiter is looked for."""

_LONGEST = 1 << 28  # bytes in which the line of column names has to end
_MOST_ZEROS = 0.9  # of every other byte; more are found in no text of single bytes
_VOTERS = 50  # records that vote on the delimiter


@dataclass(frozen=True, slots=True)
class Header:
    """The column names of a file, some perhaps empty, the delimiter, and where the body starts."""

    names: tuple[str, ...]
    delimiter: str
    body: int
    lines: int
    notes: tuple[str, ...] = ()


def find_delimiter(data: bytes) -> str:
    r"""Return the delimiter under which most of the first records have equally many cells.

    Between equals, the one that makes more cells wins, then comma before semicolon before tab. A
    file without any of them has one column.

    Examples
    --------
    >>> find_delimiter(b"a;b\n1,5;2\n"), find_delimiter(b"a\n1\n")
    (';', ',')
    """
    head = head_of(data)
    return max(_DELIMITERS, key=lambda delimiter: _agreement(head, delimiter))


def head_of(data: bytes) -> bytes:
    """Return the first lines, without one that is cut off."""
    head = data[:HEAD]
    return head if len(data) <= HEAD else head[: max(head.rfind(b"\n"), head.rfind(b"\r")) + 1]


def _agreement(head: bytes, delimiter: str) -> tuple[float, int]:
    """Return the share of records with as many cells as the first, and that number of cells."""
    widths: list[int] = []
    with suppress(FileFormatError):  # a quoted cell that is cut off, or has another delimiter
        for record in split_records(head, delimiter, ""):
            widths += [len(record.cells)] if record.cells else []
            if len(widths) == _VOTERS:
                break
    if not widths or widths[0] == 1:
        return 0.0, 0
    return widths.count(widths[0]) / len(widths), widths[0]


def tell_hidden_delimiter(data: bytes, header: Header) -> str | None:
    """Tell of one column whose name and cells all contain equally many of what delimits cells.

    The sentence has that character and what to do; None if there are more columns or none such.
    """
    if len(header.names) > 1:
        return None
    head = head_of(data)
    for other in (*_DELIMITERS, *_OTHERS):
        if other != header.delimiter and _agreement(head, other)[0] == 1.0:
            return (
                f"the file reads as one column, {shown(repr(header.names[0]))}; if {other!r} "
                "separates its cells, save it with commas, or name the separator with "
                f"delimiter={other!r} (--delimiter {other!r})"
            )
    return None


def read_head(
    stream: io.RawIOBase, reading: Reading, usual: str | None, title: str
) -> tuple[bytes, Header]:
    """Read the start of a file, as far as it takes to know the column names.

    Without a delimiter it is that of a first line ``sep=;``, or the usual one, or the one that fits
    best, or one that is refused as doubtful.

    Raises
    ------
    FileFormatError
        If there are no column names, or one is there twice or not UTF-8.
    """
    head, size, more = b"", HEAD + 1, True
    while more:
        block = stream.read(size) or b""
        more, head = bool(block), head + block
        size = max(HEAD + 1 - len(head), len(head))
        if more and len(head) <= HEAD:
            continue
        if _is_wide(head[:HEAD]):
            problem = (
                "the file is UTF-16 or UTF-32 text without a byte order mark; name its encoding, "
                "such as encoding='utf-16-le' (--encoding utf-16-le), or save it as UTF-8"
            )
            raise FileFormatError(problem, title)
        start = after_lines(head, reading.skip_lines)
        named = named_delimiter(head, start)
        start, skipped = (
            (start, reading.skip_lines) if named is None else (named[1], reading.skip_lines + 1)
        )
        stated = named[0] if named and reading.delimiter is None else None
        separator = (
            reading.delimiter
            or stated
            or usual
            or find_delimiter(head[start:] if skipped else head)
        )
        more_head = more and len(head) < _LONGEST
        record = _first_record(head, separator, title, (start, skipped), more=more_head)
        if record is not None:
            notes = (f"the first line says that {stated!r} separates cells",) if stated else ()
            if not reading.header:
                names = tuple(f"column_{k + 1}" for k in range(len(record.cells)))
                return head, Header(names, separator, start, skipped, notes)
            names = _checked_names(record, title, strip=reading.strip)
            return head, Header(names, separator, record.end, record.last_line, notes)
    raise FileFormatError(EMPTY, title)


def after_lines(head: bytes, n: int) -> int:
    """Return where so many lines have ended; a mark of the order of bytes is no part of them."""
    start = len(BOM) if head[: len(BOM)] == BOM else 0
    for _ in range(n):
        found = _LINE_END.search(head, start)
        start = len(head) if found is None else found.end()
    return start


def named_delimiter(head: bytes, start: int) -> tuple[str, int] | None:
    """Return the delimiter that a line such as ``sep=;`` names, and where the line ends."""
    found = _SEP.match(head, start)
    return None if found is None else (found[1].decode("latin-1"), found.end())


def _first_record(
    head: bytes, delimiter: str, title: str, place: tuple[int, int], *, more: bool
) -> CsvRecord | None:
    """Return the first record from a byte and line on that has a cell; None if it is cut off."""
    try:
        records = split_records(head, delimiter, title, *place)
        record = next((record for record in records if record.cells), None)
    except FileFormatError:
        if more:
            return None
        raise
    return None if record is None or (more and record.end == len(head)) else record


def _is_wide(head: bytes) -> bool:
    """Tell whether a text has two or four bytes for each character.

    Examples
    --------
    >>> [_is_wide("A,B".encode(code)) for code in ("utf-8", "utf-16-be", "utf-32-le")]
    [False, True, True]
    """
    return any(
        _zeros(some) > _MOST_ZEROS * len(some)
        and 2 * _zeros(others) <= len(others)
        and re.search(rb"[0-9A-Za-z]", others) is not None
        for some, others in ((head[::2], head[1::2]), (head[1::2], head[::2]))
    )


def _zeros(some: bytes) -> int:
    return some.count(b"\0")


def _checked_names(record: CsvRecord, title: str, *, strip: bool) -> tuple[str, ...]:
    names: dict[str, int] = {}
    found: list[str] = []
    for position, cell in enumerate(record.cells, start=1):
        problem = None
        try:
            name = cell.decode().strip() if strip else cell.decode()
        except UnicodeDecodeError:
            problem = f"the name of column {position} is not UTF-8 text; {NAME_THE_ENCODING}"
            name = ""
        else:
            if name and name in names:
                problem = (
                    f"columns {names[name]} and {position} have the same name "
                    f"{shown(repr(name))}; rename or remove one of them, or say header=False "
                    "(--no-header) if the first line holds no names"
                )
        if problem:
            raise FileFormatError(problem, title, record.first_line)
        names[name] = position
        found.append(name)
    if not any(found):
        problem = "column 1 has no name; give it one"
        raise FileFormatError(problem, title, record.first_line)
    return tuple(found)
