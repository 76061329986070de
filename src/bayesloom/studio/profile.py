"""What a data set looks like before anything is chosen: its columns, kinds, holes and values."""

from __future__ import annotations

from typing import Any

import numpy as np

from bayesloom.data import Reading, Table
from bayesloom.data.column import Column
from bayesloom.data.quantity import FEW, is_id, is_numeric, is_quantity
from bayesloom.data.reader import columns_in
from bayesloom.data.reading import MISSING_STATE
from bayesloom.errors import BayesloomError, DataError, shown
from bayesloom.graphs.text import counted

_MOST_BARS = 12  # that show the values of a column


def profiled(path: str, reading: Reading) -> dict[str, Any]:
    """Return what the columns of a file hold, as plain data; nothing is refused as a category."""
    columns, _ = columns_in(path, _raw(reading))
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
    }


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
            [f"{low:.4g} to {high:.4g}", int(height)]
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
        columns, _ = columns_in(path, _raw(reading))
    except BayesloomError:
        return []
    gone, kept = set(reading.drop), None if reading.columns is None else set(reading.columns)
    read = [c for c in columns if c.name not in gone and (kept is None or c.name in kept)]
    uncut = [c for c in read if reading.rule(c.name).how == "none"]
    ids = [c for c in read if is_id(c.tally()) and not is_quantity(c.tally())]
    real = [c for c in uncut if is_quantity(c.tally())]
    ways: list[dict[str, Any]] = []
    if len(ids) > 1:
        names = [c.name for c in ids]
        ways.append({"label": f"Leave out all {len(ids)} id columns", "drop": names})
    ways += [{"label": f"Leave out {shown(c.name, 40)}", "drop": [c.name]} for c in ids[:4]]
    if real:
        what = shown(real[0].name, 40) if len(real) == 1 else f"all {len(real)} quantities"
        ways.append({"label": f"Cut {what} into bins", "discretize": "auto"})
        ways += [{"label": f"Leave out {shown(c.name, 40)}", "drop": [c.name]} for c in real[:3]]
    return ways + _ways_about_holes(read, reading)


def _ways_about_holes(read: list[Column], reading: Reading) -> list[dict[str, Any]]:
    masks = [mask for column in read if (mask := column.missing()) is not None]
    if not masks or reading.missing == "state":
        return []
    whole = int((~np.logical_or.reduce(masks)).sum())
    state = {"label": f"Make “{MISSING_STATE}” a state", "missing": "state"}
    if not whole or reading.missing == "drop":
        return [state]
    kept = f"Drop rows with holes (keeps {counted(whole, 'row')} of {len(masks[0])})"
    return [{"label": kept, "missing": "drop"}, state]
