"""Several completions that stand for the rows of one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesloom.data import Table
from bayesloom.engine import Batch, FamilyKernel, NativeEngine, PooledEngine, StopSignal
from bayesloom.errors import DataError, Stopped
from engine_cases import CELL_TESTS

KERNELS = tuple(FamilyKernel)


def table(seed: int, n: int = 30) -> Table:
    rng = np.random.default_rng(seed)
    return Table(
        "ABC", [["n", "y"], ["x", "y", "z"], ["0", "1"]], [rng.integers(0, r, n) for r in (2, 3, 2)]
    )


BATCH = Batch.families([(0, ()), (1, (0,)), (2, (0, 1))])


@given(st.integers(0, 100), st.integers(1, 4), st.sampled_from(KERNELS))
def test_equal_copies_answer_as_one(seed: int, n: int, kernel: FamilyKernel) -> None:
    one = table(seed)
    alone, copies = NativeEngine(one), PooledEngine([one] * n)
    assert copies.n_rows == alone.n_rows
    np.testing.assert_allclose(
        copies.families(BATCH, kernel, 3.0, 0.7),
        alone.families(BATCH, kernel, 3.0, 0.7),
        rtol=1e-12,
    )
    assert (copies.counts(BATCH).cells == alone.counts(BATCH).cells).all()
    pairs = Batch.pairs(3)
    for test in CELL_TESTS:
        np.testing.assert_allclose(copies.tests(pairs, test), alone.tests(pairs, test), rtol=1e-12)
    np.testing.assert_allclose(copies.informations(pairs), alone.informations(pairs), rtol=1e-12)
    np.testing.assert_allclose(copies.entropies(pairs), alone.entropies(pairs), rtol=1e-12)
    prior = table(seed + 1)
    np.testing.assert_allclose(
        copies.families_with_prior(BATCH, prior, 2.0, 0.5),
        alone.families_with_prior(BATCH, prior, 2.0, 0.5),
        rtol=1e-12,
    )


@given(st.integers(0, 100))
def test_the_log_likelihood_is_that_of_the_mean_counts(seed: int) -> None:
    copies = [table(seed + k) for k in range(3)]
    found = PooledEngine(copies).families(BATCH, FamilyKernel.LOG_LIKELIHOOD, 1.0, 0.25)
    free = (1, 4, 6)
    for value, (child, parents), k in zip(
        found, [(0, ()), (1, (0,)), (2, (0, 1))], free, strict=True
    ):
        shape = [len(copies[0].states[u]) for u in (*parents, child)]
        mean = np.zeros(shape)
        for copy in copies:
            np.add.at(mean, tuple(copy.codes[u] for u in (*parents, child)), 1 / 3)
        share = mean / mean.sum(axis=-1, keepdims=True).clip(1e-300)
        with np.errstate(divide="ignore", invalid="ignore"):
            wanted = np.where(mean > 0, mean * np.log(share), 0).sum()
        assert value == pytest.approx(wanted - 0.25 * k, rel=1e-9)


def test_scores_that_are_no_sums_over_rows_are_the_mean_of_the_copies() -> None:
    copies = [table(k) for k in range(4)]
    found = PooledEngine(copies).families(BATCH, FamilyKernel.BDEU, 2.0)
    wanted = np.mean([NativeEngine(c).families(BATCH, FamilyKernel.BDEU, 2.0) for c in copies], 0)
    np.testing.assert_allclose(found, wanted, rtol=1e-14)


def test_a_signal_ends_a_batch() -> None:
    signal = StopSignal()
    engine = PooledEngine([table(0), table(1)]).until(signal)
    signal.set()
    for kernel in (FamilyKernel.LOG_LIKELIHOOD, FamilyKernel.BDEU):
        with pytest.raises(Stopped):
            engine.families(BATCH, kernel)


def test_copies_that_do_not_fit_together_are_refused() -> None:
    with pytest.raises(DataError, match="there is no copy"):
        PooledEngine([])
    with pytest.raises(DataError, match="numbers of rows"):
        PooledEngine([table(0), table(0, n=10)])
