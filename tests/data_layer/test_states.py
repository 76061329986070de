"""Tests of data/states.py."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from bayesloom.data import read, read_states
from bayesloom.errors import FileFormatError

Write = Callable[..., Path]


def test_states_of_a_file_serve_to_read_a_table(file: Write) -> None:
    states = read_states(file('{"A": ["no", "yes"], "B": [3, 2.0, 1]}', "s.json"))
    assert states == {"A": ("no", "yes"), "B": ("3", "2", "1")}
    assert read(file("A,B\nyes,1\n"), states=states).states == (("no", "yes"), ("3", "2", "1"))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"A": ["no",]}', "line 1, column 13: this is not JSON"),
        ("", "line 1, column 1: this is not JSON"),
        ('["no"]', 'expected an object such as {"smoke": ["no", "yes"]}'),
        ('{"A": "no"}', "states of column 'A' must be a list of texts or numbers, got 'no'"),
        ('{"A": [true]}', "states of column 'A' must be a list of texts or numbers"),
        ('{"A": [null]}', "hold None, which is no text and no number"),
        ('{"A": [NaN]}', "hold nan, which is no text and no number"),
        ('{"A": ["x", "x"]}', "hold 'x', which is there twice"),
        ('{"A": []}', "must be 1 to 65,536 labels, got 0"),
        ('{"A": ["x"], "A": ["y"]}', "the column 'A' is there twice"),
        (b'{"A": ["\xff"]}', "not UTF-8 text"),
        ("[" * 100_000, "nested"),
    ],
)
def test_a_faulty_file_is_an_error_that_names_the_place(
    file: Write, content: str | bytes, message: str
) -> None:
    with pytest.raises(FileFormatError) as error:
        read_states(file(content, "s.json"))
    assert "s.json" in str(error.value)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_a_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="cannot be read"):
        read_states(tmp_path / "no.json")
