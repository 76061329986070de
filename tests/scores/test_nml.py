from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reference
from bayesloom.data import Table
from bayesloom.engine import NativeEngine
from bayesloom.errors import CapacityError, OptionError
from bayesloom.graphs import DAG
from bayesloom.scores import FNML, QNML, BDm, BDs, LogLikelihood
from bayesloom.scores.nml import regrets_of
from bayesloom.scores.score import family_batch
from strategies import Family, make_table, scored_tables, tables

TOLERANCE = 1e-12

SWITCH = 1 << 16

Scored = tuple[Table, list[Family]]


def log_regrets(n: int, *states: float) -> list[float]:
    found: list[float] = regrets_of(n)(np.array(states, float)).tolist()
    return found


@pytest.mark.parametrize("n", [1, 2, 3, 7, 30])
def test_regrets_are_the_sum_of_all_maximal_likelihoods(n: int) -> None:
    for k, found in enumerate(log_regrets(n, *range(1, 6)), 1):
        assert abs(found - mpmath.log(reference.regret(n, k))) <= 1e-15 * max(1, found)


@pytest.mark.parametrize("n", [1, 10, 999, 1023, 1024, 1025, 5000])
def test_regrets_hold_their_digits_along_the_recurrence(n: int) -> None:
    asked = (1, 2, 3, 10, 100, 2000)
    for k, found in zip(asked, log_regrets(n, *asked), strict=True):
        assert reference.relative_error(found, reference.log_regrets(n, 2000)[k]) <= TOLERANCE


@pytest.mark.parametrize("n", [10**6, 10**9, 10**15])
def test_two_states_of_many_rows_follow_ramanujan(n: int) -> None:
    # C(n, 2) - 1 and its complement add to n! e^n / n^n and differ by 2/3 + 8/(135 n) + O(1/n^2).
    with mpmath.workdps(60):
        m = mpmath.mpf(n)
        both = mpmath.exp(mpmath.loggamma(m + 1) + m - m * mpmath.log(m))
        true = 1 + (both - mpmath.mpf(2) / 3 - 8 / (135 * m)) / 2
        (found,) = log_regrets(n, 2)
        assert reference.relative_error(found, mpmath.log(true)) <= TOLERANCE


@pytest.mark.few(2)
@pytest.mark.parametrize("n", [1, 20, 500, 5000])
def test_the_approximation_of_huge_tables_is_off_by_less_than_a_fifth_per_state(n: int) -> None:
    with mpmath.workdps(30):
        exact = reference.log_regrets(n, SWITCH + 40_000)
        for k in (SWITCH - 1, SWITCH):
            assert abs(log_regrets(n, k)[0] - exact[k]) <= 1e-12 * exact[k]
        for k in (SWITCH + 1, SWITCH + 1000, SWITCH + 40_000):
            (found,) = log_regrets(n, k)
            assert abs(found - exact[k]) <= 0.2 / k
            assert reference.relative_error(found, reference.approximate_log_regret(n, k)) <= 1e-14


@pytest.mark.parametrize("k", [1.0, 2.0, 1e5, 1e30, 1e300])
def test_one_row_regrets_the_number_of_states(k: float) -> None:
    assert log_regrets(1, k)[0] == pytest.approx(math.log(k), rel=1e-9)
    assert log_regrets(0, k) == [0.0]


@pytest.mark.parametrize("k", [0.0, 0.5, -1.0, math.nan, math.inf])
def test_regrets_of_no_states_are_refused(k: float) -> None:
    with pytest.raises(ValueError, match="at least one state"):
        log_regrets(5, k)


@settings(max_examples=60)
@given(scored=scored_tables())
def test_qnml_is_its_definition(scored: Scored) -> None:
    table, families = scored
    found = QNML().local_scores(NativeEngine(table), family_batch(families))
    for value, (child, parents) in zip(found.tolist(), families, strict=True):
        assert reference.relative_error(value, reference.qnml(table, child, parents)) <= TOLERANCE


@settings(max_examples=60)
@given(scored=scored_tables())
def test_fnml_is_its_definition(scored: Scored) -> None:
    table, families = scored
    found = FNML().local_scores(NativeEngine(table), family_batch(families))
    for value, (child, parents) in zip(found.tolist(), families, strict=True):
        assert reference.relative_error(value, reference.fnml(table, child, parents)) <= TOLERANCE


@settings(max_examples=30)
@given(scored=scored_tables(), guard=st.sampled_from((0.1, 1.0, 7.0)))
def test_a_guard_is_a_price_per_free_parameter(scored: Scored, guard: float) -> None:
    table, families = scored
    engine, batch = NativeEngine(table), family_batch(families)
    plain, guarded = (QNML(guard=g).local_scores(engine, batch) for g in (0.0, guard))
    price = guard / math.sqrt(table.n_rows)
    np.testing.assert_allclose(plain - guarded, price * engine.free_parameters(batch), rtol=1e-9)
    prior = QNML(kappa=math.exp(-price)).local_scores(engine, batch)
    np.testing.assert_allclose(prior, guarded, rtol=1e-12)


@settings(max_examples=40)
@given(table=tables(min_columns=3), data=st.data())
def test_more_parents_never_score_above_what_fewer_parents_cost(
    table: Table, data: st.DataObject
) -> None:
    child, *others = data.draw(st.permutations(range(table.n_columns)))
    engine, r = NativeEngine(table), len(table.states[child])
    nested = family_batch([(child, others[:k]) for k in range(len(others) + 1)])
    likelihood = LogLikelihood().local_scores(engine, nested)
    found = QNML().local_scores(engine, nested)
    price = likelihood - found
    assert (np.diff(price) >= -3e-6).all()
    shown = np.array(
        [len(reference.counts(table, others[:k])) for k in range(len(others) + 1)], float
    )
    for score in (QNML(), FNML(), BDs(ess=1), BDs(ess=20), BDm()):
        values = score.local_scores(engine, nested)
        bound = -price if isinstance(score, QNML) else -shown * math.log(r)
        for k in range(len(nested)):
            assert (values[k:] <= bound[k] + 3e-6).all()


@pytest.mark.parametrize("n_rows", [1, 300])
def test_families_of_more_cells_than_numbers_count_are_scored(n_rows: int) -> None:
    rng = np.random.default_rng(3)
    table = make_table(list(rng.integers(0, 2, (81, n_rows))), [3] + [2] * 80)
    family = (0, tuple(range(1, 81)))
    engine, batch = NativeEngine(table), family_batch([family])
    found = QNML().local_scores(engine, batch)[0]
    assert reference.relative_error(found, reference.qnml(table, *family)) <= 1e-11
    found = FNML().local_scores(engine, batch)[0]
    assert reference.relative_error(found, reference.fnml(table, *family)) <= TOLERANCE


def test_a_family_beyond_all_numbers_is_refused_with_its_name() -> None:
    rng = np.random.default_rng(3)
    table = make_table(list(rng.integers(0, 2, (1101, 5))), [2] * 1101)
    with pytest.raises(CapacityError, match=r"a family of 'v0' has more than 1e308 cells"):
        QNML().local_scores(NativeEngine(table), family_batch([(0, range(1, 1101))]))


@pytest.mark.parametrize("guard", [-0.1, math.nan, math.inf, 1e200])
def test_a_guard_that_is_no_price_is_refused(guard: float) -> None:
    with pytest.raises(OptionError, match="guard must be"):
        QNML(guard=guard)


def test_explanations_name_the_regret(learning_test: Table) -> None:
    dag = DAG.from_edges([("A", "B"), ("A", "D"), ("C", "D")], list("ABCDEF"))
    for score, name in ((QNML(guard=0.2), "qnml"), (FNML(), "fnml"), (BDs(ess=1), "bds")):
        told = str(score.explain(learning_test, dag))
        assert told.startswith(f"{name}: {score.formula}")
    assert "guard = 0.2" in str(QNML(guard=0.2).explain(learning_test, dag))
