"""Tests of data/states.py."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from bayesloom.data import Table, read, read_states
from bayesloom.errors import DataError, FileFormatError, OptionError

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


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"A": [' + "9" * 5000 + "]}", "a number has more digits than can be read"),
        ('{"\\ud800": ["x"]}', r"'\ud800', which can be no name: it holds half a character"),
        ('{"A": ["\\udfff"]}', r"hold '\udfff', which is no label, as it holds half a character"),
        ('{"' + "A" * 5000 + '": "x"}', "must be a list of texts or numbers, got 'x'"),
        ('{"' + "A" * 5000 + '": [null]}', "which is no text and no number"),
        ('{"' + "A" * 5000 + '": [1, 1]}', "which is there twice"),
        ('{"' + "A" * 5000 + '": [1], "' + "A" * 5000 + '": [1]}', "is there twice"),
    ],
)
def test_what_is_too_long_or_half_a_character_gets_one_short_sentence(
    file: Write, content: str, message: str
) -> None:
    with pytest.raises(FileFormatError) as error:
        read(file("A\nx\n"), states=read_states(file(content, "s.json")))
    told = str(error.value).removeprefix(error.value.path)
    assert message in told
    assert len(told) < 300
    assert told.isprintable()


def test_states_of_many_columns_take_time_in_proportion_to_them(file: Write) -> None:
    def least_seconds(n: int) -> float:
        path = file(json.dumps({f"c{k}": ["no", "yes"] for k in range(n)}), "s.json")
        taken = []
        for _ in range(3):  # the machine may be busy with something else
            started = time.process_time()
            assert len(read_states(path)) == n
            taken.append(time.process_time() - started)
        return min(taken)

    assert least_seconds(40_000) < 150 * least_seconds(2_000)


def test_a_whole_number_too_long_to_spell_is_no_state() -> None:
    for column in ([10**5000, 1], [1, 10**5000]):
        with pytest.raises(DataError, match=r"a number of more than \d+ digits"):
            Table.from_frame({"A": column})
    with pytest.raises(OptionError, match="which is no text and no number"):
        Table.from_frame({"A": [1]}, states={"A": [10**5000]})
