"""Take a table out of a frame: pandas, polars, Arrow, a dictionary of columns, records, an array."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from bayesloom.data.arrow import encode_arrow, wrong_type
from bayesloom.data.column import MISSING, Column, Part
from bayesloom.data.label import label_of
from bayesloom.data.options import Options
from bayesloom.data.source import Source
from bayesloom.data.table import is_label
from bayesloom.errors import DataError, OptionError

FRAME = Source("the frame")
Values = Any  # a column of whatever library the frame is from


def columns_of(
    frame: object, names: Iterable[str] | None, options: Options, source: Source
) -> list[Column]:
    """Return the chosen columns of a frame, encoded.

    Raises
    ------
    DataError
        If the frame is of no known kind, has no rows or columns, a name that is no text or is there
        twice, columns of different lengths, or values that cannot be states.
    OptionError
        If names are given for a frame that has its own, or are not given for an array.
    """
    found, values = _named_values(frame, names)
    if not found:
        msg = f"{source.title} has no columns; a table needs at least one"
        raise DataError(msg)
    _check_names(found, source)
    chosen = [(found[v], values[v]) for v in options.chosen(found, source)]
    columns = [_encode(name, column, source) for name, column in chosen]
    _check_lengths(columns, source)
    return columns


def _named_values(frame: object, names: Iterable[str] | None) -> tuple[list[str], list[Values]]:
    """Return the names and the columns of a frame of any known kind."""
    if isinstance(frame, np.ndarray):
        return _columns_of_array(frame, names)
    if names is not None:
        msg = f"names are for arrays only; a {type(frame).__name__} has its own"
        raise OptionError(msg)
    if _is_from("pandas", "DataFrame", frame):
        return _columns_of_pandas(frame)
    if _is_from("polars", "DataFrame", frame):
        return _columns_of_polars(frame)
    if isinstance(frame, Mapping):
        return [_name(key) for key in frame], list(frame.values())
    if isinstance(frame, Sequence) and frame and all(isinstance(r, Mapping) for r in frame):
        return _columns_of_records(frame)
    if hasattr(frame, "__arrow_c_stream__") or hasattr(frame, "__arrow_c_array__"):
        import pyarrow as pa

        table = pa.table(frame)
        return list(table.column_names), list(table.columns)
    msg = (
        f"cannot make a table of a {type(frame).__name__}; give a pandas or polars frame, an Arrow "
        "table, a dictionary of columns, a list of dictionaries, or an array with names"
    )
    raise DataError(msg)
