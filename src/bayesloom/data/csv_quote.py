"""The quotes of a CSV file: each cell that starts with one ends with one, or is refused."""

from __future__ import annotations

import re

import numpy as np
import numpy.typing as npt

from bayesloom.data.csv_record import Bytes, cell_pattern

_BLOCK = 1 << 16  # bytes looked at together, so that they stay in the cache
_QUOTE = ord('"')


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
    found = re.compile(rb"(?:%b%b)*+" % cell_pattern(delimiter)).match(data, start)
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
