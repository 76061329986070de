"""Encode Arrow arrays: the one road by which frames and files of every kind come in.

The modules ``arrow``, ``frame``, ``csv_file`` and ``reading`` are the border to pyarrow, which has
no type stubs: an object of Arrow is ``Any`` there and nowhere else.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from bayesloom.data.column import MISSING, Column, Part, column_of_runs, mark_seen
from bayesloom.data.label import NumberLabels, label_of
from bayesloom.data.source import Source
from bayesloom.errors import DataError, shown

ArrowArray = Any
ArrowTable = Any
ArrowType = Any
_IDLE_ZEROS = re.compile(r"\.?0+(?=Z|[+-]\d{4}|$)")


def encode_arrow(name: str, array: ArrowArray, source: Source, *, declared: bool = True) -> Column:
    """Return the column of an Arrow array or chunked array.

    A dictionary keeps its levels and their order, unless these are not ``declared`` but only how
    the values are stored. Text, numbers, truth values and dates become the values that occur. Null,
    not-a-number and empty text are missing.

    Raises
    ------
    DataError
        If values of this type cannot be states, a number is infinite, or a text is no UTF-8.
    """
    import pyarrow as pa

    chunked = array if isinstance(array, pa.ChunkedArray) else pa.chunked_array([array])
    kind, types = chunked.type, pa.types
    if types.is_null(kind):
        return Column(name, (), (Part(np.zeros(len(chunked), np.intp), np.array([MISSING])),))
    try:
        if types.is_boolean(kind) or types.is_string(kind) or types.is_large_string(kind):
            return _encode_dictionary(name, chunked.dictionary_encode())
        with suppress(pa.ArrowInvalid, pa.ArrowNotImplementedError, TypeError):  # a kind of its own
            if types.is_dictionary(kind):
                return _encode_dictionary(name, chunked, declared=declared)
            if types.is_integer(kind) or types.is_floating(kind):
                return _encode_numbers(name, chunked, source)
            if not isinstance(kind, pa.BaseExtensionType) and not types.is_duration(kind):
                return _encode_as_text(name, chunked)
    except UnicodeDecodeError as error:
        msg = (
            f"{source.title}: column {name!r} holds bytes that are no UTF-8 text "
            f"({shown(repr(error.object))}); decode them as what they are"
        )
        raise DataError(msg) from None
    raise wrong_type(name, str(kind), source)


def wrong_type(name: str, kind: str, source: Source) -> DataError:
    """Return the error for a column whose values cannot be states."""
    msg = (
        f"{source.title}: column {name!r} has the type {kind}; a column holds text, numbers, truth "
        f"values, dates or categories, so convert it or drop it (drop=[{name!r}], --drop {name!r})"
    )
    return DataError(msg)


def _encode_dictionary(name: str, chunked: ArrowArray, *, declared: bool = False) -> Column:
    """Return the column of a dictionary-encoded chunked array.

    Its values are all levels, if they are declared, or else those that occur.
    """
    import pyarrow as pa

    labels: list[list[str | None]] = []
    runs = []
    for k, chunk in enumerate(chunked.chunks):
        indices, n = _indices(chunk.indices), len(chunk.dictionary)
        runs.append((k, indices))
        own: list[str | None] = [None] * (n + 1)  # the last for cells that are null
        used = np.arange(n) if declared else np.flatnonzero(mark_seen(indices, n + 1)[:n])
        values = chunk.dictionary if len(used) == n else chunk.dictionary.take(pa.array(used))
        for level, value in zip(used.tolist(), values.to_pylist(), strict=True):
            own[level] = label_of(value)
        labels.append(own if chunk.null_count else own[:n])
    return replace(column_of_runs(name, labels, runs), declared=declared)


def _indices(indices: ArrowArray) -> npt.NDArray[Any]:
    """Return dictionary indices as an array, -1 where the cell is null."""
    if indices.null_count == 0:
        return _array(indices)
    present = np.asarray(indices.is_valid().to_numpy(zero_copy_only=False))
    filled = _array(indices.fill_null(0)).astype(np.intp)
    return np.where(present, filled, MISSING)


def _array(array: ArrowArray) -> npt.NDArray[Any]:
    numbers: npt.NDArray[Any] = array.to_numpy(zero_copy_only=False)
    return numbers


def _encode_numbers(name: str, chunked: ArrowArray, source: Source) -> Column:
    """Return the column of an integer or floating-point array, its numbers ascending."""
    import pyarrow as pa

    is_half = pa.types.is_float16(chunked.type)  # which Arrow could not encode before version 26
    wide = chunked.cast(pa.float32()) if is_half else chunked
    encoded = wide.dictionary_encode().unify_dictionaries()
    raw = _array(encoded.chunk(0).dictionary) if encoded.num_chunks else np.zeros(0)
    raw = raw.astype(np.float16) if is_half else raw
    numbers, to_sorted = np.unique(raw, return_inverse=True)
    present = ~np.isnan(numbers)
    to_sorted = np.where(present[to_sorted], to_sorted, MISSING)
    lookup = (np.append(to_sorted, MISSING) if encoded.null_count else to_sorted).astype(np.intp)
    parts = tuple(Part(_indices(chunk.indices), lookup) for chunk in encoded.chunks)
    column = Column(name, NumberLabels(numbers[present]), parts, numbers[present])
    infinite = np.flatnonzero(np.isinf(numbers[present]))
    if len(infinite):
        value, row = numbers[present][infinite[0]], column.first_row(int(infinite[0]))
        msg = f"{source.place(row, name)}: {value} is not a finite number; correct or remove it"
        raise DataError(msg)
    return column


def _encode_as_text(name: str, chunked: ArrowArray) -> Column:
    """Return the column of dates, times, decimals or other values that Arrow can spell."""
    import pyarrow as pa

    texts = chunked.dictionary_encode().cast(pa.dictionary(pa.int32(), pa.string()))
    column = _encode_dictionary(name, texts)
    if not pa.types.is_temporal(chunked.type):
        return column
    return replace(
        column, values=[_IDLE_ZEROS.sub("", t) if "." in t else t for t in column.values]
    )
