"""Discretisers as scikit-learn transformers: by the class, of equal frequency, of equal width."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import (
    _check_sample_weight,
    check_is_fitted,
    column_or_1d,
    validate_data,
)

from bayesloom.arrays import Floats
from bayesloom.classification.cutting import NumberCutting, bins_of
from bayesloom.data.interval import interval_labels
from bayesloom.errors import DataError, OptionError
from bayesloom.sklearn.network_classifier import Data


class NumberDiscretizer(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """A transformer that cuts numbers; see its kinds for the parameters."""

    encode: str

    @abstractmethod
    def _cutting(self) -> NumberCutting:
        """Return where numbers are cut."""

    def _fit(self, x: Data, y: Data, sample_weight: Data) -> Self:
        if self.encode not in ("ordinal", "label"):
            msg = f'encode must be "ordinal" or "label", got {self.encode!r}'
            raise OptionError(msg)
        numbers = validate_data(self, x, dtype=np.float64, ensure_all_finite="allow-nan")
        weights = np.ones(len(numbers))
        if sample_weight is not None:
            weights = _check_sample_weight(
                sample_weight, numbers, dtype=np.float64, ensure_non_negative=True
            )
        classes, n_classes = _classes_of(y, len(numbers))
        cutting = self._cutting()
        self.cuts_ = [_cuts(cutting, column, classes, n_classes, weights) for column in numbers.T]
        self.n_bins_ = np.array([len(cuts) + 1 for cuts in self.cuts_])
        return self

    def transform(self, X: Data) -> npt.NDArray[Any]:  # noqa: N803
        """Return the bin of each number: its place from 0 on, or its interval; NaN stays."""
        check_is_fitted(self)
        numbers = validate_data(
            self, X, reset=False, dtype=np.float64, ensure_all_finite="allow-nan"
        )
        as_labels = self.encode == "label"
        found: npt.NDArray[Any] = np.empty(numbers.shape, object if as_labels else np.float64)
        for v, cuts in enumerate(self.cuts_):
            bins, holes = bins_of(numbers[:, v], cuts), np.isnan(numbers[:, v])
            if as_labels:
                found[:, v] = np.array(interval_labels(cuts), object)[bins.clip(max=len(cuts))]
            else:
                found[:, v] = bins
            found[holes, v] = np.nan
        return found

    def __sklearn_tags__(self) -> Any:  # noqa: ANN401 - scikit-learn's own name and class
        """Say that cells may be missing."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


class MDLDiscretizer(NumberDiscretizer):
    """Cut numbers where they tell the class (Fayyad and Irani's MDL discretisation).

    Parameters
    ----------
    encode : {"ordinal", "label"}
        Whether a bin is given by its number or by its interval, such as ``(1.5,2.7]``.

    Attributes
    ----------
    cuts_ : list of tuple of float
        Where each column is cut; a number that is equal to a cut lies below it.
    n_bins_ : array
        The number of bins of each column; 1 if it tells nothing of the class.

    References
    ----------
    U. M. Fayyad, K. B. Irani: Multi-interval discretization of continuous-valued attributes for
    classification learning, IJCAI 1993.

    Examples
    --------
    >>> X, y = [[1.0, 5], [2.0, 5], [3.0, 5], [9.0, 5], [8.0, 5], [7.0, 5]], [0, 0, 0, 1, 1, 1]
    >>> MDLDiscretizer().fit(X, y).cuts_
    [(5.0,), ()]
    """

    def __init__(self, *, encode: str = "ordinal") -> None:
        self.encode = encode

    def fit(self, X: Data, y: Data, sample_weight: Data = None) -> Self:  # noqa: N803
        """Learn where to cut, from numbers and the classes of the rows."""
        if y is None:
            msg = (
                "MDLDiscretizer requires y to be passed, but the target y is None; give classes, "
                "or use FrequencyDiscretizer"
            )
            raise DataError(msg)
        return self._fit(X, y, sample_weight)

    def _cutting(self) -> NumberCutting:
        return NumberCutting("mdl")

    def __sklearn_tags__(self) -> Any:  # noqa: ANN401 - scikit-learn's own name and class
        """Say that classes are needed."""
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags


class BinDiscretizer(NumberDiscretizer):
    """A discretiser that looks at the numbers alone."""

    def __init__(self, *, bins: int = 5, encode: str = "ordinal") -> None:
        self.bins = bins
        self.encode = encode

    def fit(self, X: Data, y: Data = None, sample_weight: Data = None) -> Self:  # noqa: ARG002, N803
        """Learn where to cut; ``y`` is ignored."""
        return self._fit(X, None, sample_weight)


class FrequencyDiscretizer(BinDiscretizer):
    """Cut numbers into bins of about equal frequency, never between equal numbers.

    Parameters
    ----------
    bins : int
        The largest number of bins.
    encode : {"ordinal", "label"}
        Whether a bin is given by its number or by its interval.

    Examples
    --------
    >>> FrequencyDiscretizer(bins=2).fit_transform([[1.0], [2.0], [3.0], [40.0]]).ravel().tolist()
    [0.0, 0.0, 1.0, 1.0]
    """

    def _cutting(self) -> NumberCutting:
        return NumberCutting("frequency", self.bins)


class WidthDiscretizer(BinDiscretizer):
    """Cut numbers into bins of equal width.

    Parameters
    ----------
    bins : int
        The number of bins.
    encode : {"ordinal", "label"}
        Whether a bin is given by its number or by its interval.

    Examples
    --------
    >>> WidthDiscretizer(bins=2).fit_transform([[1.0], [2.0], [3.0], [40.0]]).ravel().tolist()
    [0.0, 0.0, 0.0, 1.0]
    """

    def _cutting(self) -> NumberCutting:
        return NumberCutting("width", self.bins)


def _classes_of(y: Data, n_rows: int) -> tuple[npt.NDArray[np.intp], int]:
    """Return the class of every row as a number; one class for all if there are none."""
    if y is None:
        return np.zeros(n_rows, np.intp), 1
    classes = column_or_1d(y, warn=True)
    if len(classes) != n_rows:
        msg = f"y has {len(classes)} rows, but X has {n_rows}; inconsistent numbers of samples"
        raise DataError(msg)
    check_classification_targets(classes)
    found, codes = np.unique(classes, return_inverse=True)
    return codes, len(found)


def _cuts(
    cutting: NumberCutting,
    column: Floats,
    classes: npt.NDArray[np.intp],
    n_classes: int,
    weights: Floats,
) -> tuple[float, ...]:
    known = ~np.isnan(column)
    numbers, place = np.unique(column[known], return_inverse=True)
    table = np.bincount(
        place * n_classes + classes[known], weights[known], minlength=len(numbers) * n_classes
    )
    return cutting.cuts(numbers, table.reshape(-1, n_classes))
