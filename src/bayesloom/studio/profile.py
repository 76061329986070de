"""What a data set looks like before anything is chosen: its columns, kinds, holes and values."""

from __future__ import annotations

from typing import Any

import numpy as np

from bayesloom.data import Reading, Table
from bayesloom.data.column import Column
from bayesloom.data.decimal_comma import with_points
from bayesloom.data.level import settle_levels
from bayesloom.data.quantity import FEW, is_id, is_numeric, is_quantity
from bayesloom.data.reader import CSV, columns_in
from bayesloom.data.reading import MISSING_STATE
from bayesloom.errors import BayesloomError, DataError, shown
from bayesloom.graphs.text import counted
from bayesloom.studio.choice import usual_search

LOOKED_AT = 1 << 16
"""Bytes at the start of a file that tell whether it is a text."""

_MOST_BARS = 12  # that show the values of a column
_GZIP = b"\x1f\x8b"
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")


def profiled(path: str, reading: Reading) -> dict[str, Any]:
    """Return what the columns of a file hold, as plain data; nothing is refused as a category."""
    columns = _columns(path, reading)
    rows = columns[0].n_rows if columns else 0
    return {"rows": rows, "columns": [_profile(column) for column in columns]}


def checked(path: str, reading: Reading) -> dict[str, Any]:
    """Return the table that a reading makes of a file, or what it breaks and the ways out."""
    try:
        table = reading.apply(path)
    except DataError as error:
        return {"problem": str(error), "ways": _ways(path, reading)}
    except BayesloomError as error:
        return {"problem": str(error), "ways": []}
    return {
        "rows": table.n_rows,
        "notes": list(table.notes),
        "columns": [_settled(table, v) for v in range(table.n_columns)],
        "missing": int(table.missing.sum()),
        "usual": usual_search(table),
    }


def may_be_mended(name: str, start: bytes) -> bool:
    r"""Say whether a file that cannot be read may yet be, with another separator or encoding.

    It is told from the first bytes, `LOOKED_AT` of them.

    Examples
    --------
    >>> may_be_mended("a.csv", b"K\xf6ln;1\n"), may_be_mended("a.csv", b"")
    (True, False)
    """
    if not name.lower().endswith(CSV):
        return False
    if name.lower().endswith(".gz"):
        return start.startswith(_GZIP)
    return bool(start) and (b"\0" not in start or start.startswith(_UTF_16))


def _columns(path: str, reading: Reading) -> list[Column]:
    """Return the columns of a file as they are, numbers with decimal commas as numbers."""
    raw = _raw(reading)
    columns, source = columns_in(path, raw)
    pointed = [with_points(column, raw) for column in columns]
    return [settle_levels(found, raw, source) if note else found for found, note in pointed]


def _raw(reading: Reading) -> Reading:
    return Reading(
        missing_markers=reading.missing_markers,
        delimiter=reading.delimiter,
        encoding=reading.encoding,
    )


def _profile(column: Column) -> dict[str, Any]:
    counts = column.counts()
    mask = column.missing()
    return {
        "name": column.name,
        "kind": _kind(column),
        "values": len(column.values),
        "missing": 0 if mask is None else int(mask.sum()),
        "bars": _bars(column, counts),
        "histogram": _has_histogram(column),
        "numeric": is_numeric(column.tally()),
    }


def _kind(column: Column) -> str:
    """Say what a column is, by the rules of the data contract."""
    tally = column.tally()
    if len(column.values) <= 1:
        return "constant"
    if is_quantity(tally):
        return "quantity"
    if is_id(tally):
        return "id"
    return "number" if is_numeric(tally) else "category"


def _bars(column: Column, counts: np.ndarray[Any, Any]) -> list[list[Any]]:
    """Return labels with their numbers of rows: values, or a histogram of many numbers."""
    if _has_histogram(column):
        values = np.asarray(column.numbers, dtype=float)
        heights, edges = np.histogram(values, bins=_MOST_BARS, weights=counts)
        return [
            [f"{low:.3g} to {high:.3g}", int(height)]
            for low, high, height in zip(edges[:-1], edges[1:], heights, strict=True)
        ]
    return _first_bars(list(column.values), counts.tolist())


def _has_histogram(column: Column) -> bool:
    return column.numbers is not None and len(column.values) > FEW


def _first_bars(labels: list[str], counts: list[int]) -> list[list[Any]]:
    return [[shown(str(labels[k]), 80), counts[k]] for k in range(min(len(labels), _MOST_BARS))]


def _settled(table: Table, v: int) -> dict[str, Any]:
    counts = np.bincount(table.codes[v], minlength=len(table.states[v])).tolist()
    states = list(table.states[v])
    return {"name": table.names[v], "states": len(states), "bars": _first_bars(states, counts)}


def _ways(path: str, reading: Reading) -> list[dict[str, Any]]:
    """Return what can be chosen where data break the contract: a label and the changes it makes."""
    try:
        columns = _columns(path, reading)
    except BayesloomError:
        return []
    gone, kept = set(reading.drop), None if reading.columns is None else set(reading.columns)
    read = [c for c in columns if c.name not in gone and (kept is None or c.name in kept)]
    uncut = [c for c in read if reading.rule(c.name).how == "none"]
    ids = [c for c in uncut if is_id(c.tally()) and not is_quantity(c.tally())]
    real = [c for c in uncut if is_quantity(c.tally())]
    ways: list[dict[str, Any]] = []
    if len(ids) > 1:
        names = [c.name for c in ids]
        ways.append({"label": f"Leave out all {len(ids)} id columns", "drop": names})
    ways += [{"label": f"Leave out {shown(c.name, 40)}", "drop": [c.name]} for c in ids[:4]]
    ways += [
        {"label": f"Cut {shown(c.name, 40)} into bins", "cut": c.name}
        for c in ids[:4]
        if is_numeric(c.tally())
    ]
    if real:
        what = shown(real[0].name, 40) if len(real) == 1 else f"all {len(real)} quantities"
        ways.append({"label": f"Cut {what} into bins", "discretize": "auto"})
        ways += [{"label": f"Leave out {shown(c.name, 40)}", "drop": [c.name]} for c in real[:3]]
    return ways + _ways_about_holes(read, reading)


def _ways_about_holes(read: list[Column], reading: Reading) -> list[dict[str, Any]]:
    masks = [mask for column in read if (mask := column.missing()) is not None]
    if not masks or reading.missing in ("state", "keep"):
        return []
    whole = int((~np.logical_or.reduce(masks)).sum())
    ways = [
        {"label": "Keep the holes and learn around them", "missing": "keep"},
        {"label": f"Make “{MISSING_STATE}” a state", "missing": "state"},
    ]
    if whole and reading.missing != "drop":
        kept = f"Drop rows with holes (keeps {counted(whole, 'row')} of {len(masks[0])})"
        ways.append({"label": kept, "missing": "drop"})
    return ways
