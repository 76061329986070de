"""Recognise numbers that are written with a decimal comma, such as ``1650,89`` or ``1.650,89``.

A column of texts is one of such numbers if most of its values are whole numbers or have a decimal
comma, none is a number with a decimal point, and one of them can be nothing else: ``1,234`` alone
may also be a thousand. A few labels that repeat, such as ``1,2``, stay what they are.
"""

from __future__ import annotations

import re

import numpy as np

from bayesloom.data.column import Column
from bayesloom.data.interval import scale_of
from bayesloom.data.label import number_of
from bayesloom.data.quantity import FEW
from bayesloom.data.reading import Reading
from bayesloom.errors import shown

_WITH_COMMA = r"-?(?:0|[1-9][0-9]*|[1-9][0-9]{0,2}(?:\.[0-9]{3})+),[0-9]+"
_GROUPED = r"-?[1-9][0-9]{0,2}(?:\.[0-9]{3})+"
_THOUSANDS = r"-?[1-9][0-9]{0,2},[0-9]{3}"


def with_points(column: Column, reading: Reading) -> tuple[Column, str | None]:
    """Return a column with points in place of decimal commas, and a note that says so.

    A column without decimal commas stays as it is, and there is no note.
    """
    texts = column.values
    if column.declared or column.numbers is not None or not any("," in text for text in texts):
        return column, None
    commas = [text for text in texts if re.fullmatch(_WITH_COMMA, text)]
    if all(re.fullmatch(_THOUSANDS, text) for text in commas) or not _are_wanted(column, reading):
        return column, None
    points = {
        text: text.replace(".", "").replace(",", ".")
        for text in texts
        if re.fullmatch(_WITH_COMMA, text) or re.fullmatch(_GROUPED, text)
    }
    others = [number_of(text) for text in texts if text not in points]
    whole = [number for number in others if isinstance(number, int)]
    if 2 * (len(points) + len(whole)) <= len(texts) or any(isinstance(n, float) for n in others):
        return column, None
    labels = [points.get(text, text) for text in texts]
    code = {label: k for k, label in enumerate(dict.fromkeys(labels))}
    first = min(commas)
    note = (
        f"column {shown(repr(column.name))} has decimal commas: {shown(first)} is read as "
        f"{shown(points[first])}"
    )
    return column.with_values(list(code), np.array([code[x] for x in labels])), note


def with_point(text: str) -> str:
    """Return a number that has a decimal comma with a point; any other text stays as it is.

    So does a number such as ``1,234``, which may also be a thousand.

    Examples
    --------
    >>> with_point("1,80"), with_point("1.650,89"), with_point("1,234"), with_point("a,b")
    ('1.80', '1650.89', '1,234', 'a,b')
    """
    if not re.fullmatch(_WITH_COMMA, text) or re.fullmatch(_THOUSANDS, text):
        return text
    return text.replace(".", "").replace(",", ".")


def _are_wanted(column: Column, reading: Reading) -> bool:
    """Tell whether numbers are expected, or there are so many that they can be no categories."""
    states = reading.declared(column.name)
    if states is not None:
        return scale_of(states) is not None and not set(states).intersection(column.values)
    d = len(column.values)
    return reading.rule(column.name).named or d > FEW or 2 * d > column.tally().n_present
