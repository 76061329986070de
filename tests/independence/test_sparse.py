from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bayesloom.data import Table
from bayesloom.engine import Batch, NativeEngine
from bayesloom.independence import ChiSquare, SparseChiSquare
from bayesloom.independence.sparse import _moments


def statistics_of_all_shuffles(x: list[int], y: list[int]) -> list[float]:
    """Return Pearson's statistic for every order of y; margins stay as they are."""
    found = []
    for shuffled in permutations(y):
        table = np.zeros((3, 3))
        for i, j in zip(x, shuffled, strict=True):
            table[i, j] += 1
        expected = np.outer(table.sum(1), table.sum(0)) / len(x)
        there = expected > 0
        found.append(float(((table - expected)[there] ** 2 / expected[there]).sum()))
    return found


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=2, max_size=6))
def test_mean_and_variance_are_those_over_all_shuffles(rows: list[tuple[int, int]]) -> None:
    x, y = (list(column) for column in zip(*rows, strict=True))
    counts = np.zeros((1, 3, 3), np.int64)
    for i, j in rows:
        counts[0, i, j] += 1
    _, mean, variance, _ = _moments(counts)
    every = statistics_of_all_shuffles(x, y)
    assert mean == pytest.approx(np.mean(every), abs=1e-9)
    assert variance == pytest.approx(np.var(every), abs=1e-9)


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=30, deadline=None)
def test_moments_add_up_over_strata(seed: int) -> None:
    rng = np.random.default_rng(seed)
    counts = rng.integers(0, 4, size=(5, 3, 2))
    parts = [_moments(counts[k : k + 1]) for k in range(5)]
    whole = _moments(counts)
    for k in range(3):
        assert whole[k] == pytest.approx(sum(part[k] for part in parts), abs=1e-9)


def test_with_many_rows_it_is_the_chi_square_test() -> None:
    rng = np.random.default_rng(1)
    columns = [rng.integers(0, 3, 20_000) for _ in range(3)]
    table = Table(("A", "B", "C"), (("0", "1", "2"),) * 3, columns)
    engine, batch = NativeEngine(table), Batch.of([(0, (2,), (1,)), (0, (), (1, 2))])
    sparse, plain = SparseChiSquare().run(engine, batch), ChiSquare().run(engine, batch)
    assert sparse.statistic == pytest.approx(plain.statistic)
    assert sparse.log_p == pytest.approx(plain.log_p, rel=0.02)
    assert sparse.conclusive.all()


def test_true_independences_are_rejected_at_the_level_though_cells_are_nearly_empty() -> None:
    rng = np.random.default_rng(7)
    n_tests, n_rows = 1500, 150
    p = []
    for _ in range(n_tests):
        strata = rng.choice(40, n_rows, p=rng.dirichlet(np.ones(40)))
        counts = np.zeros((40, 3, 2), np.int64)
        x, y = rng.choice(3, n_rows, p=[0.6, 0.3, 0.1]), rng.choice(2, n_rows, p=[0.8, 0.2])
        np.add.at(counts, (strata, x, y), 1)
        found = SparseChiSquare()._verdicts(np.array([_moments(counts)]))
        assert found.min_expected[0] < 5
        p.append(float(found.p[0]))
    for level in (0.01, 0.05, 0.2):
        bound = 4 * np.sqrt(level * (1 - level) / n_tests)
        assert abs(np.mean(np.array(p) <= level) - level) < bound


def test_one_state_or_one_row_per_stratum_says_nothing() -> None:
    table = Table(("A", "B"), (("0", "1"), ("0",)), [np.arange(8) % 2, np.zeros(8, np.intp)])
    found = SparseChiSquare().run(NativeEngine(table), Batch.pairs(2))
    assert not found.conclusive[0]
    assert found.p[0] == 1.0
