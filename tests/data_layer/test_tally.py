"""The rules of data on values and counts alone, as an engine without rows in memory knows them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesloom.data.binning import cut, is_to_be_cut
from bayesloom.data.column import Column, Part
from bayesloom.data.discretization import Rule
from bayesloom.data.missing import tell_missing, with_missing_state
from bayesloom.data.quantity import (
    find_no_categories,
    is_id,
    is_quantity,
    refuse_spoilt_numbers,
)
from bayesloom.data.reading import Reading
from bayesloom.data.source import Source
from bayesloom.data.tally import Tally
from bayesloom.errors import DataError

SOURCE = Source("data.duckdb", lambda row: row + 2)


def tally(
    pairs: dict[str, int], *, numeric: bool = False, first: dict[str, int] | None = None
) -> Tally:
    """Return what a query for values and counts gives."""
    numbers = np.array([float(value) for value in pairs]) if numeric else None
    rows = [(first or {}).get(value, 0) for value in pairs]
    return Tally("A", [*pairs], lambda: np.array([*pairs.values()]), rows.__getitem__, numbers)


@given(st.lists(st.integers(1, 60), min_size=1, max_size=400), st.sampled_from([0.5, 1.0]))
def test_rules_say_the_same_of_counts_as_of_rows(counts: list[int], step: float) -> None:
    numbers = np.arange(len(counts)) * step
    codes = np.repeat(np.arange(len(counts)), counts).astype(np.int32)
    values = [f"{number:g}" for number in numbers]
    column = Column("A", values, (Part.of(codes, len(values)),), numbers).tally()
    pairs = tally(dict(zip(values, counts, strict=True)), numeric=True)
    assert is_id(pairs) == is_id(column)
    assert is_quantity(pairs) == is_quantity(column)
    rule = Rule("frequency", 3)
    if is_to_be_cut(pairs, rule):
        found, wanted = cut(pairs, rule, SOURCE), cut(column, rule, SOURCE)
        assert found.points == wanted.points
        assert found.bin_of.tolist() == wanted.bin_of.tolist()


def test_a_message_names_the_place_that_is_looked_up() -> None:
    pairs = {f"{k}.5": 2 for k in range(30)} | {"unknown": 1}
    with pytest.raises(
        DataError, match=r"data\.duckdb, line 9, column 'A': the value 'unknown' is"
    ):
        refuse_spoilt_numbers([tally(pairs, first={"unknown": 7})], is_quantity, SOURCE)
    found = find_no_categories([tally({f"id{k}": 1 for k in range(30)})], Reading())
    assert found is not None
    assert "like an id (30 different values in 30 rows" in found
    with pytest.raises(
        DataError, match=r"data\.duckdb, line 5, column 'A': the value 'missing' is"
    ):
        with_missing_state(tally({"x": 1, "missing": 2}, first={"missing": 3}), SOURCE)
    assert with_missing_state(tally({"x": 1}), SOURCE) == (["x", "missing"], 1)


def test_missing_cells_are_told_by_their_numbers() -> None:
    told = tell_missing({"A": 3, "B": 4}, 9, 5, policy="error", place="here", source=SOURCE)
    assert told.startswith("here: this cell is missing, one of 7 in the table (B 4, A 3)")
