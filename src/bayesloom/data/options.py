"""The choices of a user about columns, states, missing cells and numbers, checked at the door."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from bayesloom.data.label import MOST_STATES, label_fault, label_of, labels_of, number_label
from bayesloom.data.source import Source
from bayesloom.errors import (
    DataError,
    OptionError,
    check_kind,
    check_number,
    check_whole,
    checked_names,
    listed,
    shown,
)

MissingPolicy = Literal["error", "drop", "state"]
"""What to do with missing cells: refuse them, drop their rows, or give them a state."""

Discretization = Literal["none", "frequency", "width"]
"""How to cut quantities: not at all, into bins of equal frequency, or of equal width."""

LEAST_BINS = 2
"""The smallest number of bins that cuts anything."""

MISSING_STATE = "missing"
"""The label of the state that missing cells get under ``missing="state"``."""


@dataclass(frozen=True, slots=True)
class Options:
    """The options of one read, in the form the code uses; made by ``Options.of``."""

    states: Mapping[str, tuple[str, ...]]
    missing: MissingPolicy
    markers: frozenset[str]
    discretize: Discretization
    bins: int
    columns: tuple[str, ...] | None
    drop: tuple[str, ...]

    @classmethod
    def of(
        cls,
        *,
        states: Mapping[str, Sequence[object]] | None,
        missing: MissingPolicy,
        missing_markers: Collection[object],
        discretize: Discretization,
        bins: int,
        columns: Iterable[str] | None,
        drop: Iterable[str],
    ) -> Options:
        """Check the options as a user gives them.

        Raises
        ------
        OptionError
            If an option has a value it cannot take.
        """
        _check_choice("missing", missing, get_args(MissingPolicy))
        _check_choice("discretize", discretize, get_args(Discretization))
        check_whole("bins", bins, LEAST_BINS)
        check_number("bins", bins, most=MOST_STATES)
        declared = _declared({} if states is None else states)
        chosen = None if columns is None else checked_names("columns", columns)
        if chosen is not None and len(set(chosen)) < len(chosen):
            twice = next(name for k, name in enumerate(chosen) if name in chosen[:k])
            msg = f"columns names {shown(repr(twice))} twice; name it once"
            raise OptionError(msg)
        markers = _markers(missing_markers)
        return cls(
            declared, missing, markers, discretize, bins, chosen, checked_names("drop", drop)
        )

    def chosen(self, names: Sequence[str], source: Source) -> list[int]:
        """Return the positions of the columns to read, in the order the table will have.

        Raises
        ------
        DataError
            If an option names a column that is not there, or no column is left.
        """
        position = {name: v for v, name in enumerate(names)}
        given = {"states": self.states, "columns": self.columns or (), "drop": self.drop}
        for option, asked in given.items():
            for name in asked:
                if name not in position:
                    msg = (
                        f"{source.title}: {option} names the column {shown(repr(name))}, which is "
                        f"not there; the columns are {listed(names)}"
                    )
                    raise DataError(msg)
        kept = [n for n in (names if self.columns is None else self.columns) if n not in self.drop]
        if not kept:
            msg = f"{source.title}: columns and drop leave no column; keep at least one"
            raise DataError(msg)
        return [position[name] for name in kept]


def declared_labels(name: str, labels: Sequence[object]) -> tuple[str, ...]:
    """Return the labels that a user declares as the states of column ``name``, spelled as in data.

    Raises
    ------
    OptionError
        If the list is empty, too long, or holds a label twice or something that is no label.

    Examples
    --------
    >>> declared_labels("A", ["low", 2, 3.0, "4.0"])
    ('low', '2', '3', '4')
    """
    if isinstance(labels, str) or not isinstance(labels, Sequence):
        msg = f"states of column {name!r} must be a list of labels, got {shown(repr(labels))}"
        raise OptionError(msg)
    texts = [_declared_text(name, value) for value in labels]
    if not 1 <= len(texts) <= MOST_STATES:
        msg = f"states of column {name!r} must be 1 to {MOST_STATES:,} labels, got {len(texts)}"
        raise OptionError(msg)
    value_of: dict[str, object] = {}
    for label, value in zip(labels_of(texts), labels, strict=True):
        if label in value_of:
            first, again = shown(repr(value_of[label])), shown(repr(value))
            twice = "there twice" if first == again else f"there twice, also as {first}"
            msg = f"states of column {name!r} hold {again}, which is {twice}; correct the list"
            raise OptionError(msg)
        value_of[label] = value
    return tuple(value_of)


def _declared_text(name: str, value: object) -> str:
    """Return the text of one declared state."""
    text = _label_or_none(value)
    fault = None if text is None else label_fault(text)
    if text is None or fault is not None:
        problem = "no text and no number" if fault is None else f"no label, as {fault}"
        what = f"states of column {name!r} hold {shown(repr(value))}"
        msg = f"{what}, which is {problem}; correct the list"
        raise OptionError(msg)
    return text


def _declared(states: Mapping[str, Sequence[object]]) -> dict[str, tuple[str, ...]]:
    check_kind("states", states, Mapping, "a mapping of columns to lists of labels")
    return {name: declared_labels(name, labels) for name, labels in states.items()}


def _label_or_none(value: object) -> str | None:
    try:
        return label_of(value)
    except TypeError:
        return None


def _markers(values: Collection[object]) -> frozenset[str]:
    """Return the missing markers as labels; a number also in its one spelling."""
    if isinstance(values, str):
        msg = (
            f"missing_markers must be a list of labels, got the text {values!r}; write [{values!r}]"
        )
        raise OptionError(msg)
    check_kind("missing_markers", values, Iterable, "a list of labels")
    labels = [_label_or_none(value) for value in values]
    spelled = {label for label in labels if label is not None}
    return frozenset(spelled | {n for label in spelled if (n := number_label(label)) is not None})


def _check_choice(option: str, value: object, choices: tuple[str, ...]) -> None:
    if value not in choices:
        msg = f"{option} must be one of {listed(choices)}, got {value!r}"
        raise OptionError(msg)
