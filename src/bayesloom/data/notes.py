"""What a user should know about data that were read: sentences that travel with the table.

Whole numbers with more than 20 different values, texts that are dates, and texts with more than 200
levels are legal categories, but seldom what somebody wants; so are labels that often mean missing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from bayesloom.data.discretization import OTHERS
from bayesloom.data.label import spelled
from bayesloom.data.quantity import FEW, has_fractions, is_id, is_numeric, quoted
from bayesloom.data.reading import Reading
from bayesloom.data.tally import Tally
from bayesloom.errors import listed, shown

MANY = 200
"""Texts with more levels than this are noted."""

_NAMED = 6  # columns that one note names
_DATE = r"\d{4}-\d\d?-\d\d?([ T]\d\d?:.*)?|\d\d?\.\d\d?\.(\d\d)?\d\d|\d\d?/\d\d?/\d{2,4}"
_OFTEN_MISSING = frozenset(["NA", "N/A", "n/a", "NaN", "nan", "NULL", "null", "?", "#N/A", "-"])


def notes_on_categories(columns: Sequence[Tally], reading: Reading) -> list[str]:
    """Return the notes on columns that are taken as categories though they may be none."""
    open_ = [column for column in columns if not column.declared]
    many = [column for column in open_ if len(column.values) > FEW]
    whole = [column for column in many if is_numeric(column)]
    dates = [column for column in many if column not in whole and _are_dates(column.values)]
    notes = []
    if whole:
        notes.append(
            f"{_with_states(whole)} {_hold(whole)} whole numbers, taken as categories; "
            f"{_how_to_cut(whole, reading)}, or declare the states (states=, --states)"
        )
    if dates:
        notes.append(
            f"{_with_states(dates)} {_hold(dates)} dates, taken as categories; months or weekdays "
            "in their place have fewer states"
        )
    large = [c for c in many if c not in whole and c not in dates and len(c.values) > MANY]
    if large:
        notes.append(
            f"{_with_states(large)} {_hold(large)} more than {MANY} states; group rare ones, or "
            f"leave out with drop={[c.name for c in large[:_NAMED]]!r}"
        )
    return notes + _notes_on_missing(open_)


def note_on_cuts(points: Mapping[str, Sequence[float]]) -> list[str]:
    """Return a note that says where columns were cut.

    Examples
    --------
    >>> note_on_cuts({"age": [20.0, 38.5], "fare": []})
    ['cut into bins: age at 20, 38.5; fare nowhere']
    """
    if not points:
        return []
    told = [
        f"{shown(name)} at {listed(map(spelled, cuts))}" if cuts else f"{shown(name)} nowhere"
        for name, cuts in list(points.items())[:_NAMED]
    ]
    more = len(points) - len(told)
    return [f"cut into bins: {'; '.join(told)}{f'; and {more} more columns' * (more > 0)}"]


def note_on_cut_ids(columns: Sequence[Tally]) -> list[str]:
    """Return a note on columns of whole numbers that were cut though they look like ids."""
    ids = [column.name for column in columns if is_id(column) and not has_fractions(column)]
    if not ids:
        return []
    drop = " ".join(f"--drop {quoted(name)}" for name in ids[:_NAMED])
    what = "differs" if len(ids) == 1 else "differ"
    note = (
        f"{listed(ids, _NAMED)} {what} in nearly every row, like an id; leave out with "
        f"drop={ids[:_NAMED]!r} ({drop}) what only numbers the rows"
    )
    return [note]


def notes_on_spelling(columns: Sequence[Tally], unused_markers: Sequence[str]) -> list[str]:
    """Return the notes on blanks at the ends of names and states, and on idle markers."""
    notes = [
        f"the missing marker {shown(repr(marker))} does not occur" for marker in unused_markers
    ]
    blank = [
        column.name
        for column in columns
        if column.name != column.name.strip()
        or (column.numbers is None and any(x != x.strip() for x in column.values))
    ]
    if blank:
        notes.append(
            f"names or states of {listed(map(repr, blank), _NAMED)} begin or end with a blank, "
            "which belongs to them"
        )
    return notes


def _are_dates(values: Sequence[str]) -> bool:
    return all(re.fullmatch(_DATE, text) for text in values)


def _with_states(columns: Sequence[Tally]) -> str:
    told = [f"{shown(c.name)} ({len(c.values):,} states)" for c in columns]
    return listed(told, _NAMED)


def _hold(columns: Sequence[Tally]) -> str:
    return "holds" if len(columns) == 1 else "hold"


def _how_to_cut(columns: Sequence[Tally], reading: Reading) -> str:
    if reading.rule(OTHERS).how == "none" and not all(map(is_id, columns)):
        return "discretize='auto' (--discretize auto) cuts them"
    name = columns[0].name
    return f"discretize={{{name!r}: 5}} (--discretize {quoted(name)}=5) cuts such a column"


def _notes_on_missing(columns: Sequence[Tally]) -> list[str]:
    found = {c.name: _OFTEN_MISSING.intersection(c.values) for c in columns if c.numbers is None}
    labels = sorted(set().union(*found.values()))
    if not labels:
        return []
    where = listed((name for name, some in found.items() if some), _NAMED)
    markers = " ".join(f"--missing-marker {quoted(label)}" for label in labels)
    note = (
        f"{listed(map(repr, labels))} in {where} counts as a state; if it means missing, say "
        f"missing_markers={labels!r} ({markers})"
    )
    return [note]
