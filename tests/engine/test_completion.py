"""Rows with missing cells under a network, against enumeration over completions."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from bayesloom.data import Table
from bayesloom.engine import BlockEngine, Completions, NativeEngine, StopSignal, completions_of
from bayesloom.errors import CapacityError, EvidenceError, OptionError, Stopped
from reference_incomplete import (
    completions,
    expected_counts,
    probability,
    row_probability,
)
from strategies_incomplete import Incomplete, incomplete, table_of

TASKS = Path("/proc/self/task")
"""Where Linux lists the threads of a process."""


@given(incomplete(most_variables=6, most_rows=6))
def test_expected_counts_and_likelihood_are_those_of_enumeration(case: Incomplete) -> None:
    ready = Completions(case.table, case.parents)
    counts, log_likelihood = ready.expect(case.tables)
    wanted, total = expected_counts(case.rows, case.sizes, case.families, case.tables)
    assert log_likelihood == pytest.approx(total, rel=1e-11, abs=1e-11)
    for found, right in zip(counts, wanted, strict=True):
        np.testing.assert_allclose(found, right, rtol=1e-10, atol=1e-12)


@given(incomplete(zeros=True))
def test_rows_are_as_probable_as_enumeration_says_also_where_tables_have_zeros(
    case: Incomplete,
) -> None:
    found = Completions(case.table, case.parents).log_likelihoods(case.tables)
    for log_p, row in zip(found, case.rows, strict=True):
        p = row_probability(row, case.sizes, case.families, case.tables)
        assert math.exp(log_p) == pytest.approx(p, rel=1e-11, abs=1e-300)


@given(incomplete())
def test_the_most_probable_completion_is_the_most_probable_of_all(case: Incomplete) -> None:
    ready = Completions(case.table, case.parents)
    table, logs, single = ready.completed(case.tables, most_probable=True)
    for k, row in enumerate(case.rows):
        full = [int(column[k]) for column in table.codes]
        known = row_probability(row, case.sizes, case.families, case.tables)
        every = [probability(f, case.families, case.tables) for f in completions(row, case.sizes)]
        assert all(x in (None, y) for x, y in zip(row, full, strict=True))
        assert probability(full, case.families, case.tables) >= max(every) * (1 - 1e-10)
        assert math.exp(logs[k]) == pytest.approx(max(every) / known, rel=1e-10)
        for v, x in enumerate(row):
            alike = [
                probability(f, case.families, case.tables)
                for f in completions(row, case.sizes)
                if f[v] == full[v]
            ]
            wanted = 1.0 if x is not None else math.fsum(alike) / known
            assert single[k, v] == pytest.approx(wanted, rel=1e-10)


@given(incomplete())
def test_draws_agree_with_what_is_known_and_tell_their_probability(case: Incomplete) -> None:
    ready = Completions(case.table, case.parents)
    table, logs, _ = ready.completed(case.tables, most_probable=False, seed=7)
    assert table.is_complete
    for k, row in enumerate(case.rows):
        full = [int(column[k]) for column in table.codes]
        assert all(x in (None, y) for x, y in zip(row, full, strict=True))
        known = row_probability(row, case.sizes, case.families, case.tables)
        p = probability(full, case.families, case.tables) / known
        assert math.exp(logs[k]) == pytest.approx(p, rel=1e-10)


def test_draws_have_the_joint_distribution_of_the_missing_cells() -> None:
    tables = [
        np.array([0.3, 0.7]),
        np.array([[0.9, 0.1], [0.2, 0.8]]),
        np.array([[0.6, 0.4], [0.1, 0.9]]),
    ]
    n = 20_000  # B depends on A, C on B; A and B are missing, C is known
    rows: list[list[int | None]] = [[None, None, 1]] * n
    drawn = Completions(table_of(rows, [2, 2, 2]), [0, 1, 2]).drawn(tables, seed=1)
    found = np.bincount(2 * drawn.codes[0] + drawn.codes[1], minlength=4)
    weights = np.array([0.3 * 0.9 * 0.4, 0.3 * 0.1 * 0.9, 0.7 * 0.2 * 0.4, 0.7 * 0.8 * 0.9])
    wanted = n * weights / weights.sum()
    assert float(((found - wanted) ** 2 / wanted).sum()) < 16.27  # chi-square, 3 df, p = 0.001


def shuffled(case: Incomplete, seed: int) -> tuple[Incomplete, list[int]]:
    order = np.random.default_rng(seed).permutation(len(case.rows)).tolist()
    return Incomplete(case.sizes, case.parents, case.tables, [case.rows[k] for k in order]), order


@given(incomplete(most_rows=20))
def test_neither_the_order_of_rows_nor_threads_change_a_bit(case: Incomplete) -> None:
    other, _ = shuffled(case, 1)
    here = Completions(case.table, case.parents, threads=1)
    there = Completions(other.table, other.parents, threads=3)
    counts, value = here.expect(case.tables)
    others, same = there.expect(case.tables)
    assert value == same
    assert all((a == b).all() for a, b in zip(counts, others, strict=True))
    first, second = here.drawn(case.tables, 5), there.drawn(case.tables, 5)
    assert all((a == b).all() for a, b in zip(first.codes, second.codes, strict=True))


def test_a_large_component_is_summed_over_in_parts() -> None:
    rng = np.random.default_rng(3)  # a chain of 40 missing variables of 3 states: 3 ** 40 rows
    n = 40
    tables = [rng.dirichlet(np.ones(3), 3 if v else None) for v in range(n)]
    rows: list[list[int | None]] = [[None] * (n - 1) + [2]]
    ready = Completions(table_of(rows, [3] * n), [1 << (v - 1) if v else 0 for v in range(n)])
    counts, value = ready.expect(tables)
    forward = tables[0]
    for table in tables[1:]:
        forward = forward @ table
    assert value == pytest.approx(math.log(forward[2]), rel=1e-12)
    assert all(part.sum() == pytest.approx(1.0) for part in counts)


def test_probabilities_below_the_range_of_floats_are_computed_with_logarithms() -> None:
    n = 400  # a latent class with 400 features, each of probability 1e-3 or 2e-3
    features = [np.array([[0.999, 0.001], [0.998, 0.002]])] * n
    rows: list[list[int | None]] = [[None] + [1] * n]
    ready = Completions(table_of(rows, [2] * (n + 1)), [0] + [1] * n)
    counts, value = ready.expect([np.array([0.5, 0.5]), *features])
    first, second = math.log(0.5) + n * math.log(0.001), math.log(0.5) + n * math.log(0.002)
    assert value == pytest.approx(second + math.log1p(math.exp(first - second)), rel=1e-12)
    assert counts[0][1] == pytest.approx(1.0)
    table, logs, _ = ready.completed([np.array([0.5, 0.5]), *features], most_probable=True)
    assert table.codes[0][0] == 1
    assert logs[0] == pytest.approx(0.0, abs=1e-9)
    drawn = ready.drawn([np.array([0.5, 0.5]), *features], seed=0)
    assert drawn.codes[0][0] == 1


def test_an_impossible_row_is_named() -> None:
    rows: list[list[int | None]] = [[0, 0], [1, None], [0, 1]]
    ready = Completions(table_of(rows, [2, 2]), [0, 1])
    tables = [np.array([1.0, 0.0]), np.full((2, 2), 0.5)]
    for ask in (ready.expect, lambda t: ready.drawn(t, 0)):
        with pytest.raises(
            EvidenceError, match=r"^row 1 \(counted from 0\) is impossible: .* drop"
        ):
            ask(tables)


def test_too_many_states_together_are_refused_before_they_are_summed_over() -> None:
    n = 30
    rows: list[list[int | None]] = [[None] * n]
    parents = [(1 << v) - 1 if v == n - 1 else 0 for v in range(n)]
    small = [2] * n
    with pytest.raises(CapacityError, match="a sparser graph"):
        Completions(table_of(rows, small), [m & 0xFFFFF for m in parents], most_cells=1000)


def test_a_signal_ends_the_work() -> None:
    rows: list[list[int | None]] = [[None, 0], [None, 1]]
    ready = Completions(table_of(rows, [2, 2]), [0, 1])
    signal = StopSignal()
    signal.set()
    with pytest.raises(Stopped):
        ready.expect([np.array([0.5, 0.5]), np.full((2, 2), 0.5)], signal)


@pytest.mark.skipif(not TASKS.exists(), reason="the system does not list the threads of a process")
def test_no_more_threads_start_than_there_is_work_for() -> None:
    rows: list[list[int | None]] = [[None, k] for k in range(40)]
    ready = Completions(table_of(rows, [2, 40]), [0, 1], threads=300)  # more than other tests leave
    before = len(list(TASKS.iterdir()))
    ready.expect([np.array([0.5, 0.5]), np.full((2, 40), 1 / 40)])
    assert len(list(TASKS.iterdir())) <= before + 40


def test_equal_cases_are_computed_once() -> None:
    rows: list[list[int | None]] = [[None, 0, 1], [None, 0, 0], [None, 0, 1], [None, 1, 1]]
    assert Completions(table_of(rows, [2, 2, 2]), [0, 1, 0]).n_cases == 2


def test_an_engine_without_rows_says_what_to_do() -> None:
    table = Table("A", [["no", "yes"]], [[0, 1]])
    assert completions_of(NativeEngine(table), ["A"], [0]).is_complete
    with pytest.raises(OptionError, match="BlockEngine does not hand them out"):
        completions_of(BlockEngine([table]), ["A"], [0])


def test_rows_that_were_drawn_again_are_completed_not_those_they_were_drawn_from() -> None:
    rows = Table("AB", ["ny"] * 2, [[0, 1, 2, 0] * 25, [0, 1, 1, 2] * 25], holes=True)
    drawn = NativeEngine(rows).resampled(3)
    made = completions_of(drawn, "AB", [0, 1])
    codes = [[column.tolist() for column in t.codes] for t in (made.table, drawn.table, rows)]
    assert codes[0] == codes[1] != codes[2]
