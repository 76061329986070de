"""Missing cells: every engine counts the rows in which all variables of a table are known."""

from __future__ import annotations

import itertools
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import reference
from bayesloom import _native
from bayesloom.arrays import Floats
from bayesloom.data import Table
from bayesloom.engine import (
    Batch,
    BlockEngine,
    CountingEngine,
    FamilyKernel,
    NativeEngine,
    Reductions,
)
from bayesloom.engine.batch import NONE
from engine_cases import CELL_TESTS, CUT, cut_case, score_after
from every_engine import EngineOf
from strategies import (
    FEW_STATES,
    Request,
    hollow_asked_tables,
    make_table,
    punched,
    spelled_out,
)

Asked = tuple[Table, list[Request]]
LEVELS = range(_native.best_isa() + 1)


def answers(engine: CountingEngine | Reductions, asked: Any) -> list[bytes]:  # noqa: ANN401
    """Ask everything that is a float: an engine with a batch, or reductions of tables."""
    found: list[Floats] = [
        *(engine.families(asked, kernel, 0.7, 0.25) for kernel in FamilyKernel),
        engine.informations(asked),
        *(engine.tests(asked, kernel) for kernel in CELL_TESTS),
        engine.entropies(asked),
    ]
    return [part.tobytes() for part in found]


def known_rows(table: Table, axes: tuple[int, ...]) -> list[int]:
    """Return the rows in which no variable of a table is missing."""
    return [
        i
        for i in range(table.n_rows)
        if all(table.codes[v][i] < len(table.states[v]) for v in axes)
    ]


def hollow_table(seed: int, n_rows: int, states: list[int], share: float = 0.1) -> Table:
    rng = np.random.default_rng(seed)
    whole = make_table([rng.integers(0, r, n_rows) for r in states], states)
    return punched(whole, [share] * len(states), seed)


@settings(max_examples=40)
@given(asked=hollow_asked_tables())
def test_an_engine_tells_how_many_cells_of_every_variable_are_missing(
    engine_of: EngineOf, asked: Asked
) -> None:
    table, _ = asked
    engine = engine_of(table)
    states = [[k for k in codes.tolist() if k < r] for codes, r in _columns(table)]
    assert engine.missing.tolist() == [table.n_rows - len(known) for known in states]
    assert engine.missing.dtype == np.int64
    assert engine.observed.tolist() == [len(set(known)) for known in states]
    assert engine.n_rows == table.n_rows
    with pytest.raises(ValueError, match="read-only"):
        engine.missing[0] = 3


def _columns(table: Table) -> list[tuple[Any, int]]:
    return [(codes, len(labels)) for codes, labels in zip(table.codes, table.states, strict=True)]


@settings(max_examples=120)
@given(asked=hollow_asked_tables(states=(1, 2, 2, 3, 4, 5, 7, 33, 40, 256)))
def test_every_cell_holds_its_dictionary_count_among_the_rows_known(
    engine_of: EngineOf, asked: Asked
) -> None:
    table, requests = asked
    batch = Batch.of(requests)
    assume(batch.n_cells(table.cardinality).sum() < 1e6)
    found = engine_of(table).counts(batch)
    for i, axes in enumerate(spelled_out(requests)):
        wanted = reference.counts(table, axes)
        cells = itertools.product(*(range(len(table.states[v])) for v in axes))
        assert found[i].ravel().tolist() == [wanted[cell] for cell in cells]
        assert found.rows[i] == len(known_rows(table, axes))


@settings(max_examples=80)
@given(asked=hollow_asked_tables(states=(1, 2, 2, 3, 5, 33, 257)))
def test_fused_answers_equal_reductions_of_the_counts_bit_for_bit(
    engine_of: EngineOf, asked: Asked
) -> None:
    table, requests = asked
    engine, batch = engine_of(table), Batch.of(requests)
    assume(batch.n_cells(engine.cardinality).sum() < 1e6)
    reductions = Reductions(engine.cardinality, engine.observed)
    assert answers(engine, batch) == answers(reductions, engine.counts(batch))


@settings(max_examples=60)
@given(asked=hollow_asked_tables())
def test_every_engine_gives_the_bits_of_the_native_one(engine_of: EngineOf, asked: Asked) -> None:
    table, requests = asked
    batch, earlier = Batch.of(requests), table.take(slice(0, 1 + table.n_rows // 2))
    engine, native = engine_of(table), NativeEngine(table, 1)
    assert answers(engine, batch) == answers(native, batch)
    scores = [e.families_with_prior(batch, earlier, 0.7, 0.2).tobytes() for e in (engine, native)]
    assert scores[0] == scores[1]


@settings(max_examples=60)
@given(asked=hollow_asked_tables(states=FEW_STATES))
def test_an_answer_is_that_of_the_rows_without_a_hole_alone(
    engine_of: EngineOf, asked: Asked
) -> None:
    table, requests = asked
    engine = engine_of(table)
    for target, base, partners in requests:
        for y in partners:
            axes = (*base, target) if y == NONE else (*base, target, y)
            rows = known_rows(table, axes)
            if not rows:
                continue
            batch, alone = Batch.of([(target, base, (y,))]), engine_of(table.take(rows))
            for kernel in FamilyKernel:
                mine, theirs = (e.families(batch, kernel, 0.7, 0.2) for e in (engine, alone))
                assert mine.tobytes() == theirs.tobytes()
            assert engine.informations(batch).tobytes() == alone.informations(batch).tobytes()
            assert engine.entropies(batch).tobytes() == alone.entropies(batch).tobytes()
            for test in CELL_TESTS:
                one, other = engine.tests(batch, test)[0], alone.tests(batch, test)[0]
                assert one[0] == other[0]  # df and coverage count levels of the whole table
                assert one[4] == other[4] == len(rows)


@settings(max_examples=40)
@given(asked=hollow_asked_tables(paired=True))
def test_informations_and_entropies_are_per_row_known(engine_of: EngineOf, asked: Asked) -> None:
    table, requests = asked
    engine, batch = engine_of(table), Batch.of(requests)
    shared, joint = engine.informations(batch).tolist(), engine.entropies(batch).tolist()
    for i, axes in enumerate(spelled_out(requests)):
        rows = known_rows(table, axes)
        if not rows:
            assert shared[i] == joint[i] == 0
            continue
        known = table.take(rows)
        *base, x, y = axes
        assert abs(shared[i] - reference.information(known, x, y, base)) <= 1e-13
        assert abs(joint[i] - reference.entropy(known, axes)) <= 1e-13


@settings(max_examples=60)
@given(asked=hollow_asked_tables(states=(1, 2, 2, 3, 5, 33, 257)), seed=st.integers(0, 999))
def test_scores_with_a_prior_are_reductions_of_the_counts_of_all_rows(
    engine_of: EngineOf, asked: Asked, seed: int
) -> None:
    table, requests = asked
    score_after(engine_of, table, Batch.of(requests), seed)


KERNELS = {
    "bitmaps": [2, 3, 4, 2, 3],
    "bitmaps and indices": [40, 2, 300, 3, 33],
    "lists": [300, 257, 300, 40, 2],
    "codes at the edge of a byte": [255, 256, 2, 257, 3],
    "ranked strata": [300, 300, 300, 300, 3],
}


def all_small_batches(n: int = 5) -> Batch:
    return Batch.of(
        [
            (x, given, [*(v for v in range(n) if v not in (x, *given)), NONE])
            for x in range(n)
            for size in (0, 1, 2, 3)
            for given in itertools.combinations([v for v in range(n) if v != x], size)
        ]
    )


@pytest.mark.few(3)
@pytest.mark.parametrize("case", KERNELS)
@pytest.mark.parametrize("share", [0.1, 0.7])
def test_all_kernels_threads_and_instructions_agree_with_blocks(case: str, share: float) -> None:
    table, batch = hollow_table(5, 1200, KERNELS[case], share), all_small_batches()
    expected = answers(BlockEngine([table]), batch)
    for threads in (1, 2, 3):
        assert answers(NativeEngine(table, threads), batch) == expected
    for level in LEVELS:
        store = _native.Store(list(table.codes), table.cardinality, level)
        found = store.families(*batch.arrays, FamilyKernel.BDEU, 0.7, 0.25, 2, None)
        assert found.tobytes() == expected[FamilyKernel.BDEU]


@pytest.mark.few(2)
@pytest.mark.parametrize("case", KERNELS)
def test_collapsing_repeated_rows_changes_no_bit(case: str) -> None:
    few = hollow_table(7, 150, KERNELS[case])
    table = few.take(np.random.default_rng(8).integers(0, 150, 2500))
    batch = all_small_batches()
    engine = NativeEngine(table, 2)
    before = answers(engine, batch)
    for _ in range(5):
        assert answers(engine, batch) == before
    assert before == answers(BlockEngine([table]), batch)


@pytest.mark.few(2)
@pytest.mark.parametrize("case", CUT)
def test_however_threads_cut_a_batch_no_bit_changes(case: str) -> None:
    table, batch, n_times = cut_case(case, hollow_table)
    engines = [NativeEngine(table, threads) for threads in (1, 2, 7)]
    for _ in range(n_times):
        alone = answers(engines[0], batch)
        assert all(answers(engine, batch) == alone for engine in engines[1:])
    few = Batch.of([(0, (1,), (2, 3, NONE))])
    cells = np.zeros([len(table.states[v]) for v in (1, 0, 2)], np.int64)
    rows = np.logical_and.reduce([table.codes[v] < len(table.states[v]) for v in (1, 0, 2)])
    np.add.at(cells, tuple(table.codes[v][rows] for v in (1, 0, 2)), 1)
    for engine in engines:
        assert engine.counts(few)[0].tolist() == cells.tolist()


@pytest.mark.few(6)
@pytest.mark.parametrize("n_given", [20, 64, 100])
def test_families_of_many_variables_are_counted_around_holes(
    engine_of: EngineOf, n_given: int
) -> None:
    rng = np.random.default_rng(n_given)
    patterns = rng.integers(0, 3, (9, n_given + 2))
    whole = make_table(list(patterns[rng.integers(0, 9, 5000)].T), [3] * (n_given + 2))
    table = punched(whole, [0.01] * (n_given + 2), n_given)
    batch = Batch.of([(0, range(1, n_given + 1), (n_given + 1, NONE))])
    engine, native = engine_of(table), NativeEngine(table, 1)
    assert answers(engine, batch) == answers(native, batch)
    rows = known_rows(table, tuple(range(n_given + 2)))
    assert 0 < len(rows) < 5000
    one = NativeEngine(table.take(rows)).families(batch, FamilyKernel.BDEU)[0]
    assert engine.families(batch, FamilyKernel.BDEU)[0] == one


def test_a_variable_without_any_known_cell_has_empty_tables(engine_of: EngineOf) -> None:
    whole = make_table([[0, 1] * 40, [0, 0, 1, 1] * 20, [0, 1, 2, 0] * 20], [2, 2, 3])
    engine = engine_of(punched(whole, [1, 0, 0], 0))
    batch = Batch.of([(0, (), (1, NONE)), (1, (0,), (2,)), (2, (1,), (0,))])
    assert engine.observed.tolist() == [0, 2, 3]
    assert engine.counts(batch).rows.tolist() == [0, 0, 0, 0]
    assert not engine.informations(batch).any()
    assert not engine.entropies(batch).any()
    for kernel in CELL_TESTS:
        assert not engine.tests(batch, kernel).any()
    average = engine.families(batch, FamilyKernel.NODE_AVERAGE, 80.0)
    least = [-80 * np.log(2)] * 3 + [-80 * np.log(3)]
    assert average.tolist() == pytest.approx(least, rel=1e-15)


def test_a_node_average_is_that_of_the_definition(engine_of: EngineOf) -> None:
    table = hollow_table(3, 400, [2, 3, 4, 2], 0.2)
    engine = engine_of(table)
    families = [(0, ()), (0, (1,)), (2, (1, 3)), (3, (0, 1, 2))]
    found = engine.families(Batch.families(families), FamilyKernel.NODE_AVERAGE, 400.0, 0.5)
    for (child, parents), value in zip(families, found.tolist(), strict=True):
        rows = len(known_rows(table, (child, *parents)))
        fit = reference.log_likelihood(table, child, parents) * 400 / rows
        cost = reference.free_parameters(table, child, parents) / 2
        assert value == pytest.approx(float(fit - cost), rel=1e-14)


def test_blocks_may_miss_different_cells(engine_of: EngineOf) -> None:
    table = hollow_table(11, 300, [2, 3, 2])
    rows = np.argsort(table.codes[0] == 2, kind="stable")  # all holes of a column in the last block
    sorted_so, batch = table.take(rows), Batch.pairs(3)
    assert answers(engine_of(sorted_so), batch) == answers(engine_of(table), batch)


def test_a_copy_of_an_engine_keeps_the_holes(engine_of: EngineOf) -> None:
    engine = engine_of(hollow_table(2, 50, [2, 3]))
    again = pickle.loads(pickle.dumps(engine))
    assert again.missing.tolist() == engine.missing.tolist()
    assert answers(again, Batch.pairs(2)) == answers(engine, Batch.pairs(2))
