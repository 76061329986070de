"""The data files below tests/data/bnlearn, read without the package's own reader."""

from __future__ import annotations

import csv
import gzip
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from bayesloom.data import Table

FOLDER = Path(__file__).parent / "data" / "bnlearn"
NUMBERS = ("gaussian.test", "clgaussian.test", "marks")


@cache
def read_example(name: str) -> Table:
    """Return the example called ``name``; the states of a column are its labels, sorted.

    In the examples of `NUMBERS` columns of numbers stay numbers.
    """
    with gzip.open(FOLDER / f"{name}.csv.gz", "rt", encoding="utf-8", newline="") as file:
        names, *rows = csv.reader(file)
    columns = [np.array(column) for column in zip(*rows, strict=True)]
    if name in NUMBERS:
        return _with_numbers(names, columns)
    coded = [np.unique(column, return_inverse=True) for column in columns]
    return Table(names, [labels.tolist() for labels, _ in coded], [codes for _, codes in coded])


def _with_numbers(names: list[str], columns: list[np.ndarray[Any, Any]]) -> Table:
    states: list[list[str]] = []
    codes: list[np.ndarray[Any, Any]] = []
    for column in columns:
        try:
            codes.append(column.astype(np.float64))
            states.append([])
        except ValueError:
            labels, places = np.unique(column, return_inverse=True)
            codes.append(places)
            states.append(labels.tolist())
    return Table(names, states, codes)
