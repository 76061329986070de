"""Whether chains have converged: R-hat and effective sample size."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from bayesloom.arrays import Floats


def r_hat(traces: Floats) -> float:
    """Return the split R-hat of traces, one row per chain: near 1 if all halves tell the same.

    References
    ----------
    A. Gelman and others: Bayesian Data Analysis, 3rd edition, section 11.4.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> r_hat(rng.normal(size=(3, 1000))) < 1.01, r_hat(np.array([[0.0] * 10, [1.0] * 10]))
    (True, inf)
    """
    length = traces.shape[1] // 2
    if length < 2:  # noqa: PLR2004 - a spread needs two
        return float("nan")
    halves = np.concatenate([traces[:, :length], traces[:, -length:]])
    return float(r_hat_of(halves.mean(axis=1), halves.var(axis=1, ddof=1), length))


def r_hat_of(means: Floats, variances: Floats, length: int) -> Floats:
    """Return R-hat from the means and variances of equally long pieces, along the first axis."""
    within = variances.mean(axis=0)
    between = means.var(axis=0, ddof=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        found = np.sqrt((length - 1) / length + between / within)
    found = np.where(within > _NOTHING, found, np.where(between > _NOTHING, np.inf, 1.0))
    return np.asarray(found, np.float64)


_NOTHING = 1e-24


def effective_size(traces: Floats) -> float:
    """Return the effective sample size of traces, one row per chain, all chains together.

    Autocorrelations are summed in pairs as long as the pairs are positive and fall.

    References
    ----------
    C. Geyer: Practical Markov chain Monte Carlo, Statistical Science 7, 1992.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> 2500 < effective_size(rng.normal(size=(3, 1000))) <= 3000
    True
    """
    chains, length = traces.shape
    if length < 4:  # noqa: PLR2004 - two pairs
        return float("nan")
    centred = traces - traces.mean(axis=1, keepdims=True)
    power = np.abs(np.fft.rfft(centred, 2 * length, axis=1)) ** 2
    covariance = np.fft.irfft(power, axis=1)[:, :length].mean(axis=0) / length
    between = 0.0 if chains == 1 else float(traces.mean(axis=1).var(ddof=1))
    variance = float(covariance[0]) + between
    if variance <= _NOTHING:
        return float(chains * length)
    rho = 1 - (covariance[0] - covariance) / variance
    rho[0] = 1.0
    pairs = rho[0 : length - 1 : 2] + rho[1:length:2]
    ends = np.flatnonzero(pairs <= 0)
    kept = np.minimum.accumulate(pairs[: ends[0] if len(ends) else len(pairs)])
    return float(min(chains * length, chains * length / max(2 * kept.sum() - 1, 1e-12)))


@dataclass(slots=True)
class HalfMoments:
    """Means and spreads of a matrix over the two halves of a chain, without keeping samples."""

    samples: int
    sums: list[Floats] = field(default_factory=list)
    squares: list[Floats] = field(default_factory=list)
    seen: int = 0

    def add(self, sample: Floats) -> None:
        """Take the next sample; with an odd number the middle one belongs to no half."""
        if not self.sums:
            self.sums = [np.zeros_like(sample) for _ in range(3)]
            self.squares = [np.zeros_like(sample) for _ in range(3)]
        length = self.samples // 2
        half = 0 if self.seen < length else 1 if self.seen >= self.samples - length else 2
        self.sums[half] += sample
        self.squares[half] += sample * sample
        self.seen += 1

    @property
    def mean(self) -> Floats:
        """The mean of all samples."""
        total: Floats = sum(self.sums[1:], self.sums[0])
        return total / self.seen

    def halves(self) -> list[tuple[Floats, Floats]]:
        """Return mean and variance of both halves."""
        n = self.samples // 2
        return [
            (sums / n, np.maximum(squares / n - (sums / n) ** 2, 0) * n / (n - 1))
            for sums, squares in zip(self.sums[:2], self.squares[:2], strict=True)
        ]
