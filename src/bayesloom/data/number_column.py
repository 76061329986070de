"""Columns of numbers: how their cells are checked, which are missing, and who cannot take them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from bayesloom.arrays import Floats
from bayesloom.data.label import spelled
from bayesloom.errors import DataError, listed, shown

_NAMED = 6  # columns that a message names


class _HasKinds(Protocol):
    @property
    def names(self) -> tuple[str, ...]: ...

    @property
    def states(self) -> tuple[tuple[str, ...], ...]: ...


def missing_mask(codes: npt.NDArray[Any], labels: Sequence[str]) -> npt.NDArray[np.bool_]:
    """Return which cells of a column are missing; a column without labels holds numbers.

    Examples
    --------
    >>> missing_mask(np.array([0, 2, 1]), ["no", "yes"]).tolist()
    [False, True, False]
    >>> missing_mask(np.array([0.5, np.nan]), ()).tolist()
    [False, True]
    """
    mask: npt.NDArray[np.bool_] = codes == len(labels) if labels else np.isnan(codes)
    return mask


def checked_numbers(name: str, cells: npt.ArrayLike, *, holes: bool) -> Floats:
    """Return the cells of a column of numbers as read-only doubles, of which -0 is 0.

    Raises
    ------
    DataError
        If they are no numbers, one is infinite or no double, or one is missing and none may be.

    Examples
    --------
    >>> checked_numbers("age", [39, 17], holes=False)
    array([39., 17.])
    >>> checked_numbers("age", [39, float("inf")], holes=True)
    Traceback (most recent call last):
    bayesloom.errors.DataError: column 'age' has the number inf in row 1 (counted from 0), and \
numbers are finite; correct or remove it
    """
    array = np.asarray(cells)
    if array.ndim != 1 or (array.size and array.dtype.kind not in "fiu"):
        msg = (
            f"column {shown(repr(name))} has no states, so its cells are numbers, one-dimensional, "
            f"got the shape {array.shape} and the type {array.dtype}"
        )
        raise DataError(msg)
    numbers = np.require(array, np.float64, ["C", "A"])
    if array.dtype.kind != "f" and (lossy := inexact(array)).any():
        row = int(lossy.argmax())
        msg = (
            f"column {shown(repr(name))} has the number {array[row]} in row {row} (counted from "
            "0), which no double can hold; give floats if its last digits may go"
        )
        raise DataError(msg)
    refused = ~np.isfinite(numbers) if not holes else np.isinf(numbers)
    if refused.any():
        row = int(refused.argmax())
        value, rule = (
            ("no number", "only a table with holes=True may miss cells")
            if np.isnan(numbers[row])
            else (f"the number {numbers[row]}", "numbers are finite; correct or remove it")
        )
        place = f"in row {row} (counted from 0)"
        msg = f"column {shown(repr(name))} has {value} {place}, and {rule}"
        raise DataError(msg)
    if (np.signbit(numbers) & (numbers == 0)).any():
        numbers = numbers + 0.0
    if numbers.flags.writeable and np.may_share_memory(numbers, array):
        numbers = numbers.copy()  # what a caller does to its own array changes no table
    numbers.flags.writeable = False
    return numbers.view()


def inexact(whole: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """Return which of an array's whole numbers no double can hold.

    Examples
    --------
    >>> inexact(np.array([2**53, 2**53 + 1, 2**63], np.uint64)).tolist()
    [False, True, False]
    """
    if not whole.size or max(abs(int(whole.max())), abs(int(whole.min()))) <= 1 << 53:
        return np.zeros(len(whole), np.bool_)
    return np.array([int(float(x)) != x for x in whole.tolist()], np.bool_)


def range_text(numbers: Floats) -> str:
    """Return what stands for the states of a column of numbers: from where to where they go.

    Examples
    --------
    >>> range_text(np.array([17.0, np.nan, 90.5])), range_text(np.array([np.nan]))
    ('numbers from 17 to 90.5', 'numbers')
    """
    known = numbers[~np.isnan(numbers)]
    if not len(known):
        return "numbers"
    return f"numbers from {spelled(float(known.min()))} to {spelled(float(known.max()))}"


def refuse_numbers(what: str, table: _HasKinds) -> None:
    """Refuse a table with columns of numbers where only states can be counted.

    Parameters
    ----------
    what : str
        What wants states, as the subject of a sentence.
    table : Table or Engine
        The names, and the states of each: none for numbers.

    Raises
    ------
    DataError
        With the columns and how to cut them.

    Examples
    --------
    >>> from bayesloom.data import Table
    >>> refuse_numbers("K2Score", Table(["age"], [()], [[39.0, 17.0]]))
    Traceback (most recent call last):
    bayesloom.errors.DataError: K2Score works on categories, and the column 'age' holds numbers; \
read the data with numbers='cut' (--numbers cut), or leave the column out
    """
    names = [name for name, labels in zip(table.names, table.states, strict=True) if not labels]
    if names:
        columns, hold = ("column", "holds") if len(names) == 1 else ("columns", "hold")
        msg = (
            f"{what} works on categories, and the {columns} "
            f"{listed((shown(repr(name)) for name in names), _NAMED)} {hold} numbers; read the "
            f"data with numbers='cut' (--numbers cut), or leave the {columns} out"
        )
        raise DataError(msg)
