"""Which columns are no categories: ids, nearly all distinct, and quantities, real-valued.

A column whose states are declared is never questioned. Of the others, with ``d`` different values
in ``n`` rows:

* a *quantity* holds different numbers, one of them with a fraction, and has more than 20 different
  values or fewer than two rows per value (``d > 20`` or ``2 d > n``);
* an *id* has more than 20 different values, and either more than nine in ten rows differ
  (``d > 0.9 n``) or there are more than 200 values with fewer than two rows each (``2 d > n``).

So a handful of rows is never an id, a constant is neither, and 200 states that repeat are welcome.
A column of numbers with some other texts among them is looked at without these.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from bayesloom.data.discretization import LEAST_BINS
from bayesloom.data.label import MOST_STATES, number_label
from bayesloom.data.reading import Reading
from bayesloom.data.source import Source
from bayesloom.data.tally import Tally
from bayesloom.errors import DataError, shown
from bayesloom.graphs.text import counted

FEW = 20
"""Up to so many different values are always states of a category, unless they are fractions."""

_MANY = 200
_NAMED = 6  # columns that one message names
_NEARLY_ALL = 0.9


def is_numeric(column: Tally) -> bool:
    """Tell whether an undeclared column holds numbers only."""
    return column.numbers is not None and not column.declared


def has_fractions(column: Tally) -> bool:
    """Tell whether an undeclared column holds numbers, at least one of them not whole."""
    numbers = column.numbers
    return is_numeric(column) and numbers is not None and bool((numbers != np.floor(numbers)).any())


def is_quantity(column: Tally) -> bool:
    """Tell whether a column is real-valued."""
    d = len(column.values)
    return d > 1 and has_fractions(column) and (d > FEW or 2 * d > column.n_present)


def is_id(column: Tally) -> bool:
    """Tell whether nearly every row of a column has a value of its own."""
    d = len(column.values)
    if column.declared or d <= FEW:
        return False
    n = column.n_present
    return d > _NEARLY_ALL * n or (d > _MANY and 2 * d > n)


def numbers_among_texts(column: Tally) -> Tally | None:
    """Return the part of a column of texts that is numbers, if most of its values are.

    A text among numbers, such as ``unknown`` or ``inf``, makes a column one of texts.
    """
    if column.declared or column.numbers is not None:
        return None
    found = [k for k, text in enumerate(column.values) if number_label(text) is not None]
    if 2 * len(found) <= len(column.values):
        return None
    return column.only(np.array(found), np.array([float(column.values[k]) for k in found]))


def refuse_spoilt_numbers(
    columns: Sequence[Tally], is_number: Callable[[Tally], bool], source: Source
) -> None:
    """Check that no text stands among numbers that are no categories.

    Parameters
    ----------
    columns : sequence of Tally
        The columns.
    is_number : callable
        Tells of a column of numbers whether these are no categories.
    source : Source
        Where they come from.

    Raises
    ------
    DataError
        If one does; the message names its place.
    """
    for column in columns:
        part = numbers_among_texts(column)
        if part is None or not is_number(part):
            continue
        k = next(k for k, text in enumerate(column.values) if number_label(text) is None)
        text, name = column.values[k], column.name
        msg = (
            f"{source.place(column.first_row(k), name)}: the value {shown(repr(text))} is no "
            f"finite number, but {len(part.values)} other values of the column are numbers; name "
            f"it in missing_markers (--missing-marker {quoted(text)}) if it means "
            f"missing, correct it, or drop the column with drop={[name]!r} "
            f"(--drop {quoted(name)})"
        )
        raise DataError(msg)


def find_no_categories(columns: Sequence[Tally], reading: Reading) -> str | None:
    """Say which columns are no categories, after those to be cut have been cut, and what to do.

    None if every column can be a category: none is an id, a quantity, or has too many values.
    """
    suspects = [column for column in columns if is_quantity(column) or is_id(column)]
    if suspects and reading.asks:
        described = ", ".join(map(_described, suspects[:_NAMED]))
        more = f" and {len(suspects) - _NAMED} more" if len(suspects) > _NAMED else ""
        return f"{described}{more}; {_advice(suspects, reading)}"
    for column in columns:
        if len(column.values) > MOST_STATES:
            return (
                f"column {shown(repr(column.name))} has {len(column.values):,} different values, "
                f"more than the {MOST_STATES:,} a column may have; {_advice([column], reading)}"
            )
    return None


def _described(column: Tally) -> str:
    what = "is real-valued" if is_quantity(column) else "is nearly all distinct, like an id"
    return (
        f"column {shown(repr(column.name))} {what} "
        f"({counted(len(column.values), 'different value')} in "
        f"{counted(column.n_present, 'row')}, such as {shown(repr(_example(column)))})"
    )


def _example(column: Tally) -> str:
    """Return a value that shows what is wrong: one with a fraction if there is one."""
    if column.numbers is None:
        return column.values[0]
    return column.values[int(np.argmax(column.numbers != np.floor(column.numbers)))]


def _advice(suspects: Sequence[Tally], reading: Reading) -> str:
    """Say what to do about columns that are no categories, and were not or could not be cut."""
    numeric = [column for column in suspects if is_numeric(column)]
    declare = "declare the values as states (states=, --states)"
    fewer = min((len(column.values) for column in numeric), default=0) - 1
    if any(reading.rule(column.name).how in ("frequency", "width") for column in numeric):
        few = "the numbers have no more values than there are bins"
        if fewer >= LEAST_BINS:
            bins = f"set bins={fewer} or fewer (--bins {fewer})"
            return f"{few}, so {bins}, {declare} or {_drop(suspects)}"
    real = [column for column in numeric if is_quantity(column)]
    ids = [column for column in suspects if column not in real]
    if real and fewer < LEAST_BINS:
        return f"{declare} or {_drop(suspects)}"
    key = "discretize=" if isinstance(reading.discretize, str) else "'*': "
    cut = f"{key}'auto' (--discretize auto)"
    if not ids:
        return f"discretise with {cut} or {_drop(suspects)}"
    if real:
        return f"{_drop(ids)}, and discretise the others with {cut}"
    if not numeric:
        return _drop(ids)
    name = numeric[0].name
    own = f"discretize={{{name!r}: 5}} (--discretize {quoted(name)}=5)"
    return f"{_drop(ids)}, or cut what is a quantity with {own}"


def _drop(columns: Sequence[Tally]) -> str:
    names = [column.name for column in columns][:_NAMED]
    options = " ".join(f"--drop {quoted(name)}" for name in names)
    return f"drop with drop={names!r} ({options})"


def quoted(name: str) -> str:
    """Return a name as one has to type it in a shell."""
    import shlex

    return shown(shlex.quote(name))
