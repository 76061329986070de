"""Which strengths are significant: the threshold of Scutari and Nagarajan."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bayesloom.arrays import Floats


def significance_threshold(strengths: npt.ArrayLike) -> float:
    """Return the strength above which edges are significant.

    If the data left no doubt, every strength were 0 or 1: their distribution function would be a
    step of some height p. The p whose step is nearest to the distribution function found, in the
    L1 norm, tells which share of the pairs is not joined; the threshold is the smallest strength
    that at least this share of pairs does not exceed. The norm is a weighted sum of distances
    ``|F - p|``, so a weighted median of F minimises it; where a whole interval does, its middle is
    taken, as a search for the minimum would.

    Parameters
    ----------
    strengths : array of float
        The strength of every pair of variables, also of those that are never joined.

    References
    ----------
    M. Scutari, R. Nagarajan: Identifying significant edges in graphical models of molecular
    networks, Artificial Intelligence in Medicine 57, 2013, section 3.

    Examples
    --------
    The example of the paper: three of six edges are significant.

    >>> significance_threshold([0.0460, 0.2242, 0.3921, 0.7689, 0.8935, 0.9439])
    0.3921
    """
    values = np.sort(np.asarray(strengths, np.float64))
    if not len(values):
        return 0.0
    height, width = _steps(values)
    middle = 0.5 * (_median(height, width) - _median(-height, width))
    # The lowest strength whose F is at least the height; noise must not lift it by one place.
    place = int(np.ceil(middle * len(values) - 1e-9))
    return float(values[max(place, 1) - 1])


def _steps(values: Floats) -> tuple[Floats, Floats]:
    """Return the heights of the distribution function on [0, 1) and how wide each is."""
    knots = np.unique(np.concatenate([[0.0], values, [1.0]]))
    height = np.searchsorted(values, knots[:-1], side="right") / len(values)
    return height, np.diff(knots)


def _median(height: Floats, width: Floats) -> float:
    """Return the lowest weighted median."""
    order = np.argsort(height, kind="stable")
    below = np.cumsum(width[order])
    return float(height[order][np.searchsorted(below, 0.5 * below[-1] - 1e-12)])
