"""What becomes of missing cells: refused with counts, rows dropped, given a state, or kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from bayesloom.data.column import MISSING, Column, Part
from bayesloom.data.label import MOST_STATES
from bayesloom.data.quantity import quoted
from bayesloom.data.reading import MISSING_STATE, MissingPolicy
from bayesloom.data.source import Source
from bayesloom.data.table import code_type, no_room_for_holes
from bayesloom.data.tally import Tally
from bayesloom.errors import DataError, listed, shown

_NAMED = 6  # columns that a message tells how to drop


def drop_or_find_missing(
    columns: Sequence[Column], policy: MissingPolicy, source: Source
) -> tuple[list[Column], str | None, Source]:
    """Drop the rows that miss a cell, if the policy says so, or say why that cannot be.

    Returns
    -------
    columns : list of Column
        What is left; under ``state`` and ``keep`` all of it.
    trouble : str or None
        What to do about missing cells, if they are refused or no complete row is left.
    source : Source
        Where the rows come from that are left.
    """
    masks = {v: mask for v, column in enumerate(columns) if (mask := column.missing()) is not None}
    if not masks or policy in ("state", "keep"):
        return list(columns), None, source
    complete = ~np.logical_or.reduce(list(masks.values()))
    if policy == "error" or not complete.any():
        missing = {columns[v].name: int(mask.sum()) for v, mask in masks.items()}
        v = min(masks, key=lambda v: (int(masks[v].argmax()), v))
        place = source.place(int(masks[v].argmax()), columns[v].name)
        told = tell_missing(
            missing, len(complete), int(complete.sum()), policy=policy, place=place, source=source
        )
        return list(columns), told, source
    return [column.only(complete) for column in columns], None, source.only(complete)


def tell_missing(
    missing: Mapping[str, int],
    n_rows: int,
    n_complete: int,
    *,
    policy: MissingPolicy,
    place: str,
    source: Source,
) -> str:
    """Say that cells are missing, so many in each column, and what can be done.

    Parameters
    ----------
    missing : mapping
        The number of missing cells of the columns that have some.
    n_rows, n_complete : int
        The number of rows, and of those without a missing cell.
    policy : {"error", "drop"}
        What the user wants.
    place : str
        Where the first missing cell is.
    source : Source
        Where the data come from.
    """
    counts = listed(f"{name} {n}" for name, n in sorted(missing.items(), key=lambda c: -c[1]))
    if policy == "drop":
        return (
            f"{source.title}: every row ({n_rows} in all) misses a cell, so none is left; use "
            "missing='keep' (--missing keep) or missing='state' (--missing state), or drop the "
            f"columns that miss most: {counts}"
        )
    return (
        f"{place}: this cell is missing, one of {sum(missing.values())} in the table "
        f"({counts}); choose missing='drop' (--missing drop), which keeps {n_complete} of "
        f"{n_rows} rows{_without_worst(missing, n_rows)}, missing='state' (--missing state), "
        f"which makes {MISSING_STATE!r} a state, or missing='keep' (--missing keep), which learns "
        "from the cells that are there"
    )


def _without_worst(missing: Mapping[str, int], n_rows: int) -> str:
    """Say how many rows stay at least if a column is left out that misses more than half of them.

    Examples
    --------
    >>> _without_worst({"Cabin": 687, "Age": 177}, 891)
    " (at least 714 without 'Cabin': drop=['Cabin'], --drop Cabin)"
    >>> _without_worst({"Age": 177}, 891)
    ''
    """
    name, most = max(missing.items(), key=lambda cells: cells[1])
    rest = n_rows - (sum(missing.values()) - most)
    if 2 * most <= n_rows or rest <= n_rows - most:
        return ""
    return f" (at least {rest} without {shown(repr(name))}: drop={[name]!r}, --drop {quoted(name)})"


def refuse_empty(columns: Sequence[Column], source: Source) -> None:
    """Refuse, under ``keep``, a column without a single value: nobody knows its states.

    Raises
    ------
    DataError
        With the column and the choice to drop it.
    """
    empty = [column.name for column in columns if not column.values]
    if empty:
        one = len(empty) == 1
        names = listed(shown(repr(name)) for name in empty)
        drop = " ".join(f"--drop {quoted(name)}" for name in empty[:_NAMED])
        msg = (
            f"{source.title}: {'column' if one else 'columns'} {names} {'has' if one else 'have'} "
            f"no cell that is known, so nothing can be learned of {'it' if one else 'them'}; drop "
            f"{'it' if one else 'them'} with drop={empty[:_NAMED]!r} ({drop})"
        )
        raise DataError(msg)


def with_holes(column: Column, source: Source) -> npt.NDArray[Any]:
    """Return the cells of a column: numbers, or codes with one past the last for missing cells.

    Raises
    ------
    DataError
        If there are so many states that no code is left.
    """
    if column.kept and column.numbers is not None:
        return column.recoded(np.append(column.numbers, np.nan).astype(np.float64))
    n = len(column.values)
    hollow = column.missing() is not None
    if hollow and n == MOST_STATES:
        msg = f"{source.title}: {no_room_for_holes(column.name)}"
        raise DataError(msg)
    return column.recoded(np.arange(n + hollow, dtype=code_type(n + hollow)))


def fill_with_state(column: Column, source: Source) -> Column:
    """Return the column with the missing cells, if any, in a last state of their own.

    Raises
    ------
    DataError
        If a value that occurs has the label of that state, or there is no room for it.
    """
    if column.missing() is None:
        return column
    if column.kept:
        name = column.name
        msg = (
            f"{source.title}: column {shown(repr(name))} holds numbers, and missing='state' "
            "(--missing state) has no meaning for these; use missing='keep' (--missing keep) or "
            f"missing='drop' (--missing drop), or cut it with numbers={{{name!r}: 'cut'}} "
            f"(--numbers {quoted(name)}=cut)"
        )
        raise DataError(msg)
    values, code = with_missing_state(column.tally(), source)
    parts = tuple(
        Part(part.indices, np.where(part.lookup == MISSING, code, part.lookup))
        for part in column.parts
    )
    return replace(column, values=values, parts=parts, numbers=None)


def with_missing_state(column: Tally, source: Source) -> tuple[list[str], int]:
    """Return the values with the state of missing cells among them, and its number.

    Raises
    ------
    DataError
        If a value that occurs has the label of that state, or there is no room for it.
    """
    values = list(column.values)
    if MISSING_STATE in values:
        code = values.index(MISSING_STATE)
        row = column.first_row(code)
        if row < 0:  # declared, but only for the cells that are missing
            return values, code
        msg = (
            f"{source.place(row, column.name)}: the value {MISSING_STATE!r} is there, so missing "
            f"cells cannot get that state as well; name it in missing_markers (--missing-marker) "
            "if it means the same, or rename it"
        )
        raise DataError(msg)
    if len(values) == MOST_STATES:
        msg = (
            f"{source.title}: column {shown(repr(column.name))} has {MOST_STATES:,} states "
            "already, the most there can be, so missing cells cannot get the state "
            f"{MISSING_STATE!r}; leave their rows out with missing='drop' (--missing drop), or "
            "drop the column"
        )
        raise DataError(msg)
    return [*values, MISSING_STATE], len(values)
