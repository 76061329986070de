from __future__ import annotations

import pytest

from bayesloom.model.bif_block import split_labels


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        (" yes, no ", ["yes", "no"]),
        ("yes no", ["yes", "no"]),
        ("not much, a lot", ["not much", "a lot"]),
        ('"yes" "no"', ["yes", "no"]),
        ('"a, b", c', ["a, b", "c"]),
        ('"a" b c', ["a", "b", "c"]),
        ("(1,2], [3, 4)", ["(1,2]", "[3, 4)"]),
        ("]1,2[,x", ["]1,2[", "x"]),
        ("f(x), g(y)", ["f(x)", "g(y)"]),
        ("[0;1.5[ [1.5;3]", ["[0;1.5[", "[1.5;3]"]),
        ("", []),
    ],
)
def test_labels_are_split_as_other_programs_write_them(text: str, labels: list[str]) -> None:
    assert split_labels(text, one=False) == labels


@pytest.mark.parametrize("text", ["a lot", "(1,2]", "f(x) y"])
def test_one_label_may_hold_blanks(text: str) -> None:
    assert split_labels(text, one=True) == [text]
