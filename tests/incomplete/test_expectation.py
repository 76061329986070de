"""EM against a twin that enumerates completions, and what must hold of every run."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesloom.engine import Completions, StopSignal
from bayesloom.errors import OptionError
from bayesloom.incomplete import EM, EMRun, Halt, maximise
from bayesloom.incomplete.expectation import Smoothing, available_tables, run_from
from bayesloom.model import BDeuMean, Laplace, MaximumLikelihood
from reference_incomplete import em
from strategies_incomplete import Incomplete, incomplete, table_of

ESTIMATORS = st.sampled_from([MaximumLikelihood(), Laplace(0.5), BDeuMean(ess=2.0)])


@given(incomplete(), ESTIMATORS, st.integers(1, 4))
def test_every_step_is_that_of_a_twin_that_enumerates_completions(
    case: Incomplete, estimator: Smoothing, steps: int
) -> None:
    rows = Completions(case.table, case.parents)
    found = run_from(rows, estimator, EM(tolerance=1e-300, max_steps=steps), list(case.tables))
    added = [estimator.added(table.shape) for table in case.tables]
    done = len(found.values)
    wanted, values = em(case.rows, case.sizes, case.families, case.tables, added=added, steps=done)
    np.testing.assert_allclose(found.values, values, rtol=1e-9, atol=1e-9)
    for mine, theirs in zip(found.tables, wanted, strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=0, atol=1e-8)


@given(incomplete(most_rows=30), ESTIMATORS)
def test_the_value_never_falls(case: Incomplete, estimator: Smoothing) -> None:
    rows = Completions(case.table, case.parents)
    found, _ = maximise(rows, estimator, EM(tolerance=1e-12, max_steps=60, starts=2))
    for before, after in zip(found.values, found.values[1:], strict=False):
        assert after >= before - 1e-9 * max(1e-3, abs(before))  # 0, rounded, if nothing is known


@given(incomplete(), ESTIMATORS)
def test_complete_rows_take_one_step_and_give_the_plain_estimate(
    case: Incomplete, estimator: Smoothing
) -> None:
    full: list[list[int | None]] = [[x or 0 for x in row] for row in case.rows]
    rows = Completions(table_of(full, case.sizes), case.parents)
    found, starts = maximise(rows, estimator, EM())
    assert (len(found.values), starts, found.halt) == (1, 1, Halt.CONVERGED)
    for table, counts in zip(found.tables, rows.known, strict=True):
        assert (table == estimator.probabilities(counts)).all()  # to the last bit


def test_a_latent_class_is_found_again() -> None:
    """Two classes, four binary features: the parameters that the expected table was made of."""
    prior = np.array([0.3, 0.7])
    yes = np.array([[0.9, 0.2], [0.8, 0.1], [0.85, 0.3], [0.7, 0.15]])  # feature, class
    rows: list[list[int | None]] = []
    for pattern in np.ndindex(2, 2, 2, 2):
        likelihood = [
            prior[c] * math.prod(yes[f, c] if x else 1 - yes[f, c] for f, x in enumerate(pattern))
            for c in (0, 1)
        ]
        rows += [[None, *pattern]] * round(100_000 * sum(likelihood))
    ready = Completions(table_of(rows, [2] * 5), [0, 1, 1, 1, 1])
    found, starts = maximise(ready, MaximumLikelihood(), EM(tolerance=1e-13, max_steps=3000))
    assert starts == 10
    first = int(found.tables[0].argmin())
    np.testing.assert_allclose(np.sort(found.tables[0]), np.sort(prior), atol=2e-3)
    for f in range(4):
        np.testing.assert_allclose(found.tables[f + 1][first, 1], yes[f, 0], atol=2e-3)


def test_the_blood_groups_of_a_textbook() -> None:
    """Gene counting: frequencies of the alleles A, B, O from 521 people in four groups.

    Phenotypes 186 A, 38 B, 13 AB, 284 O; the maximum-likelihood frequencies are 0.2136, 0.0501 and
    0.7363 (K. Lange: Numerical Analysis for Statisticians, chapter on EM).
    """
    groups = {0: 186, 1: 38, 2: 13, 3: 284}  # A, B, AB, O
    shown = np.zeros((3, 3, 4))
    for a in range(3):
        for b in range(3):
            pair = {a, b}
            group = 2 if pair == {0, 1} else 0 if 0 in pair else 1 if 1 in pair else 3
            shown[a, b, group] = 1.0
    p = np.array([0.3, 0.2, 0.5])
    rows: list[list[int | None]] = [[None, None, g] for g, n in groups.items() for _ in range(n)]
    ready = Completions(table_of(rows, [3, 3, 4]), [0, 0, 0b11])
    for _ in range(60):
        counts, _ = ready.expect([p, p, shown])
        both = counts[0] + counts[1]  # the two genes have the same frequencies
        p = both / both.sum()
    np.testing.assert_allclose(p, [0.2136, 0.0501, 0.7363], atol=5e-5)


def test_random_starts_are_the_same_for_a_seed_and_others_for_another() -> None:
    rows: list[list[int | None]] = [[None, k % 2, k % 3 > 0] for k in range(30)]
    ready = Completions(table_of(rows, [2, 2, 2]), [0, 1, 1])
    runs = [
        maximise(ready, BDeuMean(), EM(max_steps=1, starts=1, seed=seed))[0].values
        for seed in (0, 0, 1)
    ]
    assert runs[0] == runs[1] != runs[2]


def test_more_starts_are_never_worse() -> None:
    rng = np.random.default_rng(0)
    rows: list[list[int | None]] = [[None, *rng.integers(0, 3, 3).tolist()] for _ in range(60)]
    ready = Completions(table_of(rows, [3] * 4), [0, 1, 1, 1])
    one, several = (maximise(ready, Laplace(0.1), EM(starts=n))[0].value for n in (1, 8))
    assert several >= one


def test_what_is_known_is_the_start() -> None:
    rows: list[list[int | None]] = [[0, 0], [0, 0], [1, None], [None, 1]]
    ready = Completions(table_of(rows, [2, 2]), [0, 1])
    np.testing.assert_allclose(available_tables(ready)[1][0], [2.5 / 3, 0.5 / 3])


def test_a_signal_keeps_what_there_is_so_far() -> None:
    rows: list[list[int | None]] = [[0, None], [None, 1], [1, 1]]
    ready = Completions(table_of(rows, [2, 2]), [0, 1])
    signal = StopSignal()
    steps = []

    def stop_at_third(step: int, value: float) -> None:
        steps.append((step, value))
        if step == 3:
            signal.set()

    found, _ = maximise(ready, Laplace(), EM(tolerance=1e-300), stop=signal, report=stop_at_third)
    assert (found.halt, len(found.values)) == (Halt.STOPPED, 3)
    assert steps == list(enumerate(found.values, start=1))
    at_once, _ = maximise(ready, Laplace(), EM(), stop=signal)
    assert (at_once.halt, at_once.values) == (Halt.STOPPED, ())
    assert (at_once.tables[1] == available_tables(ready)[1]).all()


@pytest.mark.parametrize(
    "wrong", [{"tolerance": 0}, {"max_steps": 0}, {"starts": 0}, {"seed": -1}, {"seed": "1"}]
)
def test_options_are_checked(wrong: dict[str, object]) -> None:
    with pytest.raises(OptionError, match=next(iter(wrong))):
        EM(**wrong)  # type: ignore[arg-type]


def test_a_record_survives_as_plain_data_and_tells_itself() -> None:
    run = EMRun(-12.5, (-14.0, -13.5), Halt.STEP_LIMIT, 1, starts=3)
    assert EMRun.from_dict(run.to_dict()) == run
    assert str(run) == (
        "EM over 1 missing cell: 2 steps from the best of 3 starts, log-likelihood -12.5000, "
        "the step limit was reached"
    )
