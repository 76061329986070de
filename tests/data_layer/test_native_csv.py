"""Tests of the native encoding of CSV against Arrow's reader and the slow one for messages."""

from __future__ import annotations

import csv
import io

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import csv as arrow_csv

from bayesloom import _native
from bayesloom.data.csv_record import read_records, split_records
from bayesloom.errors import FileFormatError

Rows = list[tuple[str, ...]]

plain = [",", ",", ",", "\n", "\n", "\r", "\r\n", "a", "b", "seven77", "eight888", "nine99999", "é"]
quotes = ['"', '"', '""', '","', '"\n"', '"a,\n"', '"x""y"']


def texts(pieces: list[str]) -> st.SearchStrategy[str]:
    return st.lists(st.sampled_from(pieces), min_size=1, max_size=150).map("".join)


def encoded(
    text: bytes, n_columns: int, *, threads: int = 1, piece: int = 0, block: int = 1 << 30
) -> Rows | None:
    """Return the rows that the native encoder finds in a text that comes in blocks."""
    encoder = _native.TextEncoder(",", n_columns, list(range(n_columns)), threads, piece)
    start, size, more = 0, block, True
    while more:
        more = start + size < len(text)
        used = encoder.encode(np.frombuffer(text[start : start + size], np.uint8), more)
        if used is None:
            return None
        start += used
        size = block if used else 2 * size
    columns = [
        [labels[k][i].decode() for k, codes in runs for i in codes]
        for labels, runs in encoder.take_columns()
    ]
    return list(zip(*columns, strict=True))


def slowly_split(text: bytes, n_columns: int) -> Rows | None:
    """Return the rows by the grammar that messages are made with."""
    try:
        rows = [
            tuple(cell.decode() for cell in record.cells or [b""])
            for record in split_records(text, ",", "")
            if record.cells or n_columns == 1
        ]
    except FileFormatError:
        return None
    return rows if all(len(row) == n_columns for row in rows) else None


def read_by_arrow(text: bytes, n_columns: int) -> Rows | None:
    names = [str(v) for v in range(n_columns)]
    try:
        table = arrow_csv.read_csv(
            io.BytesIO(text),
            read_options=arrow_csv.ReadOptions(column_names=names),
            parse_options=arrow_csv.ParseOptions(ignore_empty_lines=n_columns > 1),
            convert_options=arrow_csv.ConvertOptions(
                column_types=dict.fromkeys(names, pa.string())
            ),
        )
    except pa.ArrowInvalid:
        return None
    return list(zip(*(column.to_pylist() for column in table.columns), strict=True))


@given(texts([*plain, "\0"]), st.integers(1, 4))
def test_the_native_encoder_reads_what_arrow_reads(text: str, n_columns: int) -> None:
    assert encoded(text.encode(), n_columns) == read_by_arrow(text.encode(), n_columns)


@given(texts(plain + quotes), st.integers(1, 3), st.integers(1, 40), st.integers(1, 40))
def test_the_native_encoder_reads_the_same_rows_however_the_text_is_cut(
    text: str, n_columns: int, piece: int, block: int
) -> None:
    data = text.encode()
    wanted = slowly_split(data, n_columns)
    assert encoded(data, n_columns) == wanted
    assert encoded(data, n_columns, threads=3, piece=piece) == wanted
    assert encoded(data, n_columns, threads=2, piece=piece, block=block) == wanted


@given(st.lists(st.tuples(*[st.text('a,"\r\n;é', max_size=9)] * 2), min_size=1), st.integers(1, 60))
def test_whatever_pythons_csv_module_writes_in_quotes_comes_back(rows: Rows, piece: int) -> None:
    text = io.StringIO(newline="")
    csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows(rows)
    assert encoded(text.getvalue().encode(), 2, threads=2, piece=piece) == rows


@given(texts(plain + quotes), st.integers(0, 9), st.integers(1, 40))
def test_records_read_in_blocks_are_those_of_the_whole_text(
    text: str, start: int, block: int
) -> None:
    data = b"x" * start + text.encode()

    class Slow(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            return super().read(min(size or 0, block))

    def found(records: object) -> list[tuple[object, ...]] | str:
        try:
            return [(r.cells, r.first_line, r.last_line, r.raw) for r in records]  # type: ignore[attr-defined]
        except FileFormatError as error:
            return str(error)

    slow = read_records(Slow(data), ",", "t", start, 3)  # type: ignore[arg-type]
    assert found(slow) == found(split_records(data, ",", "t", start, 3))


def test_pieces_of_a_large_text_follow_each_other() -> None:
    text = b"".join(b"%d,%d\n" % (k % 1000, k % 7) for k in range(300_000))
    wanted = [(str(k % 1000), str(k % 7)) for k in range(300_000)]
    for threads in (1, 2, 3):
        assert encoded(text, 2, threads=threads, piece=1 << 16, block=1 << 18) == wanted


@pytest.mark.parametrize("n", [256, 257, 65_536, 65_537, 70_000])
def test_a_column_may_have_more_labels_than_fit_one_byte_or_two(n: int) -> None:
    text = b"".join(b"%d\n" % k for k in (*range(n), 0, n - 1))
    assert encoded(text, 1) == [(str(k),) for k in (*range(n), 0, n - 1)]


def test_rows_shorter_than_the_first_find_room() -> None:
    text = b"x" * 5000 + b"\n" + b"y\n" * 5000
    assert encoded(text, 1) == [("x" * 5000,), *[("y",)] * 5000]


@pytest.mark.parametrize("before", range(60, 68))
def test_what_follows_a_closing_quote_is_seen_on_both_sides_of_a_block(before: int) -> None:
    # blocks have 64 bytes; under the sanitizers this also tells shifts by less than nothing
    start = b"x" * before
    for size in (1, 2, 62, 63, 64, 65, 130):
        assert encoded(start + b',"q"' + b"z" * size + b"\nx,y\n", 2) is None
        whole = start + b',"' + b"q" * size + b'"\nx,y\n'
        assert encoded(whole, 2) == [("x" * before, "q" * size), ("x", "y")]


def test_a_text_has_columns_and_a_choice_names_each_of_them_once() -> None:
    with pytest.raises(ValueError, match="at least one column"):
        _native.TextEncoder(",", 0, [], 1)
    with pytest.raises(ValueError, match="a chosen column is not there"):
        _native.TextEncoder(",", 2, [2], 1)
    with pytest.raises(ValueError, match="a column is chosen twice"):
        _native.TextEncoder(",", 2, [1, 1], 1)


def test_no_labels_are_slow_by_choice() -> None:
    # 2^64 divided by the golden ratio made all of these fall on one place of the table
    spread = 0x9E3779B97F4A7C15
    inverse = pow(spread, -1, 1 << 64)
    words = [(k * inverse % (1 << 64)).to_bytes(8, "little") for k in range(1 << 17)]
    crafted = [word for word in words if not set(word) & set(b',"\r\n\0')]
    usual = [b"%08d" % k for k in range(len(crafted))]
    assert len(crafted) > 20_000
    assert _seconds(crafted) < 20 * _seconds(usual)


def _seconds(labels: list[bytes]) -> float:
    import time

    text = np.frombuffer(b"\n".join(labels), np.uint8)
    started = time.process_time()
    for _ in range(3):
        _native.TextEncoder(",", 1, [0], 1).encode(text, False)
    return time.process_time() - started
