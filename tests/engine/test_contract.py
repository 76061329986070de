from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import reference
from bayesloom.arrays import Floats
from bayesloom.data import Table
from bayesloom.engine import (
    Batch,
    CountingEngine,
    FamilyKernel,
    NativeEngine,
    Reductions,
    SparseTables,
    Tables,
    TestKernel,
)
from bayesloom.engine.batch import NONE
from bayesloom.errors import CapacityError
from engine_cases import score_after
from every_engine import EngineOf
from strategies import (
    FEW_STATES,
    Request,
    asked_tables,
    make_table,
    spelled_out,
    tables,
)

Asked = tuple[Table, list[Request]]


def dense(table: Table, axes: tuple[int, ...]) -> list[int]:
    """Return the dictionary counts of these variables, one for each cell of the dense table."""
    found = reference.counts(table, axes)
    return [found[cell] for cell in itertools.product(*(range(len(table.states[v])) for v in axes))]


def answers(engine: CountingEngine, batch: Batch) -> list[Floats]:
    """Ask everything that is a float."""
    return [
        engine.families(batch, FamilyKernel.LOG_LIKELIHOOD, price=0.25),
        engine.families(batch, FamilyKernel.BDEU, 0.7),
        engine.families(batch, FamilyKernel.K2),
        engine.families(batch, FamilyKernel.FNML, price=0.25),
        engine.families(batch, FamilyKernel.BDS, 0.7),
        engine.informations(batch),
        engine.tests(batch, TestKernel.CHI_SQUARE),
        engine.tests(batch, TestKernel.G_SQUARE),
        engine.entropies(batch),
    ]


def reductions(tables: Tables | SparseTables, engine: CountingEngine) -> list[Floats]:
    """Compute from tables what `answers` asks for."""
    reduced = Reductions(engine.cardinality, engine.observed)
    return [
        reduced.families(tables, FamilyKernel.LOG_LIKELIHOOD, price=0.25),
        reduced.families(tables, FamilyKernel.BDEU, 0.7),
        reduced.families(tables, FamilyKernel.K2),
        reduced.families(tables, FamilyKernel.FNML, price=0.25),
        reduced.families(tables, FamilyKernel.BDS, 0.7),
        reduced.informations(tables),
        reduced.tests(tables, TestKernel.CHI_SQUARE),
        reduced.tests(tables, TestKernel.G_SQUARE),
        reduced.entropies(tables),
    ]


def same_bits(left: list[Floats], right: list[Floats]) -> bool:
    return all(a.tobytes() == b.tobytes() for a, b in zip(left, right, strict=True))


def test_an_engine_describes_its_table(engine: CountingEngine, asia: Table) -> None:
    assert engine.names == asia.names
    assert engine.states == asia.states
    assert engine.n_variables == asia.n_columns
    assert engine.n_rows == asia.n_rows
    assert engine.cardinality.tolist() == [2] * 8
    assert engine.observed.tolist() == [2] * 8


@settings(max_examples=40)
@given(table=tables())
def test_observed_counts_the_states_that_occur(engine_of: EngineOf, table: Table) -> None:
    seen = [len(set(column.tolist())) for column in table.codes]
    assert engine_of(table).observed.tolist() == seen


@settings(max_examples=80)
@given(asked=asked_tables(states=(1, 2, 2, 3, 4, 5, 7, 33, 40)))
def test_every_cell_holds_its_dictionary_count(engine_of: EngineOf, asked: Asked) -> None:
    table, requests = asked
    found = engine_of(table).counts(Batch.of(requests))
    assert [t.ravel().tolist() for t in found] == [dense(table, t) for t in spelled_out(requests)]
    assert [t.shape for t in found] == [
        tuple(len(table.states[v]) for v in axes) for axes in spelled_out(requests)
    ]


@settings(max_examples=70)
@given(asked=asked_tables(states=(1, 2, 2, 3, 5, 33, 257)))
def test_fused_answers_equal_reductions_of_the_counts_bit_for_bit(
    engine_of: EngineOf, asked: Asked
) -> None:
    table, requests = asked
    engine, batch = engine_of(table), Batch.of(requests)
    assume(batch.n_cells(engine.cardinality).sum() < 1e6)
    assert same_bits(answers(engine, batch), reductions(engine.counts(batch), engine))


@pytest.mark.few(6)
@pytest.mark.parametrize("seed", range(4))
def test_tables_with_many_empty_cells_are_summed_in_the_same_order(
    engine_of: EngineOf, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    skewed = np.minimum(rng.geometric(0.05, (6, 8000)) - 1, 399)
    engine = engine_of(make_table([rng.permutation(400)[c] for c in skewed], [400] * 6))
    batch = Batch.pairs(6)
    assert same_bits(answers(engine, batch), reductions(engine.counts(batch), engine))


@settings(max_examples=60)
@given(asked=asked_tables(states=(1, 2, 2, 3, 5, 33, 257)), seed=st.integers(0, 999))
def test_scores_with_a_prior_are_reductions_of_the_counts_of_all_rows(
    engine_of: EngineOf, asked: Asked, seed: int
) -> None:
    table, requests = asked
    batch = Batch.of(requests)
    earlier, found = score_after(engine_of, table, batch, seed)
    turned = table.take(slice(None, None, -1)), earlier.take(slice(None, None, -1))
    again = engine_of(turned[0]).families_with_prior(batch, turned[1], 0.7, 0.25)
    assert found.tobytes() == again.tobytes()


def test_an_engine_tells_prior_tables_apart(engine: CountingEngine, asia: Table) -> None:
    batch = Batch.families([(0, ()), (1, (0, 2))])
    priors = [asia.take(slice(0, n)) for n in (10, 700)]
    first, second = (engine.families_with_prior(batch, prior) for prior in priors)
    assert not np.isin(first, second).any()
    assert engine.families_with_prior(batch, priors[0]).tolist() == first.tolist()


@settings(max_examples=40)
@given(asked=asked_tables(states=(*FEW_STATES, 33)), where=st.floats(0, 1))
def test_counts_add_up_over_parts_of_the_rows(
    engine_of: EngineOf, asked: Asked, where: float
) -> None:
    table, requests = asked
    assume(table.n_rows > 1)
    cut = min(1 + int(where * (table.n_rows - 1)), table.n_rows - 1)
    engine, batch = engine_of(table), Batch.of(requests)
    parts = [engine_of(table.take(part)) for part in (slice(0, cut), slice(cut, None))]
    first, second = (part.counts(batch) for part in parts)
    summed = Tables(batch, engine.cardinality, first.cells + second.cells, first.start)
    assert summed.cells.tolist() == engine.counts(batch).cells.tolist()
    assert same_bits(answers(engine, batch), reductions(summed, engine))


@settings(max_examples=40)
@given(asked=asked_tables(), seed=st.integers(0, 2**32 - 1))
def test_the_order_of_rows_changes_no_bit(engine_of: EngineOf, asked: Asked, seed: int) -> None:
    table, requests = asked
    shuffled = table.take(np.random.default_rng(seed).permutation(table.n_rows))
    batch = Batch.of(requests)
    assert same_bits(answers(engine_of(table), batch), answers(engine_of(shuffled), batch))


@settings(max_examples=40)
@given(asked=asked_tables(), data=st.data())
def test_the_order_of_columns_changes_no_bit(
    engine_of: EngineOf, asked: Asked, data: st.DataObject
) -> None:
    table, requests = asked
    order = data.draw(st.permutations(range(table.n_columns)))
    moved = table.select([table.names[v] for v in order])
    place = {v: i for i, v in enumerate(order)} | {NONE: NONE}
    translated = [
        (place[x], tuple(place[v] for v in given), tuple(place[v] for v in partners))
        for x, given, partners in requests
    ]
    before = answers(engine_of(table), Batch.of(requests))
    assert same_bits(before, answers(engine_of(moved), Batch.of(translated)))


@settings(max_examples=40)
@given(asked=asked_tables(paired=True))
def test_informations_are_differences_of_entropies(engine_of: EngineOf, asked: Asked) -> None:
    table, requests = asked
    found = engine_of(table).informations(Batch.of(requests)).tolist()
    for (*base, x, y), value in zip(spelled_out(requests), found, strict=True):
        true = reference.information(table, x, y, base)
        assert abs(value - true) <= 1e-14 * max(1.0, float(true))
        assert value >= 0


@settings(max_examples=40)
@given(asked=asked_tables())
def test_entropies_are_those_of_the_definition(engine_of: EngineOf, asked: Asked) -> None:
    table, requests = asked
    found = engine_of(table).entropies(Batch.of(requests)).tolist()
    for axes, value in zip(spelled_out(requests), found, strict=True):
        true = reference.entropy(table, axes)
        assert abs(value - true) <= 1e-14 * max(1.0, float(true))
        assert value >= 0


@pytest.mark.parametrize("states", [(2, 2), (3, 5), (7, 3), (2, 33)])
@pytest.mark.parametrize("copies", [1, 3, 100])
def test_exactly_independent_columns_share_exactly_nothing(
    engine_of: EngineOf, states: tuple[int, int], copies: int
) -> None:
    cells = list(itertools.product(*map(range, states))) * copies
    engine = engine_of(make_table(list(zip(*cells, strict=True)), states))
    assert engine.informations(Batch.pairs(2)).tolist() == [0.0]
    assert engine.tests(Batch.pairs(2), TestKernel.G_SQUARE)[0, 0] == 0
    assert engine.tests(Batch.pairs(2), TestKernel.CHI_SQUARE)[0, 0] == 0


def test_no_pair_of_a_balanced_parity_shares_anything(engine_of: EngineOf) -> None:
    rows = [(a, b, a ^ b) for a in (0, 1) for b in (0, 1)] * 77
    engine = engine_of(make_table(list(zip(*rows, strict=True)), (2, 2, 2)))
    assert engine.informations(Batch.pairs(3)).tolist() == [0.0, 0.0, 0.0]
    assert engine.informations(Batch.of([(0, (1,), (2,))]))[0] == pytest.approx(
        math.log(2), rel=1e-15
    )


@settings(max_examples=40)
@given(table=tables(min_columns=2, max_columns=2))
def test_a_column_shares_its_whole_entropy_with_a_copy(engine_of: EngineOf, table: Table) -> None:
    twice = make_table([table.codes[0], table.codes[0]], [len(table.states[0])] * 2)
    engine = engine_of(twice)
    alone = engine.entropies(Batch.sets([(0,)]))[0]
    assert engine.informations(Batch.pairs(2))[0] == pytest.approx(alone, rel=1e-14)
    assert engine.families(Batch.families([(0, (1,))]), FamilyKernel.LOG_LIKELIHOOD)[0] == 0


@settings(max_examples=40)
@given(table=tables(min_columns=3, max_columns=3, states=(1, 2, 3, 40, 300)))
def test_one_state_variables_have_neither_score_nor_information(
    engine_of: EngineOf, table: Table
) -> None:
    states = [1, *(len(s) for s in table.states[1:])]
    engine = engine_of(make_table([np.zeros(table.n_rows, int), *table.codes[1:]], states))
    batch = Batch.of([(0, (1,), (2, NONE)), (0, (), (1, 2, NONE))])
    for kernel in set(FamilyKernel) - {FamilyKernel.OCCUPIED}:
        assert not engine.families(batch, kernel, 0.3, 2.0).any()
    assert not engine.families_with_prior(batch, make_table([[0]] * 3, states), 0.3, 2.0).any()
    assert not engine.informations(batch).any()
    tests = engine.tests(batch, TestKernel.G_SQUARE)
    assert not tests[:, 0].any()
    assert not tests[:, 1].any()


def test_an_empty_batch_has_an_empty_answer(engine: CountingEngine, asia: Table) -> None:
    for batch in (Batch.of([]), Batch.of([(0, (1,), ())])):
        assert len(engine.counts(batch)) == 0
        assert engine.families(batch, FamilyKernel.BDEU).shape == (0,)
        assert engine.families_with_prior(batch, asia).shape == (0,)
        assert engine.informations(batch).shape == (0,)
        assert engine.tests(batch, TestKernel.CHI_SQUARE).shape == (0, 5)
        assert engine.entropies(batch).shape == (0,)


def test_tables_that_do_not_fit_are_refused_before_anything_is_allocated(
    engine_of: EngineOf,
) -> None:
    n = 40
    engine = engine_of(make_table([[0, 1]] * n, [2] * n))
    with pytest.raises(CapacityError, match="cells together"):
        engine.counts(Batch.families([(0, range(1, n))]))
    assert np.isfinite(engine.families(Batch.families([(0, range(1, n))]), FamilyKernel.BDEU)[0])


@settings(max_examples=60)
@given(asked=asked_tables(states=(1, 2, 2, 3, 5, 33, 257)))
def test_every_engine_gives_the_bits_of_the_native_one(engine_of: EngineOf, asked: Asked) -> None:
    table, requests = asked
    batch, earlier = Batch.of(requests), table.take(slice(0, 1 + table.n_rows // 2))
    engine, native = engine_of(table), NativeEngine(table, 1)
    assert same_bits(answers(engine, batch), answers(native, batch))
    scores = [e.families_with_prior(batch, earlier, 0.7, 0.2).tobytes() for e in (engine, native)]
    assert scores[0] == scores[1]


@pytest.mark.parametrize("n_variables", [37, 200])
def test_a_family_of_many_variables_is_answered_alike_by_every_engine(
    engine_of: EngineOf, n_variables: int
) -> None:
    rng = np.random.default_rng(n_variables)
    patterns = rng.integers(0, 3, (40, n_variables))
    table = make_table(list(patterns[rng.integers(0, 40, 300)].T), [3] * n_variables)
    batch = Batch.of([(0, range(1, n_variables - 1), (n_variables - 1, NONE))])
    engine, native = engine_of(table), NativeEngine(table, 1)
    assert same_bits(answers(engine, batch), answers(native, batch))
    earlier = table.take(slice(0, 50))
    scores = [e.families_with_prior(batch, earlier).tobytes() for e in (engine, native)]
    assert scores[0] == scores[1]
