"""Where data come from, so that every message can say where to look."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from bayesloom.errors import shown


@dataclass(frozen=True, slots=True)
class Source:
    """The name of a file or frame, for a file with lines the line of a row, and notes on it.

    ``rows`` are the rows that are left, if some were left out, or those of a piece of it.

    Examples
    --------
    >>> Source("the frame").place(3, "A")
    "the frame, row 3 (counted from 0), column 'A'"
    >>> Source("x.csv", lambda row: row + 2).place(3, "A")
    "x.csv, line 5, column 'A'"
    """

    title: str
    line_of: Callable[[int], int] | None = None
    notes: tuple[str, ...] = ()
    rows: npt.NDArray[np.intp] | range | None = None

    def only(self, rows: npt.NDArray[np.bool_]) -> Source:
        """Return the source of the chosen rows of this one."""
        left = np.flatnonzero(rows)
        return replace(self, rows=left if self.rows is None else np.asarray(self.rows)[left])

    def cell(self, row: int) -> Source:
        """Return the source of one row, which then is its row 0."""
        row = row if self.rows is None else int(self.rows[row])
        return replace(self, rows=range(row, row + 1))

    def place(self, row: int, column: str) -> str:
        """Return the place of a cell as a reader would look it up."""
        row = row if self.rows is None else int(self.rows[row])
        if self.line_of is None:
            return f"{self.title}, row {row} (counted from 0), column {shown(repr(column))}"
        return f"{self.title}, line {self.line_of(row)}, column {shown(repr(column))}"
