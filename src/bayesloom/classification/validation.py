"""How good a classifier is: stratified cross-validation, and what its probabilities are worth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bayesloom.arrays import Floats, Ints
from bayesloom.classification.training import Training, check_kinds, split_target, train_columns
from bayesloom.data import Reading
from bayesloom.data.column import Column
from bayesloom.data.reader import columns_in
from bayesloom.errors import DataError, check_whole

_LEAST = 1e-15  # a probability of 0 for what happened would cost infinitely much
_BINS = 10  # of the calibration


@dataclass(frozen=True, slots=True)
class CalibrationBin:
    """Rows whose best class got about the same probability.

    Parameters
    ----------
    low, high : float
        The range of probabilities.
    rows : int
        How many rows have their best class in it.
    confidence, accuracy : float
        Their mean probability, and the share of them that is right.
    """

    low: float
    high: float
    rows: int
    confidence: float
    accuracy: float


@dataclass(frozen=True, slots=True, eq=False)
class Validation:
    """What came out on rows that were not used for training.

    Parameters
    ----------
    classes : tuple of str
        The labels of the classes.
    folds : tuple of float
        The accuracy in each fold.
    truth : array
        The class of every row.
    log_probabilities : array of shape (rows, classes)
        What the classifier said of it; minus infinity for a class that its training had not seen.
    """

    classes: tuple[str, ...]
    folds: tuple[float, ...]
    truth: Ints
    log_probabilities: Floats

    @property
    def accuracy(self) -> float:
        """The mean of the folds' accuracies."""
        return float(np.mean(self.folds))

    @property
    def predicted(self) -> npt.NDArray[np.intp]:
        """The most probable class of every row."""
        best: npt.NDArray[np.intp] = self.log_probabilities.argmax(axis=1)
        return best

    @property
    def log_loss(self) -> float:
        """The mean negative logarithm of the true class's probability, at least 1e-15."""
        told = self.log_probabilities[np.arange(len(self.truth)), self.truth]
        return max(0.0, float(-np.maximum(told, np.log(_LEAST)).mean()))

    @property
    def auc(self) -> float:
        """The area under the ROC curve: how often a row of a class gets more of it than another.

        With more than two classes, the mean over classes against their rest. NaN with one class.
        """
        chances = np.exp(self.log_probabilities)
        asked = [1] if len(self.classes) == 2 else range(len(self.classes))  # noqa: PLR2004
        areas = [_area(self.truth == c, chances[:, c]) for c in asked]
        known = [area for area in areas if not np.isnan(area)]
        return float(np.mean(known)) if known else float("nan")

    @property
    def confusion(self) -> npt.NDArray[np.int64]:
        """How many rows of each class (rows of the matrix) were told to be of each (columns)."""
        k = len(self.classes)
        return np.bincount(self.truth * k + self.predicted, minlength=k * k).reshape(k, k)

    @property
    def calibration(self) -> tuple[CalibrationBin, ...]:
        """Whether rows with a best class of probability p are right in a share p of cases."""
        best = np.exp(self.log_probabilities.max(axis=1))
        right = self.predicted == self.truth
        bins = np.minimum((best * _BINS).astype(np.intp), _BINS - 1)
        return tuple(
            CalibrationBin(
                b / _BINS,
                (b + 1) / _BINS,
                int(inside.sum()),
                float(best[inside].mean()),
                float(right[inside].mean()),
            )
            for b in range(_BINS)
            if (inside := bins == b).any()
        )

    @property
    def calibration_error(self) -> float:
        """The expected calibration error: the mean gap between confidence and accuracy."""
        gaps = [b.rows * abs(b.confidence - b.accuracy) for b in self.calibration]
        return float(sum(gaps) / len(self.truth))

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data."""
        bins = [
            {
                "from": b.low,
                "to": b.high,
                "rows": b.rows,
                "confidence": b.confidence,
                "accuracy": b.accuracy,
            }
            for b in self.calibration
        ]
        return {
            "accuracy": self.accuracy,
            "folds": list(self.folds),
            "log_loss": self.log_loss,
            "auc": self.auc,
            "classes": list(self.classes),
            "confusion": self.confusion.tolist(),
            "calibration": {"error": self.calibration_error, "bins": bins},
            "rows": len(self.truth),
        }


def cross_validate(
    data: Any,  # noqa: ANN401 - frames of whatever library
    target: str,
    training: Training | None = None,
    *,
    folds: int = 10,
    seed: int = 1,
    reading: Reading | None = None,
) -> Validation:
    """Cross-validate a classifier; everything, cuts included, is learned in each fold anew.

    Folds are stratified: each has its share of every class. The same data, options and seed give
    the same folds.

    Parameters
    ----------
    data, target, training, reading
        As for `train`.
    folds : int
        In how many parts the rows are divided, at least 2.
    seed : int
        Of the division.

    Examples
    --------
    >>> rows = {"play": ["no", "yes"] * 10, "wind": ["high", "low"] * 10}
    >>> cross_validate(rows, "play", folds=5).accuracy
    1.0
    """
    check_whole("folds", folds, 2)
    check_whole("seed", seed, 0)
    how = Training() if training is None else training
    columns, source = columns_in(data, Reading() if reading is None else reading)
    target_column, attributes = split_target(columns, target, source)
    check_kinds(how, [column.name for column in attributes])
    truth = target_column.codes()
    if folds > len(truth):
        msg = f"{source.title}: {folds} folds need at least as many rows, got {len(truth)}"
        raise DataError(msg)
    classes = tuple(map(str, target_column.values))
    fold_of = stratified_folds(truth, folds, seed)
    logs = np.full((len(truth), len(classes)), -np.inf)
    for k in range(folds):
        inside = fold_of == k
        known = target_column.only(~inside)
        kept = [column for column in attributes if _has_value(column, ~inside)]
        classifier = train_columns([c.only(~inside) for c in kept], known, how, source)
        codes = [
            attribute.codes(column.only(inside), "missing", source)
            for attribute, column in zip(classifier.attributes, kept, strict=True)
        ]
        matrix = np.array(codes, np.int32).reshape(len(codes), int(inside.sum()))
        seen = [classes.index(label) for label in classifier.classes]
        logs[np.ix_(inside, seen)] = classifier.log_probabilities(matrix, how.threads)
    right = logs.argmax(axis=1) == truth
    return Validation(
        classes, tuple(float(right[fold_of == k].mean()) for k in range(folds)), truth, logs
    )


def stratified_folds(truth: Ints, folds: int, seed: int) -> npt.NDArray[np.intp]:
    """Return the fold of every row; the rows of each class are dealt out in turn, shuffled.

    Examples
    --------
    >>> fold_of = stratified_folds(np.array([0] * 6 + [1] * 3), 3, seed=1)
    >>> np.bincount(fold_of[:6]).tolist(), np.bincount(fold_of[6:]).tolist()
    ([2, 2, 2], [1, 1, 1])
    """
    rng = np.random.default_rng(seed)
    fold_of = np.empty(len(truth), np.intp)
    dealt = 0
    for c in np.unique(truth):
        rows = rng.permutation(np.flatnonzero(truth == c))
        fold_of[rows] = (dealt + np.arange(len(rows))) % folds
        dealt += len(rows)
    return fold_of


def _has_value(column: Column, rows: npt.NDArray[np.bool_]) -> bool:
    return column.declared or bool((column.codes()[rows] >= 0).any())


def _area(positive: npt.NDArray[np.bool_], chance: Floats) -> float:
    """Return how often a positive row gets more than a negative one; equal counts half."""
    n, m = int(positive.sum()), int((~positive).sum())
    if not n or not m:
        return float("nan")
    _, place, times = np.unique(chance, return_inverse=True, return_counts=True)
    last = np.cumsum(times)
    ranks = (last - (times - 1) / 2)[place]
    return float((ranks[positive].sum() - n * (n + 1) / 2) / (n * m))
