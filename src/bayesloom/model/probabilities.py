"""Rows of a conditional probability table: what is wrong with them, and scaling them to sum 1."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bayesloom.arrays import Floats
from bayesloom.errors import shown

ROW_TOLERANCE = 1e-3
"""How far the sum of a row may be from 1; within it the row is scaled, beyond it is an error."""

# A row this close to 1 is left alone, so that scaling a scaled row changes no bit.
_ROUNDING = 2.0**-46


@dataclass(frozen=True, slots=True)
class RowFault:
    """The first thing that is wrong in a table.

    Parameters
    ----------
    row, column : int
        The parent configuration and the child state; column 0 for a wrong sum.
    problem : str
        What is wrong, as the end of a sentence: "hold -0.1, which is negative".
    """

    row: int
    column: int
    problem: str


def find_row_fault(rows: Floats) -> RowFault | None:
    """Return the first cell or row that is not a probability or a distribution, if there is one.

    Parameters
    ----------
    rows : array of shape (q, r)
        One row per parent configuration, one column per child state.

    Examples
    --------
    >>> find_row_fault(np.array([[0.1, 0.9], [0.5, 0.4]]))
    RowFault(row=1, column=0, problem='sum to 0.9, not to 1')
    >>> find_row_fault(np.array([[0.1, 0.9]])) is None
    True
    """
    with np.errstate(invalid="ignore", over="ignore"):
        sums = rows.sum(axis=1)
        # Written so that NaN counts as wrong.
        sound = (np.abs(sums - 1.0) <= ROW_TOLERANCE) & (rows.min(axis=1) >= 0.0)
    if sound.all():
        return None
    row = int(np.flatnonzero(~sound)[0])
    for column, value in enumerate(rows[row].tolist()):
        if not np.isfinite(value):
            return RowFault(row, column, f"hold {value}, which is not a finite number")
        if value < 0:
            return RowFault(row, column, f"hold {value}, which is negative")
    return RowFault(row, 0, f"sum to {sums[row]:.12g}, not to 1")


def scaled(rows: Floats) -> Floats:
    """Divide each row by its sum; rows that already sum to 1 up to rounding stay as they are.

    Examples
    --------
    >>> scaled(np.array([[0.1, 0.9], [0.2499, 0.7497]]))
    array([[0.1 , 0.9 ],
           [0.25, 0.75]])
    """
    sums = rows.sum(axis=1, keepdims=True)
    off = np.abs(sums - 1.0) > _ROUNDING
    # Adding 0.0 turns -0.0 into 0.0.
    result: Floats = (rows / np.where(off, sums, 1.0)) + 0.0
    return result


def describe_row(
    child: str, parents: Sequence[str], states: Sequence[Sequence[str]], row: int
) -> str:
    """Name one row of a table in words; the last parent varies fastest.

    Examples
    --------
    >>> describe_row("wet", ["rain"], [["no", "yes"]], 1)
    "probabilities of 'wet' given rain=yes"
    >>> describe_row("rain", [], [], 0)
    "probabilities of 'rain'"
    """
    labels = []
    for name, known in zip(reversed(parents), reversed(states), strict=True):
        row, code = divmod(row, len(known))
        labels.append(f"{shown(name)}={shown(known[code])}")
    given = f" given {', '.join(reversed(labels))}" if labels else ""
    return f"probabilities of {child!r}{given}"
