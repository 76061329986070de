"""What the first lines of a CSV file ask for: lines to skip, or names of columns that are none."""

from __future__ import annotations

import io
from contextlib import suppress
from typing import Any

from bayesloom.data.csv_header import HEAD, after_lines, find_delimiter, head_of, named_delimiter
from bayesloom.data.csv_record import split_records
from bayesloom.data.reading import Reading
from bayesloom.errors import FileFormatError

_MOST_ABOVE = 10  # lines above a table
_LOOKED_AT = 50  # records that have to be as wide as the names


def head_options(stream: io.RawIOBase, reading: Reading) -> dict[str, Any]:
    r"""Return the options that the first lines of a file ask for.

    Lines above a table have one cell that is not empty, and what follows has more, as many in every
    record. Names that are there twice, and all values of their own columns, are no names.

    Examples
    --------
    >>> head_options(io.BytesIO(b"People of the town\na,b\n1,2\n3,4\n"), Reading())
    {'skip_lines': 1}
    >>> head_options(io.BytesIO(b"yes,yes\nno,yes\nyes,no\n"), Reading())
    {'header': False}
    """
    head = head_of(stream.read(HEAD + 1) or b"")
    start = after_lines(head, reading.skip_lines)
    if named_delimiter(head, start):
        return {}
    found: dict[str, Any] = {}
    lines = 0 if reading.skip_lines else _lines_above(head, reading)
    if lines:
        found["skip_lines"] = lines
        start = after_lines(head, lines)
    if reading.header and _are_values(_records(head[start:], reading)):
        found["header"] = False
    return found


def _lines_above(head: bytes, reading: Reading) -> int:
    """Return how many lines come before the table."""
    for skipped in range(_MOST_ABOVE + 1):
        rows = _records(head[after_lines(head, skipped) :], reading)
        if len(rows) < 2:  # noqa: PLR2004 - names and a row
            return 0
        first = sum(1 for cell in rows[0] if cell.strip())
        if len(rows[0]) > 1 and (not rows[0][0].strip() or "" in reading.drop):
            return 0  # a line of names of which some are empty
        widths = {len(row) for row in rows[:_LOOKED_AT]}
        if first > 1 or len(rows[0]) == max(widths) == 1:
            return skipped if len(widths) == 1 else 0
    return 0


def _are_values(rows: list[list[bytes]]) -> bool:
    """Tell whether a name is there twice, and every name is a value of its own column."""
    names = rows[0] if rows else []
    if len(set(names)) == len(names):
        return False
    whole = [row for row in rows[1:] if len(row) == len(names)]
    return all(any(row[v] == name for row in whole) for v, name in enumerate(names))


def _records(data: bytes, reading: Reading) -> list[list[bytes]]:
    """Return the cells of the records that are not empty."""
    rows: list[list[bytes]] = []
    delimiter = reading.delimiter or find_delimiter(_from_table(data))
    with suppress(FileFormatError):
        for record in split_records(data, delimiter, ""):
            rows += [record.cells] if record.cells else []
    return rows


def _from_table(data: bytes) -> bytes:
    """Return bytes from the first line on that has a delimiter."""
    for skipped in range(_MOST_ABOVE):
        start = after_lines(data, skipped)
        line = data[start : after_lines(data, skipped + 1)]
        if any(mark in line for mark in (b",", b";", b"\t")):
            return data[start:]
    return data
