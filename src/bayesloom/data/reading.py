"""How data are read: the choices of a user about columns, states, missing cells and numbers."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, ClassVar, Literal, get_args

from bayesloom.data.label import (
    MOST_STATES,
    label_fault,
    label_of,
    labels_of,
    number_label,
    told,
)
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

if TYPE_CHECKING:
    from bayesloom.data.table import Table

MissingPolicy = Literal["error", "drop", "state"]
"""What to do with missing cells: refuse them, drop their rows, or give them a state."""

Discretization = Literal["none", "frequency", "width"]
"""How to cut quantities: not at all, into bins of equal frequency, or of equal width."""

LEAST_BINS = 2
"""The smallest number of bins that cuts anything."""

MISSING_STATE = "missing"
"""The label of the state that missing cells get under ``missing="state"``."""


@dataclass(frozen=True, slots=True)
class Reading:
    """How to make a table of data, as one value that checks itself.

    Parameters
    ----------
    states : mapping, optional
        For some columns, the states in the order they shall have; the data must not hold others.
    missing : {"error", "drop", "state"}
        Refuse missing cells, drop the rows that have one, or make them a last state ``missing``.
    missing_markers : collection
        Labels that mean missing, such as ``["?", "NA", -999]``.
    discretize : {"none", "frequency", "width"}
        Whether to cut quantities into bins of equal frequency or of equal width; see
        `bayesloom.data.binning` for the columns that are quantities.
    bins : int
        The largest number of bins of a column.
    columns : iterable of str, optional
        The columns to read, in the order the table shall have. Default: all.
    drop : iterable of str
        Columns to leave out.
    delimiter : str, optional
        What separates the cells of a CSV file. Default: comma, semicolon or tab, whichever fits.

    Raises
    ------
    OptionError
        If an option has a value it cannot take.

    Examples
    --------
    >>> reading = Reading(missing_markers=["?", -1], drop=["id"])
    >>> reading.missing_markers, reading.missing
    (('?', '-1'), 'error')
    >>> reading.apply({"id": ["a", "b"], "wet": ["no", "yes"]}).names
    ('wet',)
    >>> Reading.from_dict(reading.to_dict()) == reading
    True
    """

    unseen_advice: ClassVar[str | None] = (
        "add it to states, or name it in missing_markers (--missing-marker) if it means missing"
    )
    """What to do about a value that is not among the declared states; None: it is missing."""

    states: Mapping[str, Sequence[object]] | None = None
    missing: MissingPolicy = "error"
    missing_markers: Collection[object] = ()
    discretize: Discretization = "none"
    bins: int = 5
    columns: Iterable[str] | None = None
    drop: Iterable[str] = ()
    delimiter: str | None = None

    def __post_init__(self) -> None:
        _check_choice("missing", self.missing, get_args(MissingPolicy))
        _check_choice("discretize", self.discretize, get_args(Discretization))
        check_whole("bins", self.bins, LEAST_BINS)
        check_number("bins", self.bins, most=MOST_STATES)
        _check_delimiter(self.delimiter)
        kept: dict[str, object] = {
            "states": None if self.states is None else _declared(self.states),
            "missing_markers": _marker_labels(self.missing_markers),
            "columns": None if self.columns is None else checked_names("columns", self.columns),
            "drop": checked_names("drop", self.drop),
        }
        for option, value in kept.items():
            object.__setattr__(self, option, value)
        chosen = tuple(self.columns or ())
        if len(set(chosen)) < len(chosen):
            twice = next(name for k, name in enumerate(chosen) if name in chosen[:k])
            msg = f"columns names {shown(repr(twice))} twice; name it once"
            raise OptionError(msg)

    def apply(self, data: Any) -> Table:  # noqa: ANN401 - frames of whatever library
        """Return the table that a file, a frame or a table holds, read in this way.

        Of a table, which is already read, only columns can be chosen and dropped.

        Raises
        ------
        FileFormatError
            If a file is not there or cannot be read; the message names the line.
        DataError
            If the data break the contract: missing cells, an id or a quantity, undeclared states.
        OptionError
            If an option has no meaning for such data.
        """
        from bayesloom.data.reader import table_of

        return table_of(data, self)

    def declared(self, name: str) -> tuple[str, ...] | None:
        """Return the states declared for a column, or None."""
        found = None if self.states is None else self.states.get(name)
        return None if found is None else tuple(map(str, found))

    def markers(self) -> frozenset[str]:
        """Return the labels that mean missing; a number also in its one spelling."""
        labels = [str(marker) for marker in self.missing_markers]
        return frozenset(labels) | {n for x in labels if (n := number_label(x)) is not None}

    def to_dict(self) -> dict[str, Any]:
        """Return the options as plain data, which are also the keywords of `bayesloom.read`."""
        told_of = {field.name: getattr(self, field.name) for field in fields(self)}
        if self.states is not None:
            told_of["states"] = {name: list(labels) for name, labels in self.states.items()}
        return {name: list(x) if isinstance(x, tuple) else x for name, x in told_of.items()}

    @classmethod
    def from_dict(cls, options: Mapping[str, Any]) -> Reading:
        """Return what `to_dict` was made of; options that are left out are the usual ones.

        Raises
        ------
        OptionError
            If there is an option that no reading has, or one has a value it cannot take.

        Examples
        --------
        >>> Reading.from_dict({"encoding": "utf-8"})
        Traceback (most recent call last):
        bayesloom.errors.OptionError: reading has no option 'encoding'; its options are states, \
missing, missing_markers, discretize, bins, columns, drop, delimiter
        """
        check_kind("reading", options, Mapping, "a mapping of options to values")
        known = [field.name for field in fields(cls)]
        for name in options:
            if name not in known:
                its = f"its options are {listed(known)}"
                msg = f"reading has no option {shown(repr(name))}; {its}"
                raise OptionError(msg)
        return cls(**options)

    def chosen(self, names: Sequence[str], source: Source) -> list[int]:
        """Return the positions of the columns to read, in the order the table will have.

        Raises
        ------
        DataError
            If an option names a column that is not there, or no column is left.
        """
        position = {name: v for v, name in enumerate(names)}
        columns = None if self.columns is None else tuple(self.columns)
        gone = frozenset(self.drop)
        given = {"states": self.states or (), "columns": columns or (), "drop": self.drop}
        for option, asked in given.items():
            for name in asked:
                if name not in position:
                    msg = (
                        f"{source.title}: {option} names the column {shown(repr(name))}, which is "
                        f"not there; the columns are {listed(names)}"
                    )
                    raise DataError(msg)
        kept = [name for name in (names if columns is None else columns) if name not in gone]
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


def _declared(states: Mapping[str, Sequence[object]]) -> dict[str, tuple[str, ...]]:
    check_kind("states", states, Mapping, "a mapping of columns to lists of labels")
    return {name: declared_labels(name, labels) for name, labels in states.items()}


def _label_or_none(value: object) -> str | None:
    try:
        return label_of(value)
    except TypeError:
        return None


def _marker_labels(values: Collection[object]) -> tuple[str, ...]:
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


def _check_delimiter(delimiter: object) -> None:
    is_one = isinstance(delimiter, str) and len(delimiter) == 1 and delimiter.isascii()
    if delimiter is not None and (not is_one or str(delimiter) in '"\r\n\0'):
        msg = f"delimiter must be one character such as ',' or ';', got {told(delimiter)}"
        raise OptionError(msg)


def _check_choice(option: str, value: object, choices: tuple[str, ...]) -> None:
    if value not in choices:
        msg = f"{option} must be one of {listed(choices)}, got {told(value)}"
        raise OptionError(msg)


USUAL = Reading()
"""How data are read if nobody says otherwise: where the defaults of all options stand."""
