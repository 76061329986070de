from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reference
from bayesloom.data import Table
from bayesloom.engine import Batch, NativeEngine
from bayesloom.errors import BayesloomError, OptionError
from bayesloom.scores import AIC, BIC, LogLikelihood
from bayesloom.scores.score import family_batch
from strategies import Family, make_table, scored_tables, tables

TOLERANCE = 1e-12

Scored = tuple[Table, list[Family]]


@settings(max_examples=70)
@given(scored=scored_tables())
def test_the_log_likelihood_is_its_definition(scored: Scored) -> None:
    table, families = scored
    found = LogLikelihood().local_scores(NativeEngine(table), family_batch(families))
    for value, (child, parents) in zip(found.tolist(), families, strict=True):
        true = reference.log_likelihood(table, child, parents)
        assert reference.relative_error(value, true) <= TOLERANCE
        assert value <= 0


@settings(max_examples=40)
@given(scored=scored_tables())
def test_aic_takes_one_off_for_every_free_parameter(scored: Scored) -> None:
    table, families = scored
    found = AIC().local_scores(NativeEngine(table), family_batch(families))
    for value, (child, parents) in zip(found.tolist(), families, strict=True):
        assert reference.relative_error(value, reference.aic(table, child, parents)) <= TOLERANCE


@settings(max_examples=40)
@given(scored=scored_tables(), penalty=st.sampled_from((1e-3, 0.5, 1.0, 2.0, 10.0)))
def test_bic_takes_half_the_logarithm_of_the_rows_off(scored: Scored, penalty: float) -> None:
    table, families = scored
    found = BIC(penalty=penalty).local_scores(NativeEngine(table), family_batch(families))
    for value, (child, parents) in zip(found.tolist(), families, strict=True):
        true = reference.bic(table, child, parents, penalty)
        assert reference.relative_error(value, true) <= TOLERANCE


@settings(max_examples=40)
@given(table=tables(min_columns=2), data=st.data())
def test_the_likelihood_never_falls_when_a_parent_is_added(
    table: Table, data: st.DataObject
) -> None:
    child, *others = data.draw(st.permutations(range(table.n_columns)))
    nested = [(child, others[:k]) for k in range(len(others) + 1)]
    found = LogLikelihood().local_scores(NativeEngine(table), family_batch(nested))
    assert (np.diff(found) >= -1e-12 * np.abs(found[:-1])).all()


def test_a_function_of_its_parents_has_likelihood_zero() -> None:
    rng = np.random.default_rng(1)
    a, b = rng.integers(0, 7, 5000), rng.integers(0, 300, 5000)
    table = make_table([a, b, (3 * a + b) % 5], [7, 300, 5])
    assert LogLikelihood().local_scores(NativeEngine(table), family_batch([(2, (0, 1))])) == [0.0]


@pytest.mark.parametrize("odd", [1, 2, 50])
def test_nearly_deterministic_data_keep_their_digits(odd: int) -> None:
    table = nearly_deterministic(odd)
    engine, batch = NativeEngine(table), family_batch([(0, (1,)), (1, (0,))])
    for score, twin in (
        (LogLikelihood(), reference.log_likelihood),
        (AIC(), reference.aic),
        (BIC(), reference.bic),
    ):
        found = score.local_scores(engine, batch)
        assert reference.relative_error(found[0], twin(table, 0, (1,))) <= TOLERANCE
        assert reference.relative_error(found[1], twin(table, 1, (0,))) <= TOLERANCE


def nearly_deterministic(odd: int, n_rows: int = 200_000) -> Table:
    x = np.arange(n_rows) % 3
    y = x.copy()
    y[:odd] = (y[:odd] + 1) % 3
    return make_table([x, y], [3, 3])


def test_one_row_is_enough() -> None:
    engine = NativeEngine(make_table([[1], [0], [0]], [2, 3, 1]))
    batch = Batch.families([(0, (1,)), (1, ()), (2, (0,))])
    assert LogLikelihood().local_scores(engine, batch).tolist() == [0, 0, 0]
    assert AIC().local_scores(engine, batch).tolist() == [-3, -2, 0]
    assert BIC().local_scores(engine, batch).tolist() == [0, 0, 0]


def test_more_parameters_than_a_float_can_count_cost_everything() -> None:
    n = 1100
    engine = NativeEngine(make_table([[0, 1]] * n + [[0, 0]], [2] * n + [1]))
    batch = family_batch([(0, range(1, n)), (n, range(n))])
    for score in (AIC(), BIC(), BIC(kappa=0.5)):
        assert score.local_scores(engine, batch).tolist() == [-math.inf, 0]
    assert BIC(kappa=1.0).local_scores(engine, batch).tolist() == [-math.inf, 0]
    assert LogLikelihood(kappa=1.0).local_scores(engine, batch).tolist() == [0, 0]


@pytest.mark.parametrize("penalty", [0, -1, math.nan, math.inf])
def test_a_penalty_that_is_no_price_is_refused(penalty: float) -> None:
    with pytest.raises(OptionError, match=f"penalty must be above 0 .* got {penalty}") as caught:
        BIC(penalty=penalty)
    assert isinstance(caught.value, BayesloomError)
    assert isinstance(caught.value, ValueError)
