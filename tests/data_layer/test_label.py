"""Tests of data/label.py."""

from __future__ import annotations

import datetime as dt
import math
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesloom.data.label import float_label, label_of, number_label, numbers_of


@pytest.mark.parametrize("text", ["1", "1.0", "1.", "1e0", "10e-1", "1.000"])
def test_every_spelling_of_one_is_the_label_1(text: str) -> None:
    assert number_label(text) == "1"


@pytest.mark.parametrize(
    "text",
    ["", "007", "+1", " 1", "1 ", "1,5", "nan", "inf", "1e999", "1_0", "0x1", "\u0661", "-", "."],
)
def test_text_that_is_not_a_plain_number_is_no_number(text: str) -> None:
    assert number_label(text) is None
    assert numbers_of([text]) is None


def test_a_long_run_of_digits_is_a_text() -> None:
    assert number_label("1" * 5000) is None


@given(st.integers())
def test_an_integer_keeps_its_digits(value: int) -> None:
    if len(str(value)) <= 64:
        assert number_label(str(value)) == str(value)
    assert label_of(value) == str(value)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_equal_numbers_have_one_label_and_the_label_is_the_number(value: float) -> None:
    label = float_label(value)
    assert float(label) == value
    assert label_of(value) == label
    assert label_of(np.float64(value)) == label
    assert number_label(repr(value)) == label


def test_single_precision_keeps_its_short_spelling() -> None:
    assert label_of(np.float32(0.1)) == "0.1"


@pytest.mark.parametrize("value", [None, "", math.nan, np.nan, pd.NA, pd.NaT, Decimal("nan")])
def test_these_are_missing(value: object) -> None:
    assert label_of(value) is None


@pytest.mark.parametrize(
    ("value", "label"),
    [
        ("None", "None"),
        (True, "True"),
        (np.False_, "False"),
        (np.int8(3), "3"),
        (Decimal("2.50"), "2.5"),
        (dt.date(2020, 1, 2), "2020-01-02"),
        (pd.Interval(0, 1.5), "(0, 1.5]"),
    ],
)
def test_values_are_called_by_their_readable_text(value: object, label: str) -> None:
    assert label_of(value) == label


@pytest.mark.parametrize("value", [[1], {"a": 1}, object(), b"x", 1j])
def test_other_objects_have_no_label(value: object) -> None:
    with pytest.raises(TypeError):
        label_of(value)
