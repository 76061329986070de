from __future__ import annotations

import math

import pytest

from bayesloom.errors import OptionError
from bayesloom.learning.duration import seconds_of


@pytest.mark.parametrize(
    ("span", "seconds"),
    [
        (60, 60), (0.25, 0.25), ("60", 60), ("60s", 60), ("5m", 300), ("5 min", 300),
        ("1h30m", 5400), ("500ms", 0.5), (".5s", 0.5), ("1d", 86400), (" 2 H ", 7200),
        ("1h 30m", 5400), (None, math.inf), (10**400, 1e15), (math.inf, 1e15),
    ],
)  # fmt: skip
def test_spans_mean_what_people_mean_by_them(span: float | str | None, seconds: float) -> None:
    assert seconds_of(span) == seconds


@pytest.mark.parametrize("span", ["", "s", "soon", "5x", "5m?", "-1s", "0", 0, -2, math.nan, True])
def test_what_is_no_span_is_an_error_that_shows_how_to_write_one(span: float | str) -> None:
    with pytest.raises(OptionError, match=r"'5m'.*got"):
        seconds_of(span)
