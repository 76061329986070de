"""Tests of data/reading.py."""

from __future__ import annotations

import inspect
import json
import pickle
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Unpack, get_type_hints

import pytest

import bayesloom
from bayesloom import learn, markov_blanket
from bayesloom.data import Reading, Table, read
from bayesloom.data.reading import ReadingOptions, UntargetedOptions
from bayesloom.errors import OptionError
from strategies_data import cells

Write = Callable[..., Path]


def full_reading() -> Reading:
    return Reading(
        states={"A": ["no", 1.0]},
        missing="drop",
        missing_markers=["?", -999, "?"],
        discretize="width",
        bins=3,
        columns=["A", "B"],
        drop=["B"],
        delimiter=";",
        encoding="cp1252",
        states_from={"C": ["x", "y"]},
    )


def test_a_reading_survives_as_plain_data() -> None:
    for reading in (full_reading(), Reading()):
        plain = json.loads(json.dumps(reading.to_dict()))
        assert Reading.from_dict(plain) == reading
        assert pickle.loads(pickle.dumps(reading)) == reading
    assert full_reading().states == {"A": ("no", "1")}
    assert full_reading().missing_markers == ("?", "-999")
    assert Reading.from_dict({}) == Reading()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"cuts": 1}, "reading has no option 'cuts'; its options are states, missing"),
        ({"bins": "5"}, "bins must be a whole number, got '5'"),
        ({"states": {"A": 5}}, "states of column 'A' must be a list of labels, got 5"),
        ({"delimiter": 5}, "delimiter must be one character such as ',' or ';', got 5"),
        ([], "reading must be a mapping of options to values"),
    ],
)
def test_plain_data_that_are_no_reading_are_refused(options: object, message: str) -> None:
    with pytest.raises(OptionError) as error:
        Reading.from_dict(options)  # type: ignore[arg-type]
    assert message in str(error.value)


def test_one_reading_reads_files_frames_and_tables(file: Write) -> None:
    reading = Reading(missing="drop", missing_markers=["?"], drop=["C"])
    frame = {"A": ["x", "?", "y"], "B": ["1", "2", "1"], "C": ["u", "u", "u"]}
    from_file = reading.apply(file("A,B,C\nx,1,u\n?,2,u\ny,1,u\n"))
    assert cells(from_file) == cells(reading.apply(frame)) == {"A": ["x", "y"], "B": ["1", "1"]}
    assert Reading(columns=["B", "A"], drop=["A"]).apply(from_file).names == ("B",)
    assert Reading().apply(from_file) is from_file


def test_an_option_without_a_meaning_for_the_data_is_refused(file: Write) -> None:
    table = read(file("A\nx\n"))
    with pytest.raises(OptionError, match="bins is an option of reading, and a Table is already"):
        Reading(bins=3).apply(table)
    with pytest.raises(OptionError, match="delimiter is an option of CSV files, and a Table has"):
        Reading(delimiter=";").apply(table)
    with pytest.raises(OptionError, match="delimiter is an option of CSV files, and a dict has"):
        Reading(delimiter=";").apply({"A": ["x"]})


def test_the_options_of_reading_are_those_of_a_reading() -> None:
    options = get_type_hints(ReadingOptions)
    assert set(options) == {field.name for field in fields(Reading)}
    assert options == {name: get_type_hints(Reading)[name] for name in options}
    assert get_type_hints(UntargetedOptions) == {k: options[k] for k in options if k != "target"}


@pytest.mark.parametrize(
    ("face", "options"),
    [
        (read, ReadingOptions),
        (Table.from_frame, ReadingOptions),
        (learn, ReadingOptions),
        (bayesloom.open, ReadingOptions),
        (markov_blanket, UntargetedOptions),
    ],
)
def test_the_faces_of_reading_take_its_options_and_name_them(
    face: Callable[..., object], options: type
) -> None:
    assert get_type_hints(face)["reading"] == Unpack[options]
    told = (inspect.getdoc(face) or "").partition("**reading\n")[2].partition("\n\n")[0]
    assert "see `bayesloom.Reading`" in " ".join(told.split())
    assert all(f"``{name}``" in told for name in get_type_hints(options))
