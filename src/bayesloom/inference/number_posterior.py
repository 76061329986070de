"""The distribution of a number given evidence: an exact mixture of normals."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bayesloom.arrays import Floats
from bayesloom.errors import check_number
from bayesloom.grid import Grid, NamedColumns, Tabular, label
from bayesloom.inference.case import Known
from bayesloom.inference.posterior import evidence_notes, title_of

_NOTHING = Known()
_SHOWN = 4  # components on one line
_STEPS = 200  # of bisection; a float needs fewer


class NormalComponent(NamedTuple):
    """A normal distribution and its share of a mixture."""

    weight: float
    mean: float
    sd: float


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class NumberPosterior(Tabular):
    """The distribution of one number given the evidence, as a mixture of normal distributions.

    There is one component for each configuration of the categories that the number depends on and
    that are not known; with one component it is a normal distribution. As a frame it has the
    columns ``weight``, ``mean`` and ``sd``.

    Parameters
    ----------
    variable : str
        The variable.
    weights, means, sds : array
        The components, the heaviest first; read-only.
    log_evidence : float
        The natural logarithm of the density of the evidence.
    known : Known
        The evidence.

    Examples
    --------
    >>> weights, means, sds = np.array([0.75, 0.25]), np.array([10.0, 30.0]), np.array([1.0, 2.0])
    >>> income = NumberPosterior("income", weights, means, sds, 0.0)
    >>> income.mean, round(income.sd, 3)
    (15.0, 8.761)
    >>> low, high = income.interval(0.9)
    >>> round(low, 3), round(high, 3)
    (8.499, 31.683)
    >>> round(income.density(10.0), 4), round(income.probability(20.0), 6)
    (0.2992, 0.75)
    >>> income
    income: mean 15, sd 8.7607, mixture of 2 normals
    >>> income.components[1]
    NormalComponent(weight=0.25, mean=30.0, sd=2.0)
    """

    variable: str
    weights: Floats
    means: Floats
    sds: Floats
    log_evidence: float
    known: Known = _NOTHING

    @property
    def mean(self) -> float:
        """The mean."""
        return math.fsum((self.weights * self.means).tolist())

    @property
    def variance(self) -> float:
        """The variance: that within the components and that between them."""
        away = self.means - self.mean
        return math.fsum((self.weights * (self.sds**2 + away**2)).tolist())

    @property
    def sd(self) -> float:
        """The standard deviation."""
        return math.sqrt(self.variance)

    @property
    def components(self) -> tuple[NormalComponent, ...]:
        """The normal distributions that it is a mixture of, the heaviest first."""
        columns = (self.weights.tolist(), self.means.tolist(), self.sds.tolist())
        return tuple(NormalComponent(*parts) for parts in zip(*columns, strict=True))

    def density(self, x: npt.ArrayLike) -> float | Floats:
        """Return the density at a point, or at each of several; infinite where all is certain."""
        return self._at(x, mixture_density)

    def probability(self, x: npt.ArrayLike) -> float | Floats:
        """Return the probability of a value of at most ``x``, or of each of several."""
        return self._at(x, mixture_distribution)

    def quantile(self, p: float) -> float:
        """Return the value below which the probability is ``p``.

        Raises
        ------
        OptionError
            If ``p`` is not between 0 and 1.
        """
        check_number("p", p, above=0, below=1)
        ends = [
            mean + sd * NormalDist().inv_cdf(p)
            for mean, sd in zip(self.means.tolist(), self.sds.tolist(), strict=True)
        ]
        low, high = float(min(ends)), float(max(ends))
        for _ in range(_STEPS):
            middle = low + (high - low) / 2
            if not low < middle < high:
                break
            if float(self._at(middle, mixture_distribution)) < p:
                low = middle
            else:
                high = middle
        return high

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Return the central interval that holds the number with a probability.

        Parameters
        ----------
        level : float, default 0.95
            The probability; what is left is shared by both sides.
        """
        check_number("level", level, above=0, below=1)
        return self.quantile((1 - level) / 2), self.quantile((1 + level) / 2)

    def to_dict(self) -> dict[str, object]:
        """Return the answer in the form of ``bayesloom query --json``.

        Examples
        --------
        >>> one = np.ones(1)
        >>> NumberPosterior("age", one, 40 * one, 0 * one, 0.0).to_dict()["interval"]
        [40.0, 40.0]
        """
        return {
            "target": self.variable,
            "mean": self.mean,
            "sd": self.sd,
            "interval": list(self.interval()),
            "components": [part._asdict() for part in self.components],
            "evidence_log_density": self.log_evidence,
        }

    def _at(
        self, x: npt.ArrayLike, of: Callable[[Floats, Floats, Floats], Floats]
    ) -> float | Floats:
        points = np.asarray(x, np.float64)
        found: Floats = of(points[..., None], self.means, self.sds) @ self.weights
        return float(found) if points.ndim == 0 else found

    def __repr__(self) -> str:
        told = f"{title_of([self.variable], self.known, plain=True)}: {self._moments()}"
        return "; ".join([told, *evidence_notes(self.known, self.log_evidence)])

    def _moments(self) -> str:
        n = len(self.weights)
        shape = f", mixture of {n:,} normals" if n > 1 else ""
        return f"mean {self.mean:.6g}, sd {self.sd:.5g}{shape}"

    def _columns(self) -> NamedColumns:
        return [
            ("weight", self.weights.tolist()),
            ("mean", self.means.tolist()),
            ("sd", self.sds.tolist()),
        ]

    def _grid(self, most: int | None) -> Grid:
        low, high = self.interval()
        rows: list[tuple[str, ...]] = [
            (label("mean"), f"{self.mean:.6g}"),
            (label("sd"), f"{self.sd:.6g}"),
            (label("95 % interval"), f"{low:.6g} to {high:.6g}"),
        ]
        n = len(self.weights)
        shown = min(n, _SHOWN if most is None else max(1, most))
        if n > 1:
            rows += [
                (label(f"component {k + 1}"), f"{w:.4g} x normal({mean:.6g}, sd {sd:.5g})")
                for k, (w, mean, sd) in enumerate(self.components[:shown])
            ]
        return Grid(
            title_of([self.variable], self.known, plain=True),
            (label(self.variable), "value"),
            rows,
            1,
            more=n - shown if n > 1 else 0,
            noun="component",
            notes=evidence_notes(self.known, self.log_evidence),
        )


def mixture(
    variable: str,
    parts: tuple[Floats, Floats, Floats],
    log_evidence: float,
    known: Known = _NOTHING,
) -> NumberPosterior:
    """Return the posterior of a number from weights, means and variances, in any order.

    Components without weight are left out, and equal ones are added up.

    Examples
    --------
    >>> half, means = np.array([0.5, 0.5, 0.0]), np.array([1.0, 1.0, 7.0])
    >>> mixture("age", (half, means, np.full(3, 4.0)), 0.0).components
    (NormalComponent(weight=1.0, mean=1.0, sd=2.0),)
    """
    weights, means, variances = (part.ravel() for part in parts)
    there = weights > 0
    pairs = np.stack([means[there], variances[there]], axis=1)
    distinct, which = np.unique(pairs, axis=0, return_inverse=True)
    total = np.bincount(which.ravel(), weights[there], len(distinct))
    order = np.lexsort((distinct[:, 1], distinct[:, 0], -total))
    arrays = (total[order] / total.sum(), distinct[order, 0], np.sqrt(distinct[order, 1]))
    for array in arrays:
        array.flags.writeable = False
    return NumberPosterior(variable, *arrays, log_evidence, known)


def mixture_density(x: Floats, mean: Floats, sd: Floats) -> Floats:
    """Return the normal density at points; infinite at the mean where nothing varies."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        z = (x - mean) / sd
        found: Floats = np.exp(-0.5 * z * z) / (sd * math.sqrt(2 * math.pi))
    certain = np.where(x == mean, np.inf, 0.0)
    return np.where(sd > 0, found, certain)


def mixture_distribution(x: Floats, mean: Floats, sd: Floats) -> Floats:
    """Return the probability of values of at most ``x`` under normal distributions."""
    with np.errstate(divide="ignore", invalid="ignore"):
        z = (x - mean) / sd
    tails = np.vectorize(math.erfc, otypes=[np.float64])(np.nan_to_num(-z / math.sqrt(2)))
    return np.where(sd > 0, 0.5 * tails, (x >= mean).astype(np.float64))
