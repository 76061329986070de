"""The small data sets for classifiers that the project carries, and what others found on them."""

from __future__ import annotations

import csv
import gzip
from functools import cache
from pathlib import Path

import bayesloom_reproduction

FOLDER = Path(bayesloom_reproduction.__file__).parent / "uci"
REFERENCE = FOLDER / "tan_reference"

Frame = dict[str, list[str]]


@cache
def read_set(name: str) -> Frame:
    """Return the complete rows of a set as text; missing votes are a state, as Weka had them."""
    with gzip.open(FOLDER / f"{name}.csv.gz", "rt", encoding="utf-8") as file:
        head, *rows = csv.reader(file)
    if name == "vote":
        rows = [[cell or "u" for cell in row] for row in rows]
    kept = [row for row in rows if all(row)]
    return {column: [row[v] for row in kept] for v, column in enumerate(head)}


def part(frame: Frame, first: int, last: int | None = None) -> Frame:
    """Return some rows of a frame."""
    return {name: cells[first:last] for name, cells in frame.items()}


def numbers_of(name: str) -> list[str]:
    """Return the columns of a set that are numbers."""
    with (FOLDER / "columns.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return [row["column"] for row in rows if row["name"] == name and row["kind"] == "numeric"]


def rows_of(path: Path) -> list[dict[str, str]]:
    """Return the rows of a CSV file by the names of the columns."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
