"""The family of a number: in every configuration of its category parents a linear regression."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bayesloom.arrays import Floats
from bayesloom.errors import ModelError, shown


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class LinearGaussian:
    """A number given its parents: a linear regression with normal errors per configuration.

    In configuration j of the category parents the number is normal with the mean
    ``intercepts[j] + coefficients[j] @ x``, where x are the number parents, and the standard
    deviation ``sds[j]``. Without category parents there is one configuration, and plain numbers do.

    Parameters
    ----------
    intercepts : array
        One axis per category parent, in the order of the parents.
    coefficients : array
        The same axes, and one entry per number parent on the last; left out if there are none.
    sds : array
        The standard deviation of the errors, with the axes of ``intercepts``; 0 is a variable
        without an error, such as one that was set from outside.
    rows : array, optional
        How many rows of data stand behind each configuration.
    errors : array, optional
        The standard errors of the intercept and of the coefficients, these on the last axis; NaN
        where the rows are too few for them.

    Raises
    ------
    ModelError
        If the shapes differ, a value is not finite or a standard deviation is negative.

    Examples
    --------
    >>> LinearGaussian(1000.0, [412.0], 300.0)
    LinearGaussian(1000 + 412 x1, sd 300)
    >>> by_state = LinearGaussian([1000.0, 900.0], [[412.0], [350.0]], [300.0, 250.0])
    >>> by_state.shape, by_state.n_numbers, by_state.n_parameters
    ((2,), 1, 6)
    """

    intercepts: Floats
    coefficients: Floats
    sds: Floats
    rows: Floats | None = None
    errors: Floats | None = None

    def __init__(
        self,
        intercepts: npt.ArrayLike,
        coefficients: npt.ArrayLike | None = None,
        sds: npt.ArrayLike = 1.0,
        rows: npt.ArrayLike | None = None,
        errors: npt.ArrayLike | None = None,
    ) -> None:
        start = _numbers("intercepts", intercepts)
        slopes = (
            np.zeros((*start.shape, 0))
            if coefficients is None
            else _numbers("coefficients", coefficients)
        )
        if slopes.ndim != start.ndim + 1 or slopes.shape[:-1] != start.shape:
            msg = (
                "the coefficients of a regression must have the axes of the intercepts and one for "
                f"the number parents, got the shapes {slopes.shape} and {start.shape}"
            )
            raise ModelError(msg)
        spread = _numbers("sds", sds)
        if (spread < 0).any():
            msg = f"a standard deviation must be 0 or more, got {float(spread.min())}"
            raise ModelError(msg)
        wide = (*start.shape, slopes.shape[-1] + 1)
        object.__setattr__(self, "intercepts", _kept(start))
        object.__setattr__(self, "coefficients", _kept(slopes))
        object.__setattr__(self, "sds", _kept(_spread_over("sds", spread, start.shape)))
        for name, values, shape in (("rows", rows, start.shape), ("errors", errors, wide)):
            array = None if values is None else _spread_over(name, _measured(name, values), shape)
            object.__setattr__(self, name, None if array is None else _kept(array))

    @property
    def shape(self) -> tuple[int, ...]:
        """How many states each category parent has."""
        return self.intercepts.shape

    @property
    def n_numbers(self) -> int:
        """How many number parents there are."""
        return int(self.coefficients.shape[-1])

    @property
    def n_parameters(self) -> int:
        """The number of free parameters: intercepts, coefficients and deviations."""
        return self.intercepts.size * (self.n_numbers + 2)

    def reordered(self, categories: Sequence[int], numbers: Sequence[int]) -> LinearGaussian:
        """Return the family with its parents in another order.

        Parameters
        ----------
        categories, numbers : sequence of int
            For each place the category parent, and the number parent, that stands there now.

        Examples
        --------
        >>> LinearGaussian(0.0, [1.0, 2.0]).reordered([], [1, 0])
        LinearGaussian(0 + 2 x1 + 1 x2, sd 1)
        """
        axes = tuple(categories)
        last = len(axes)
        slopes = self.coefficients.transpose(*axes, last)[..., list(numbers)]
        errors = self.errors
        if errors is not None:
            errors = errors.transpose(*axes, last)[..., [0, *(k + 1 for k in numbers)]]
        rows = None if self.rows is None else self.rows.transpose(axes)
        return LinearGaussian(
            self.intercepts.transpose(axes), slopes, self.sds.transpose(axes), rows, errors
        )

    def __reduce__(self) -> tuple[type[LinearGaussian], tuple[object, ...]]:
        """Make copies, and what comes from another process, as a new value is made."""
        parts = (self.intercepts, self.coefficients, self.sds, self.rows, self.errors)
        return LinearGaussian, parts

    def __eq__(self, other: object) -> bool:
        """Say whether two families are the same distribution, whatever rows stand behind them."""
        if not isinstance(other, LinearGaussian):
            return NotImplemented
        return (
            np.array_equal(self.intercepts, other.intercepts)
            and np.array_equal(self.coefficients, other.coefficients)
            and np.array_equal(self.sds, other.sds)
        )

    def __hash__(self) -> int:
        return hash((self.shape, self.n_numbers))

    def __repr__(self) -> str:
        if self.shape:
            across = " x ".join(map(str, self.shape))
            return f"LinearGaussian({across} configurations, {self.n_numbers} coefficients each)"
        slopes = enumerate(self.coefficients.tolist(), start=1)
        terms = [f"{float(self.intercepts):.6g}", *(f"{b:.6g} x{k}" for k, b in slopes)]
        return f"LinearGaussian({' + '.join(terms)}, sd {float(self.sds):.6g})"


def _measured(what: str, values: npt.ArrayLike) -> Floats:
    """Return numbers as an array."""
    try:
        return np.array(values, dtype=np.float64)
    except (TypeError, ValueError):
        msg = f"the {what} of a regression must be numbers, got {shown(repr(values))}"
        raise ModelError(msg) from None


def _numbers(what: str, values: npt.ArrayLike) -> Floats:
    """Return finite numbers as an array."""
    array = _measured(what, values)
    if not np.isfinite(array).all():
        bad = float(array[~np.isfinite(array)].flat[0])
        msg = f"the {what} of a regression must be finite numbers, got {bad}"
        raise ModelError(msg)
    return array


def _spread_over(what: str, array: Floats, shape: tuple[int, ...]) -> Floats:
    """Return an array of a shape; a single number stands for all configurations."""
    if array.shape == shape:
        return array
    if array.ndim == 0:
        return np.full(shape, float(array))
    msg = f"the {what} of a regression must have the shape {shape}, got {array.shape}"
    raise ModelError(msg)


def _kept(array: Floats) -> Floats:
    """Return an array that nobody can change."""
    kept = np.ascontiguousarray(array).reshape(array.shape)
    kept.flags.writeable = False
    return kept
