"""What a cell is called: one spelling for every number, text left as it is.

A label is a text that is not empty. Numbers that are equal have one label, the shortest: ``1`` for
``1``, ``1.0`` and ``1e0``, and ``0.5`` for ``0.50``. Whole numbers are exact, however long, and are
called by their digits whether they come as an integer, a float or a text; fractions have the
precision of a float. Text that merely contains a number, such as ``007`` or ``+1``, is text and
stays as it is. Among texts ``1.0`` is still ``1``, but ``2.50`` stays: it may be the number of a
version.
"""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Sequence
from numbers import Integral, Rational, Real
from typing import TYPE_CHECKING, Any, TypeAlias, overload

import numpy as np
import numpy.typing as npt

from bayesloom.errors import shown

if TYPE_CHECKING:
    from fractions import Fraction

MOST_STATES = 65_536
"""The largest number of states a column may have."""

Number: TypeAlias = "int | float | Fraction"
"""What a text can stand for: exact if it is whole or next to a whole number, else a float."""

_SURROGATE = re.compile("[\ud800-\udfff]")
_NUMBER = re.compile(r"-?(?:(?:0|[1-9][0-9]*)(\.[0-9]*)?|(\.[0-9]+))([eE][+-]?[0-9]+)?")
_WHOLE = re.compile(r"-?[0-9]+\.0*")
_LONGEST_NUMBER = 64  # a longer run of digits is a text, not a quantity
_FLOAT_DIGITS = 15  # decimals of so many digits are all different as floats


def is_label(value: object) -> bool:
    """Tell whether a value can be a name or a label: a text, not empty, with a UTF-8 form.

    Examples
    --------
    >>> is_label("None"), is_label(""), is_label(1)
    (True, False, False)
    """
    return label_fault(value) is None


def label_fault(value: object) -> str | None:
    r"""Say why a value can be no name and no label; None if it can.

    Examples
    --------
    >>> label_fault(1), label_fault(""), label_fault("a\ud800"), label_fault("a")
    ('it is no text', 'it is empty', 'it holds half a character, a lone surrogate', None)
    """
    if not isinstance(value, str):
        return "it is no text"
    if not value:
        return "it is empty"
    if not value.isascii() and _SURROGATE.search(value):
        return "it holds half a character, a lone surrogate"
    return None


def number_of(text: str) -> Number | None:
    """Return the number that ``text`` is, or None if it is not a number.

    A number that a float cannot hold, too large or too near to 0, is a text.

    Examples
    --------
    >>> number_of("1.0"), number_of("2.50"), number_of("1e23"), number_of("007"), number_of("1e999")
    (1, 2.5, 100000000000000000000000, None, None)
    >>> number_of("9007199254740993.0"), number_of("9007199254740993.5")
    (9007199254740993, Fraction(18014398509481987, 2))
    """
    found = _NUMBER.fullmatch(text) if len(text) <= _LONGEST_NUMBER else None
    if found is None:
        return None
    if found.lastindex is None:  # digits only
        return int(text)
    value = float(text)
    if not value.is_integer():
        return value if math.isfinite(value) else None
    if value == 0:
        return None if re.search("[1-9]", re.split("[eE]", text)[0]) else 0
    if len(text) <= _FLOAT_DIGITS and abs(value) < 10**_FLOAT_DIGITS:
        return int(value)
    from fractions import Fraction

    exact = Fraction(text)
    return exact.numerator if exact.denominator == 1 else exact


def number_label(text: str) -> str | None:
    """Return the one spelling of the number that ``text`` is, or None if it is not a number.

    Examples
    --------
    >>> number_label("1.0"), number_label("-0"), number_label("2.50"), number_label("1e-2")
    ('1', '0', '2.5', '0.01')
    >>> number_label("007"), number_label("+1"), number_label("nan"), number_label("1 ")
    (None, None, None, None)
    """
    number = number_of(text)
    return None if number is None else spelled(number)


def spelled(number: Number) -> str:
    """Return the label of a finite number.

    Examples
    --------
    >>> spelled(3), spelled(3.0), spelled(-0.0), spelled(0.1), spelled(1e16), spelled(1e300)
    ('3', '3', '0', '0.1', '10000000000000000', '1e+300')
    """
    if isinstance(number, Rational) and not isinstance(number, Integral):
        from decimal import Context, Decimal

        top, bottom = Decimal(number.numerator), Decimal(number.denominator)
        return f"{Context(prec=2 * _LONGEST_NUMBER).divide(top, bottom):f}"
    if not isinstance(number, Integral) and not float(number).is_integer():
        return str(number)  # numpy's own float32 keeps the short spelling of its precision
    digits = str(int(number))
    if len(digits) <= _LONGEST_NUMBER:
        return digits
    return _with_exponent(digits) if isinstance(number, Integral) else str(number)


def _with_exponent(digits: str) -> str:
    """Return the short spelling of a long whole number, as that of a float would be.

    Examples
    --------
    >>> _with_exponent("-1" + 80 * "0"), _with_exponent("125" + 80 * "0")
    ('-1e+80', '1.25e+82')
    """
    sign, size = ("-", digits[1:]) if digits[0] == "-" else ("", digits)
    kept = size.rstrip("0")
    return f"{sign}{kept[0]}{'.' * (len(kept) > 1)}{kept[1:]}e+{len(size) - 1}"


def text_label(text: str) -> str:
    """Return the label of a text in a column of texts: a whole number has no idle fraction.

    Examples
    --------
    >>> text_label("1.0"), text_label("-0."), text_label("2.50"), text_label("1e3"), text_label("x")
    ('1', '0', '2.50', '1e3', 'x')
    """
    return (number_label(text) or text) if _WHOLE.fullmatch(text) else text


def spelled_numbers(texts: Sequence[str]) -> list[Number] | None:
    """Return the numbers that the texts are, or None if one of them is not a number.

    Examples
    --------
    >>> spelled_numbers(["1", "2.50"])
    [1, 2.5]
    >>> spelled_numbers(["1", "two"]) is None
    True
    """
    numbers: list[Number] = []
    for text in texts:
        number = number_of(text)
        if number is None:
            return None
        numbers.append(number)
    return numbers


def labels_of(texts: Sequence[str]) -> list[str]:
    """Return the labels of the values of one column: as numbers if all are, else as texts.

    Examples
    --------
    >>> labels_of(["1.0", "2.50"]), labels_of(["1.0", "2.50", "x"])
    (['1', '2.5'], ['1', '2.50', 'x'])
    """
    numbers = spelled_numbers(texts)
    return [text_label(text) for text in texts] if numbers is None else [*map(spelled, numbers)]


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
        label = _label_of_whole(int(value))
    elif isinstance(value, Real):
        label = _label_of_real(value)
    elif _has_a_readable_text(value):
        label = str(value)
    else:
        label = _label_of_decimal(value)
    return label


def told(value: object) -> str:
    """Return a value for a sentence: short and on one line, whatever it is.

    Examples
    --------
    >>> told("x"), told(10**5000)
    ("'x'", 'a number of more than 4000 digits')
    """
    try:
        return shown(repr(value))
    except ValueError:  # of Python's own guard against long numbers
        return "a number of more than 4000 digits"


def _label_of_whole(value: int) -> str:
    try:
        return str(value)
    except ValueError:  # of Python's own guard against long numbers
        raise TypeError from None


def _label_of_decimal(value: object) -> str | None:
    """Return the label of a decimal number, or None for not-a-number; refuse all else."""
    from decimal import Decimal

    if not isinstance(value, Decimal):
        raise TypeError
    return None if math.isnan(value) else number_label(str(value)) or str(value)


def _label_of_real(value: Real) -> str | None:
    """Return the label of a number, or None for not-a-number."""
    if math.isnan(value):
        return None
    number: Any = value if isinstance(value, np.floating) else float(value)
    return spelled(number) if math.isfinite(number) else str(number)


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
    """The labels of numbers, spelled only when they are asked for.

    Examples
    --------
    >>> list(NumberLabels(np.array([1.0, 2.5])))
    ['1', '2.5']
    """

    def __init__(self, numbers: Sequence[Number] | npt.NDArray[Any]) -> None:
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
        return spelled(self._numbers[k])
