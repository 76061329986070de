"""Folds of rows for cross-validation that do not depend on the order of rows or columns."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from bayesloom.data import Table

_MIX = np.uint64(0xFF51AFD7ED558CCD)
_START = np.uint64(0x9E3779B97F4A7C15)


def row_folds(table: Table, folds: int, seed: int) -> npt.NDArray[np.intp]:
    """Return the fold of every row: rows are sorted by what they hold, and dealt out at random.

    Equal rows are interchangeable, so each fold has the same rows in whatever order they come.

    Parameters
    ----------
    table : Table
        The rows, with columns in name order.
    folds : int
        In how many parts they are divided, of sizes that differ by 1 at most.
    seed : int
        Of the dealing.

    Examples
    --------
    >>> table = Table("A", ["xyz"], [[0, 1, 2, 0, 1, 2]])
    >>> sorted(row_folds(table, 3, seed=1).tolist())
    [0, 0, 1, 1, 2, 2]
    """
    mixed = np.full(table.n_rows, _START)
    for codes in table.codes:
        mixed = (mixed ^ _bits_of(codes)) * _MIX
        mixed ^= mixed >> np.uint64(29)
    order = np.argsort(mixed, kind="stable")
    dealt = np.random.default_rng(seed).permutation(table.n_rows) % folds
    fold = np.empty(table.n_rows, np.intp)
    fold[order] = dealt
    return fold


def _bits_of(codes: npt.NDArray[Any]) -> npt.NDArray[np.uint64]:
    """Return codes, or the bits of numbers, as whole numbers."""
    if codes.dtype.kind != "f":
        return codes.astype(np.uint64)
    return np.where(np.isnan(codes), np.nan, codes).view(np.uint64)
