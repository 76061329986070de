from __future__ import annotations

import pytest

from bayesloom.cli.search_options import names_of


@pytest.mark.parametrize("text", ["a,,b", "", '"a,b', '"a"b,c', 'a"b"'])
def test_anything_but_names_with_commas_between_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="names with commas between them"):
        names_of(text)


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
