"""Encode one column of values, whatever library it is from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from bayesloom.data.arrow import encode_arrow, wrong_type
from bayesloom.data.column import MISSING, Column, Part, column_of_runs
from bayesloom.data.label import label_fault, label_of, told
from bayesloom.data.source import Source
from bayesloom.errors import DataError

Values = Any  # a list, an array, or a column of pandas, polars or Arrow


def encode_values(name: str, values: Values, source: Source) -> Column:
    """Encode one column; Arrow does the work wherever it knows the kind of values.

    Raises
    ------
    DataError
        If the values cannot be states.
    """
    import pyarrow as pa

    if isinstance(values, pa.Array | pa.ChunkedArray):
        return encode_arrow(name, values, source)
    if is_from("polars", values, "Series"):
        return _encode_polars(name, values, source)
    levels = getattr(values, "cat", values)
    if hasattr(levels, "categories") and hasattr(levels, "codes"):
        return _encode_levels(name, levels, source)
    if isinstance(values, str | bytes) or not hasattr(values, "__len__"):
        raise wrong_type(name, type(values).__name__, source)
    try:
        array = pa.array(values, from_pandas=True)
    except (pa.ArrowException, UnicodeError, OverflowError, ValueError, TypeError):
        return _encode_objects(name, values, source)
    if isinstance(array.type, pa.BaseExtensionType):
        return _encode_objects(name, values, source)
    return encode_arrow(name, array, source)


def _encode_polars(name: str, series: Values, source: Source) -> Column:
    """Encode a series of polars; whole numbers of 128 bits are more than Arrow can take."""
    import pyarrow as pa

    try:
        array = series.alias("").to_arrow()  # a name with a NUL character would not cross
    except (pa.ArrowException, TypeError, ValueError):
        return _encode_objects(name, series.to_list(), source)
    # The categories of a categorical are those of every column, so only those that occur count.
    declared = type(series.dtype).__name__ != "Categorical"
    return encode_arrow(name, array, source, declared=declared)


def is_from(library: str, value: object, kind: str) -> bool:
    """Tell whether a value is of a class of a library, without importing the library."""
    return any(
        base.__name__ == kind and base.__module__.partition(".")[0] == library
        for base in type(value).__mro__
    )


def _encode_levels(name: str, levels: Values, source: Source) -> Column:
    """Encode a categorical of pandas: its levels are declared, and code -1 is missing."""
    try:
        labels = [label_of(level) for level in levels.categories]
    except TypeError:
        raise wrong_type(name, f"category of {levels.categories.dtype}", source) from None
    codes = np.asarray(levels.codes)
    column = column_of_runs(name, [[*labels, None] if (codes < 0).any() else labels], [(0, codes)])
    return replace(column, declared=True)


def _encode_objects(name: str, values: Iterable[object], source: Source) -> Column:
    """Encode values one by one: a mixture that Arrow has no type for."""
    known: dict[str, int] = {}
    codes = []
    for row, value in enumerate(values):
        try:
            label = label_of(value)
        except TypeError:
            msg = (
                f"{source.place(row, name)}: the value {told(value)} is no text, number, "
                "truth value or date; convert it or drop the column"
            )
            raise DataError(msg) from None
        fault = None if label is None else label_fault(label)
        if fault is not None:
            what = f"{source.place(row, name)}: the value {told(value)} can be no state"
            msg = f"{what}: {fault}; correct it"
            raise DataError(msg)
        codes.append(MISSING if label is None else known.setdefault(label, len(known)))
    return Column(name, tuple(known), (Part.of(np.array(codes, dtype=np.int32), len(known)),))
