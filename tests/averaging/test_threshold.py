"""The threshold of Scutari and Nagarajan."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar

from bayesloom.averaging import significance_threshold
from reference_averaging import step_distance


def height_of(strengths: list[float], threshold: float) -> float:
    return sum(s <= threshold for s in strengths) / len(strengths)


def test_the_example_of_the_paper_has_its_threshold() -> None:
    """Section 3 of the paper: the inverse of F-hat at 0.4999816 is 0.3921; three are left."""
    strengths = [0.0460, 0.2242, 0.3921, 0.7689, 0.8935, 0.9439]
    threshold = significance_threshold(strengths)
    assert threshold == 0.3921
    assert sum(s > threshold for s in strengths) == 3


@given(st.lists(st.integers(0, 20).map(lambda k: k / 20), min_size=1, max_size=30))
def test_no_step_is_nearer_than_one_of_those_that_give_the_threshold(
    strengths: list[float],
) -> None:
    """Compared with a numerical search for the minimum, as R bnlearn makes it."""
    found = minimize_scalar(lambda p: step_distance(strengths, p), bounds=(0, 1), method="bounded")
    least = min(found.fun, step_distance(strengths, 0), step_distance(strengths, 1))
    threshold = significance_threshold(strengths)
    assert threshold in strengths
    # Heights from just above that of the next lower strength up to its own give this threshold.
    lower = [s for s in strengths if s < threshold]
    below = height_of(strengths, max(lower)) if lower else 0.0
    heights = np.linspace(below, height_of(strengths, threshold), 50)
    assert min(step_distance(strengths, float(p)) for p in heights) <= least + 1e-5


def test_sure_edges_are_told_from_sure_absences() -> None:
    assert significance_threshold([0.0] * 90 + [1.0] * 10) == 0.0


def test_nothing_has_the_threshold_0() -> None:
    assert significance_threshold([]) == 0.0
