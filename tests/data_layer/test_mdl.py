"""Tests of data/mdl.py."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesloom.data.mdl import mdl_starts
from bayesloom.errors import DataError
from reference_data import mdl_cuts


def counts_of(
    numbers: npt.ArrayLike, classes: npt.ArrayLike
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return the distinct numbers and how many rows of each class each has."""
    distinct, row = np.unique(np.asarray(numbers, np.float64), return_inverse=True)
    codes = np.unique(classes, return_inverse=True)[1]
    counts = np.zeros((len(distinct), codes.max() + 1))
    np.add.at(counts, (row, codes), 1)
    return distinct, counts


# The bins that arulesCBA 1.2 for R (discretizeDF.supervised with its method "mdlp", which is that
# of the package discretization) prints for iris: cuts, and rows in each bin.
IRIS = {
    "sepallength": ([5.55, 6.15], [59, 36, 55]),
    "sepalwidth": ([2.95, 3.35], [57, 56, 37]),
    "petallength": ([2.45, 4.75], [50, 45, 55]),
    "petalwidth": ([0.8, 1.75], [50, 54, 46]),
}


@pytest.mark.parametrize("name", IRIS)
def test_iris_is_cut_as_r_cuts_it(name: str, tables_dir: Path) -> None:
    with (tables_dir / "iris.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    rows[34]["petalwidth"] = "0.2"  # the two rows in which R's iris is Fisher's own
    rows[37] |= {"sepalwidth": "3.6", "petallength": "1.4"}
    distinct, counts = counts_of([float(r[name]) for r in rows], [r["class"] for r in rows])
    starts = mdl_starts(counts)
    cuts, sizes = IRIS[name]
    assert (distinct[starts - 1] + distinct[starts]) / 2 == pytest.approx(cuts)
    assert [part.sum() for part in np.split(counts, starts)] == sizes


rows = st.lists(st.tuples(st.integers(0, 12), st.integers(0, 3)), min_size=1, max_size=60)


@given(rows, st.integers(1, 8))
def test_the_cuts_are_those_of_the_slow_twin(some: list[tuple[int, int]], times: int) -> None:
    some = some * times
    distinct, counts = counts_of([x for x, _ in some], [c for _, c in some])
    starts = mdl_starts(counts)
    assert distinct[starts - 1].tolist() == mdl_cuts([(float(x), c) for x, c in some])


@given(rows)
def test_neither_the_order_of_classes_nor_values_without_weight_matter(
    some: list[tuple[int, int]],
) -> None:
    some = some * 4
    _, counts = counts_of([x for x, _ in some], [c for _, c in some])
    starts = mdl_starts(counts)
    assert mdl_starts(counts[:, ::-1]).tolist() == starts.tolist()
    spread = np.zeros((2 * len(counts), counts.shape[1] + 1))
    spread[1::2, :-1] = counts
    assert [(k - 1) // 2 for k in mdl_starts(spread)] == starts.tolist()


def test_weights_are_counts() -> None:
    counts = np.array([[1.5, 0.0], [1.5, 0.0], [0.0, 2.25], [0.5, 2.0]])
    assert mdl_starts(counts).tolist() == [2]
    assert mdl_starts(counts / 1000).tolist() == []


def test_nothing_to_cut_gives_no_cut() -> None:
    for counts in (np.zeros((0, 2)), np.zeros((3, 2)), np.ones((5, 1)), np.ones((1, 4))):
        assert mdl_starts(counts).tolist() == []


def test_a_thousand_classes_are_no_overflow() -> None:
    counts = np.kron(np.eye(1000), np.full((1, 1), 50.0))
    assert len(mdl_starts(counts)) > 0


@pytest.mark.parametrize("counts", [[1, 2], [[1, -1]], [[1, float("nan")]], [[float("inf"), 1]]])
def test_what_is_no_table_of_counts_is_refused(counts: list[object]) -> None:
    with pytest.raises(DataError, match=r"^counts must be"):
        mdl_starts(counts)  # type: ignore[arg-type]
