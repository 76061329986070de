"""The data files below tests/data/bnlearn, read without the package's own reader."""

from __future__ import annotations

import csv
import gzip
from functools import cache
from pathlib import Path

import numpy as np

from bayesloom.data import Table

FOLDER = Path(__file__).parent / "data" / "bnlearn"


@cache
def read_example(name: str) -> Table:
    """Return the example called ``name``; the states of a column are its labels, sorted."""
    with gzip.open(FOLDER / f"{name}.csv.gz", "rt", encoding="utf-8", newline="") as file:
        names, *rows = csv.reader(file)
    columns = [np.array(column) for column in zip(*rows, strict=True)]
    coded = [np.unique(column, return_inverse=True) for column in columns]
    return Table(names, [labels.tolist() for labels, _ in coded], [codes for _, codes in coded])
