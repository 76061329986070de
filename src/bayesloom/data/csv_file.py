"""Read CSV: look at the header, then encode the body natively, block by block and in threads.

Cells are text. A cell without a character is missing, also when it is written as a pair of quotes.
Lines without a character are skipped, but are a missing cell in a file of one column. If something
is wrong with the body, it is gone through a second time, line by line, to say where.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from bayesloom.data.column import Column, column_of_runs
from bayesloom.data.csv_header import NO_ROWS, Header, read_head, tell_hidden_delimiter
from bayesloom.data.reading import Reading
from bayesloom.data.source import Source
from bayesloom.data.text_file import TextFile
from bayesloom.errors import DataError, FileFormatError, shown
from bayesloom.processor import n_processors


def read_csv_columns(
    file: TextFile, reading: Reading, *, usual: str | None = None
) -> tuple[list[Column], Source]:
    """Return the chosen columns of a CSV file, and a source that knows the lines of its rows.

    Without a delimiter it is the ``usual`` one of such files, or else the one that fits best.

    Raises
    ------
    FileFormatError
        If the file is empty, has no rows, has an undecodable byte, a quote that is not closed at
        the end of its cell or a row of the wrong length, if a column that is not empty has no name
        of its own, or if the file is changed while it is read.
    DataError
        If an option names a column that is not there.
    """
    title = file.title
    with file.open() as stream:
        head, header = read_head(stream, reading.delimiter or usual, title)
        hidden = tell_hidden_delimiter(head, header)
        if hidden is not None and reading.delimiter is None:
            raise FileFormatError(hidden, title, header.lines)
        source = Source(title, lambda row: _line_of_row(file, header, row))
        chosen, nameless = _chosen(header, reading, source)
        columns = _encoded(stream, head[header.body :], header, [*chosen, *nameless])
    if columns is None:
        from bayesloom.data.csv_fault import find_fault

        raise find_fault(file, header)
    if columns[0].n_rows == 0:
        raise FileFormatError(NO_ROWS, title)
    unnamed = zip(nameless, columns[len(chosen) :], strict=True)
    notes = [_note_left_out(v, column, header, title) for v, column in unnamed]
    notes += [] if hidden is None else [hidden]
    return columns[: len(chosen)], replace(source, notes=tuple(notes))


def _line_of_row(file: TextFile, header: Header, row: int) -> int:
    from bayesloom.data.csv_fault import line_of_row

    return line_of_row(file, header, row)


def _chosen(header: Header, reading: Reading, source: Source) -> tuple[list[int], list[int]]:
    """Return the positions of the columns to read, and of those that only miss a name."""
    names = list(dict.fromkeys(header.names))
    picked = [names[k] for k in reading.chosen(names, source)]
    position = {name: v for v, name in enumerate(header.names)}
    chosen = [position[name] for name in picked if name]
    if not chosen:
        msg = f"{source.title}: columns and drop leave no column; keep at least one"
        raise DataError(msg)
    nameless = [v for v, name in enumerate(header.names) if not name] if "" in picked else []
    return chosen, nameless


def _note_left_out(v: int, column: Column, header: Header, title: str) -> str:
    """Say why a column without a name is left out: it is empty, or the first and numbers the rows.

    Raises
    ------
    FileFormatError
        If it is neither.
    """
    if not column.values:
        return f"column {v + 1} has neither a name nor a value, and is left out"
    whole = all(text.isascii() and text.isdigit() for text in column.values)
    if v == 0 and whole and len(column.values) == column.n_rows:
        return "the first column has no name and numbers the rows, and is left out"
    problem = (
        f"column {v + 1} has no name and holds {shown(repr(column.values[0]))}; give it one, or "
        "leave out what has no name with drop=[''] (--drop '')"
    )
    raise FileFormatError(problem, title, header.lines)


def _encoded(
    stream: io.RawIOBase, body: bytes, header: Header, chosen: Sequence[int]
) -> list[Column] | None:
    """Return the chosen columns of a body that goes on in a stream; None if it is faulty."""
    from bayesloom import _native

    threads = n_processors()
    encoder = _native.TextEncoder(header.delimiter, len(header.names), chosen, threads)
    text = np.empty(max(encoder.block_size, 2 * len(body)), np.uint8)
    size = len(body)
    text[:size] = np.frombuffer(body, np.uint8)
    more = True
    while more:
        size += _fill(stream, text.data[size:])
        more = size == len(text)
        used = encoder.encode(text[:size], more)
        if used is None:
            return None
        rest = text[used:size]
        size = len(rest)
        if 2 * size > len(text):  # a row longer than a block
            text = np.empty(2 * len(text), np.uint8)
        text[:size] = rest
    try:
        return [
            column_of_runs(header.names[v], [list(map(_decoded, some)) for some in labels], runs)
            for v, (labels, runs) in zip(chosen, encoder.take_columns(), strict=True)
        ]
    except UnicodeDecodeError:
        return None


def _fill(stream: io.RawIOBase, text: memoryview) -> int:
    """Read until a buffer is full or the stream ends; return how many bytes have come."""
    size = 0
    while size < len(text) and (n := stream.readinto(text[size:])):
        size += n
    return size


def _decoded(label: bytes) -> str | None:
    return label.decode() or None
