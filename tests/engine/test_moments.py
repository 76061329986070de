"""Exact sums of numbers, and what is made of them."""

from __future__ import annotations

import itertools
import math
import pickle

import numpy as np
import pytest

from bayesloom import _native
from bayesloom.arrays import Floats
from bayesloom.data import Table
from bayesloom.engine import (
    Batch,
    FamilyKernel,
    MomentsEngine,
    StopSignal,
    TestKernel,
    rows_behind,
)
from bayesloom.errors import BayesloomError, Stopped
from bayesloom.scores import BIC, LogLikelihood
from bayesloom.scores.score import family_batch
from reference_gaussian import (
    exact_moments,
    family_log_likelihood,
    random_mixed,
    set_density,
)


def numbers_of(*columns: Floats) -> Table:
    """Return a table of numbers A, B, C, ..."""
    names = [chr(ord("A") + v) for v in range(len(columns))]
    return Table(names, [()] * len(columns), list(columns))


def hard_columns(n: int, seed: int = 1) -> list[Floats]:
    """Return columns that naive sums get wrong: far from 0, Cauchy, tiny, huge, of one outlier."""
    rng = np.random.default_rng(seed)
    outlier = rng.normal(size=n)
    outlier[0] = 1e12
    return [
        1e9 + rng.normal(size=n),
        rng.standard_cauchy(n),
        rng.normal(size=n) * 1e-200,
        rng.normal(size=n) * 1e153,
        outlier,
        rng.integers(0, 2, n).astype(np.float64),
    ]


def test_sums_of_products_are_exact_to_twelve_digits_of_the_deviations() -> None:
    columns = hard_columns(3000)
    columns[2] *= 1e200
    columns[3] *= 1e-150
    found = MomentsEngine(numbers_of(*columns)).moments(Batch.sets([range(len(columns))]))[0]
    means, products = exact_moments(columns)
    deviations = np.sqrt(np.diag(products))
    scale = np.multiply.outer(deviations, deviations)
    assert (np.abs(found.products - products) <= 1e-12 * scale).all()
    assert (np.abs(found.means - means) <= 1e-12 * deviations / np.sqrt(3000)).all()


@pytest.mark.parametrize("threads", [1, 2])
def test_no_order_of_rows_and_no_number_of_threads_changes_a_bit(threads: int) -> None:
    columns = hard_columns(40_000)
    order = np.random.default_rng(2).permutation(len(columns[0]))
    batch = Batch.of([(v, [w for w in range(4) if w != v], (4, 5)) for v in range(4)])
    expected = MomentsEngine(numbers_of(*columns), 1)
    found = MomentsEngine(numbers_of(*[column[order] for column in columns]), threads)
    for ask in ("entropies", "informations"):
        assert getattr(found, ask)(batch).tolist() == getattr(expected, ask)(batch).tolist()
    kernel = FamilyKernel.LOG_LIKELIHOOD
    assert found.families(batch, kernel).tolist() == expected.families(batch, kernel).tolist()


def test_mixed_answers_have_the_same_bits_for_any_order_of_rows_and_threads() -> None:
    table = random_mixed(70_000, seed=3)
    order = np.random.default_rng(4).permutation(table.n_rows)
    batch = Batch.of([(4, (0, 5), (1, 2, 3, 6)), (0, (1, 6), (4,)), (5, (), (0, 1, 6))])
    expected = MomentsEngine(table, 1)
    for threads in (1, 2):
        found = MomentsEngine(table.take(order), threads)
        for ask in ("entropies", "informations"):
            assert getattr(found, ask)(batch).tolist() == getattr(expected, ask)(batch).tolist()


def test_answers_do_not_depend_on_what_was_asked_before() -> None:
    table = random_mixed(500, seed=5)
    batches = [
        Batch.of([(4, (0, 5), (1, 6))]),
        Batch.of([(5, (0,), (1, 2, 6))]),
        Batch.of([(6, (0, 4), (5, 1))]),
    ]
    kernel = FamilyKernel.LOG_LIKELIHOOD
    alone = [MomentsEngine(table).families(batch, kernel).tolist() for batch in batches]
    for order in itertools.permutations(range(3)):
        engine = MomentsEngine(table)
        for k in order:
            assert engine.families(batches[k], kernel).tolist() == alone[k]


@pytest.mark.parametrize("seed", range(4))
def test_families_are_the_regressions_that_they_say(seed: int) -> None:
    table = random_mixed(900, seed=seed)
    engine = MomentsEngine(table)
    families = [(4, ()), (4, (5, 6)), (5, (0,)), (6, (0, 1, 4)), (4, (0, 5, 6))]
    found = engine.families(Batch.families(families), FamilyKernel.LOG_LIKELIHOOD)
    for (child, parents), value in zip(families, found.tolist(), strict=True):
        assert value == pytest.approx(family_log_likelihood(table, child, parents), rel=1e-10)


@pytest.mark.parametrize("n_rows", [5, 40, 400])
def test_the_density_of_a_set_is_that_of_the_definition(n_rows: int) -> None:
    table = random_mixed(n_rows, seed=7)
    engine = MomentsEngine(table)
    sets = [(0, 4), (0, 1, 4, 5), (2, 3, 6), (4, 5, 6), (0, 1, 2, 4, 5, 6)]
    found = -engine.entropies(Batch.sets(sets)) * n_rows
    for members, value in zip(sets, found.tolist(), strict=True):
        assert value == pytest.approx(set_density(table, members), rel=1e-9)


@pytest.mark.parametrize("n_rows", [8, 60, 600])
def test_all_complete_graphs_have_one_score(n_rows: int) -> None:
    table = random_mixed(n_rows, seed=11).select(["c0", "c1", "x0", "x1", "x2"])
    engine = MomentsEngine(table)
    for score in (LogLikelihood(), BIC(), BIC(sparsity=1.0, kappa=0.1)):
        totals = []
        for order in itertools.permutations(range(5)):
            families = [(v, sorted(order[:k])) for k, v in enumerate(order)]
            totals.append(math.fsum(score.local_scores(engine, family_batch(families))))
        assert max(totals) - min(totals) <= 1e-9 * max(1.0, abs(totals[0]))


def test_a_useless_category_never_pays_however_rare_its_states() -> None:
    score = BIC()
    for seed in range(6):
        rng = np.random.default_rng(seed)
        n = 200
        rare = rng.choice(12, n, p=[0.6, *[0.4 / 11] * 11])
        x = rng.normal(size=n)
        columns = [rare, x, x + rng.normal(size=n), x * 2 + 1]  # D copies B but for rounding
        states = [[f"s{k}" for k in range(12)], (), (), ()]
        engine = MomentsEngine(Table("ABCD", states, columns))
        for child, parents in ((1, ()), (2, (1,)), (2, ()), (3, (1,)), (1, (2, 3))):
            with_it, without = score.local_scores(
                engine, family_batch([(child, [*parents, 0]), (child, [*parents])])
            )
            assert with_it < without


def test_columns_that_others_determine_have_finite_scores_equal_in_all_orders() -> None:
    rng = np.random.default_rng(1)
    a, b = rng.normal(size=(2, 100))
    engine = MomentsEngine(numbers_of(a, b, a + b, a.copy(), 1000 * b, np.full(100, 7.0)))
    score = BIC()
    totals = []
    for order in itertools.permutations(range(6)):
        families = [(v, sorted(order[:k])) for k, v in enumerate(order)]
        totals.append(math.fsum(score.local_scores(engine, family_batch(families))))
    assert np.isfinite(totals).all()
    assert max(totals) - min(totals) < 1e-7
    assert engine.constant.tolist() == [False] * 5 + [True]


def test_three_rows_of_five_columns_and_a_configuration_seen_once_are_defined() -> None:
    rng = np.random.default_rng(1)
    few = MomentsEngine(numbers_of(*rng.normal(size=(5, 3))))
    batch = Batch.of([(0, (1, 2, 3), (4,)), (0, (1,), (2, -1))])
    assert np.isfinite(BIC().local_scores(few, batch)).all()
    once = Table("AB", ["nyz", ()], [[0] * 40 + [1], rng.normal(size=41)])
    assert np.isfinite(BIC().local_scores(MomentsEngine(once), Batch.of([(1, (), (0,))]))).all()


def test_a_unit_changes_a_score_by_its_logarithm_alone() -> None:
    rng = np.random.default_rng(1)
    a = rng.normal(size=400)
    b = a + rng.normal(size=400)
    batch = Batch.of([(0, (), (-1, 1))])
    for unit in (1000.0, 1e-300, 1e307):
        small = BIC().local_scores(MomentsEngine(numbers_of(a, b)), batch)
        large = BIC().local_scores(MomentsEngine(numbers_of(a * unit / 8, b)), batch)
        assert large == pytest.approx(small - 400 * (math.log(unit) - math.log(8)), rel=1e-12)


def test_moments_too_large_for_a_number_are_refused_in_one_sentence() -> None:
    engine = MomentsEngine(numbers_of(np.array([1e308, -1e308, 3.0])))
    with pytest.raises(Exception, match="divide the column"):
        engine.moments(Batch.sets([[0]]))


def test_a_family_with_holes_is_that_of_the_rows_that_know_all_of_it() -> None:
    table = random_mixed(400, seed=13)
    rng = np.random.default_rng(1)
    codes = [np.array(column) for column in table.codes]
    codes[0][rng.random(400) < 0.2] = len(table.states[0])
    codes[5][rng.random(400) < 0.2] = np.nan
    holes = Table(table.names, table.states, codes, holes=True)
    known = (codes[0] < len(table.states[0])) & ~np.isnan(codes[5])
    batch = Batch.of([(4, (0,), (5,)), (6, (5, 4), (0,))])
    found = MomentsEngine(holes)
    complete = MomentsEngine(holes.take(known))
    assert np.allclose(found.informations(batch), complete.informations(batch), rtol=1e-9)
    for ours, theirs in zip(found.moments(batch), complete.moments(batch), strict=True):
        assert ours.rows.tolist() == theirs.rows.tolist()
        assert np.allclose(ours.products, theirs.products, rtol=1e-12)
    assert (
        found.missing.sum() == (codes[0] == len(table.states[0])).sum() + np.isnan(codes[5]).sum()
    )


def test_rows_that_a_seed_draws_are_answered_as_a_table_of_them() -> None:
    table = random_mixed(300, seed=17)
    drawn = MomentsEngine(table).resampled(5)
    batch = Batch.of([(4, (0,), (5, 6))])
    assert drawn.n_rows == table.n_rows
    again = MomentsEngine(drawn.table)
    assert drawn.informations(batch).tolist() == again.informations(batch).tolist()


def test_sums_of_blocks_add_up_to_the_same_bits() -> None:
    columns = hard_columns(5000)
    low, high = (np.array([f(column) for column in columns]) for f in (np.min, np.max))
    wide = np.array([0, 1, 0, 1, 1, 0], np.uint8)
    whole = _native.GridSums(low, high, wide, 5000)
    whole.add(columns, 2)
    parts = [_native.GridSums(low, high, wide, 5000) for _ in range(3)]
    for k, (first, last) in enumerate(((0, 1), (1, 700), (700, 5000))):
        parts[k].add([np.ascontiguousarray(column[first:last]) for column in columns], 1)
    total = parts[2]
    total.merge(parts[0])
    total.merge(parts[1])
    for ours, theirs in zip(total.description, whole.description, strict=True):
        assert ours.tolist() == theirs.tolist()


def test_many_configurations_and_many_numbers_are_answered_table_by_table() -> None:
    rng = np.random.default_rng(1)
    n = 6000
    codes = [rng.integers(0, 40, n) for _ in range(2)]
    xs = [rng.normal(size=n) + codes[0] / 40 for _ in range(60)]
    states = [[f"s{k}" for k in range(40)]] * 2
    names = ["a", "b", *(f"x{k:02d}" for k in range(60))]
    table = Table(names, [*states, *[()] * 60], [*codes, *xs])
    asked = Batch.of([(2, (0, 1), range(3, 62))])  # 1,600 configurations of 60 numbers
    found = BIC().local_scores(MomentsEngine(table), asked)
    small = MomentsEngine(table.select(["a", "b", "x00", "x01"]))
    assert found[0] == BIC().local_scores(small, Batch.of([(2, (0, 1), (3,))]))[0]


def test_a_signal_stops_an_answer() -> None:
    signal = StopSignal()
    engine = MomentsEngine(random_mixed(200, seed=1)).until(signal)
    batch = Batch.of([(4, (0,), (5,))])
    assert np.isfinite(engine.informations(batch)).all()
    signal.set()
    with pytest.raises(Stopped):
        engine.informations(batch)


def test_an_engine_comes_back_from_a_copy_with_the_same_bits() -> None:
    engine = MomentsEngine(random_mixed(200, seed=1)).resampled(3)
    batch = Batch.of([(4, (0,), (5,))])
    again = pickle.loads(pickle.dumps(engine))
    assert again.informations(batch).tolist() == engine.informations(batch).tolist()


def test_counting_kernels_are_refused_with_the_columns_that_hold_numbers() -> None:
    engine = MomentsEngine(random_mixed(50, seed=1))
    with pytest.raises(BayesloomError, match="x0, x1, x2"):
        engine.families(Batch.of([(4, (), (0,))]), FamilyKernel.BDEU)
    with pytest.raises(BayesloomError, match="x0, x1, x2"):
        engine.tests(Batch.of([(4, (), (0,))]), TestKernel.CHI_SQUARE)


def test_the_rows_behind_an_engine_over_numbers_are_handed_out() -> None:
    table = random_mixed(20, seed=1)
    assert rows_behind(MomentsEngine(table)) is table
