"""Write a table as CSV, Parquet or Arrow, and hand it to Arrow and pandas."""

from __future__ import annotations

import gzip
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO, cast

import numpy as np

from bayesloom.data.atomic import atomic_file
from bayesloom.data.path import check_place, checked_path
from bayesloom.data.table import Table, check_table
from bayesloom.errors import FileFormatError, MissingExtraError

_TEXT = (".csv", ".csv.gz")
TABLE_ENDINGS = (*_TEXT, ".parquet", ".arrow")
"""The endings of the files that `write_table` writes."""

_NEEDS_QUOTES = re.compile('[,"\r\n\ufeff]')
_LOOKS_DELIMITED = re.compile('[,;\t|:"\r\n\ufeff]')  # a reader might split such a name


def write_table(table: Table, path: str | os.PathLike[str]) -> None:
    """Write a table, whole or not at all, in the format that the ending names.

    Parquet and Arrow keep the states of every column and their order, CSV cannot; see `write_csv`.

    Raises
    ------
    FileFormatError
        If the ending is not one of `TABLE_ENDINGS` or the file cannot be written.
    OptionError
        If ``table`` is no table.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from bayesloom.data import read
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "rain.parquet")
    ...     write_table(Table(["rain"], [["no", "yes", "hail"]], [[1, 0]]), path)
    ...     read(path).states
    (('no', 'yes', 'hail'),)
    """
    ending = _ending_of(path, TABLE_ENDINGS)
    if ending in _TEXT:
        write_csv(table, path)
        return
    check_table("table", table)
    with atomic_file(path) as file:
        _write_binary(to_arrow(table), file, ending)


def _write_binary(arrow: Any, file: BinaryIO, ending: str) -> None:  # noqa: ANN401
    if ending == ".parquet":
        from pyarrow import parquet

        parquet.write_table(arrow, file)
    else:
        import pyarrow as pa

        with pa.ipc.new_file(file, arrow.schema) as writer:
            writer.write_table(arrow)


def write_columns(columns: Mapping[str, Sequence[object]], path: str | os.PathLike[str]) -> None:
    r"""Write columns of texts and numbers, whole or not at all.

    Parameters
    ----------
    columns : mapping of str to sequence
        The columns by name, all of one length.
    path : str or path
        The file, as for `write_table`.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "told.csv")
    ...     write_columns({"flu": ["no", "yes"], "P(flu=yes)": [0.25, 0.75]}, path)
    ...     path.read_text()
    'flu,P(flu=yes)\n"no",0.25\n"yes",0.75\n'
    """
    ending = _ending_of(path, TABLE_ENDINGS)
    with atomic_file(path) as file:
        if ending == ".csv.gz":
            with gzip.GzipFile(filename="", fileobj=file, mode="wb", mtime=0) as zipped:
                write_column_rows(columns, cast("BinaryIO", zipped))
        elif ending == ".csv":
            write_column_rows(columns, file)
        else:
            _write_binary(_columns_to_arrow(columns), file, ending)


def write_column_rows(columns: Mapping[str, Sequence[object]], file: BinaryIO) -> None:
    """Write columns of texts and numbers as CSV to an open file."""
    _write_csv_rows(_columns_to_arrow(columns), file, "needed")


def _columns_to_arrow(columns: Mapping[str, Sequence[object]]) -> Any:  # noqa: ANN401
    import pyarrow as pa

    return pa.table({name: pa.array(values) for name, values in columns.items()})


def check_table_path(path: str | os.PathLike[str]) -> None:
    """Raise if a table cannot be written under a name, before any work is done for it.

    Raises
    ------
    FileFormatError
        If the ending is not known or a file cannot be written there.

    Examples
    --------
    >>> check_table_path("data.xlsx")
    Traceback (most recent call last):
    bayesloom.errors.FileFormatError: data.xlsx: unknown ending '.xlsx'; tables are written as \
.csv, .csv.gz, .parquet or .arrow
    """
    _ending_of(path, TABLE_ENDINGS)
    check_place(path)


def _ending_of(path: str | os.PathLike[str], endings: tuple[str, ...]) -> str:
    """Return the ending of a file name if it is one of some."""
    name = checked_path(path)
    found = next((ending for ending in endings if name.lower().endswith(ending)), None)
    if found is None:
        what = "tables are" if endings == TABLE_ENDINGS else "CSV is"
        known = f"{', '.join(endings[:-1])} or {endings[-1]}"
        problem = f"unknown ending {Path(name).suffix!r}; {what} written as {known}"
        raise FileFormatError(problem, name)
    return found


def write_csv(table: Table, path: str | os.PathLike[str]) -> None:
    r"""Write a table as comma-separated UTF-8 text, whole or not at all.

    A name that ends in ``.csv.gz`` makes a packed file. Read back, the table is the same in every
    cell; a file of text cannot hold the order of states or states that never occur, so give them:
    ``read(path, states=dict(zip(table.names, table.states)))``.

    Parameters
    ----------
    table : Table
        What to write.
    path : str or path
        Where to: ``.csv`` or ``.csv.gz``; a file that is there is replaced.

    Raises
    ------
    FileFormatError
        If the name has another ending or the file cannot be written.
    OptionError
        If ``table`` is no table.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "rain.csv")
    ...     write_csv(Table(["rain"], [["no", "yes, much"]], [[1, 0]]), path)
    ...     path.read_text()
    'rain\n"yes, much"\n"no"\n'
    """
    check_table("table", table)
    packed = _ending_of(path, _TEXT).endswith(".gz")
    with atomic_file(path) as file:
        if not packed:
            write_rows(table, file)
            return
        # Neither a name nor a time: the same table makes the same bytes.
        with gzip.GzipFile(filename="", fileobj=file, mode="wb", mtime=0) as zipped:
            write_rows(table, cast("BinaryIO", zipped))


def write_rows(table: Table, file: BinaryIO) -> None:
    """Write a table as CSV to an open file."""
    plain = not any(_NEEDS_QUOTES.search(label) for labels in table.states for label in labels)
    # "needed" quotes every text
    _write_csv_rows(to_arrow(table), file, "none" if plain else "needed")


def _write_csv_rows(arrow: Any, file: BinaryIO, quoting: str) -> None:  # noqa: ANN401
    from pyarrow import csv

    file.write((",".join(map(_name_cell, arrow.schema.names)) + "\n").encode("utf-8"))
    options = csv.WriteOptions(include_header=False, quoting_style=quoting)
    csv.write_csv(arrow, file, options)


def _name_cell(name: str) -> str:
    """Return a name as a CSV cell, in quotes where they are needed."""
    if not _LOOKS_DELIMITED.search(name):
        return name
    return '"' + name.replace('"', '""') + '"'


def to_arrow(table: Table) -> Any:  # noqa: ANN401
    """Return the table as an Arrow table: dictionaries with all declared states, and doubles.

    Missing cells are null.
    """
    import pyarrow as pa

    arrays = [
        pa.DictionaryArray.from_arrays(
            pa.array(codes.astype(np.int32), mask=codes == len(labels) if n else None),
            pa.array(labels),
        )
        if labels
        else pa.array(codes, mask=np.isnan(codes) if n else None)
        for codes, labels, n in zip(table.codes, table.states, table.missing.tolist(), strict=True)
    ]
    return pa.table(arrays, names=list(table.names))


def to_pandas(table: Table) -> Any:  # noqa: ANN401
    """Return the table as a pandas frame of categories, declared states included, and of floats.

    Raises
    ------
    MissingExtraError
        If pandas is not installed.
    """
    try:
        import pandas as pd
    except ImportError:
        msg = "to_pandas needs pandas, which is not installed; install it with: pip install pandas"
        raise MissingExtraError(msg) from None
    return pd.DataFrame(
        {
            name: pd.Categorical.from_codes(
                np.where(codes == len(labels), -1, codes.astype(np.int32)),
                categories=pd.Index(labels),
            )
            if labels
            else codes.copy()
            for name, labels, codes in zip(table.names, table.states, table.codes, strict=True)
        }
    )
