"""Read CSV: look at the header, then encode the body natively, block by block and in threads.

Cells are text. A cell without a character is missing, also when it is written as a pair of quotes.
Lines without a character are skipped, but are a missing cell in a file of one column. If something
is wrong with the body, it is gone through a second time, line by line, to say where.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from bayesloom import _native
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
        body = _opened(file, stream, reading, usual)
        encoder = body.encoder()
        columns = [] if not all(body.blocks(encoder)) else body.taken(encoder)
    if not columns:
        raise _fault(file, body.header)
    if columns[0].n_rows == 0:
        raise FileFormatError(NO_ROWS, title)
    kept, notes = body.named(columns)
    _refuse_swallowed_rows(kept, body)
    return kept, replace(body.source, notes=(*notes, *body.source.notes))


def _refuse_swallowed_rows(columns: list[Column], body: _Body) -> None:
    """Refuse a cell whose lines look like rows of the table: one of its quotes is a stray one.

    Raises
    ------
    FileFormatError
        With the line in which it starts.
    """
    n = len(body.header.names)
    for v, column in zip(body.chosen, columns, strict=True):
        known: frozenset[str] | None = None
        for k, text in enumerate(column.values):
            lines = text.splitlines()[1:-1] if "\n" in text else []
            rows = [line.split(body.header.delimiter) for line in lines]
            if n == 1 or not rows or any(len(cells) != n for cells in rows):
                continue
            known = frozenset(column.values) if known is None else known
            if 2 * sum(cells[v] in known for cells in rows) > len(rows):
                line = body.source.line_of(column.first_row(k)) if body.source.line_of else None
                problem = (
                    f"a cell in quotes goes on over {len(lines) + 1:,} lines that look like rows; "
                    "remove the quote that does not belong there"
                )
                raise FileFormatError(problem, body.source.title, line)


def csv_chunks(
    file: TextFile, reading: Reading, *, usual: str | None = None
) -> Iterator[tuple[list[Column], Source]]:
    """Yield the columns of a CSV file some rows at a time, as `read_csv_columns` has them.

    Raises
    ------
    FileFormatError, DataError
        As `read_csv_columns`.
    """
    n_rows = 0
    with file.open() as stream:
        body = _opened(file, stream, reading, usual)
        encoder = body.encoder()
        for good in body.blocks(encoder):
            columns = body.taken(encoder) if good else []
            if not columns:
                raise _fault(file, body.header)
            if columns[0].n_rows:
                n_rows += columns[0].n_rows
                kept, notes = body.named(columns)
                yield kept, replace(body.source, notes=(*notes, *body.source.notes))
    if n_rows == 0:
        raise FileFormatError(NO_ROWS, file.title)


def csv_names(file: TextFile, reading: Reading, *, usual: str | None = None) -> tuple[str, ...]:
    """Return the names of the columns of a CSV file, whether they are read or not."""
    with file.open() as stream:
        body = _opened(file, stream, reading, usual)
    return tuple(name for name in body.header.names if name)


def _opened(file: TextFile, stream: io.RawIOBase, reading: Reading, usual: str | None) -> _Body:
    """Read the header of a file and decide which columns to read."""
    head, header = read_head(stream, reading, usual, file.title)
    hidden = tell_hidden_delimiter(head, header)
    if hidden is not None and reading.delimiter is None:
        raise FileFormatError(hidden, file.title, header.lines)
    source = Source(
        file.title,
        partial(_line_of_row, file, header),  # travels between processes, a lambda does not
        header.notes if hidden is None else (*header.notes, hidden),
    )
    chosen, nameless = _chosen(header, reading, source)
    return _Body(stream, head[header.body :], header, chosen, nameless, source)


def _fault(file: TextFile, header: Header) -> FileFormatError:
    from bayesloom.data.csv_fault import find_fault

    return find_fault(file, header)


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


@dataclass(frozen=True, slots=True)
class _Body:
    """The rows of a file: their first bytes, the stream they go on in, and the columns to read."""

    stream: io.RawIOBase
    start: bytes
    header: Header
    chosen: list[int]
    nameless: list[int]
    source: Source

    def encoder(self) -> _native.TextEncoder:
        header, columns = self.header, [*self.chosen, *self.nameless]
        return _native.TextEncoder(header.delimiter, len(header.names), columns, n_processors())

    def blocks(self, encoder: _native.TextEncoder) -> Iterator[bool]:
        """Encode block after block; False, and the end, if one is faulty."""
        text = np.empty(max(encoder.block_size, 2 * len(self.start)), np.uint8)
        size = len(self.start)
        text[:size] = np.frombuffer(self.start, np.uint8)
        more = True
        while more:
            size += _fill(self.stream, text.data[size:])
            more = size == len(text)
            used = encoder.encode(text[:size], more)
            yield used is not None
            if used is None:
                return
            rest = text[used:size]
            size = len(rest)
            if 2 * size > len(text):  # a row longer than a block
                text = np.empty(2 * len(text), np.uint8)
            text[:size] = rest

    def taken(self, encoder: _native.TextEncoder) -> list[Column]:
        """Take the columns out of an encoder; none if they are no UTF-8."""
        columns = [*self.chosen, *self.nameless]
        try:
            return [
                column_of_runs(
                    self.header.names[v], [list(map(_decoded, some)) for some in labels], runs
                )
                for v, (labels, runs) in zip(columns, encoder.take_columns(), strict=True)
            ]
        except UnicodeDecodeError:
            return []

    def named(self, columns: list[Column]) -> tuple[list[Column], list[str]]:
        """Return the columns that have a name, and notes on the others."""
        n = len(self.chosen)
        unnamed = zip(self.nameless, columns[n:], strict=True)
        title = self.source.title
        return columns[:n], [_note_left_out(v, c, self.header, title) for v, c in unnamed]


def _fill(stream: io.RawIOBase, text: memoryview) -> int:
    """Read until a buffer is full or the stream ends; return how many bytes have come."""
    size = 0
    while size < len(text) and (n := stream.readinto(text[size:])):
        size += n
    return size


def _decoded(label: bytes) -> str | None:
    return label.decode() or None
