"""What becomes of columns of numbers: the values that ``numbers`` can take.

One word is for every column of numbers: ``keep`` leaves them numbers, ``cut`` makes bins of them as
``discretize="auto"`` does. A mapping has a word for some columns, and for all others the word under
``"*"``, or none:

    {"age": "keep", "dose": "cut", "*": "keep"}
"""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Integral
from typing import Literal, TypeAlias, get_args

from bayesloom.data.discretization import OTHERS
from bayesloom.data.label import told
from bayesloom.errors import OptionError, listed, shown

NumbersRule = Literal["keep", "cut"]
"""Whether numbers stay numbers or are cut into bins."""

Numbers: TypeAlias = NumbersRule | Mapping[str, NumbersRule]
"""The word for all columns of numbers, or words for some."""


def checked_numbers_rule(value: object) -> Numbers | None:
    """Return what a user gives as ``numbers``.

    Raises
    ------
    OptionError
        If it is neither a word nor a mapping of columns to words.

    Examples
    --------
    >>> checked_numbers_rule({"age": "keep"})
    {'age': 'keep'}
    >>> checked_numbers_rule("bins")
    Traceback (most recent call last):
    bayesloom.errors.OptionError: numbers must be one of keep, cut, or a mapping of columns to \
these, got 'bins'
    """
    words = get_args(NumbersRule)
    if value is None or (isinstance(value, str) and value in words):
        return value  # type: ignore[return-value]
    if not isinstance(value, Mapping):
        msg = f"numbers must be one of {listed(words)}, or a mapping of columns to these"
        msg = f"{msg}, got {told(value)}"
        raise OptionError(msg)
    for name, word in value.items():
        if not isinstance(name, str) and (isinstance(name, bool) or not isinstance(name, Integral)):
            msg = f"numbers must be a mapping of names of columns, got {told(name)} in it"
            raise OptionError(msg)
        if not isinstance(word, str) or word not in words:
            what = f"numbers of column {shown(repr(name))}"
            msg = f"{what} must be one of {listed(words)}, got {told(word)}"
            raise OptionError(msg)
    return {str(name): word for name, word in value.items()}


def numbers_rule_of(numbers: Numbers | None, name: str) -> NumbersRule | None:
    """Return the word for a column, or None.

    Examples
    --------
    >>> numbers_rule_of({"age": "keep", "*": "cut"}, "fare")
    'cut'
    """
    if numbers is None or isinstance(numbers, str):
        return numbers
    return numbers.get(name, numbers.get(OTHERS))


def names_of(numbers: Numbers | None) -> tuple[str, ...]:
    """Return the columns that have a word of their own.

    Examples
    --------
    >>> names_of({"age": "keep", "*": "cut"}), names_of("keep")
    (('age',), ())
    """
    if numbers is None or isinstance(numbers, str):
        return ()
    return tuple(name for name in numbers if name != OTHERS)
