"""Read a table from a file: CSV, Parquet or Arrow, told apart by the extension."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

from bayesloom.data.assembly import build_table
from bayesloom.data.csv_file import read_csv_columns
from bayesloom.data.csv_header import EMPTY
from bayesloom.data.options import Discretization, MissingPolicy, Options
from bayesloom.data.path import checked_path
from bayesloom.data.source import Source
from bayesloom.data.table import Table
from bayesloom.errors import FileFormatError, OptionError, shown

_CSV = (".csv", ".csv.gz", ".tsv", ".tsv.gz", ".txt", ".txt.gz")
_PARQUET = (".parquet",)
_ARROW = (".arrow", ".arrows", ".feather", ".ipc")


def read(
    path: str | os.PathLike[str],
    *,
    states: Mapping[str, Sequence[object]] | None = None,
    missing: MissingPolicy = "error",
    missing_markers: Collection[object] = (),
    discretize: Discretization = "none",
    bins: int = 5,
    columns: Iterable[str] | None = None,
    drop: Iterable[str] = (),
    delimiter: str | None = None,
) -> Table:
    r"""Read a table of discrete data from a file.

    The extension tells the kind of file: ``.csv``, ``.tsv`` and ``.txt`` (also followed by
    ``.gz``), ``.parquet``, ``.arrow``, ``.arrows``, ``.ipc`` and ``.feather``. Text is text:
    ``None``, ``NA`` and ``?`` are labels like any other unless they are named as missing markers;
    an empty cell is missing. If all values of a column are numbers, equal numbers are one state and
    the states are in numeric order; otherwise they are in the order of the texts. Categories that
    are declared in the file keep their levels and their order.

    Parameters
    ----------
    path : str or path
        The file.
    states : mapping, optional
        For some columns, the states in the order they shall have; the data must not hold others.
    missing : {"error", "drop", "state"}
        Refuse missing cells, drop the rows that have one, or make them a last state ``missing``.
    missing_markers : collection
        Labels that mean missing, such as ``["?", "NA", -999]``.
    discretize : {"none", "frequency", "width"}
        Whether to cut quantities into bins of equal frequency or of equal width; see
        `bayesloom.data.binning` for the columns that are quantities.
    bins : int
        The largest number of bins of a column.
    columns : iterable of str, optional
        The columns to read, in the order the table shall have. Default: all.
    drop : iterable of str
        Columns to leave out.
    delimiter : str, optional
        What separates the cells of a CSV file. Default: comma, semicolon or tab, whichever fits.

    Returns
    -------
    Table
        The table.

    Raises
    ------
    FileFormatError
        If the file is not there or cannot be read; the message names the line.
    DataError
        If the data break the contract: missing cells, an id or a quantity, undeclared states.
    OptionError
        If an option has a value it cannot take.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "rain.csv")
    ...     _ = path.write_text("rain;wet\nno;no\nyes;yes\nyes;None\n")
    ...     print(read(path))
    ...     print(read(path, missing="drop", missing_markers=["None"]).n_rows)
    Table of 3 rows x 2 columns
      rain: no, yes
      wet: None, no, yes
    2
    """
    options = Options.of(
        states=states,
        missing=missing,
        missing_markers=missing_markers,
        discretize=discretize,
        bins=bins,
        columns=columns,
        drop=drop,
    )
    title = checked_path(path)
    file, source = Path(title), Source(title)
    try:
        kind = _kind_of(file, title)
        _check_delimiter(delimiter, kind)
        if kind in _PARQUET:
            from bayesloom.data.arrow_file import read_parquet_columns

            found = read_parquet_columns(file, options, source)
        elif kind in _ARROW:
            from bayesloom.data.arrow_file import read_ipc_columns

            found = read_ipc_columns(file, options, source)
        else:
            usual = "\t" if kind.startswith(".tsv") else None
            found, source = read_csv_columns(title, options, delimiter, usual=usual)
    except OSError as error:
        msg = f"the file cannot be read ({error.strerror or error}); check that you may read it"
        raise FileFormatError(msg, title) from None
    return build_table(found, options, source)


def as_table(data: object) -> Table:
    """Return the table that data of any kind hold: a file, a frame or a table.

    Examples
    --------
    >>> as_table({"rain": ["no", "yes"]}).names
    ('rain',)
    """
    if isinstance(data, Table):
        return data
    return read(data) if isinstance(data, str | os.PathLike) else Table.from_frame(data)


def _kind_of(file: Path, title: str) -> str:
    """Return the extension of a file that is there."""
    known = (*_CSV, *_PARQUET, *_ARROW)
    kind = next((k for k in known if file.name.lower().endswith(k)), None)
    if file.is_dir():
        msg = "this is a directory; name a file in it"
    elif not file.exists():
        msg = "there is no such file; check the name"
    elif not file.is_file():
        msg = "this is a pipe or a device; write the data to a file first"
    elif file.stat().st_size == 0:
        msg = EMPTY
    elif kind is None:
        msg = f"the extension is not one of {', '.join(known)}; rename or convert the file"
    else:
        return kind
    raise FileFormatError(msg, title)


def _check_delimiter(delimiter: object, kind: str) -> None:
    """Refuse a delimiter that is none, or that is given for a file without delimiters."""
    if delimiter is None:
        return
    is_one = isinstance(delimiter, str) and len(delimiter) == 1 and delimiter.isascii()
    if not is_one or str(delimiter) in '"\r\n\0':
        msg = f"delimiter must be one character such as ',' or ';', got {shown(repr(delimiter))}"
        raise OptionError(msg)
    if kind not in _CSV:
        msg = f"delimiter is an option of CSV files, and a {kind} file has none; leave it out"
        raise OptionError(msg)
