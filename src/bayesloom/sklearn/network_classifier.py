"""What the classifiers share as scikit-learn estimators: input, fitting, prediction."""

from __future__ import annotations

import os
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import (
    _check_sample_weight,
    check_is_fitted,
    column_or_1d,
    validate_data,
)

from bayesloom.arrays import Floats, Ints
from bayesloom.classification import Cases, NumberCutting, Training
from bayesloom.classification.explanation import explain_codes
from bayesloom.classification.structure import families_of
from bayesloom.classification.training import check_classes, classifier_of
from bayesloom.data import Reading
from bayesloom.data.column import Column
from bayesloom.data.frame import choose_columns
from bayesloom.data.label import label_of
from bayesloom.data.source import Source
from bayesloom.data.values import is_from
from bayesloom.errors import DataError, OptionError, listed
from bayesloom.model import Estimator, Laplace
from bayesloom.sklearn.columns import column_list, frame_names, is_frame

if TYPE_CHECKING:
    from bayesloom.classification import ClassExplanation
    from bayesloom.classification.structure import ClassStructure
    from bayesloom.facade import Network
    from bayesloom.report import Picture

Data = Any  # an array, or a frame of whatever library


class NetworkClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier that is a Bayesian network; see its kinds for the parameters."""

    smoothing: float | Estimator
    discretize: str
    bins: int
    categorical_features: str | Sequence[object]
    unseen: str
    n_jobs: int | None

    @abstractmethod
    def _structure(self) -> ClassStructure:
        """Return how the graph comes about."""

    def fit(self, X: Data, y: Data, sample_weight: Data = None) -> Self:  # noqa: N803
        """Learn the network from rows and their classes.

        Parameters
        ----------
        X : array or frame of shape (rows, attributes)
            Numbers and categories; NaN, None and empty text are cells that are not known.
        y : array of shape (rows,)
            The classes.
        sample_weight : array of shape (rows,), optional
            What each row counts.

        Returns
        -------
        self
        """
        columns, source, labels, codes, weights = self._rows(X, y, sample_weight, reset=True)
        return self._fit_rows(columns, source, labels, codes, weights)

    def predict(self, X: Data) -> npt.NDArray[Any]:  # noqa: N803
        """Return the most probable class of each row."""
        check_is_fitted(self)
        best = self.classifier_.best(self._codes(X), self._threads())
        found: npt.NDArray[Any] = self.classes_[best]
        return found

    def predict_proba(self, X: Data) -> Floats:  # noqa: N803
        """Return the probabilities of the classes, in the order of ``classes_``."""
        return np.exp(self.predict_log_proba(X))

    def predict_log_proba(self, X: Data) -> Floats:  # noqa: N803
        """Return the natural logarithms of the classes' probabilities."""
        check_is_fitted(self)
        return self.classifier_.log_probabilities(self._codes(X), self._threads())

    def explain(self, row: Data, label: object = None, against: object = None) -> ClassExplanation:
        """Return what every attribute of one row says for a class and against another.

        Parameters
        ----------
        row : mapping, array, series, or frame of one row
            The cells; in a mapping, attributes that are left out are not known.
        label, against : object, optional
            The class to explain and the one to compare it with; by default the most probable class
            and the next one.

        Returns
        -------
        ClassExplanation
            Prints as text, shows itself as a bar chart in a notebook; ``contributions`` holds the
            numbers and ``plot("why.svg")`` writes the chart.
        """
        check_is_fitted(self)
        one, other = (None if x is None else self._label(x) for x in (label, against))
        if is_from("pandas", row, "Series") and hasattr(self, "feature_names_in_"):
            row = row.to_frame().T  # its cells have the names of columns
        if isinstance(row, Mapping):
            return self.classifier_.explain(row, one, other)
        cells = row if is_frame(row) else np.atleast_2d(np.asarray(row))
        codes = self._codes(cells)
        if codes.shape[1] != 1:
            msg = f"explain takes one row, got {codes.shape[1]}; give one of them"
            raise DataError(msg)
        return explain_codes(self.classifier_, codes[:, 0], one, other)

    @property
    def network_(self) -> Network:
        """The network, with the class among its variables: to be queried, sampled or saved."""
        from bayesloom.facade import network

        check_is_fitted(self)
        return network(self.classifier_.net)

    def plot(self, path: str | os.PathLike[str] | None = None) -> Picture:
        """Draw the network with its class; write it to an ``.svg`` or ``.png`` file."""
        check_is_fitted(self)
        return self.classifier_.plot(path)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the classifier as bayesloom's JSON, which `bayesloom.load_classifier` reads.

        It is a file of the network as well: `bayesloom.load` reads that alone.
        """
        from bayesloom.classification import save_classifier

        check_is_fitted(self)
        save_classifier(self.classifier_, path)

    def __sklearn_tags__(self) -> Any:  # noqa: ANN401 - scikit-learn's own name and class
        """Say what is taken: categories, texts and cells that are not known."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags

    def _fit_rows(
        self,
        columns: Sequence[Column],
        source: Source,
        labels: Sequence[str],
        y: Ints,
        weights: Floats | None,
    ) -> Self:
        training = self._training([column.name for column in columns])
        attributes, codes = training.coded(columns, y, len(labels), source, weights)
        target = _unlike("class", [column.name for column in columns])
        cases = Cases(attributes, codes, target, tuple(labels), y, weights, self._threads())
        dag = training.structure.dag(cases)
        self.counts_ = cases.counts(families_of(dag))
        self.classifier_ = classifier_of(cases, dag, self.counts_, training.estimator)
        return self

    def _training(self, names: Sequence[str]) -> Training:
        """Return the options as one value that checks itself."""
        if self.unseen not in ("missing", "error"):
            msg = f'unseen must be "missing" or "error", got {self.unseen!r}'
            raise OptionError(msg)
        numbers, categories = self._kinds(names)
        smoothing = self.smoothing
        return Training(
            self._structure(),
            smoothing if isinstance(smoothing, Estimator) else Laplace(smoothing),
            NumberCutting(self.discretize, self.bins),  # type: ignore[arg-type]
            categories,
            numbers,
            self._threads(),
        )

    def _kinds(self, names: Sequence[str]) -> tuple[frozenset[str], frozenset[str]]:
        """Return the columns that are numbers and those that are categories, as the user says."""
        chosen = self.categorical_features
        if isinstance(chosen, str) and chosen == "auto":
            return frozenset(), frozenset()
        if isinstance(chosen, str) or not hasattr(chosen, "__len__"):
            msg = f'categorical_features must be "auto" or a list of columns, got {chosen!r}'
            raise OptionError(msg)
        picked = list(chosen)
        if len(picked) == len(names) and all(isinstance(x, bool | np.bool_) for x in picked):
            categories = {name for name, yes in zip(names, picked, strict=True) if yes}
        else:
            categories = {_named(x, names) for x in picked}
        return frozenset(names) - categories, frozenset(categories)

    def _rows(
        self,
        x: Data,
        y: Data,
        sample_weight: Data,
        *,
        reset: bool,
        classes: Data = None,
    ) -> tuple[list[Column], Source, list[str], Ints, Floats | None]:
        """Return the columns, the labels of the classes, the class of each row, and its weight."""
        columns, source = self._columns(x, reset=reset)
        n_rows = columns[0].n_rows
        target = _checked_classes(y, n_rows)
        weights = None
        if sample_weight is not None:
            weights = _check_sample_weight(
                sample_weight, np.empty(n_rows), dtype=np.float64, ensure_non_negative=True
            )
            if not weights.sum() > 0:
                msg = "sample_weight leaves no row: all weights are 0"
                raise DataError(msg)
            kept = weights > 0
            if not kept.all():
                columns = [column.only(kept) for column in columns]
                target, weights = target[kept], weights[kept]
        if classes is None and reset:
            self.classes_, codes = np.unique(target, return_inverse=True)
        else:
            if reset:
                self.classes_ = np.unique(classes)
            codes = np.searchsorted(self.classes_, target).clip(max=len(self.classes_) - 1)
            strange = self.classes_[codes] != target
            if strange.any():
                got = listed(map(str, np.unique(target[strange])))
                msg = f"y has the class {got}, which is not among {listed(map(str, self.classes_))}"
                raise DataError(msg)
        labels = [self._label(c) for c in self.classes_]
        check_classes(labels, "y")
        return columns, source, labels, codes.astype(np.int32), weights

    def _columns(self, x: Data, *, reset: bool) -> tuple[list[Column], Source]:
        """Check the input as scikit-learn does, and encode it; frames are matched by name."""
        if not is_frame(x):
            x = validate_data(self, x, reset=reset, dtype=None, ensure_all_finite="allow-nan")
            if x.dtype.kind == "c":
                msg = "Complex data not supported; give real numbers or categories"
                raise DataError(msg)
            known = getattr(self, "feature_names_in_", None)
            names = [f"x{v}" for v in range(x.shape[1])] if known is None else list(known)
            return column_list(x, names)
        given = frame_names(x)
        choose_columns(given, Reading(), Source("the frame"))
        if not reset and hasattr(self, "feature_names_in_"):
            wanted = list(self.feature_names_in_)
            if set(wanted) <= set(given):
                x = x.select(wanted) if hasattr(x, "select") else x[wanted]
        validate_data(self, x, reset=reset, skip_check_array=True)
        return column_list(x, frame_names(x))

    def _codes(self, x: Data) -> Ints:
        columns, source = self._columns(x, reset=False)
        found = np.empty((len(columns), columns[0].n_rows), np.int32)
        for v, attribute in enumerate(self.classifier_.attributes):
            found[v] = attribute.codes(columns[v], self.unseen, source)  # type: ignore[arg-type]
        return found

    def _label(self, value: object) -> str:
        label = label_of(value)
        if label is None:
            msg = f"y has the class {str(value)!r}, which has no label; rename it"
            raise DataError(msg)
        return label

    def _threads(self) -> int | None:
        return None if self.n_jobs is None or self.n_jobs < 1 else self.n_jobs


def _checked_classes(y: Data, n_rows: int) -> npt.NDArray[Any]:
    """Return the classes of the rows as an array without holes."""
    if y is None:
        msg = "requires y to be passed, but the target y is None; give the class of each row"
        raise DataError(msg)
    found: npt.NDArray[Any] = column_or_1d(y, warn=True)
    if found.dtype.kind == "f" and np.isinf(found).any():
        msg = "y has an infinite class (Input y contains infinity); give finite numbers or labels"
        raise DataError(msg)
    holes = [x is None or x != x for x in found] if found.dtype.kind in "Of" else []  # noqa: PLR0124
    if any(holes):
        rows = f"in {sum(holes)} of {len(holes)} rows, the first of them row {holes.index(True)}"
        msg = f"the class is missing (Input y contains NaN) {rows}; leave such rows out"
        raise DataError(msg)
    if len(found) != n_rows:
        msg = f"y has {len(found)} rows, but X has {n_rows}; inconsistent numbers of samples"
        raise DataError(msg)
    if found.dtype.kind == "O" and len({isinstance(x, str) for x in found}) > 1:
        msg = "y holds texts and other values, such as '1' and 1; give classes of one kind"
        raise DataError(msg)
    check_classification_targets(found)
    return found


def _named(chosen: object, names: Sequence[str]) -> str:
    """Return the name of a column that is chosen by name or by place."""
    if isinstance(chosen, int | np.integer) and not isinstance(chosen, bool):
        if -len(names) <= chosen < len(names):
            return names[int(chosen)]
    elif str(chosen) in names:
        return str(chosen)
    msg = f"categorical_features names {chosen!r}, which is not among {listed(names)}"
    raise OptionError(msg)


def _unlike(name: str, names: Sequence[str]) -> str:
    """Return a name for the class that no attribute has."""
    while name in names:
        name = f"{name}_"
    return name
