"""What happens to missing cells: refused with counts, their rows dropped, or given a state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from bayesloom.data.column import MISSING, Column, Part
from bayesloom.data.label import MOST_STATES
from bayesloom.data.reading import MISSING_STATE, MissingPolicy
from bayesloom.data.source import Source
from bayesloom.errors import DataError, listed

Masks = dict[int, npt.NDArray[np.bool_]]


def refuse_or_drop(
    columns: Sequence[Column], policy: MissingPolicy, source: Source
) -> list[Column]:
    """Refuse missing cells or drop their rows, as the policy says; ``state`` leaves them.

    Raises
    ------
    DataError
        If cells are missing and the policy is to refuse them, or if no complete row is left.
    """
    masks = {v: mask for v, column in enumerate(columns) if (mask := column.missing()) is not None}
    if not masks or policy == "state":
        return list(columns)
    complete = ~np.logical_or.reduce(list(masks.values()))
    if policy == "error":
        raise DataError(_refusal(columns, masks, complete, source))
    if not complete.any():
        msg = (
            f"{source.title}: every row ({len(complete)} in all) misses a cell, so none is left "
            "to keep; use missing='state' (--missing state) or drop the columns that miss most: "
            f"{_counts(columns, masks)}"
        )
        raise DataError(msg)
    return [column.only(complete) for column in columns]


def fill_with_state(column: Column, source: Source) -> Column:
    """Return the column with the missing cells, if any, in a last state of their own.

    Raises
    ------
    DataError
        If a value that occurs has the label of that state, or there is no room for it.
    """
    return column if column.missing() is None else _with_a_state(column, source)


def _with_a_state(column: Column, source: Source) -> Column:
    """Return the column with the missing cells in a last state of their own."""
    values = list(column.values)
    if MISSING_STATE in values:
        code = values.index(MISSING_STATE)
        row = column.first_row(code)
        if row < 0:  # declared, but only for the cells that are missing
            return _filled(column, values, code)
        msg = (
            f"{source.place(row, column.name)}: the value {MISSING_STATE!r} is there, so missing "
            f"cells cannot get that state as well; name it in missing_markers (--missing-marker) "
            "if it means the same, or rename it"
        )
        raise DataError(msg)
    if len(values) == MOST_STATES:
        msg = (
            f"{source.title}: column {column.name!r} has {MOST_STATES:,} states already, the most "
            f"there can be, so missing cells cannot get the state {MISSING_STATE!r}; leave their "
            "rows out with missing='drop' (--missing drop), or drop the column"
        )
        raise DataError(msg)
    return _filled(column, [*values, MISSING_STATE], len(values))


def _filled(column: Column, values: list[str], code: int) -> Column:
    parts = tuple(
        Part(part.indices, np.where(part.lookup == MISSING, code, part.lookup))
        for part in column.parts
    )
    return replace(column, values=values, parts=parts, numbers=None)


def _refusal(
    columns: Sequence[Column], masks: Masks, complete: npt.NDArray[np.bool_], source: Source
) -> str:
    total = sum(int(mask.sum()) for mask in masks.values())
    first = min(masks, key=lambda v: (int(masks[v].argmax()), v))
    place = source.place(int(masks[first].argmax()), columns[first].name)
    return (
        f"{place}: this cell is missing, one of {total} in the table ({_counts(columns, masks)}); "
        f"choose missing='drop' (--missing drop), which keeps {int(complete.sum())} of "
        f"{len(complete)} rows, or missing='state' (--missing state), which makes "
        f"{MISSING_STATE!r} a state"
    )


def _counts(columns: Sequence[Column], masks: Masks) -> str:
    """Return the number of missing cells per column, most first."""
    counts = {columns[v].name: int(mask.sum()) for v, mask in masks.items()}
    return listed(f"{name} {count}" for name, count in sorted(counts.items(), key=lambda c: -c[1]))
