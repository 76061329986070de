from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesloom.model.escape import QUOTED, escaped, quote, unescaped, unquote
from strategies_model import labels


@given(labels())
def test_quoting_is_reversible_and_prints(text: str) -> None:
    assert unquote(quote(text)) == text
    assert unescaped(escaped(text)) == text
    assert quote(text).isprintable()
    assert re.fullmatch(QUOTED, quote(text), re.DOTALL)


@given(labels(), labels())
def test_a_quoted_text_ends_at_its_own_quote(a: str, b: str) -> None:
    assert re.findall(QUOTED, quote(a) + quote(b), re.DOTALL) == [quote(a), quote(b)]


@given(st.text())
def test_any_text_can_be_unescaped(text: str) -> None:
    unescaped(text)


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        (r"a\tb", "a\tb"),
        (r"\\n", "\\n"),
        (r"\q", "\\q"),
        (r"\u12", r"\u12"),
        (r"\U0001F600", "\U0001f600"),
        (r"\UFFFFFFFF", r"\UFFFFFFFF"),
    ],
)
def test_escapes_mean_what_is_documented(text: str, meaning: str) -> None:
    assert unescaped(text) == meaning
