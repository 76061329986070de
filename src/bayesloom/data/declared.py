"""Labels that a user declares: the states of columns, and what means missing."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from bayesloom.data.label import MOST_STATES, label_fault, label_of, labels_of, told
from bayesloom.errors import OptionError, check_kind, shown

DeclaredStates: TypeAlias = Mapping[str, Sequence[object]] | Any
"""The states of columns: a mapping, or a network or whatever else has names and states."""


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
    fault = label_fault(str(name))
    if fault is not None:
        msg = f"states names the column {told(name)}, which can be no name: {fault}; rename it"
        raise OptionError(msg)
    what = f"states of column {shown(repr(name))}"
    if isinstance(labels, str) or not isinstance(labels, Sequence):
        msg = f"{what} must be a list of labels, got {told(labels)}"
        raise OptionError(msg)
    texts = [_declared_text(name, value) for value in labels]
    if not 1 <= len(texts) <= MOST_STATES:
        msg = f"{what} must be 1 to {MOST_STATES:,} labels, got {len(texts)}"
        raise OptionError(msg)
    value_of: dict[str, object] = {}
    for label, value in zip(labels_of(texts), labels, strict=True):
        if label in value_of:
            first, again = told(value_of[label]), told(value)
            twice = "there twice" if first == again else f"there twice, also as {first}"
            msg = f"{what} hold {again}, which is {twice}; correct the list"
            raise OptionError(msg)
        value_of[label] = value
    return tuple(value_of)


def _declared_text(name: str, value: object) -> str:
    """Return the text of one declared state."""
    text = _label_or_none(value)
    fault = None if text is None else label_fault(text)
    if text is None or fault is not None:
        problem = "no text and no number" if fault is None else f"no label, as {fault}"
        what = f"states of column {shown(repr(name))} hold {told(value)}"
        msg = f"{what}, which is {problem}; correct the list"
        raise OptionError(msg)
    return text


def declared_states(
    states: Mapping[str, Sequence[object]], option: str = "states"
) -> dict[str, tuple[str, ...]]:
    """Return the states that a user declares for some columns, spelled as in data."""
    check_kind(option, states, Mapping, "a mapping of columns to lists of labels, or a network")
    return {name: declared_labels(name, labels) for name, labels in states.items()}


def _label_or_none(value: object) -> str | None:
    try:
        return label_of(value)
    except TypeError:
        return None


Markers: TypeAlias = Collection[object] | Mapping[str, Collection[object]]
"""Labels that mean missing: in all columns, or by column."""


def checked_markers(value: object) -> tuple[str, ...] | dict[str, tuple[str, ...]] | None:
    """Return the missing markers of all columns, or by column.

    Examples
    --------
    >>> checked_markers({"age": [-999], "*": ["NA"]})
    {'age': ('-999',), '*': ('NA',)}
    """
    if value is None:
        return None
    if isinstance(value, Mapping):
        return {str(name): marker_labels(some) for name, some in value.items()}
    return marker_labels(value)  # type: ignore[arg-type]  # which looks at what it is


def marker_labels(values: Collection[object]) -> tuple[str, ...]:
    """Return the missing markers as labels, each once."""
    if isinstance(values, str):
        msg = (
            f"missing_markers must be a list of labels, got the text {told(values)}; write "
            f"[{told(values)}]"
        )
        raise OptionError(msg)
    check_kind("missing_markers", values, Iterable, "a list of labels")
    labels: dict[str, None] = {}
    for value in values:
        try:
            label = label_of(value)
        except TypeError:
            msg = f"missing_markers must be a list of labels, got one with {told(value)} in it"
            raise OptionError(msg) from None
        labels |= {} if label is None else {label: None}
    return tuple(labels)
