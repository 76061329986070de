"""How many cells are missing, in which columns, and which of them together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesloom.data.number_column import missing_mask
from bayesloom.data.plain import from_plain, stored, to_plain
from bayesloom.errors import listed, shown
from bayesloom.grid import Grid, NamedColumns, Tabular, label

if TYPE_CHECKING:
    from bayesloom.data.table import Table

MOST_PATTERNS = 10
"""So many of the most frequent patterns are kept."""

_NAMED = 6  # columns that a sentence names


@dataclass(frozen=True, slots=True)
class MissingPattern:
    """Columns that are missing together, and nothing else with them, in so many rows."""

    columns: tuple[str, ...]
    rows: int


@dataclass(frozen=True, slots=True)
class MissingCells(Tabular):
    """What is missing in a table.

    Parameters
    ----------
    n_rows : int
        The number of rows.
    columns : tuple of pairs
        The columns that miss cells and how many, those that miss most first.
    n_complete : int, optional
        The number of rows that miss nothing, if the rows were looked at.
    patterns : tuple of MissingPattern
        What is missing together, most frequent first, at most ten; rows that miss nothing are none.
    n_patterns : int
        How many different patterns there are.

    Examples
    --------
    >>> from bayesloom.data import Table
    >>> rows = {"age": ["old", None, None], "sex": ["f", None, "m"], "wet": ["no", "yes", "no"]}
    >>> missing = Table.from_frame(rows, missing="keep").missing_cells()
    >>> print(missing.sentence())
    age 2 (66.7 %), sex 1 (33.3 %); 1 of 3 rows misses nothing
    >>> print(missing)
    Missing cells: age 2 (66.7 %), sex 1 (33.3 %); 1 of 3 rows misses nothing
      missing together  rows   share
      age, sex             1  33.3 %
      age                  1  33.3 %
    """

    n_rows: int = field(metadata={"key": "rows"})
    columns: tuple[tuple[str, int], ...]
    n_complete: int | None = stored(key="complete", default=None)
    patterns: tuple[MissingPattern, ...] = ()
    n_patterns: int = 0

    @classmethod
    def of_counts(cls, names: Sequence[str], missing: Sequence[int], n_rows: int) -> MissingCells:
        """Return what is known if only the number of missing cells of every column is."""
        some = [(name, int(n)) for name, n in zip(names, missing, strict=True) if n]
        return cls(n_rows, tuple(sorted(some, key=lambda column: (-column[1], column[0]))))

    @classmethod
    def of(cls, table: Table) -> MissingCells:
        """Look at the rows of a table."""
        plain = cls.of_counts(table.names, table.missing.tolist(), table.n_rows)
        names = sorted(name for name, _ in plain.columns)
        if not names:
            return cls(table.n_rows, (), table.n_rows)
        places = [table.index(name) for name in names]
        holes = [missing_mask(table.codes[v], table.states[v]) for v in places]
        packed = np.packbits(np.stack(holes, axis=1), axis=1)
        found, counts = np.unique(packed, axis=0, return_counts=True)
        masks = np.unpackbits(found, axis=1, count=len(names)).astype(bool).tolist()
        patterns = [
            MissingPattern(tuple(x for x, hole in zip(names, mask, strict=True) if hole), n)
            for mask, n in zip(masks, counts.tolist(), strict=True)
        ]
        complete = sum(pattern.rows for pattern in patterns if not pattern.columns)
        hollow = [pattern for pattern in patterns if pattern.columns]
        hollow.sort(key=lambda pattern: (-pattern.rows, -len(pattern.columns), pattern.columns))
        most = tuple(hollow[:MOST_PATTERNS])
        return cls(table.n_rows, plain.columns, complete, most, len(hollow))

    def __len__(self) -> int:
        return len(self.patterns)

    def __bool__(self) -> bool:
        """Whether anything is missing."""
        return bool(self.columns)

    def sentence(self) -> str:
        """Say which columns miss how much, and how many rows nothing."""
        if not self.columns:
            return "nothing is missing"
        columns = listed(
            (f"{shown(name)} {n:,} ({100 * n / self.n_rows:.3g} %)" for name, n in self.columns),
            _NAMED,
        )
        if self.n_complete is None:
            return columns
        misses = "misses" if self.n_complete == 1 else "miss"
        return f"{columns}; {self.n_complete:,} of {self.n_rows:,} rows {misses} nothing"

    def to_dict(self) -> dict[str, object]:
        """Return it as plain data, which `from_dict` reads."""
        payload: dict[str, object] = to_plain(self)
        return payload

    @classmethod
    def from_dict(cls, payload: Mapping[str, Any]) -> MissingCells:
        """Return what `to_dict` was made of; raises what `member` raises."""
        return from_plain(cls, payload)

    def _columns(self) -> NamedColumns:
        return [
            ("missing", [", ".join(pattern.columns) for pattern in self.patterns]),
            ("rows", [pattern.rows for pattern in self.patterns]),
            ("share", [pattern.rows / self.n_rows for pattern in self.patterns]),
        ]

    def _grid(self, most: int | None) -> Grid:
        rows = [
            (
                listed(map(label, pattern.columns), _NAMED),
                f"{pattern.rows:,}",
                f"{100 * pattern.rows / self.n_rows:.3g} %",
            )
            for pattern in self.patterns[:most]
        ]
        return Grid(
            f"Missing cells: {self.sentence()}",
            ("missing together", "rows", "share"),
            rows,
            keys=1,
            more=self.n_patterns - len(rows),
            noun="pattern",
        )
