"""Make tables of files, told apart by the extension, of frames and of other tables."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from stat import S_ISDIR, S_ISREG
from typing import Any, Unpack

from bayesloom import _native
from bayesloom.data.assembly import build_table
from bayesloom.data.column import Column
from bayesloom.data.csv_file import read_csv_columns
from bayesloom.data.csv_header import EMPTY
from bayesloom.data.level import settle_levels, without_markers
from bayesloom.data.path import checked_path
from bayesloom.data.reading import USUAL, Reading, ReadingOptions, plain_options
from bayesloom.data.source import Source
from bayesloom.data.stripped import stripped
from bayesloom.data.table import Table
from bayesloom.data.text_file import STANDARD_INPUT, TextFile, spooled_input
from bayesloom.errors import FileFormatError, OptionError
from bayesloom.logs import log_notes

CSV = (".csv", ".csv.gz", ".tsv", ".tsv.gz", ".txt", ".txt.gz")
PARQUET = (".parquet",)
ARROW = (".arrow", ".arrows", ".feather", ".ipc")


def read(
    path: str | os.PathLike[str],
    **reading: Unpack[ReadingOptions],
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
        The file; ``-`` is standard input.
    **reading
        How to read it: ``states``, ``missing``, ``missing_markers``, ``numbers``,
        ``discretize``, ``bins``, ``columns``, ``drop``, ``delimiter``, ``encoding``, ``target``,
        ``states_from``, ``header``, ``skip_lines``, ``strip``, ``dates``, ``auto``, ``strict``;
        see `bayesloom.Reading`.

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
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "rain.csv")
    ...     _ = path.write_text("rain;wet\nno;no\nyes;yes\nyes;None\n")
    ...     print(read(path))
    ...     print(read(path, missing="drop", missing_markers=["None"]).n_rows)
    Table of 3 rows x 2 columns
      rain  wet
      no    no
      yes   yes
      yes   None
    2
    """
    how = Reading.from_dict(reading, read)
    table = read_file(checked_path(path), how)
    log_notes(table.notes)
    return table


def table_of(data: Any, reading: Reading) -> Table:  # noqa: ANN401 - frames of whatever library
    """Return the table that data of any kind hold; see `Reading.apply`."""
    if isinstance(data, str | os.PathLike):
        from bayesloom.data.dataset import data_files, is_dataset

        title = checked_path(data)
        if not is_dataset(title):
            return read_file(title, reading)
        from bayesloom.data.scan import read_dataset

        return read_dataset(data_files(title), reading, title)
    if isinstance(data, Table):
        return _selected(data, reading)
    if hasattr(data, "table_read_with"):  # a source of rows, such as a database
        found: Table = data.table_read_with(reading)
        return found
    from bayesloom.data.frame import frame_table

    return frame_table(data, None, reading)


def columns_in(
    data: Any,  # noqa: ANN401 - frames of whatever library
    reading: Reading,
    names: Iterable[str] | None = None,
) -> tuple[list[Column], Source]:
    """Return the columns of a file or a frame with their levels; cells may be missing.

    Nothing is refused as an id or a quantity yet, and no number is cut: this is for callers that
    treat missing cells and numbers in their own way.

    Parameters
    ----------
    data : path, frame or Table
        The data.
    reading : Reading
        Which columns to read and what is missing; the other options do nothing.
    names : iterable of str, optional
        The names of the columns of an array.

    Examples
    --------
    >>> columns, _ = columns_in({"age": [39.5, None], "sex": ["f", "m"]}, Reading())
    >>> [(column.name, list(column.values), column.codes().tolist()) for column in columns]
    [('age', ['39.5'], [0, -1]), ('sex', ['f', 'm'], [0, 1])]
    """
    if isinstance(data, str | os.PathLike):
        title = checked_path(data)
        if title == STANDARD_INPUT:
            with spooled_input() as path:
                found, _, source = _file_columns(path, "standard input", reading)
        else:
            found, _, source = _file_columns(title, title, reading)
    else:
        from bayesloom.data.frame import columns_of

        reading.refuse_file_options(f"a {type(data).__name__}")
        source = Source("the frame")
        found = columns_of(data, names, reading, source)
    spaced = [stripped(column) for column in found] if reading.strip else found
    marked = [without_markers(column, reading.markers(column.name)) for column in spaced]
    return [settle_levels(column, reading, source) for column in marked], source


def read_file(title: str, reading: Reading) -> Table:
    """Return the table that a file holds, or standard input if it is called ``-``.

    See `Reading.apply`.
    """
    if title != STANDARD_INPUT:
        return _read_file(title, title, reading)
    with spooled_input() as path:
        return _read_file(path, "standard input", reading)


def _read_file(path: str, title: str, reading: Reading) -> Table:
    """Return the table that a file holds which the user calls by a title."""
    if reading.plans:
        table = _planned_file(path, title, reading)
    else:
        table = build_table(*_file_columns(path, title, reading))
    _native.release_memory()  # what reading took and the table does not keep
    return table


def _planned_file(path: str, title: str, reading: Reading) -> Table:
    from bayesloom.data.planned import planned_table

    try:
        load, text, head = planned_file(path, title, reading)
    except OSError as error:
        raise FileFormatError(_unreadable(error), title) from None
    return planned_table(load, reading, text=text, head=head)


def planned_file(
    path: str, title: str, reading: Reading
) -> tuple[Callable[[Reading], tuple[list[Column], Source]], bool, dict[str, Any]]:
    """Return what reads a file, whether it is text, and what its first lines ask for."""
    text = file_kind(path, title) in CSV
    head: dict[str, Any] = {}
    if text:
        from bayesloom.data.csv_guess import head_options

        with TextFile(path, title, reading.encoding).open() as stream:
            head = head_options(stream, reading)

    def load(how: Reading) -> tuple[list[Column], Source]:
        columns, _, source = _file_columns(path, title, how)
        return columns, source

    return load, text, head


def _file_columns(path: str, title: str, reading: Reading) -> tuple[list[Column], Reading, Source]:
    """Return the encoded columns of a file, as `build_table` wants them."""
    source = Source(title)
    try:
        kind = file_kind(path, title)
        if kind not in CSV:
            reading.refuse_file_options(f"a {kind} file")
        if kind in PARQUET:
            from bayesloom.data.arrow_file import read_parquet_columns

            found = read_parquet_columns(path, reading, source)
        elif kind in ARROW:
            from bayesloom.data.arrow_file import read_ipc_columns

            found = read_ipc_columns(path, reading, source)
        else:
            usual = "\t" if kind.startswith(".tsv") else None
            text = TextFile(path, title, reading.encoding)
            found, source = read_csv_columns(text, reading, usual=usual)
    except OSError as error:
        raise FileFormatError(_unreadable(error), title) from None
    return found, reading, source


def _unreadable(error: OSError) -> str:
    return f"the file cannot be read ({error.strerror or error}); check that you may read it"


def _selected(table: Table, reading: Reading) -> Table:
    """Return the chosen columns of a table, for which no other option has a meaning."""
    reading.refuse_file_options("a Table")
    said = {**plain_options(reading), "columns": None, "drop": ()}
    unusual = [option for option, usual in plain_options(USUAL).items() if said[option] != usual]
    if unusual:
        option = unusual[0]
        msg = f"{option} is an option of reading, and a Table is already read; give it there"
        raise OptionError(msg)
    for name in reading.drop:
        table.index(name)
    kept = table.names if reading.columns is None else reading.columns
    left = [name for name in kept if name not in set(reading.drop)]
    return table if tuple(left) == table.names else table.select(left)


def file_kind(path: str, title: str | None = None) -> str:
    """Return the extension of a file that is there, and that the user calls by a title.

    Raises
    ------
    FileFormatError
        If it is not there, is no file, is empty, or has an extension that is not known.
    """
    known = (*CSV, *PARQUET, *ARROW)
    kind = next((k for k in known if path.lower().endswith(k)), None)
    try:
        found = os.stat(path)  # noqa: PTH116 - pathlib would be a twentieth of a start
    except (FileNotFoundError, NotADirectoryError):
        found = None
    if found is None:
        msg = "there is no such file; check the name"
    elif S_ISDIR(found.st_mode):
        msg = "this is a directory; name a file in it"
    elif not S_ISREG(found.st_mode):
        msg = "this is a pipe or a device; write the data to a file first, or pipe them to '-'"
    elif found.st_size == 0:
        msg = EMPTY
    elif kind is None:
        msg = f"the extension is not one of {', '.join(known)}; rename or convert the file"
    else:
        return kind
    raise FileFormatError(msg, title or path)
