"""Training: from columns and a class to a classifier."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from bayesloom.arrays import Floats, Ints
from bayesloom.classification.attribute import Attribute, numbers_in
from bayesloom.classification.cases import Cases
from bayesloom.classification.classifier import Classifier
from bayesloom.classification.cutting import NumberCutting, bins_of
from bayesloom.classification.structure import (
    ClassStructure,
    TreeStructure,
    check_structure,
    families_of,
)
from bayesloom.data import MOST_STATES, Reading
from bayesloom.data.column import MISSING, Column
from bayesloom.data.interval import interval_labels
from bayesloom.data.label import is_label, label_fault
from bayesloom.data.quantity import (
    FEW,
    find_no_categories,
    has_fractions,
    is_quantity,
    refuse_spoilt_numbers,
)
from bayesloom.data.reader import columns_in
from bayesloom.data.source import Source
from bayesloom.data.tally import Tally
from bayesloom.errors import (
    DataError,
    OptionError,
    UnknownVariableError,
    check_kind,
    listed,
    shown,
)
from bayesloom.graphs import DAG
from bayesloom.model import BayesNet, Estimator, Laplace

FamilyCounts = Sequence[npt.NDArray[np.generic]]
"""The tables of all families, (parents..., child)."""


@dataclass(frozen=True, slots=True)
class Training:
    """How a classifier is trained, as one value that checks itself.

    Parameters
    ----------
    structure : ClassStructure
        Where the graph comes from; the default is TAN.
    estimator : Estimator
        How probabilities come from counts; the default adds one half to each.
    cutting : NumberCutting
        How numbers are cut.
    categories : collection of str
        Columns that are categories, though their values are numbers.
    numbers : collection of str
        Columns that are numbers to be cut, though they have few values. Of the others, columns of
        numbers are cut if one of them has a fraction or there are more than 20 different ones.
    threads : int, optional
        How many threads count; by default as many as there are processors.
    """

    structure: ClassStructure = field(default_factory=TreeStructure)
    estimator: Estimator = Laplace(0.5)
    cutting: NumberCutting = NumberCutting()
    categories: Collection[str] = ()
    numbers: Collection[str] = ()
    threads: int | None = None

    def __post_init__(self) -> None:
        check_structure(self.structure)
        check_kind("estimator", self.estimator, Estimator, "an estimator such as Laplace()")
        check_kind("cutting", self.cutting, NumberCutting, "a NumberCutting")
        both = sorted(set(self.categories) & set(self.numbers))
        if both:
            msg = f"{listed(both)} cannot be a category and a number at once; choose one"
            raise OptionError(msg)

    def is_number(self, column: Column) -> bool:
        """Say whether a column is a number to be cut."""
        if column.name in self.categories:
            return False
        if column.name in self.numbers:
            return True
        if column.numbers is None or column.declared or self.cutting.how == "none":
            return False
        return _is_quantity(column.tally())

    def coded(
        self,
        columns: Sequence[Column],
        y: Ints,
        n_classes: int,
        source: Source,
        weights: Floats | None = None,
    ) -> tuple[tuple[Attribute, ...], Ints]:
        """Turn columns into attributes and codes, cutting numbers by the classes of these rows.

        Raises
        ------
        DataError
            If a column is an id, or real-valued and not to be cut, or is to be cut and no number,
            or if a text stands among numbers.
        """
        cut = [self.is_number(column) for column in columns]
        kept = [c.tally() for c, number in zip(columns, cut, strict=True) if not number]
        asked = [tally for tally in kept if tally.name not in self.categories]
        refuse_spoilt_numbers(asked, _is_quantity, source)
        fault = find_no_categories(asked, Reading())
        if fault is not None:
            msg = f"{source.title}: {fault}"
            raise DataError(msg)
        attributes, codes = [], np.empty((len(columns), len(y)), np.int32)
        for v, (column, number) in enumerate(zip(columns, cut, strict=True)):
            if number:
                attribute, codes[v] = self._cut(column, y, n_classes, source, weights)
            else:
                attribute, codes[v] = _as_category(column, source)
            attributes.append(attribute)
        return tuple(attributes), codes

    def _cut(
        self, column: Column, y: Ints, n_classes: int, source: Source, weights: Floats | None
    ) -> tuple[Attribute, Ints]:
        numbers = numbers_in(column, source)
        values = column.codes()
        known = values != MISSING
        cells = values[known].astype(np.int64) * n_classes + y[known]
        by_class = np.bincount(
            cells,
            None if weights is None else weights[known],
            minlength=len(numbers) * n_classes,
        ).reshape(-1, n_classes)
        order = np.argsort(numbers)
        cuts = self.cutting.cuts(numbers[order], by_class[order])
        lookup = np.append(bins_of(numbers, cuts), MISSING).astype(np.int32)
        return Attribute(column.name, tuple(interval_labels(cuts)), cuts), column.recoded(lookup)


def _is_quantity(numbers: Tally) -> bool:
    """Say whether numbers are no categories: they have fractions, or are many."""
    return has_fractions(numbers) or len(numbers.values) > FEW


def _as_category(column: Column, source: Source) -> tuple[Attribute, Ints]:
    states = tuple(column.values)
    if not states:
        msg = (
            f"{source.title}: column {shown(repr(column.name))} has no value in any row of the "
            "training data; drop it"
        )
        raise DataError(msg)
    if len(states) > MOST_STATES:
        most = f"more than the {MOST_STATES:,} states that an attribute may have"
        msg = f"{source.title}: column {shown(repr(column.name))} has {len(states):,}, {most}"
        raise DataError(msg)
    return Attribute(column.name, states), column.codes()


def train(
    data: Any,  # noqa: ANN401 - frames of whatever library
    target: str,
    training: Training | None = None,
    *,
    reading: Reading | None = None,
) -> Classifier:
    """Train a classifier on data of any kind.

    Parameters
    ----------
    data : path, frame or Table
        The rows, with the class among the columns.
    target : str
        The class.
    training : Training, optional
        How; the default is TAN with numbers cut by MDL.
    reading : Reading, optional
        Which columns to read and what is missing.

    Raises
    ------
    DataError
        If the class is missing in a row, or a column is an id.
    UnknownVariableError
        If there is no column called like the class.

    Examples
    --------
    >>> rows = {"play": ["no", "yes"] * 6, "wind": [30.5, 2.0, 28.0, 4.5] * 3}
    >>> classifier = train(rows, "play")
    >>> classifier.cuts, classifier.predict({"wind": [3.0, 40.0]}).tolist()
    ({'wind': (16.2,)}, ['yes', 'no'])
    """
    how = Training() if training is None else training
    columns, source = columns_in(data, Reading() if reading is None else reading)
    y, attributes = split_target(columns, target, source)
    check_kinds(how, [column.name for column in attributes])
    return train_columns(attributes, y, how, source)


def check_kinds(training: Training, names: Sequence[str]) -> None:
    """Refuse options about columns that are not there."""
    for name in (*training.categories, *training.numbers):
        if name not in names:
            raise UnknownVariableError(name, names, "among the attributes")


def train_columns(
    columns: Sequence[Column], target: Column, training: Training, source: Source
) -> Classifier:
    """Train a classifier on encoded columns."""
    y, classes = target.codes(), tuple(target.values)
    attributes, codes = training.coded(columns, y, len(classes), source)
    cases = Cases(attributes, codes, target.name, classes, y, threads=training.threads)
    dag = training.structure.dag(cases)
    return classifier_of(cases, dag, cases.counts(families_of(dag)), training.estimator)


def classifier_of(cases: Cases, dag: DAG, counts: FamilyCounts, estimator: Estimator) -> Classifier:
    """Return the classifier with the tables that an estimator makes of counts."""
    tables = [estimator.probabilities(table) for table in counts]  # type: ignore[arg-type]
    net = BayesNet(dag, cases.states, tuple(tables))
    cuts = {a.name: a.cuts for a in cases.attributes if a.cuts is not None}
    return Classifier(net, cases.target, cuts)


def split_target(
    columns: Sequence[Column], target: str, source: Source
) -> tuple[Column, list[Column]]:
    """Return the class and the attributes among columns.

    Raises
    ------
    UnknownVariableError
        If there is no column called like the class.
    DataError
        If the class is missing in a row, is real-valued, or has too many states.
    """
    names = [column.name for column in columns]
    if target not in names:
        raise UnknownVariableError(target, names, "as the target")
    found = columns[names.index(target)]
    holes = found.missing()
    if holes is not None:
        msg = (
            f"{source.place(int(holes.argmax()), target)}: the class is missing here, and in "
            f"{int(holes.sum())} of {len(holes)} rows in all; leave such rows out of the training"
        )
        raise DataError(msg)
    _refuse_quantity(found, source)
    check_classes([str(label) for label in found.values], repr(target))
    return found, [column for column in columns if column.name != target]


def _refuse_quantity(target: Column, source: Source) -> None:
    """Refuse numbers with fractions as classes: each would be a class of its own."""
    tally = target.tally()
    if is_quantity(tally):
        msg = (
            f"{source.title}: the class {shown(repr(target.name))} is real-valued "
            f"({len(tally.values):,} different values); cut it into classes first, or choose a "
            "column of categories"
        )
        raise DataError(msg)


def check_classes(labels: Sequence[str], what: str) -> None:
    """Refuse classes that are no labels, or too many."""
    if not 1 <= len(labels) <= MOST_STATES:
        msg = f"the class {what} has {len(labels):,} states; there can be 1 to {MOST_STATES:,}"
        raise DataError(msg)
    for label in labels:
        if not is_label(label):
            msg = f"the class {what} has the state {shown(repr(label))}: {label_fault(label)}"
            raise DataError(msg)
    if len(set(labels)) < len(labels):
        twice = [label for k, label in enumerate(labels) if label in labels[:k]]
        msg = f"two classes of {what} are written alike: {listed(twice)}; rename one of them"
        raise DataError(msg)
