"""What a cell is called: one spelling for every number, text left as it is.

A label is a text that is not empty. Numbers that are equal have one label, the shortest: ``1`` for
``1``, ``1.0`` and ``1e0``, and ``0.5`` for ``0.50``. Text that merely contains a number, such as
``007`` or ``+1``, is text and stays as it is. Among texts ``1.0`` is still ``1``, but ``2.50``
stays: it may be the number of a version.
"""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Sequence
from decimal import Decimal
from numbers import Integral, Real
from typing import Any, overload

import numpy as np
import numpy.typing as npt

MOST_STATES = 65_536
"""The largest number of states a column may have."""

_SURROGATE = re.compile("[\ud800-\udfff]")
_NUMBER = re.compile(r"-?(?:(?:0|[1-9][0-9]*)(\.[0-9]*)?|(\.[0-9]+))([eE][+-]?[0-9]+)?")
_WHOLE = re.compile(r"-?[0-9]+\.0*")
_LONGEST_NUMBER = 64  # a longer run of digits is a text, not a quantity
_EXACT = 2**53  # every integer up to here is exact in double precision


def is_label(value: object) -> bool:
    """Tell whether a value can be a name or a label: a text, not empty, with a UTF-8 form.

    Examples
    --------
    >>> is_label("None"), is_label(""), is_label(1)
    (True, False, False)
    """
    if not isinstance(value, str) or not value:
        return False
    return value.isascii() or not _SURROGATE.search(value)


def number_label(text: str) -> str | None:
    """Return the one spelling of the number that ``text`` is, or None if it is not a number.

    Examples
    --------
    >>> number_label("1.0"), number_label("-0"), number_label("2.50"), number_label("1e-2")
    ('1', '0', '2.5', '0.01')
    >>> number_label("007"), number_label("+1"), number_label("nan"), number_label("1 ")
    (None, None, None, None)
    """
    if len(text) > _LONGEST_NUMBER:
        return None
    found = _NUMBER.fullmatch(text)
    if found is None:
        return None
    if found.lastindex is None:  # digits only
        return "0" if text == "-0" else text
    value = float(text)
    return float_label(value) if math.isfinite(value) else None


def text_label(text: str) -> str:
    """Return the label of a text in a column of texts: a whole number has no idle fraction.

    Examples
    --------
    >>> text_label("1.0"), text_label("-0."), text_label("2.50"), text_label("1e3"), text_label("x")
    ('1', '0', '2.50', '1e3', 'x')
    """
    if not _WHOLE.fullmatch(text):
        return text
    whole = number_label(text)
    return whole if whole is not None and whole.lstrip("-").isdigit() else text


def numbers_of(texts: Sequence[str]) -> npt.NDArray[np.float64] | None:
    """Return the numbers that the texts are, or None if one of them is not a number.

    Examples
    --------
    >>> numbers_of(["1", "2.50"])
    array([1. , 2.5])
    >>> numbers_of(["1", "two"]) is None
    True
    """
    if not all(len(text) <= _LONGEST_NUMBER and _NUMBER.fullmatch(text) for text in texts):
        return None
    numbers = np.array([float(text) for text in texts], dtype=np.float64)
    return numbers if np.isfinite(numbers).all() else None


def float_label(value: float) -> str:
    """Return the label of a finite number.

    Examples
    --------
    >>> float_label(3.0), float_label(-0.0), float_label(0.1), float_label(1e300)
    ('3', '0', '0.1', '1e+300')
    """
    exact = float(value)
    if exact.is_integer() and abs(exact) <= _EXACT:
        return str(int(exact))
    return str(value)


def label_of(value: object) -> str | None:
    """Return the label of one value of a frame or a state list, or None if it is missing.

    Missing are None, NaN, and an empty text.

    Raises
    ------
    TypeError
        If the value is not a text, number, truth value, date or interval.

    Examples
    --------
    >>> label_of("None"), label_of(2.0), label_of(True), label_of(None), label_of("")
    ('None', '2', 'True', None, None)
    """
    label: str | None
    if isinstance(value, str):
        label = str(value) or None
    elif value is None or value is _pandas_scalar("NA") or value is _pandas_scalar("NaT"):
        label = None
    elif isinstance(value, bool | np.bool_):
        label = str(bool(value))
    elif isinstance(value, Integral):
        label = str(int(value))
    elif isinstance(value, Real | Decimal):
        label = _label_of_real(value)
    elif _has_a_readable_text(value):
        label = str(value)
    else:
        raise TypeError
    return label


def _label_of_real(value: Real | Decimal) -> str | None:
    """Return the label of a number, or None for not-a-number."""
    if math.isnan(value):
        return None
    if isinstance(value, Decimal):
        return number_label(str(value)) or str(value)
    # numpy's own scalar keeps the short spelling of its precision: 0.1, not 0.10000000149
    number: Any = value if isinstance(value, np.floating) else float(value)
    return float_label(number) if math.isfinite(number) else str(number)


def _has_a_readable_text(value: object) -> bool:
    """Tell whether ``str(value)`` is the name a person would give to the value."""
    dates = dt.date | dt.time | dt.timedelta | np.datetime64 | np.timedelta64
    return isinstance(value, dates) or type(value).__module__.partition(".")[0] == "pandas"


def _pandas_scalar(name: str) -> object:
    """Return a constant of pandas if a caller has pandas loaded, else an object nothing is."""
    import sys

    return getattr(sys.modules.get("pandas"), name, _NOTHING)


_NOTHING = object()


class NumberLabels(Sequence[str]):
    """The labels of an array of numbers, spelled only when they are asked for.

    Examples
    --------
    >>> list(NumberLabels(np.array([1.0, 2.5])))
    ['1', '2.5']
    """

    def __init__(self, numbers: npt.NDArray[Any]) -> None:
        self._numbers = numbers

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, k: int) -> str: ...
    @overload
    def __getitem__(self, k: slice) -> Sequence[str]: ...
    def __getitem__(self, k: int | slice) -> str | Sequence[str]:
        if isinstance(k, slice):
            return NumberLabels(self._numbers[k])
        value = self._numbers[k]
        return float_label(value) if self._numbers.dtype.kind == "f" else str(value)
