"""Learning in portions: the counts of a fixed structure add up."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
import numpy.typing as npt
from sklearn.utils.multiclass import _check_partial_fit_first_call

from bayesloom.arrays import Floats, Ints
from bayesloom.classification import Attribute, Cases
from bayesloom.classification.structure import families_of
from bayesloom.classification.training import classifier_of
from bayesloom.data.column import Column
from bayesloom.data.source import Source
from bayesloom.sklearn.network_classifier import Data, NetworkClassifier


class PartialFit(NetworkClassifier):
    """A classifier whose structure stays as the first rows have made it."""

    def partial_fit(
        self,
        X: Data,  # noqa: N803
        y: Data,
        classes: Data = None,
        sample_weight: Data = None,
    ) -> Self:
        """Learn the tables from further rows: counts add up, and the first rows decide the graph.

        Parameters
        ----------
        X, y, sample_weight
            As for `fit`. The first rows also decide where numbers are cut; new states of categories
            are added as they come.
        classes : array, optional
            All classes there will be; needed in the first call.
        """
        first = _check_partial_fit_first_call(self, classes)
        if not first and not hasattr(self, "classifier_"):
            first = True  # the first rows were refused
        columns, source, labels, codes, weights = self._rows(
            X, y, sample_weight, reset=first, classes=self.classes_ if classes is None else classes
        )
        if first:
            return self._fit_rows(columns, source, labels, codes, weights)
        return self._add_rows(columns, source, codes, weights)

    def _add_rows(
        self, columns: list[Column], source: Source, y: Ints, weights: Floats | None
    ) -> Self:
        known = self.classifier_
        pairs = zip(known.attributes, columns, strict=True)
        attributes = tuple(_extended(attribute, column) for attribute, column in pairs)
        codes = np.array(
            [a.codes(c, "missing", source) for a, c in zip(attributes, columns, strict=True)],
            np.int32,
        )
        cases = Cases(attributes, codes, known.target, known.classes, y, weights, self._threads())
        dag = known.net.dag
        more = cases.counts(families_of(dag))
        self.counts_ = [
            _padded(old, new.shape) + new for old, new in zip(self.counts_, more, strict=True)
        ]
        estimator = self._training(known.names).estimator
        self.classifier_ = classifier_of(cases, dag, self.counts_, estimator)
        return self


def _extended(attribute: Attribute, column: Column) -> Attribute:
    """Return a category with the states that are new in a column; numbers keep their bins."""
    if attribute.cuts is not None:
        return attribute
    new = [label for label in column.values if label not in attribute.states]
    return Attribute(attribute.name, (*attribute.states, *new))


def _padded(counts: npt.NDArray[Any], shape: tuple[int, ...]) -> npt.NDArray[Any]:
    """Return a table with zeros for states that have come since."""
    return np.pad(
        counts, [(0, wanted - have) for wanted, have in zip(shape, counts.shape, strict=True)]
    )
