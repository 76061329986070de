"""The quotes of a CSV file: each cell that starts with one ends with one, or is refused."""

from __future__ import annotations

import re

import numpy as np
import numpy.typing as npt

from bayesloom.data.csv_record import Bytes, Record

OPEN_QUOTE = "a cell that starts in this line opens a quote that is never closed; close it"
AFTER_QUOTE = (
    "a cell of the row that starts in this line goes on after its closing quote; write quotes "
    "inside a cell twice, or remove what follows"
)

_BLOCK = 1 << 16  # bytes looked at together, so that they stay in the cache
_QUOTE = ord('"')
_QUOTED = r'"[^"]*+(?:""[^"]*+)*+"'


def has_sound_quotes(data: Bytes, start: int, delimiter: str) -> bool:
    r"""Tell whether every cell from byte ``start`` on that starts with a quote ends with one.

    Examples
    --------
    >>> has_sound_quotes(b'a,"b, ""c"" d"\n', 0, ","), has_sound_quotes(b'"a"b\n', 0, ",")
    (True, False)
    >>> has_sound_quotes(b'5" pipe,b\n', 0, ","), has_sound_quotes(b'a,"b\n', 0, ",")
    (True, False)
    """
    cells = np.frombuffer(data, dtype=np.uint8)[start:]
    if _alternate(cells, delimiter):
        return True
    # A cell without quotes around it may contain one. This takes longer, but is exact.
    d = re.escape(delimiter)
    sound = rf'(?:(?:{_QUOTED}|(?!")[^{d}\r\n]*+)(?:{d}|\r\n?|\n|\Z))*+'
    found = re.compile(sound.encode()).match(data, start)
    return found is not None and found.end() == len(data)


def _alternate(cells: npt.NDArray[np.uint8], delimiter: str) -> bool:
    """Tell whether quotes open and close in turn, each next to a cell's border or a quote."""
    border = np.zeros(256, np.bool_)
    border[[ord(delimiter), ord("\n"), ord("\r"), _QUOTE]] = True
    is_open = False
    for start in range(0, len(cells), _BLOCK):
        quotes = start + np.flatnonzero(cells[start : start + _BLOCK] == _QUOTE)
        opening, closing = (quotes[1:], quotes) if is_open else (quotes, quotes[1:])
        before, after = opening[::2] - 1, closing[::2] + 1
        before, after = before[before >= 0], after[after < len(cells)]
        if not (border[cells[before]].all() and border[cells[after]].all()):
            return False
        is_open ^= bool(len(quotes) % 2)
    return not is_open


def quote_fault(record: Record, delimiter: str) -> str | None:
    r"""Say what is wrong with the quotes of a record; None if nothing is.

    Examples
    --------
    >>> quote_fault(Record(["a", "b\n"], 1, 1, 'a,"b\n'), ",") == OPEN_QUOTE
    True
    >>> quote_fault(Record(["ab"], 1, 1, '"a"b\n'), ",") == AFTER_QUOTE
    True
    >>> quote_fault(Record(["a", "b"], 1, 1, 'a,"b"\n'), ",")
    """
    if '"' not in record.text:
        return None
    d = re.escape(delimiter)
    cell = re.compile(rf'(?:{_QUOTED}|(?!")[^{d}\r\n]*+)(?:{d}|\r\n?|\n|\Z)')
    position = 0
    while position < len(record.text):
        found = cell.match(record.text, position)
        if found is None:
            is_closed = re.compile(_QUOTED).match(record.text, position)
            return AFTER_QUOTE if is_closed else OPEN_QUOTE
        position = found.end()
    return None
