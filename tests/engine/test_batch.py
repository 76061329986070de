from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bayesloom.engine import Batch, Tables
from bayesloom.engine.batch import MOST_CELLS, NONE
from bayesloom.errors import CapacityError, OptionError
from strategies import Request, requests, spelled_out

BATCHES = st.lists(requests(5), max_size=6)


@settings(max_examples=40)
@given(BATCHES)
def test_a_batch_keeps_its_requests_in_order(asked: list[Request]) -> None:
    batch = Batch.of(asked)
    back = [
        (
            int(batch.target[i]),
            tuple(batch.given[batch.given_start[i] : batch.given_start[i + 1]].tolist()),
            tuple(batch.partner[batch.partner_start[i] : batch.partner_start[i + 1]].tolist()),
        )
        for i in range(len(batch.target))
    ]
    assert back == asked
    assert len(batch) == sum(len(partners) for _, _, partners in asked)


@settings(max_examples=40)
@given(BATCHES)
def test_the_arrays_have_the_types_the_native_module_takes(asked: list[Request]) -> None:
    types = [array.dtype for array in Batch.of(asked).arrays]
    assert types == [np.int32, np.int64, np.int32, np.int64, np.int32]


@settings(max_examples=40)
@given(BATCHES)
def test_every_table_knows_its_request(asked: list[Request]) -> None:
    owners = [i for i, (_, _, partners) in enumerate(asked) for _ in partners]
    assert Batch.of(asked).request_of.tolist() == owners


@settings(max_examples=40)
@given(BATCHES, st.lists(st.integers(1, 7), min_size=5, max_size=5))
def test_sizes_are_products_over_the_variables_of_each_table(
    asked: list[Request], states: list[int]
) -> None:
    batch, cardinality = Batch.of(asked), np.array(states, np.int32)
    cells = [int(np.prod([states[v] for v in axes])) for axes in spelled_out(asked)]
    assert batch.n_cells(cardinality).tolist() == cells
    assert batch.table_starts(cardinality).tolist() == [0, *np.cumsum(cells).tolist()]


def test_a_product_that_no_float_can_hold_is_not_turned_into_nan() -> None:
    n = 1200
    batch = Batch.of([(0, range(1, n), (NONE,)), (n, range(1, n), (NONE,))])
    states = np.full(n + 1, 2, np.int32)
    states[0] = 1
    assert batch.n_cells(states).tolist()[1] == np.inf
    assert batch.base_product(states - 1, states).tolist()[0] == 0
    assert batch.base_product(states - 1, states).tolist()[1] > 1e308


@settings(max_examples=40)
@given(BATCHES, st.lists(st.integers(1, 4), min_size=5, max_size=5))
def test_packed_tables_come_back_in_their_shapes(asked: list[Request], states: list[int]) -> None:
    batch, cardinality = Batch.of(asked), np.array(states, np.int32)
    start = batch.table_starts(cardinality)
    tables = Tables(batch, cardinality, np.arange(start[-1]), start)
    shapes = [tuple(states[v] for v in axes) for axes in spelled_out(asked)]
    assert [table.shape for table in tables] == shapes
    assert [k for table in tables for k in table.ravel().tolist()] == list(range(start[-1]))
    assert len(tables) == len(shapes)


def test_tables_are_counted_from_either_end_and_refuse_what_is_not_there() -> None:
    batch, cardinality = Batch.pairs(3), np.array([2, 3, 4], np.int32)
    start = batch.table_starts(cardinality)
    tables = Tables(batch, cardinality, np.arange(start[-1]), start)
    assert tables[-1].shape == tables[2].shape == (3, 4)
    with pytest.raises(IndexError):
        tables[3]
    with pytest.raises(IndexError):
        tables[-4]
    with pytest.raises(TypeError, match="one by one"):
        tables[0:2]


def test_families_and_sets_and_pairs_say_what_they_ask() -> None:
    families = Batch.families([(0, (1, 2)), (1, ())])
    assert families.target.tolist() == [0, 1]
    assert families.given.tolist() == [1, 2]
    assert families.partner.tolist() == [NONE, NONE]
    sets = Batch.sets([(3, 1, 2), (4,)])
    assert (sets.target.tolist(), sets.given.tolist()) == ([2, 4], [3, 1])
    pairs = Batch.pairs(4)
    assert list(zip(pairs.request_of.tolist(), pairs.partner.tolist(), strict=True)) == [
        (x, y) for x in range(4) for y in range(x + 1, 4)
    ]


def test_a_batch_without_requests_is_legal() -> None:
    batch = Batch.of([])
    assert len(batch) == 0
    assert batch.table_starts(np.array([2], np.int32)).tolist() == [0]


@pytest.mark.parametrize("n_given", [2, 5, 100])
def test_tables_too_large_for_memory_are_refused_with_their_size(n_given: int) -> None:
    cardinality = np.full(n_given + 1, 65_536, np.int32)
    with pytest.raises(CapacityError, match=re.escape(f"at most {MOST_CELLS} fit")) as caught:
        Batch.families([(0, range(1, n_given + 1))]).table_starts(cardinality)
    assert isinstance(caught.value, MemoryError)
    assert "ask for fewer or smaller families" in str(caught.value)


def test_many_tables_that_fit_alone_are_refused_together() -> None:
    cardinality = np.array([4096, 4096, 1], np.int32)
    small = Batch.families([(0, (1,))] * 16)
    assert small.table_starts(cardinality)[-1] == MOST_CELLS
    with pytest.raises(CapacityError, match="17 tables"):
        Batch.families([(0, (1,))] * 17).table_starts(cardinality)


@pytest.mark.parametrize(
    ("asked", "request_", "variable"),
    [
        ([(0.5, (), (2,))], 0, "0.5"),
        ([(0, (), (1,)), (1, (0,), (2, None))], 1, "None"),
        ([(0, (1,), (2,)), (0, (1, "a"), (2,))], 1, "'a'"),
        ([(0, (2**31,), (2,))], 0, "2147483648"),
    ],
)
def test_a_variable_that_is_no_whole_number_is_refused_with_its_request(
    asked: Any,  # noqa: ANN401
    request_: int,
    variable: str,
) -> None:
    said = f"request {request_} of the batch asks for variable {variable}; variables are whole"
    with pytest.raises(OptionError, match=re.escape(said)):
        Batch.of(asked)


def test_numbers_of_numpy_are_whole_numbers_too() -> None:
    batch = Batch.of([(np.int64(1), np.array([0, 2]), (np.int32(3),))])  # type: ignore[list-item]
    assert [kept.tolist() for kept in batch.arrays] == [[1], [0, 2], [0, 2], [0, 1], [3]]


def test_an_empty_set_is_refused() -> None:
    with pytest.raises(OptionError, match="at least one variable in each, got an empty set"):
        Batch.sets([(0,), ()])


@settings(max_examples=40)
@given(BATCHES)
def test_a_sound_batch_passes_its_check(asked: list[Request]) -> None:
    Batch.of(asked).check(5)
