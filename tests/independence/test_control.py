from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reference
from bayesloom.errors import OptionError
from bayesloom.independence import (
    LORD,
    SAFFRON,
    AlphaSpending,
    BenjaminiHochberg,
    Control,
    FixedAlpha,
)
from bayesloom.independence.control import _gamma_lord, _gamma_saffron, _Lord, _Saffron
from reference_control import lord_levels, saffron_levels

ALPHAS = (0.001, 0.05, 0.2, 1.0)

P_VALUES = st.lists(
    st.one_of(
        st.floats(0, 1),
        st.floats(-12, 0).map(lambda e: 10.0**e),
        st.sampled_from((0.0, 1e-300, 0.5, 1.0)),
    ),
    max_size=60,
)

Twin = Callable[[Sequence[float], float], list[bool]]

ONLINE: dict[type[Control], Twin] = {
    FixedAlpha: lambda p_values, alpha: [p <= alpha for p in p_values],
    AlphaSpending: reference.alpha_spending,
    LORD: lambda p_values, alpha: reference.lord(p_values, alpha, alpha / 2),
    SAFFRON: lambda p_values, alpha: reference.saffron(p_values, alpha, alpha / 2),
}

CONTROLS = (*ONLINE, BenjaminiHochberg)


@settings(max_examples=40)
@given(p_values=P_VALUES, alpha=st.sampled_from(ALPHAS))
@pytest.mark.parametrize("kind", ONLINE)
def test_decisions_are_those_of_the_definition(
    kind: type[Control], p_values: list[float], alpha: float
) -> None:
    assert kind(alpha).decider().decide(p_values) == ONLINE[kind](p_values, alpha)


@settings(max_examples=40)
@given(p_values=P_VALUES, alpha=st.sampled_from(ALPHAS))
def test_benjamini_hochberg_decides_as_defined(p_values: list[float], alpha: float) -> None:
    found = BenjaminiHochberg(alpha).decider().decide(p_values)
    assert found == reference.benjamini_hochberg(p_values, alpha)


@settings(max_examples=40)
@given(
    batches=st.lists(P_VALUES, max_size=5),
    wealth=st.sampled_from((0.1, 0.5, 0.9)),
    threshold=st.sampled_from((0.1, 0.5, 0.8)),
)
def test_wealth_and_threshold_enter_as_defined(
    batches: list[list[float]], wealth: float, threshold: float
) -> None:
    alpha = 0.2
    p_values = [p for batch in batches for p in batch]
    lord = LORD(alpha, wealth=wealth * alpha).decider().decide(p_values)
    assert lord == reference.lord(p_values, alpha, wealth * alpha)
    control = SAFFRON(alpha, wealth=wealth * alpha, threshold=threshold)
    true = reference.saffron(p_values, alpha, wealth * alpha, threshold)
    assert control.decider().decide(p_values) == true


@settings(max_examples=40)
@given(batches=st.lists(P_VALUES, max_size=6), alpha=st.sampled_from(ALPHAS))
@pytest.mark.parametrize("kind", ONLINE)
def test_online_rules_remember_across_batches(
    kind: type[Control], batches: list[list[float]], alpha: float
) -> None:
    decider = kind(alpha).decider()
    apart = [verdict for batch in batches for verdict in decider.decide(batch)]
    assert apart == kind(alpha).decider().decide([p for batch in batches for p in batch])


@settings(max_examples=40)
@given(batches=st.lists(P_VALUES, max_size=4), alpha=st.sampled_from(ALPHAS))
def test_benjamini_hochberg_forgets_between_batches(
    batches: list[list[float]], alpha: float
) -> None:
    control = BenjaminiHochberg(alpha)
    decider = control.decider()
    for batch in batches:
        assert decider.decide(batch) == control.decider().decide(batch)


@pytest.mark.parametrize("kind", CONTROLS)
def test_deciders_of_one_control_do_not_share_what_they_remember(kind: type[Control]) -> None:
    control = kind(0.2)
    first = control.decider().decide([1e-9, 0.01, 0.02, 0.5])
    assert control.decider().decide([1e-9, 0.01, 0.02, 0.5]) == first


@pytest.mark.parametrize("kind", CONTROLS)
def test_no_p_values_need_no_verdicts(kind: type[Control]) -> None:
    decider = kind().decider()
    assert decider.decide([]) == []
    assert decider.decide([1e-12]) == [True]
    assert decider.decide([]) == []


@pytest.mark.parametrize("kind", CONTROLS)
def test_verdicts_are_plain_booleans_for_arrays_too(kind: type[Control]) -> None:
    found = kind().decider().decide(np.array([1e-12, 0.9]))  # type: ignore[arg-type]
    assert found == [True, False]
    assert {type(verdict) for verdict in found} == {bool}


@pytest.mark.parametrize("m", [1, 2, 43, 81, 86, 1000])
@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.1])
def test_equal_p_values_at_the_level_are_all_rejected(m: int, alpha: float) -> None:
    assert BenjaminiHochberg(alpha).decider().decide([alpha] * m) == [True] * m


def test_a_later_p_value_may_carry_earlier_ones_over_the_line() -> None:
    assert BenjaminiHochberg(0.05).decider().decide([0.03, 0.045, 0.049, 0.05]) == [True] * 4
    assert BenjaminiHochberg(0.05).decider().decide([0.03, 0.045, 0.049, 0.06]) == [False] * 4


@pytest.mark.parametrize("gamma", [reference.gamma_lord, reference.gamma_saffron])
def test_the_levels_of_a_sequence_without_rejections_sum_to_at_most_alpha(
    gamma: Callable[[int], mpmath.mpf],
) -> None:
    assert 0.3 < mpmath.fsum(gamma(j) for j in range(1, 1001)) < 1


def test_a_rejection_earns_a_higher_level() -> None:
    weak = 0.002
    for control in (LORD(0.05), SAFFRON(0.05)):
        assert control.decider().decide([1.0, weak]) == [False, False]
        assert control.decider().decide([1e-9, 1e-9, weak]) == [True, True, True]


@settings(max_examples=40)
@given(p_values=P_VALUES)
def test_alpha_spending_rejects_only_what_lord_would_at_twice_the_level(
    p_values: list[float],
) -> None:
    spending = AlphaSpending(0.05).decider().decide(p_values)
    lord = LORD(0.1, wealth=0.05).decider().decide(p_values)
    assert all(b or not a for a, b in zip(spending, lord, strict=True))


@pytest.mark.parametrize("kind", CONTROLS)
@pytest.mark.parametrize("alpha", [0, -0.1, 1.01, math.nan])
def test_a_level_that_is_no_probability_is_refused(kind: type[Control], alpha: float) -> None:
    with pytest.raises(OptionError, match=f"alpha must be above 0 and at most 1, got {alpha}"):
        kind(alpha)


@pytest.mark.parametrize("kind", [LORD, SAFFRON])
@pytest.mark.parametrize("wealth", [0, 0.05, 0.06, -1, math.nan])
def test_wealth_outside_the_level_is_refused(kind: type[LORD | SAFFRON], wealth: float) -> None:
    with pytest.raises(OptionError, match=f"alpha, must be between 0 and 0.05, got {wealth}"):
        kind(0.05, wealth=wealth)


@pytest.mark.parametrize("threshold", [0, 1, -1, math.nan])
def test_a_threshold_that_separates_nothing_is_refused(threshold: float) -> None:
    with pytest.raises(OptionError, match=f"threshold must be between 0 and 1, got {threshold}"):
        SAFFRON(threshold=threshold)


def test_controls_are_values() -> None:
    assert FixedAlpha(0.05) == FixedAlpha() != FixedAlpha(0.01)
    assert len({LORD(), LORD(), SAFFRON(), BenjaminiHochberg()}) == 3


@settings(max_examples=40)
@given(p_values=P_VALUES, threshold=st.floats(0.05, 0.95))
def test_levels_are_those_of_the_slow_sums_to_twelve_digits(
    p_values: list[float], threshold: float
) -> None:
    lord, saffron = LORD(0.1).decider(), SAFFRON(0.1, threshold=threshold).decider()
    assert isinstance(lord, _Lord)
    assert isinstance(saffron, _Saffron)
    levels = []
    for p in p_values:
        most = (1 - threshold) * saffron.account.level(saffron.clock)
        levels.append((lord.account.level(lord.t + 1), min(threshold, most)))
        lord.decide([p])
        saffron.decide([p])
    places = np.arange(len(p_values) + 1.0).clip(min=1)
    gammas = [list(map(float, gamma(places))) for gamma in (_gamma_lord, _gamma_saffron)]
    slow = zip(
        lord_levels(p_values, 0.1, 0.05, gammas[0].__getitem__),
        saffron_levels(p_values, 0.1, 0.05, threshold, gammas[1].__getitem__),
        strict=True,
    )
    for found, known in zip(levels, slow, strict=True):
        assert found == pytest.approx(known, rel=1e-12)


@pytest.mark.parametrize("kind", [LORD, SAFFRON])
def test_a_decision_does_not_go_through_all_rejections_one_by_one(kind: type[Control]) -> None:
    def seconds(n: int) -> float:
        decider = kind(0.05).decider()
        started = time.process_time()
        assert all(decider.decide([1e-9] * n))
        return time.process_time() - started

    few, many = (min(seconds(n) for _ in range(3)) for n in (1_000, 10_000))
    assert many < 40 * few  # the twin takes 100 times as long


@pytest.mark.parametrize("kind", CONTROLS)
@pytest.mark.parametrize(
    "p_values", [None, 0.01, "0.1", ["a"], ["0.1"], [None], [[0.1]], [0.1, [0.2]], {0.1}, [1j]]
)
def test_what_is_no_list_of_numbers_is_refused(kind: type[Control], p_values: object) -> None:
    with pytest.raises(OptionError, match="p_values must be a list of numbers, got "):
        kind().decider().decide(p_values)  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", CONTROLS)
@pytest.mark.parametrize("wrong", [-1, 2, math.nan, math.inf, 1.0000001])
def test_what_is_no_probability_is_refused_with_its_position(
    kind: type[Control], wrong: float
) -> None:
    for p_values in ([0.5, wrong], np.array([0.5, wrong])):
        with pytest.raises(OptionError, match=r"must be from 0 to 1, got .* at position 1"):
            kind().decider().decide(p_values)  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", CONTROLS)
def test_no_p_values_are_no_decisions(kind: type[Control]) -> None:
    assert kind().decider().decide([]) == kind().decider().decide(()) == []


@given(
    st.sampled_from(CONTROLS),
    st.floats(0.001, 1),
    st.lists(st.lists(st.floats(0, 1) | st.floats(0, 0.01), max_size=30), max_size=5),
)
def test_p_values_above_indifference_might_as_well_be_1(
    kind: type[Control], alpha: float, batches: list[list[float]]
) -> None:
    exact, blurred = kind(alpha).decider(), kind(alpha).decider()
    for batch in batches:
        level = blurred.indifference
        told = np.array([p if p <= level else 1.0 for p in batch])
        assert blurred.rejects(told).tolist() == exact.decide(batch)
