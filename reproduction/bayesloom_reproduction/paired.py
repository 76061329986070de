"""Paired tests, two-sided: of equal means (t-test) and of equal spreads (Pitman and Morgan)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import correlation

_TINY = 1e-300
_ENOUGH = 500


@dataclass(frozen=True, slots=True)
class Paired:
    """A paired comparison: how many pairs, the mean difference and the p-value."""

    n: int
    difference: float
    p: float

    def verdict(self, level: float = 0.05) -> int:
        """Return 1 if the first is significantly larger, -1 if it is smaller, else 0."""
        return 0 if not self.p < level else (1 if self.difference > 0 else -1)


def paired_t_test(first: Sequence[float], second: Sequence[float]) -> Paired:
    """Test whether the mean of the differences is 0; pairs that are not finite are left out.

    Parameters
    ----------
    first, second : sequence of float
        The pairs.

    Returns
    -------
    Paired
        With p = 1 if there are fewer than two pairs or no differences.

    Examples
    --------
    >>> found = paired_t_test([1.0, 2.0, 3.0, 4.5], [0.5, 1.0, 2.5, 3.0])
    >>> found.difference, round(found.p, 4)
    (0.875, 0.0354)
    """
    pairs = zip(first, second, strict=True)
    gaps = [a - b for a, b in pairs if math.isfinite(a) and math.isfinite(b)]
    n = len(gaps)
    middle = math.fsum(gaps) / n if n else 0.0
    spread = math.fsum((gap - middle) ** 2 for gap in gaps)
    if n < 2 or (spread == 0 and middle == 0):  # noqa: PLR2004 - a spread needs two
        return Paired(n, middle, 1.0)
    if spread == 0:
        return Paired(n, middle, 0.0)
    t = middle / math.sqrt(spread / (n - 1) / n)
    return Paired(n, middle, student_tails(t, n - 1))


def equal_spreads(first: Sequence[float], second: Sequence[float]) -> float:
    """Return the p-value of the hypothesis that paired values spread equally.

    Sum and difference are uncorrelated if and only if the variances are equal [1]_. Fewer than
    three pairs, or pairs that differ by a constant, say nothing: p = 1.

    References
    ----------
    .. [1] W. A. Morgan, A test for the significance of the difference between the two variances in
       a sample from a normal bivariate population, Biometrika 31, 1939.

    Examples
    --------
    >>> round(equal_spreads([1.0, 2.0, 3.0, 4.0], [2.5, 2.0, 3.0, 2.6]), 4)
    0.1606
    """
    sums, gaps = ([a + sign * b for a, b in zip(first, second, strict=True)] for sign in (1, -1))
    freedom = len(sums) - 2
    if freedom < 1 or min(gaps) == max(gaps) or min(sums) == max(sums):
        return 1.0
    r = correlation(sums, gaps)
    return student_tails(r * math.sqrt(freedom / (1 - r * r)), freedom) if abs(r) < 1 else 0.0


def student_tails(t: float, df: float) -> float:
    """Return the chance that Student's t is further from 0 than ``t``.

    Examples
    --------
    >>> round(student_tails(2.0, 10), 6)
    0.073388
    """
    square = t * t
    if square < 1:  # so that the small part is the exact one
        return 1 - _incomplete_beta(0.5, df / 2, square / (df + square))
    return _incomplete_beta(df / 2, 0.5, df / (df + square))


def _incomplete_beta(a: float, b: float, x: float) -> float:
    """Return the regularised incomplete beta function by its continued fraction."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - _incomplete_beta(b, a, 1 - x)
    front = math.exp(
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
        + a * math.log(x) + b * math.log1p(-x)
    )  # fmt: skip
    c, d = 1.0, 1 / _away(1 - (a + b) * x / (a + 1))
    value = d
    for m in range(1, _ENOUGH):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even, odd):
            d = 1 / _away(1 + term * d)
            c = _away(1 + term / c)
            value *= c * d
        if abs(c * d - 1) < 1e-15:  # noqa: PLR2004 - as exact as numbers are
            break
    return front * value / a


def _away(value: float) -> float:
    """Keep a divisor away from 0."""
    return value if abs(value) > _TINY else _TINY
