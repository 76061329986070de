from __future__ import annotations

from enum import Enum
from typing import Any

import pytest

from bayesloom.cli.spelling import names_of, value_of


class Colour(Enum):
    RED = "red"
    DARK_BLUE = "dark-blue"


@pytest.mark.parametrize(
    ("text", "wanted", "value"),
    [
        ("3", int, 3), ("-3", int | None, -3), ("2.5", float, 2.5), ("3", float, 3.0),
        ("True", bool, True), ("false", bool, False), ("3", str | None, "3"),
        ("dark-blue", Colour, Colour.DARK_BLUE), ("red", Colour | int, Colour.RED),
        ("7", Colour | int, 7), ("a,b", tuple[str, ...], ("a", "b")),
    ],
)  # fmt: skip
def test_values_are_read_as_their_type_asks(text: str, wanted: Any, value: object) -> None:  # noqa: ANN401
    found = value_of(text, wanted)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    ("text", "wanted", "message"),
    [
        ("3.5", int, "a whole number"),
        ("x", float | None, "a number"),
        ("1", bool, "true or false"),
        ("green", Colour, "red or dark-blue"),
        ("x", dict, "cannot be written here"),
        ("a,,b", tuple[str, ...], "names with commas between them"),
        ("", tuple[str, ...], "names with commas between them"),
        ('"a,b', tuple[str, ...], "names with commas between them"),
        ('"a"b,c', tuple[str, ...], "names with commas between them"),
        ('a"b"', tuple[str, ...], "names with commas between them"),
    ],
)
def test_anything_else_says_what_was_expected(text: str, wanted: Any, message: str) -> None:  # noqa: ANN401
    with pytest.raises(ValueError, match=message):
        value_of(text, wanted)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (" a , b ", ("a", "b")),
        ("a b,c", ("a b", "c")),
        ("[a", ("[a",)),
        ('"a,b",c', ("a,b", "c")),
        ('" a "', (" a ",)),
        ('"say ""a"""  , b', ('say "a"', "b")),
    ],
)
def test_names_are_separated_by_commas_unless_they_stand_in_quotes(
    text: str, names: tuple[str, ...]
) -> None:
    assert names_of(text) == names
