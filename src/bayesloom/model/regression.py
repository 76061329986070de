"""Regressions from sums: least squares, and around the line that all configurations share."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bayesloom.arrays import Floats
from bayesloom.errors import DataError
from bayesloom.model.linear_gaussian import LinearGaussian

_LEAST_SHARE = 1e-10
"""A parent whose variance is to this share a function of other parents' adds nothing."""


@dataclass(frozen=True, slots=True, eq=False)
class FamilyMoments:
    """What the rows say of a number and its number parents, in each configuration.

    Parameters
    ----------
    rows : array
        The rows of each configuration of the category parents.
    means : array
        The means of the number parents and, last, of the number itself; on one axis more.
    products : array
        The sums of products about these means; on two axes more.
    """

    rows: Floats
    means: Floats
    products: Floats

    def pooled(self) -> FamilyMoments:
        """Return the moments of all rows together.

        Raises
        ------
        DataError
            If there are no rows.

        Examples
        --------
        >>> rows, means = np.array([1.0, 3.0]), np.array([[0.0], [4.0]])
        >>> both = FamilyMoments(rows, means, np.zeros((2, 1, 1))).pooled()
        >>> both.rows.item(), both.means.tolist(), both.products.tolist()
        (4.0, [3.0], [[12.0]])
        """
        n, k = self.rows.size, self.means.shape[-1]
        rows, means = self.rows.reshape(n), self.means.reshape(n, k)
        total = rows.sum()
        if not total > 0:
            msg = "no row knows the number and all its parents, so there is nothing to fit it to"
            raise DataError(msg)
        mean = rows @ means / total
        away = means - mean
        products = self.products.reshape(n, k, k).sum(axis=0)
        return FamilyMoments(total, mean, products + np.einsum("j,ja,jb->ab", rows, away, away))

    def with_prior(self, ess: float) -> FamilyMoments:
        """Return the moments with so many rows of the pooled distribution in each configuration."""
        all_rows = self.pooled()
        spread = all_rows.products / all_rows.rows
        away = self.means - all_rows.means
        share = (self.rows * ess / (self.rows + ess))[..., None]
        rows = self.rows + ess
        means = all_rows.means + (self.rows / rows)[..., None] * away
        between = share[..., None] * away[..., :, None] * away[..., None, :]
        return FamilyMoments(rows, means, self.products + ess * spread + between)


def least_squares(moments: FamilyMoments, *, unbiased: bool = False) -> LinearGaussian:
    """Return the regression of each configuration that fits its rows best (maximum likelihood).

    A configuration without rows has the line of all rows. Of parents that are linear functions of
    each other the coefficients are the smallest that fit.

    Parameters
    ----------
    moments : FamilyMoments
        The sums.
    unbiased : bool
        Whether the variance is the residual sum of squares divided by the rows less the
        coefficients and one, as R has it, and not by the rows. Where these are not more, it is that
        of all rows.

    Examples
    --------
    >>> products = np.array([[2.0, 4.0], [4.0, 10.0]])  # of x = 0, 1, 2 and y = 1, 2, 5 about means
    >>> sums = FamilyMoments(np.array(3.0), np.array([1.0, 8 / 3]), products)
    >>> least_squares(sums, unbiased=True)
    LinearGaussian(0.666667 + 2 x1, sd 1.41421)
    """
    line = _fitted(moments.pooled())
    found = _fitted(moments)
    free = moments.rows - found.slopes.shape[-1] - 1
    most = line.residual / max(line.rows - line.slopes.shape[-1] - 1, 1.0)
    biased = found.residual / np.maximum(moments.rows, 1.0)
    freely = np.where(free > 0, found.residual / np.maximum(free, 1.0), most)
    empty = moments.rows == 0
    variance = np.where(empty, line.residual / line.rows, biased)
    if unbiased:
        variance = np.where(empty, most, freely)
    errors = found.standard_errors(freely)
    errors[free <= 0] = np.nan
    return LinearGaussian(
        np.where(empty, line.intercept, found.intercept),
        np.where(empty[..., None], line.slopes, found.slopes),
        np.sqrt(variance),
        moments.rows,
        errors,
    )


def shrunken(moments: FamilyMoments, ess: float) -> LinearGaussian:
    """Return the regressions that a normal-inverse-gamma prior around the pooled line leads to.

    The prior has the shape of rows of the distribution of all rows, so that a configuration with
    few rows has nearly the line of all, and one without rows that line itself. Its weight is
    ``ess`` rows times the share of the variance about the pooled line that is left about the lines
    of the configurations: where these differ by much more than what they leave over, whole rows
    of the pooled distribution would drown it. The variance is the residual sum of squares about the
    line found, with ``ess`` rows of the variance that configurations leave over, divided by all
    these rows less the coefficients that the configuration's own rows determine.

    Parameters
    ----------
    moments : FamilyMoments
        The sums.
    ess : float
        How many rows the prior is worth where the lines of all configurations are one.

    Examples
    --------
    >>> rows, means = np.array([0.0, 4.0]), np.array([[0.0], [3.0]])
    >>> found = shrunken(FamilyMoments(rows, means, np.array([[[0.0]], [[16.0]]])), 1.0)
    >>> found.intercepts.tolist(), found.sds.tolist()
    ([3.0, 3.0], [2.0, 2.1483446221182985])
    """
    share, line = _share_left(moments), _fitted(moments.pooled())
    found = _fitted(moments.with_prior(ess * share))
    within = share * line.residual / line.rows
    determined = (found.slopes.shape[-1] + 1) * moments.rows / (moments.rows + ess)
    free = np.maximum(moments.rows + 2 * ess - determined, ess)
    variance = (found.residual + ess * within) / free
    variance = np.where(moments.rows > 0, variance, line.residual / line.rows)
    return LinearGaussian(
        found.intercept,
        found.slopes,
        np.sqrt(variance),
        moments.rows,
        found.standard_errors(variance),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Fit:
    """Lines, what they leave over, and the inverses that standard errors are made of."""

    rows: Floats
    intercept: Floats
    slopes: Floats
    residual: Floats
    means: Floats
    inverse: Floats

    def standard_errors(self, variance: Floats) -> Floats:
        """Return the standard errors of intercept and slopes, on the last axis."""
        with np.errstate(divide="ignore", invalid="ignore"):
            start = 1 / self.rows + np.einsum(
                "...a,...ab,...b->...", self.means, self.inverse, self.means
            )
            ends = np.diagonal(self.inverse, axis1=-2, axis2=-1)
            both = np.concatenate([start[..., None], ends], axis=-1)
            found: Floats = np.sqrt(np.maximum(both, 0.0) * np.asarray(variance)[..., None])
        return found


def _share_left(moments: FamilyMoments) -> float:
    """Return the share of the variance about the pooled line that is left within configurations.

    It is 1 where the rows are too few to say.
    """
    pooled, own = _fitted(moments.pooled()), _fitted(moments)
    p = own.slopes.shape[-1]
    free = float(np.maximum(moments.rows - p - 1, 0.0).sum())
    all_free = float(pooled.rows) - p - 1
    if not (free > 0 and all_free > 0 and pooled.residual > 0):
        return 1.0
    share = (float(own.residual.sum()) / free) / (float(pooled.residual) / all_free)
    return float(min(1.0, max(share, _LEAST_SHARE)))


def _fitted(moments: FamilyMoments) -> _Fit:
    """Fit a line in each configuration by least squares."""
    inner, cross = moments.products[..., :-1, :-1], moments.products[..., :-1, -1]
    scale = np.sqrt(np.diagonal(inner, axis1=-2, axis2=-1))
    scale = np.where(scale > 0, scale, 1.0)
    unit = inner / (scale[..., :, None] * scale[..., None, :])
    inverse = np.linalg.pinv(unit, rcond=_LEAST_SHARE, hermitian=True)
    slopes = np.einsum("...ab,...b->...a", inverse, cross / scale) / scale
    means = moments.means[..., :-1]
    residual = moments.products[..., -1, -1] - np.einsum("...a,...a->...", slopes, cross)
    return _Fit(
        moments.rows,
        moments.means[..., -1] - np.einsum("...a,...a->...", slopes, means),
        slopes,
        np.maximum(residual, 0.0),
        means,
        inverse / (scale[..., :, None] * scale[..., None, :]),
    )
