from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mpf

import reference
from bayesloom.data import Table
from bayesloom.engine import NativeEngine
from bayesloom.errors import DataError, OptionError, UnknownVariableError
from bayesloom.scores import BDe, BDeu, BDm, BDs, K2Score, Score
from bayesloom.scores.score import family_batch
from strategies import FEW_STATES, Family, make_table, scored_tables

TOLERANCE = 1e-12

ESS = (1e-6, 0.01, 1.0, 10.0, 1e6, 1e12)

Scored = tuple[Table, list[Family]]


@settings(max_examples=80)
@given(scored=scored_tables(), ess=st.sampled_from(ESS))
def test_bdeu_is_its_definition(scored: Scored, ess: float) -> None:
    table, families = scored
    found = BDeu(ess=ess).local_scores(NativeEngine(table), family_batch(families))
    for value, (child, parents) in zip(found.tolist(), families, strict=True):
        true = reference.bdeu(table, child, parents, ess)
        assert reference.relative_error(value, true) <= TOLERANCE


@settings(max_examples=40)
@given(scored=scored_tables())
def test_k2_is_its_definition(scored: Scored) -> None:
    table, families = scored
    found = K2Score().local_scores(NativeEngine(table), family_batch(families))
    for value, (child, parents) in zip(found.tolist(), families, strict=True):
        assert reference.relative_error(value, reference.k2(table, child, parents)) <= TOLERANCE


@settings(max_examples=60)
@given(scored=scored_tables(), ess=st.sampled_from(ESS))
def test_bds_is_its_definition(scored: Scored, ess: float) -> None:
    table, families = scored
    found = BDs(ess=ess).local_scores(NativeEngine(table), family_batch(families))
    for value, (child, parents) in zip(found.tolist(), families, strict=True):
        true = reference.bds(table, child, parents, ess)
        assert reference.relative_error(value, true) <= TOLERANCE


@settings(max_examples=60)
@given(scored=scored_tables(), ess=st.sampled_from((*ESS, 20.0)))
def test_bdm_is_its_definition(scored: Scored, ess: float) -> None:
    table, families = scored
    found = BDm(ess=ess).local_scores(NativeEngine(table), family_batch(families))
    for value, (child, parents) in zip(found.tolist(), families, strict=True):
        true = reference.bdm(table, child, parents, ess)
        assert reference.relative_error(value, true) <= TOLERANCE


@given(scored=scored_tables(), ess=st.sampled_from((0.5, 20.0)))
def test_bdm_lies_between_the_bdeu_scores_that_it_averages(scored: Scored, ess: float) -> None:
    table, families = scored
    engine, batch = NativeEngine(table), family_batch(families)
    parts = [BDeu(ess=ess * k).local_scores(engine, batch) for k in (0.25, 1.0, 4.0)]
    mixture = BDm(ess=ess).local_scores(engine, batch)
    slack = 1e-9 * (1 + np.abs(mixture))
    assert (mixture >= np.min(parts, axis=0) - slack).all()
    assert (mixture <= np.max(parts, axis=0) + slack).all()


@settings(max_examples=60)
@given(
    scored=scored_tables(),
    ess=st.sampled_from(ESS),
    seed=st.integers(0, 999),
)
def test_bde_is_bdeu_after_the_earlier_rows(scored: Scored, ess: float, seed: int) -> None:
    table, families = scored
    earlier = table.take(np.random.default_rng(seed).integers(0, table.n_rows, 30))
    found = BDe(prior=earlier, ess=ess).local_scores(NativeEngine(table), family_batch(families))
    for value, (child, parents) in zip(found.tolist(), families, strict=True):
        true = reference.bde(table, child, parents, earlier, ess)
        assert reference.relative_error(value, true) <= TOLERANCE


@settings(max_examples=40)
@given(scored=scored_tables(states=(*FEW_STATES, 40)))
def test_rows_seen_earlier_and_rows_seen_now_explain_all_rows(scored: Scored) -> None:
    table, families = scored
    batch, n = family_batch(families), table.n_rows
    twice = table.take(np.tile(np.arange(n), 2))
    whole = BDeu(ess=2).local_scores(NativeEngine(twice), batch)
    first = BDeu(ess=2).local_scores(NativeEngine(table), batch)
    second = BDe(prior=table, ess=2).local_scores(NativeEngine(table), batch)
    np.testing.assert_allclose(first + second, whole, rtol=1e-12, atol=1e-12)


@settings(max_examples=40)
@given(scored=scored_tables(states=(*FEW_STATES, 40)), kappa=st.sampled_from((1e-3, 0.5, 1.0)))
def test_kappa_multiplies_the_prior_once_per_free_parameter(scored: Scored, kappa: float) -> None:
    table, families = scored
    engine, batch = NativeEngine(table), family_batch(families)
    twins: list[tuple[Score, Callable[..., mpf]]] = [
        (BDeu(ess=1, kappa=kappa), reference.bdeu),
        (K2Score(kappa=kappa), reference.k2),
        (BDe(prior=table, kappa=kappa), partial(reference.bde, earlier=table)),
    ]
    for score, twin in twins:
        found = score.local_scores(engine, batch)
        for value, (child, parents) in zip(found.tolist(), families, strict=True):
            true = twin(table, child, parents)
            true += reference.kappa_prior(table, child, parents, kappa)
            assert reference.relative_error(value, true) <= TOLERANCE


@settings(max_examples=40)
@given(scored=scored_tables(states=FEW_STATES), expected=st.sampled_from((1e-3, 0.4, 1.7)))
def test_per_parent_is_a_prior_on_the_number_of_parents(scored: Scored, expected: float) -> None:
    table, families = scored
    n = table.n_columns
    score, engine = BDeu(ess=1, per_parent=expected), NativeEngine(table)
    if 1 < n <= expected + 1:
        with pytest.raises(OptionError, match=f"below the {n - 1} possible parents"):
            score.local_scores(engine, family_batch(families))
        return
    found = score.local_scores(engine, family_batch(families))
    for value, (child, parents) in zip(found.tolist(), families, strict=True):
        true = reference.bdeu(table, child, parents, 1)
        true += reference.parent_prior(n, len(parents), expected) if n > 1 else 0
        assert reference.relative_error(value, true) <= TOLERANCE


@pytest.mark.parametrize("ess", [1e-6, 1.0, 10.0])
@pytest.mark.parametrize("odd", [1, 50])
def test_nearly_deterministic_data_keep_their_digits(odd: int, ess: float) -> None:
    x = np.arange(200_000) % 3
    y = x.copy()
    y[:odd] = (y[:odd] + 1) % 3
    table = make_table([x, y], [3, 3])
    engine, batch = NativeEngine(table), family_batch([(0, (1,))])
    found = BDeu(ess=ess).local_scores(engine, batch)[0]
    assert reference.relative_error(found, reference.bdeu(table, 0, (1,), ess)) <= TOLERANCE
    found = K2Score().local_scores(engine, batch)[0]
    assert reference.relative_error(found, reference.k2(table, 0, (1,))) <= TOLERANCE


@pytest.mark.parametrize("ess", [1e-6, 1.0, 1e6])
@pytest.mark.parametrize("n_rows", [1, 2, 300])
@pytest.mark.parametrize("n_parents", [63, 64, 80, 1000])
def test_scores_hold_beyond_2_to_the_63_configurations(
    n_parents: int, n_rows: int, ess: float
) -> None:
    rng = np.random.default_rng(n_parents)
    columns = rng.integers(0, 2, (6, n_parents + 1))[rng.integers(0, 6, n_rows)].T
    table = make_table([c % r for c, r in zip(columns, [3] + [2] * n_parents, strict=True)],
                       [3] + [2] * n_parents)  # fmt: skip
    family = (0, tuple(range(1, n_parents + 1)))
    found = BDeu(ess=ess).local_scores(NativeEngine(table), family_batch([family]))[0]
    assert reference.relative_error(found, reference.bdeu(table, *family, ess)) <= TOLERANCE
    found = K2Score().local_scores(NativeEngine(table), family_batch([family]))[0]
    assert reference.relative_error(found, reference.k2(table, *family)) <= TOLERANCE


@pytest.mark.parametrize("ess", [1e-6, 1.0, 1e6])
@pytest.mark.parametrize("n_rows", [1, 2, 300])
@pytest.mark.parametrize("n_parents", [64, 1000])
def test_bde_holds_beyond_2_to_the_63_configurations(
    n_parents: int, n_rows: int, ess: float
) -> None:
    rng = np.random.default_rng(n_parents)
    columns = rng.integers(0, 2, (6, n_parents + 1)).T
    every = make_table(list(columns), [3] + [2] * n_parents)
    table, earlier = (every.take(rng.integers(low, low + 4, n_rows)) for low in (0, 2))
    family = (0, tuple(range(1, n_parents + 1)))
    engine, batch = NativeEngine(table), family_batch([family])
    for prior in (earlier, table):
        found = BDe(prior=prior, ess=ess).local_scores(engine, batch)[0]
        true = reference.bde(table, *family, prior, ess)
        assert reference.relative_error(found, true) <= TOLERANCE


@pytest.mark.parametrize("ess", [1e-6, 1.0, 1e6])
@pytest.mark.parametrize("odd", [0, 1, 50])
@pytest.mark.parametrize("n_earlier", [1, 15, 2500, 200_000])
def test_rows_that_the_prior_was_nearly_sure_of_keep_their_digits(
    n_earlier: int, odd: int, ess: float
) -> None:
    table = make_table([(np.arange(5000) < odd).astype(int)], [2])
    prior = make_table([np.zeros(n_earlier, int)], [2])
    found = BDe(prior=prior, ess=ess).local_scores(NativeEngine(table), family_batch([(0, ())]))[0]
    assert reference.relative_error(found, reference.bde(table, 0, (), prior, ess)) <= TOLERANCE


def test_bde_scores_batches_whose_dense_tables_would_not_fit() -> None:
    rng = np.random.default_rng(5)
    columns = rng.integers(0, 200, (12, 400)) % rng.integers(2, 201, (12, 1))
    every = make_table(list(columns), [200] * 12)
    table, earlier = every.take(slice(0, 300)), every.take(slice(200, 400))
    families = [(child, tuple(v for v in range(12) if v != child)[:k])
                for child in range(12) for k in (1, 2, 3, 11)]  # fmt: skip
    found = BDe(prior=earlier, ess=2).local_scores(NativeEngine(table), family_batch(families))
    for value, (child, parents) in zip(found.tolist(), families, strict=True):
        true = reference.bde(table, child, parents, earlier, 2)
        assert reference.relative_error(value, true) <= TOLERANCE


def test_one_row_scores_the_share_of_its_state() -> None:
    engine = NativeEngine(make_table([[1], [0], [0]], [2, 3, 1]))
    batch = family_batch([(0, (1,)), (1, ()), (2, (0,))])
    shares = [-math.log(2), -math.log(3), 0.0]
    for score in (BDeu(ess=1e-6), BDeu(ess=1), BDeu(ess=1e6), K2Score()):
        assert score.local_scores(engine, batch).tolist() == pytest.approx(shares, rel=1e-15)


def test_one_row_seen_before_scores_the_share_it_got_by_that() -> None:
    table = make_table([[1], [0], [0]], [2, 3, 1])
    found = BDe(prior=table, ess=6).local_scores(
        NativeEngine(table), family_batch([(0, (1,)), (1, ()), (2, (0,))])
    )
    shares = [math.log(2 / 3), math.log(3 / 7), 0.0]
    assert found.tolist() == pytest.approx(shares, rel=1e-15)


def test_a_huge_equivalent_sample_believes_in_even_shares(asia: Table) -> None:
    batch = family_batch([(0, ()), (1, (0,)), (2, (1, 3))])
    found = BDeu(ess=1e300).local_scores(NativeEngine(asia), batch)
    assert found.tolist() == pytest.approx([-5000 * math.log(2)] * 3, rel=1e-14)


def test_k2_says_that_it_is_not_score_equivalent() -> None:
    assert not K2Score().equivalent
    assert BDeu().equivalent


@pytest.mark.parametrize("ess", [0, -1, math.nan, math.inf])
def test_an_equivalent_sample_that_is_no_size_is_refused(ess: float, asia: Table) -> None:
    for make in (lambda: BDeu(ess=ess), lambda: BDs(ess=ess), lambda: BDe(prior=asia, ess=ess)):
        with pytest.raises(OptionError, match=rf"ess must be above 0( and finite)?, got {ess}"):
            make()


def test_bde_refuses_a_prior_table_with_other_states(asia: Table) -> None:
    other = Table(asia.names, [("no", "maybe", "yes")] * 8, asia.codes)
    with pytest.raises(DataError, match=r"'A' has the states no, maybe, yes in the prior table"):
        BDe(prior=other).local_scores(NativeEngine(asia), family_batch([(0, ())]))


def test_bde_refuses_a_prior_table_without_the_variables(asia: Table) -> None:
    with pytest.raises(UnknownVariableError, match="unknown variable 'D'"):
        BDe(prior=asia.select(asia.names[:-1])).local_scores(
            NativeEngine(asia), family_batch([(0, ())])
        )


def test_bde_takes_a_prior_table_with_its_columns_in_any_order(asia: Table) -> None:
    batch, engine = family_batch([(3, (1, 2))]), NativeEngine(asia)
    straight = BDe(prior=asia).local_scores(engine, batch)
    turned = BDe(prior=asia.select(reversed(asia.names))).local_scores(engine, batch)
    assert straight.tolist() == turned.tolist()


def test_bde_is_equivalent_if_no_earlier_cell_is_missing(asia: Table) -> None:
    table = asia.take(slice(0, 50))
    engine = NativeEngine(table, 1)
    assert BDe(prior=table).is_equivalent(engine)
    labels, codes = table.states[0], table.codes[0].copy()
    codes[0] = len(labels)
    earlier = Table(table.names, table.states, [codes, *table.codes[1:]], holes=True)
    assert not BDe(prior=earlier).is_equivalent(engine)
    assert not BDe(prior=table).is_equivalent(NativeEngine(earlier, 1))
