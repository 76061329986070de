"""Read data by a plan: look at all columns first, then do what the plan says."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

import numpy as np

from bayesloom.data.assembly import build_table
from bayesloom.data.column import Column
from bayesloom.data.label import number_label
from bayesloom.data.level import are_markers, without_markers
from bayesloom.data.plan import Planned, plan_columns
from bayesloom.data.reading import Reading, plain_options
from bayesloom.data.source import Source
from bayesloom.data.stripped import stripped
from bayesloom.data.table import Table
from bayesloom.errors import DataError, shown
from bayesloom.logs import DOUBT

Load = Callable[[Reading], tuple[list[Column], Source]]
"""Gives the columns of data, encoded, and where they come from."""

_ENOUGH = 10  # rows that tell whether names are values
_TOTALS = frozenset(["total", "totals", "sum", "grand total", "mean", "average", "all"])


@dataclass(frozen=True, slots=True)
class PlannedReading(Reading):
    """Reads by a plan, and keeps the options that the plan made.

    Attributes
    ----------
    taken : dict
        The options of the plan.
    """

    taken: dict[str, Any] = field(default_factory=dict, compare=False)

    @property
    def plans(self) -> bool:
        """Whether a plan is made of data before they are read: unless nothing may be guessed."""
        return not self.strict

    def memory(self) -> dict[str, Any]:
        """Return what data of the same kind need to be read again for a network."""
        usual = Reading().to_dict()
        found = own_reading(self, {**self.taken, "drop": ()})
        return {k: x for k, x in Reading.memory(found).items() if x != usual[k]}


def planned_table(
    load: Load, reading: Reading, *, text: bool, head: Mapping[str, Any] | None = None
) -> Table:
    """Return the table that data hold, read by the plan that is made of them.

    Parameters
    ----------
    load : callable
        Reads the columns.
    reading : Reading
        How; what it says goes before the plan.
    text : bool
        Whether the data are a text file.
    head : mapping, optional
        What the first lines of a text file ask for: ``skip_lines``, ``header``.
    """
    planned, source = make_plan(load, reading, text=text, head=head)
    if isinstance(reading, PlannedReading):
        reading.taken.update(planned.plan.options)
    if planned.plan.problems and not reading.auto:
        raise DataError(planned.plan.question())
    taken = [f"{DOUBT}{problem}" for problem in planned.plan.problems]
    notes = (*source.notes, *planned.plan.notes, *taken)
    return build_table(planned.columns, planned.reading, replace(source, notes=notes))


def make_plan(
    load: Load, reading: Reading, *, text: bool, head: Mapping[str, Any] | None = None
) -> tuple[Planned, Source]:
    """Return the plan of data, with the columns and the reading that follow it; see above."""
    options: dict[str, Any] = dict(head or {})
    problems: list[str] = []
    if lines := options.get("skip_lines"):
        problems.append(f"{_lines(lines)} above the table {'is' if lines == 1 else 'are'} no row")
    if "header" in options:
        problems.append("the first line holds values and no names of columns")
    how = own_reading(reading, options)
    columns, source = load(how)
    if text and how.header and not _names_some(reading) and not _has_names(columns):
        options["header"] = False
        first = shown(", ".join(column.name for column in columns))
        problems.append(f"the first line, {first}, holds values and no names of columns")
        how = own_reading(reading, options)
        columns, source = load(how)
    if not reading.strip and any(map(_has_idle_blanks, columns)):
        options["strip"] = True
        names = ", ".join(shown(repr(c.name)) for c in columns if _has_idle_blanks(c))
        problems.append(f"blanks at the ends of cells make other states of them in {names}")
        how = own_reading(reading, options)
        columns, source = load(how)
    notes: list[str] = []
    if text and how.header:
        columns, source, told = _without_odd_rows(columns, source)
        notes += told
    spaced = [stripped(column) for column in columns] if how.strip else columns
    idle = [x for x in reading.all_markers if not are_markers(spaced, x).any()]
    notes += [f"the missing marker {shown(repr(marker))} does not occur" for marker in idle]
    marked = [without_markers(column, how.markers(column.name)) for column in spaced]
    planned = plan_columns(marked, how, source, text=text)
    plan = replace(
        planned.plan,
        options={**options, **planned.plan.options},
        problems=(*problems, *planned.plan.problems),
        notes=(*notes, *planned.plan.notes),
    )
    return replace(planned, plan=plan), source


def own_reading(reading: Reading, options: Mapping[str, Any]) -> Reading:
    """Return a reading without a plan, with some options of one."""
    return Reading(**{**plain_options(reading), **options, "auto": False})


def _names_some(reading: Reading) -> bool:
    """Tell whether an option names a column, whose name then is in the file."""
    options = (reading.states, reading.columns, reading.drop, reading.target, reading.dates)
    by_column = (reading.numbers, reading.discretize, reading.missing_markers)
    return any(options) or any(isinstance(option, Mapping) for option in by_column)


def _lines(n: int) -> str:
    return "line 1" if n == 1 else f"lines 1 to {n}"


def _has_names(columns: Sequence[Column]) -> bool:
    """Tell whether the first line of a file holds names: else they are values of their columns.

    Names that only number the columns are names.
    """
    names = [column.name for column in columns]
    if columns[0].n_rows < _ENOUGH:
        return True
    own = [column.name in column.values for column in columns]
    if all(own):
        return _is_repeated(columns)
    numbers = [number_label(name) is not None for name in names]
    if not any(numbers) or not all(a or b for a, b in zip(own, numbers, strict=True)):
        return True
    whole = [int(name) if name.isdigit() else -1 for name in names]
    return whole[0] in (0, 1) and all(b - a == 1 for a, b in pairwise(whole))


def _is_repeated(columns: Sequence[Column]) -> bool:
    """Tell whether values that are names stand in rows of nothing else: repeated headers."""
    rows = _rows_of_names(columns)
    return bool(rows.any()) and all(
        int((c.codes() == list(c.values).index(c.name)).sum()) == int(rows.sum()) for c in columns
    )


def _rows_of_names(columns: Sequence[Column]) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Return which rows hold the names of all columns."""
    if any(column.name not in column.values for column in columns):
        return np.zeros(columns[0].n_rows, np.bool_)
    each = [c.codes() == list(c.values).index(c.name) for c in columns]
    found: np.ndarray[tuple[int], np.dtype[np.bool_]] = np.logical_and.reduce(each)
    return found


def _has_idle_blanks(column: Column) -> bool:
    """Tell whether blanks at the ends of cells make two states of one, or texts of numbers."""
    if column.declared or column.numbers is not None:
        return False
    blank = [text for text in column.values if text != text.strip()]
    known = frozenset(column.values)
    return any(text.strip() in known or number_label(text.strip()) is not None for text in blank)


def _without_odd_rows(
    columns: list[Column], source: Source
) -> tuple[list[Column], Source, list[str]]:
    """Leave out rows that repeat the header, and a last row of totals; say so."""
    notes = []
    rows = _rows_of_names(columns) if len(columns) > 1 else np.zeros(columns[0].n_rows, np.bool_)
    if rows.any() and _is_repeated(columns):
        lines = [source.line_of(int(row)) if source.line_of else int(row) for row in
                 np.flatnonzero(rows)[:3]]  # fmt: skip
        notes.append(
            f"left out: {int(rows.sum())} rows that repeat the names of the columns (line "
            f"{', '.join(map(str, lines))})"
        )
    else:
        rows[:] = False
    last = columns[0].n_rows - 1
    for column in columns:
        code = column.codes()[-1] if _may_be_total(column) else -1
        text = column.values[code] if code >= 0 else ""
        if text.strip().lower() in _TOTALS and column.first_row(int(code)) == last:
            rows[last] = True
            notes.append(f"left out: the last row, in which column {column.name} holds {text!r}")
            break
    if not rows.any():
        return columns, source, notes
    return [column.only(~rows) for column in columns], source.only(~rows), notes


def _may_be_total(column: Column) -> bool:
    return not column.declared and any(x.strip().lower() in _TOTALS for x in column.values)
