"""Take columns out of a frame: pandas, polars, Arrow, a dictionary, records, an array."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from numbers import Integral, Number
from typing import Any

import numpy as np

from bayesloom.data.arrow import ArrowTable
from bayesloom.data.assembly import build_table
from bayesloom.data.column import Column
from bayesloom.data.label import is_label, label_fault
from bayesloom.data.reading import Reading
from bayesloom.data.source import Source
from bayesloom.data.table import Table
from bayesloom.data.values import Values, encode_values, is_from
from bayesloom.errors import DataError, OptionError, shown

Frame = Any  # of whatever library


def columns_of(
    frame: Frame, names: Iterable[str] | None, reading: Reading, source: Source
) -> list[Column]:
    """Return the chosen columns of a frame, encoded.

    Raises
    ------
    DataError
        If the frame is of no known kind, has no columns, a name that is no text or is there twice,
        columns of different lengths or without rows, or values that cannot be states.
    OptionError
        If an array comes without names, or names come with a frame that has its own.
    """
    found, values = _split(frame, names, source)
    chosen = choose_columns(found, reading, source)
    return checked_columns(
        [encode_values(str(found[v]), values[v], source) for v in chosen], source
    )


def frame_table(frame: Frame, names: Iterable[str] | None, reading: Reading) -> Table:
    """Return the table of a frame, or of an array with ``names``; see `Table.from_frame`."""
    reading.refuse_file_options(f"a {type(frame).__name__}")
    source = Source("the frame")
    if reading.plans:
        from bayesloom.data.planned import planned_table

        return planned_table(
            lambda how: (columns_of(frame, names, how, source), source), reading, text=False
        )
    return build_table(columns_of(frame, names, reading, source), reading, source)


def choose_columns(names: Sequence[object], reading: Reading, source: Source) -> list[int]:
    """Return the positions of the columns to take, after a look at all the names.

    Raises
    ------
    DataError
        If a name is no text or is there twice, or if there is no column.
    """
    seen: dict[str, int] = {}
    for position, name in enumerate(names, start=1):
        if not is_label(name) and (not isinstance(name, Integral) or isinstance(name, bool)):
            what = f"column {position} has the name {shown(repr(name))}"
            msg = f"{source.title}: {what}, which can be no name: {label_fault(name)}; rename it"
            raise DataError(msg)
        if str(name) in seen:
            msg = (
                f"{source.title}: columns {seen[str(name)]} and {position} have the same name "
                f"{shown(repr(str(name)))}; rename or drop one of them"
            )
            raise DataError(msg)
        seen[str(name)] = position
    if not seen:
        msg = f"{source.title}: there are no columns; a table needs at least one"
        raise DataError(msg)
    return reading.chosen(list(seen), source)


def checked_columns(columns: list[Column], source: Source) -> list[Column]:
    """Return columns that are equally long and not empty.

    Raises
    ------
    DataError
        If they are not.
    """
    for column in columns:
        if column.n_rows != columns[0].n_rows:
            msg = (
                f"{source.title}: column {column.name!r} has {column.n_rows} rows but column "
                f"{columns[0].name!r} has {columns[0].n_rows}; give all columns the same length"
            )
            raise DataError(msg)
    if columns[0].n_rows == 0:
        msg = f"{source.title}: there are no rows; a table needs at least one"
        raise DataError(msg)
    return columns


def _split(
    frame: Frame, names: Iterable[str] | None, source: Source
) -> tuple[list[object], list[Values]]:
    """Return the names and the columns of a frame."""
    if names is not None or isinstance(frame, np.ndarray):
        return _split_array(frame, names)
    if is_from("pandas", frame, "DataFrame"):
        return list(frame.columns), [frame.iloc[:, v] for v in range(frame.shape[1])]
    if is_from("polars", frame, "DataFrame"):
        return list(frame.columns), list(frame.get_columns())
    if isinstance(frame, Mapping):
        _refuse_single_values(frame, source)
        return list(frame), list(frame.values())
    if isinstance(frame, list | tuple) and all(isinstance(record, Mapping) for record in frame):
        keys = dict.fromkeys(key for record in frame for key in record)
        return list(keys), [[record.get(key) for record in frame] for key in keys]
    table = _as_arrow(frame)
    if table is not None:
        return list(table.schema.names), list(table.columns)
    msg = (
        f"{source.title}: no table can be made of a {type(frame).__name__}; give a frame of pandas "
        "or polars, an Arrow table, a dictionary of columns, a list of dictionaries, or an array "
        "with names"
    )
    raise DataError(msg)


def _refuse_single_values(frame: Mapping[Any, Any], source: Source) -> None:
    """Refuse a dictionary that is one row where columns are expected."""
    for name, column in frame.items():
        if column is None or isinstance(column, str | bytes | Number):
            msg = (
                f"{source.title}: column {shown(repr(name))} is one value, "
                f"{shown(repr(column))}, and not a list; a dictionary holds columns, so write "
                "[{...}], a list of dictionaries, for one row"
            )
            raise DataError(msg)


def _as_arrow(frame: Frame) -> ArrowTable | None:
    """Return an Arrow table or record batch of what offers one, else None."""
    import pyarrow as pa

    if isinstance(frame, Table):
        return frame.to_arrow()
    if isinstance(frame, pa.Table | pa.RecordBatch):
        return frame
    if hasattr(frame, "__arrow_c_stream__") or hasattr(frame, "__arrow_c_array__"):
        with suppress(pa.ArrowException, TypeError):
            return pa.table(frame)
    return None


def _split_array(frame: Frame, names: Iterable[str] | None) -> tuple[list[object], list[Values]]:
    """Return the given names and the columns of a two-dimensional array."""
    if names is None or not isinstance(frame, np.ndarray):
        got = f"a {type(frame).__name__} {'without' if names is None else 'with'} names"
        msg = f"names must be given for an array, and only for an array, got {got}"
        raise OptionError(msg)
    given = list(names)
    if frame.shape[1:] != (len(given),):
        msg = (
            f"an array needs one column per name, got the shape {frame.shape} and {len(given)} "
            "names; give a two-dimensional array with rows first"
        )
        raise DataError(msg)
    return list(given), list(frame.T)
