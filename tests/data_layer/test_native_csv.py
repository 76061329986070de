"""Tests of the native encoding of CSV against Arrow's reader."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bayesloom import _native
from bayesloom.data.arrow import encode_dictionary
from bayesloom.data.column import Column
from bayesloom.data.csv_file import _encode_natively, _parse
from bayesloom.data.csv_header import Header
from bayesloom.errors import FileFormatError

pieces = st.sampled_from(
    [
        ",",
        ",",
        ",",
        "\n",
        "\n",
        "\r",
        "\r\n",
        "a",
        "b",
        "seven77",
        "eight888",
        "nine99999",
        "é",
        "\0",
    ]
)


def rows_of(column: Column) -> list[str | None]:
    values = [*column.values, None]
    return [values[k] for k in column.codes().tolist()]


@given(st.lists(pieces, min_size=1, max_size=150).map("".join), st.integers(1, 4))
def test_the_native_encoder_reads_what_arrow_reads(text: str, n_columns: int) -> None:
    header = Header(tuple(map(str, range(n_columns))), ",", 0, 0)
    data = text.encode()
    chosen = list(range(n_columns))
    native = _encode_natively(data, header, chosen)
    try:
        body = _parse(data, header, chosen, quoted=False, title="t.csv")
    except FileFormatError:
        assert native is None
        return
    assert native is not None
    for v in chosen:
        assert rows_of(native[v]) == rows_of(encode_dictionary(str(v), body.column(v)))


def test_pieces_of_a_large_text_follow_each_other() -> None:
    text = b"".join(b"%d,%d\n" % (k % 1000, k % 7) for k in range(300_000))
    for threads in (1, 2, 3):
        found = _native.encode_text(np.frombuffer(text, np.uint8), ",", 2, [1, 0], threads)
        assert found is not None
        for parts, size in zip(found, (7, 1000), strict=True):
            values = [int(labels[k]) for labels, codes in parts for k in codes]
            assert values == [k % size for k in range(300_000)]


def test_more_labels_than_codes_are_not_encoded() -> None:
    text = b"".join(b"%d\n" % k for k in range(65_537))
    assert _native.encode_text(np.frombuffer(text, np.uint8), ",", 1, [0], 1) is None
    fewer = np.frombuffer(text[: text.index(b"65536")], np.uint8)
    found = _native.encode_text(fewer, ",", 1, [0], 1)
    assert found is not None
    assert len(found[0][0][0]) == 65_536
