"""The small data sets for classifiers that the project carries, and what others found on them."""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path

from bayesloom_reproduction.classifier_sets import CARRIED as FOLDER
from bayesloom_reproduction.classifier_sets import Frame, kinds_of, read_complete

__all__ = ["FOLDER", "REFERENCE", "numbers_of", "part", "read_set", "rows_of"]

REFERENCE = FOLDER / "tan_reference"


@cache
def read_set(name: str) -> Frame:
    """Return the complete rows of a set as texts."""
    return read_complete(name, None)


def part(frame: Frame, first: int, last: int | None = None) -> Frame:
    """Return some rows of a frame."""
    return {name: cells[first:last] for name, cells in frame.items()}


def numbers_of(name: str) -> list[str]:
    """Return the columns of a set that are numbers."""
    return kinds_of(name)[0]


def rows_of(path: Path) -> list[dict[str, str]]:
    """Return the rows of a CSV file by the names of the columns."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
