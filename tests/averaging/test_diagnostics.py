"""R-hat and effective sizes where they are known."""

from __future__ import annotations

import numpy as np
import pytest

from bayesloom.averaging.diagnostics import HalfMoments, effective_size, r_hat, r_hat_of


def autoregressive(rng: np.random.Generator, phi: float, shape: tuple[int, int]) -> np.ndarray:
    noise = rng.normal(size=shape)
    found = np.zeros(shape)
    found[:, 0] = noise[:, 0] / np.sqrt(1 - phi * phi)
    for t in range(1, shape[1]):
        found[:, t] = phi * found[:, t - 1] + noise[:, t]
    return found


@pytest.mark.parametrize("phi", [0.0, 0.5, 0.9])
def test_the_effective_size_of_an_autoregressive_chain_is_the_one_of_the_textbook(
    phi: float,
) -> None:
    traces = autoregressive(np.random.default_rng(2), phi, (4, 20_000))
    assert effective_size(traces) == pytest.approx(80_000 * (1 - phi) / (1 + phi), rel=0.12)


def test_chains_apart_have_a_large_r_hat() -> None:
    rng = np.random.default_rng(1)
    together = rng.normal(size=(3, 500))
    assert r_hat(together) < 1.01
    # Six halves with means 0, 0, 0, 0, 2, 2 have a variance of 16 / 15 between them, and 1 within.
    apart = together + np.array([[0.0], [0.0], [2.0]])
    assert r_hat(apart) == pytest.approx(np.sqrt(1 + 16 / 15), rel=0.02)
    assert r_hat(np.linspace(0, 5, 500) + together) > 1.4  # not at rest


def test_half_moments_are_those_of_the_samples() -> None:
    samples = np.random.default_rng(1).normal(size=(11, 2, 2))
    moments = HalfMoments(11)
    for sample in samples:
        moments.add(sample)
    assert moments.mean == pytest.approx(samples.mean(axis=0))
    (first, spread), (second, _) = moments.halves()
    assert first == pytest.approx(samples[:5].mean(axis=0))
    assert second == pytest.approx(samples[6:].mean(axis=0))
    assert spread == pytest.approx(samples[:5].var(axis=0, ddof=1))
    traces = samples[:, 0, 1][None, :]
    halves = moments.halves()
    found = r_hat_of(np.array([m for m, _ in halves]), np.array([v for _, v in halves]), 5)
    assert found[0, 1] == pytest.approx(r_hat(traces))
