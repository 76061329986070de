"""Counts made elsewhere: reduced exactly, dense or listed, and refused where they cannot be."""

from __future__ import annotations

import itertools
from typing import Any

import mpmath
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mpf

import reference
from bayesloom.data import Table
from bayesloom.engine import (
    Batch,
    FamilyKernel,
    NativeEngine,
    Reductions,
    SparseTables,
    Tables,
    TestKernel,
)
from bayesloom.engine.batch import NONE
from bayesloom.errors import OptionError
from engine_cases import CELL_TESTS
from strategies import Request, asked_tables, make_table

Asked = tuple[Table, list[Request]]

FORMS = ("dense", "listed")


def listed(tables: Tables, rng: np.random.Generator) -> SparseTables:
    """Return the same tables as lists in any order, with cells that come twice or are empty."""
    lists = []
    for table in tables:
        cells = np.argwhere(table >= 0)
        n = table.ravel()
        part = rng.integers(0, n + 1)
        order = rng.permutation(2 * len(cells))
        keep = order[(np.concatenate([part, n - part])[order] > 0) | (rng.random(len(order)) < 0.2)]
        lists.append((np.concatenate([cells, cells])[keep], np.concatenate([part, n - part])[keep]))
    return SparseTables.of(tables.batch, lists)


def counted(states: tuple[int, ...], cells: list[int], form: str) -> tuple[Reductions, Any]:
    """Return one table over (given, target, partner) and what reduces it."""
    cardinality, batch = np.array(states, np.int32), Batch.of([(1, (0,), (2,))])
    tables = Tables(batch, cardinality, np.array(cells, np.int64), np.array([0, len(cells)]))
    form_of = {"dense": tables, "listed": listed(tables, np.random.default_rng(1))}
    return Reductions(cardinality, cardinality), form_of[form]


LARGE_COUNTS = st.one_of(
    st.integers(0, 2), st.integers(0, 2**20), st.integers(2**40 - 3, 2**40), st.integers(0, 2**40)
)


@settings(max_examples=70)
@given(
    cells=st.lists(LARGE_COUNTS, min_size=12, max_size=12).filter(any),
    ess=st.sampled_from((1e-6, 1.0, 1e9)),
    form=st.sampled_from(FORMS),
)
def test_counts_up_to_2_to_the_40_are_reduced_exactly(
    cells: list[int], ess: float, form: str
) -> None:
    reductions, tables = counted((2, 3, 2), cells, form)
    table = np.array(cells, object).reshape(2, 3, 2)
    check_reductions(form, cells, ess)
    found = reductions.tests(tables, TestKernel.CHI_SQUARE)[0, 0]
    assert reference.relative_error(found, chi_square(table)) <= 1e-12


def check_reductions(form: str, cells: list[int], ess: float) -> None:
    """Compare the scores of a table over (2, 3, 2) states with their definitions."""
    reductions, tables = counted((2, 3, 2), cells, form)
    families: dict[tuple[int, ...], dict[int, int]] = {}
    for (s, x, y), n in zip(itertools.product(range(2), range(3), range(2)), cells, strict=True):
        if n:
            families.setdefault((s, y), {})[x] = n
    for kernel, b in ((FamilyKernel.BDEU, mpf(ess) / 12), (FamilyKernel.K2, mpf(1))):
        true = reference.uniform_dirichlet(families, 3, b)
        found = reductions.families(tables, kernel, ess)[0]
        assert reference.relative_error(found, true) <= 1e-12
    true = reference.maximal_likelihood(families)
    found = reductions.families(tables, FamilyKernel.LOG_LIKELIHOOD)[0]
    assert reference.relative_error(found, true) <= 1e-12


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("ess", [1e-300, 1e-6, 1.0, 1e12, 1e300])
@pytest.mark.parametrize(
    "cells",
    [
        [1, 0, 0, 0],
        [2**40, 0, 1, 0],
        [2**40, 1, 2**50, 3],
        [3, 2**30, 2**40, 0],
        [17, 0, 2**53, 1],
        [16, 17, 15, 16],
        [2**52, 2**52, 2**20, 2**52],
    ],
)
def test_any_counts_with_any_prior_counts_keep_their_digits(
    cells: list[int], ess: float, form: str
) -> None:
    reductions, tables = counted((2, 2, 1), cells, form)
    found = reductions.families_with_prior(tables, ess)[0]
    n, prior = cells[:2], cells[2:]
    with mpmath.workdps(400):
        b = [m + mpf(ess) / 2 for m in prior]
        true = sum(map(reference.log_rising, b, n)) - reference.log_rising(sum(b), sum(n))
        assert reference.relative_error(found, true) <= 1e-12


def chi_square(table: npt.NDArray[Any]) -> mpf:
    total = mpf(0)
    for stratum in table:
        for n, in_x, in_y in (
            (stratum[x, y], stratum[x].sum(), stratum[:, y].sum())
            for x, y in itertools.product(range(3), range(2))
        ):
            if in_x and in_y:
                expected = mpf(in_x) * in_y / stratum.sum()
                total += (n - expected) ** 2 / expected
    return total


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("n_rows", [10**5, 10**7, 2**40])
@pytest.mark.parametrize("odd", [0, 1, 2])
def test_families_that_are_nearly_functions_lose_no_digits(
    n_rows: int, odd: int, form: str
) -> None:
    cells = [n_rows - odd, 0, odd, n_rows // 3, 0, 0, odd, 0, 0, n_rows, 0, 0]
    check_reductions(form, cells, 1.0)


@pytest.mark.parametrize("form", FORMS)
def test_information_of_huge_nearly_independent_counts_keeps_its_digits(form: str) -> None:
    big = 2**38
    cells = [big, big, big, big + 4096, 0, 0, big, big, big, big, big, big]
    reductions, tables = counted((2, 3, 2), cells, form)
    table = np.array(cells, object).reshape(2, 3, 2)
    true = mpf(0)
    for stratum, x, y in ((t, x, y) for t in table for x in range(3) for y in range(2)):
        n = stratum[x, y]
        if n:
            true += n * mpmath.log(
                mpf(n) * stratum.sum() / (stratum[x].sum() * stratum[:, y].sum())
            )
    found = reductions.informations(tables)[0]
    assert reference.relative_error(found, true / sum(cells)) <= 1e-12


@pytest.mark.parametrize(
    ("declared", "observed"),
    [
        ([2, 3, 0], [2, 3, 0]),
        ([-2, 3, -2], [-2, 3, -2]),
        ([2, 3, 2], [2, 3, 3]),
        ([2, 3, 2], [2, 3, -1]),
        ([2, 3, 2], [2, 3]),
        ([2, 3, 65_537], [2, 3, 4]),
    ],
)
def test_impossible_numbers_of_states_are_refused(declared: list[int], observed: list[int]) -> None:
    _, tables = counted((2, 3, 2), [1] * 12, "dense")
    with pytest.raises(OptionError, match="states"):
        Reductions(declared, observed).entropies(tables)


@pytest.mark.parametrize("n", [-1, -(2**63), 2**63 - 1, 2**53 + 1])
@pytest.mark.parametrize("form", FORMS)
def test_impossible_counts_are_refused(n: int, form: str) -> None:
    reductions, tables = counted((2, 3, 2), [1] * 12, form)
    (tables.cells if form == "dense" else tables.counts)[5] = n
    for reduce in (reductions.informations, reductions.entropies, reductions.families_with_prior):
        with pytest.raises(OptionError, match="counts must lie between"):
            reduce(tables)
    for kernel in FamilyKernel:
        with pytest.raises(OptionError, match="counts must lie between"):
            reductions.families(tables, kernel)
    for test in CELL_TESTS:
        with pytest.raises(OptionError, match="counts must lie between"):
            reductions.tests(tables, test)


@settings(max_examples=70)
@given(asked=asked_tables(states=(1, 2, 2, 3, 5, 33)), seed=st.integers(0, 999))
def test_lists_in_any_order_give_the_bits_of_dense_tables(asked: Asked, seed: int) -> None:
    table, requests = asked
    engine, batch = NativeEngine(table, 1), Batch.of(requests)
    if batch.n_cells(engine.cardinality).sum() > 1e5:
        return
    dense = engine.counts(batch)
    lists = listed(dense, np.random.default_rng(seed))
    reductions = Reductions(engine.cardinality, engine.observed)
    for kernel in FamilyKernel:
        found = reductions.families(lists, kernel, 0.7, 0.1)
        assert found.tobytes() == engine.families(batch, kernel, 0.7, 0.1).tobytes()
        assert found.tobytes() == reductions.families(dense, kernel, 0.7, 0.1).tobytes()
    for test in CELL_TESTS:
        assert reductions.tests(lists, test).tobytes() == engine.tests(batch, test).tobytes()
    assert reductions.informations(lists).tobytes() == engine.informations(batch).tobytes()
    assert reductions.entropies(lists).tobytes() == engine.entropies(batch).tobytes()


def test_a_family_of_37_variables_is_reduced_from_its_list() -> None:
    rng = np.random.default_rng(37)
    rows = rng.integers(0, 4, (50, 37))[rng.integers(0, 50, 500)]
    engine = NativeEngine(make_table(list(rows.T), [4] * 37))
    batch = Batch.families([(0, range(1, 37))])
    cells, n = np.unique(rows[:, [*range(1, 37), 0]], axis=0, return_counts=True)
    tables = SparseTables.of(batch, [(cells, n)])
    reductions = Reductions(engine.cardinality, engine.observed)
    for kernel in FamilyKernel:
        assert reductions.families(tables, kernel) == engine.families(batch, kernel)


@pytest.mark.parametrize(
    ("lists", "said"),
    [
        ([], "there are 0 lists for the 1 tables of the batch"),
        ([([[0, 0]], [1]), ([[0, 0]], [1])], "list 1 has codes of the shape"),
        ([([[0, 0, 0]], [1])], "list 0 has codes of the shape .1, 3. for 1 counts"),
        ([([[0, 0]], [1, 2])], "list 0 has codes of the shape"),
        ([([[0, -1]], [1])], "list 0 has a code that is no state"),
        ([([[0, 70_000]], [1])], "list 0 has a code that is no state"),
    ],
)
def test_lists_that_do_not_fit_their_batch_are_refused(lists: Any, said: str) -> None:  # noqa: ANN401
    with pytest.raises(OptionError, match=said):
        SparseTables.of(Batch.of([(0, (1,), (NONE,))]), lists)


@pytest.mark.parametrize(
    "spoil",
    [
        {"codes": np.array([0, 2], np.uint16)},
        {"codes": np.array([0], np.uint16)},
        {"codes": np.array([0, 0, 0], np.uint16)},
        {"codes": np.array([0, 0], np.int64)},
        {"start": np.array([0, 2])},
        {"start": np.array([1, 1])},
        {"start": np.array([0])},
        {"start": np.array([0, -1])},
        {"counts": np.array([1, 1])},
    ],
    ids=str,
)
def test_arrays_of_lists_that_do_not_fit_are_refused(spoil: dict[str, Any]) -> None:
    sound: dict[str, Any] = {
        "codes": np.zeros(2, np.uint16), "counts": np.ones(1, np.int64), "start": np.array([0, 1]),
    }  # fmt: skip
    batch, reductions = Batch.of([(0, (1,), (NONE,))]), Reductions([2, 2], [2, 2])
    assert reductions.entropies(SparseTables(batch, **sound)).tolist() == [0.0]
    with pytest.raises(OptionError):
        reductions.entropies(SparseTables(batch, **(sound | spoil)))


def test_options_of_reductions_are_refused_by_their_name() -> None:
    made, tables = counted((2, 3, 2), [1] * 12, "dense")
    reductions: Any = made
    with pytest.raises(OptionError, match="kernel must be a FamilyKernel, got 1"):
        reductions.families(tables, 1)
    with pytest.raises(OptionError, match="kernel must be a TestKernel, got True"):
        reductions.tests(tables, True)
    with pytest.raises(OptionError, match="ess must be above 0, got 0"):
        reductions.families_with_prior(tables, 0)
    with pytest.raises(OptionError, match="tables must be Tables or SparseTables, got None"):
        reductions.entropies(None)
    outside = Tables(Batch.of([(7, (), (NONE,))]), tables.cardinality, tables.cells, tables.start)
    with pytest.raises(OptionError, match="request 0 of the batch asks for variable 7"):
        reductions.entropies(outside)
    unpaired = Tables(Batch.of([(0, (1,), (2,))]), tables.cardinality, tables.cells, tables.start)
    with pytest.raises(OptionError, match="given variable of two states"):
        reductions.families_with_prior(unpaired)


@pytest.mark.parametrize(
    ("cells", "counts"), [([[0], [1]], [1.5, 2]), ([[0.5], [1]], [1, 2]), ([[0], [1]], [-1, 2])]
)
def test_fractions_and_negative_counts_are_refused(cells: Any, counts: Any) -> None:  # noqa: ANN401
    with pytest.raises(OptionError, match="whole numbers, 0 or more"):
        SparseTables.of(Batch.families([(0, ())]), [(cells, counts)])
