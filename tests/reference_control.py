"""The levels of LORD and SAFFRON as sums over all rejections so far: obvious, and quadratic."""

from __future__ import annotations

from collections.abc import Callable, Sequence

Gamma = Callable[[int], float]


def lord_levels(
    p_values: Sequence[float], alpha: float, wealth: float, gamma: Gamma
) -> list[float]:
    rejected_at: list[int] = []
    levels = []
    for t, p in enumerate(p_values, 1):
        earned = sum(gamma(t - tau) for tau in rejected_at[1:])
        first = gamma(t - rejected_at[0]) if rejected_at else 0.0
        levels.append(gamma(t) * wealth + (alpha - wealth) * first + alpha * earned)
        rejected_at += [t] * (p <= levels[-1])
    return levels


def saffron_levels(
    p_values: Sequence[float], alpha: float, wealth: float, threshold: float, gamma: Gamma
) -> list[float]:
    candidates = 0
    rejected_at: list[tuple[int, int]] = []  # the time, and the candidates by then, with itself
    levels = []
    for t, p in enumerate(p_values, 1):
        waits = [t - tau - (candidates - had) for tau, had in rejected_at]
        earned = sum(gamma(wait) for wait in waits[1:])
        first = gamma(waits[0]) if waits else 0.0
        spent = gamma(t - candidates) * wealth
        level = spent + (alpha - wealth) * first + alpha * earned
        levels.append(min(threshold, (1 - threshold) * level))
        candidates += p <= threshold
        rejected_at += [(t, candidates)] * (p <= levels[-1])
    return levels
