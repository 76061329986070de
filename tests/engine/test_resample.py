"""Resampled engines answer as engines over tables with the rows repeated, to the last bit."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesloom.data import Table
from bayesloom.engine import Batch, BlockEngine, FamilyKernel, NativeEngine
from bayesloom.engine.resample import STRIPE, Resampling, row_weights
from bayesloom.errors import OptionError
from engine_cases import CELL_TESTS
from every_engine import ENGINES, EngineOf
from strategies import tables


def repeated(table: Table, seed: int) -> Table:
    """Return the table with every row as often as it is drawn."""
    rows = [i for i, n in enumerate(row_weights(seed, table.n_rows).tolist()) for _ in range(n)]
    return table.take(np.array(rows))


@pytest.mark.parametrize("made", ENGINES)
@given(table=tables(), seed=st.integers(0, 2**40))
def test_every_answer_is_that_of_the_table_with_rows_repeated(
    made: EngineOf, table: Table, seed: int
) -> None:
    engine: Any = made(table)
    assert isinstance(engine, Resampling)
    drawn: Any = engine.resampled(seed)
    twin = NativeEngine(repeated(table, seed))
    n = len(table.names)
    batch = Batch.of((v, tuple(range(v)), tuple(range(v + 1, n))) for v in range(n))
    small = Batch.of((v, (), tuple(range(v + 1, n))) for v in range(n))
    assert drawn.n_rows == table.n_rows
    assert drawn.observed.tolist() == twin.observed.tolist()
    assert drawn.cardinality.tolist() == twin.cardinality.tolist()
    for ours, theirs in zip(drawn.counts(small), twin.counts(small), strict=True):
        assert (ours == theirs).all()
    for kernel in FamilyKernel:
        assert (drawn.families(batch, kernel) == twin.families(batch, kernel)).all()
    for test in CELL_TESTS:
        assert (drawn.tests(batch, test) == twin.tests(batch, test)).all()
    assert (drawn.informations(batch) == twin.informations(batch)).all()
    assert (drawn.entropies(batch) == twin.entropies(batch)).all()
    asked = drawn.families_with_prior(batch, table, 2.0)
    assert (asked == twin.families_with_prior(batch, table, 2.0)).all()


@pytest.mark.parametrize("made", ENGINES)
def test_a_copy_of_a_resampled_engine_is_resampled_alike(made: EngineOf) -> None:
    table = Table("AB", ["ny", "ny"], [[0, 1] * 20, [0, 0, 1, 1] * 10])
    drawn = made(table).resampled(3)  # type: ignore[attr-defined]
    again = pickle.loads(pickle.dumps(drawn))
    assert (again.counts(Batch.pairs(2))[0] == drawn.counts(Batch.pairs(2))[0]).all()


@pytest.mark.parametrize("made", ENGINES)
def test_rows_that_were_drawn_are_not_drawn_from_again(made: EngineOf) -> None:
    drawn = made(Table("A", ["ny"], [[0, 1] * 20])).resampled(3)  # type: ignore[attr-defined]
    with pytest.raises(OptionError, match="not drawn from again"):
        drawn.resampled(1)
    with pytest.raises(OptionError, match="seed must be"):
        made(Table("A", ["ny"], [[0, 1]])).resampled(-1)  # type: ignore[attr-defined]


def test_the_table_of_a_resampled_engine_has_the_rows_that_were_drawn() -> None:
    table = Table("A", ["nyz"], [[0, 1, 2] * 20])
    drawn = NativeEngine(table).resampled(5).table
    assert drawn.codes[0].tolist() == repeated(table, 5).codes[0].tolist()


def test_weights_of_any_rows_are_those_of_all() -> None:
    n = 2 * STRIPE + 777
    whole = row_weights(9, n)
    assert whole.sum() == n
    for first, last in [(0, 1), (5, STRIPE), (STRIPE - 1, STRIPE + 1), (STRIPE, n), (n - 1, n)]:
        assert (row_weights(9, n, first, last) == whole[first:last]).all()
    assert row_weights(9, n, 7, 7).tolist() == []


def test_blocks_of_any_size_draw_the_same() -> None:
    n = STRIPE + 1000
    codes = np.random.default_rng(1).integers(0, 3, (2, n)).astype(np.uint8)
    table = Table("AB", ["xyz", "xyz"], list(codes))
    wanted = NativeEngine(table).resampled(2).counts(Batch.pairs(2))[0]
    for size in (1000, STRIPE, 40_000):
        blocks = [table.take(slice(i, i + size)) for i in range(0, n, size)]
        assert (BlockEngine(blocks).resampled(2).counts(Batch.pairs(2))[0] == wanted).all()


def test_weights_are_those_of_draws_with_replacement() -> None:
    n = 3 * STRIPE
    counts = np.bincount(row_weights(4, n), minlength=8)[:6] / n
    poisson = [0.3679, 0.3679, 0.1839, 0.0613, 0.0153, 0.0031]
    assert np.abs(counts - poisson).max() < 0.004
    one, other = row_weights(1, 1000), row_weights(2, 1000)
    assert (one != other).any()
