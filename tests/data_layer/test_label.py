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

from bayesloom.data.label import label_of, labels_of, number_label, spelled, spelled_numbers


@pytest.mark.parametrize("text", ["1", "1.0", "1.", "1e0", "10e-1", "1.000"])
def test_every_spelling_of_one_is_the_label_1(text: str) -> None:
    assert number_label(text) == "1"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "007",
        "+1",
        " 1",
        "1 ",
        "1,5",
        "nan",
        "inf",
        "1e999",
        "1e-999999999",
        "1_0",
        "0x1",
        "\u0661",
        "-",
        ".",
    ],
)
def test_text_that_is_not_a_plain_number_is_no_number(text: str) -> None:
    assert number_label(text) is None
    assert spelled_numbers([text]) is None


def test_a_long_run_of_digits_is_a_text() -> None:
    assert number_label("1" * 5000) is None


@given(st.integers())
def test_an_integer_keeps_its_digits(value: int) -> None:
    if len(str(value)) <= 64:
        assert number_label(str(value)) == str(value)
    assert label_of(value) == str(value)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_equal_numbers_have_one_label_and_the_label_is_the_number(value: float) -> None:
    label = spelled(value)
    assert float(label) == value
    assert label_of(value) == label
    assert label_of(np.float64(value)) == label
    assert number_label(label) == label
    if not value.is_integer() or abs(value) <= 2**53:
        assert number_label(repr(value)) == label


@given(st.decimals(allow_nan=False, allow_infinity=False, places=3) | st.decimals(-2, 2))
def test_different_numbers_as_texts_merge_only_within_the_precision_of_a_fraction(
    value: Decimal,
) -> None:
    label = number_label(str(value))
    if label is not None and Decimal(label) != value:
        assert float(label) == float(value)
        assert not float(label).is_integer()


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("9007199254740993.0", "9007199254740993"),
        ("9007199254740993.5", "9007199254740993.5"),
        ("1e23", "1" + 23 * "0"),
        ("-1e300", "-1e+300"),
        ("0e999999999", "0"),
        ("-0.0", "0"),
        ("1.000000000000000056e-01", "0.1"),
    ],
)
def test_whole_numbers_are_exact_and_fractions_have_the_precision_of_floats(
    text: str, label: str
) -> None:
    assert number_label(text) == label
    assert number_label(label) == label


def test_labels_of_a_column_are_numbers_only_if_all_of_it_is() -> None:
    assert labels_of(["2.50", "1.0"]) == ["2.5", "1"]
    assert labels_of(["2.50", "1.0", "v"]) == ["2.50", "1", "v"]


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
