"""Columns out of what scikit-learn passes on: arrays, and frames of pandas, polars or Arrow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from bayesloom.data import Reading
from bayesloom.data.column import Column, Part, mark_seen
from bayesloom.data.label import NumberLabels
from bayesloom.data.reader import columns_in
from bayesloom.data.source import Source
from bayesloom.data.values import is_from

_SPAN = 1 << 12  # whole numbers this close together are looked up instead of sorted
_FIRST = 1 << 11  # rows that are looked at first for the numbers that occur


def is_frame(x: object) -> bool:
    """Say whether data are a frame, whose columns have names."""
    kinds = (("pandas", "DataFrame"), ("polars", "DataFrame"), ("pyarrow", "Table"))
    return any(is_from(library, x, kind) for library, kind in kinds)


def frame_names(frame: Any) -> list[str]:  # noqa: ANN401 - frames of whatever library
    """Return the names of a frame's columns as texts."""
    names = frame.schema.names if is_from("pyarrow", frame, "Table") else frame.columns
    return [str(name) for name in names]


def column_list(x: Any, names: Sequence[str]) -> tuple[list[Column], Source]:  # noqa: ANN401
    """Return the encoded columns of a frame, or of an array with these names.

    Raises
    ------
    DataError
        If a value can be no state and no number; the message names the column and the row.
    """
    if is_frame(x):
        return columns_in(x, Reading())
    if x.dtype.kind in "iu" and x.shape[1] and x.shape[0]:
        low, high = x.min(axis=0), x.max(axis=0)
        if all(int(b) - int(a) < _SPAN for a, b in zip(low, high, strict=True)):
            return _whole_numbers(x, names, low, high), Source("the array")
    columns, _ = columns_in(x, Reading(), names)
    return columns, Source("the array")


def _whole_numbers(
    x: npt.NDArray[Any],
    names: Sequence[str],
    low: npt.NDArray[Any],
    high: npt.NDArray[Any],
) -> list[Column]:
    """Encode columns of whole numbers that are close together, the same as any other but faster."""
    above = (x - low).astype(np.uint16).T.copy()
    columns = []
    for name, codes, least, most in zip(names, above, low.tolist(), high.tolist(), strict=True):
        span = most - least + 1
        seen = mark_seen(codes[:_FIRST], span + 1)[:span]  # often all are there
        if not seen.all():
            seen = mark_seen(codes, span + 1)[:span]
        numbers = np.flatnonzero(seen) + float(least)
        part = Part(codes, np.cumsum(seen) - 1)
        columns.append(Column(name, NumberLabels(numbers), (part,), numbers=numbers))
    return columns
