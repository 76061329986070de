"""Rows for a network: data read with the states that the network has, numbers put in their bins."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from bayesloom.arrays import Floats
from bayesloom.data.interval import NOWHERE
from bayesloom.data.label import number_of, spelled
from bayesloom.data.level import code_of_labels, code_of_numbers
from bayesloom.data.numbers_option import Numbers
from bayesloom.data.reader import ARROW, PARQUET
from bayesloom.data.reading import MISSING_STATE, USUAL, Reading
from bayesloom.data.source import Source
from bayesloom.data.table import Table
from bayesloom.data.text_file import STANDARD_INPUT
from bayesloom.errors import DataError, OptionError, UnknownStateError, listed, shown

_OF_FILES = ("delimiter", "encoding", "header", "skip_lines")
_REMEMBERED = ("missing", "missing_markers", *_OF_FILES, "strip", "dates")


class _HasStates(Protocol):
    @property
    def names(self) -> tuple[str, ...]: ...

    @property
    def states(self) -> tuple[tuple[str, ...], ...]: ...


_Read = TypeVar("_Read", bound=_HasStates)

NOTHING: Mapping[str, Any] = MappingProxyType({})
"""No option of reading written out."""


def reading_for(
    names: Sequence[str],
    states: Sequence[Sequence[str]],
    remembered: Reading | None = None,
    given: Mapping[str, Any] = NOTHING,
) -> Reading:
    """Return how to read data for a network: its variables, with its states.

    A number belongs to the state whose interval holds it, so data need not be cut again.

    Parameters
    ----------
    names, states : sequences
        The variables of the network and their states.
    remembered : Reading, optional
        How the data were read that the network was learned from. What it says of missing cells and
        of files holds here too.
    given : mapping
        The options that a user writes out now (`ReadingOptions`), which go before what is
        remembered; states go before those of the network.

    Raises
    ------
    OptionError
        If ``given`` chooses columns or cuts them: the network says which there are and where they
        are cut.

    Examples
    --------
    >>> reading = reading_for(["age"], [["(-inf,20]", "(20,inf)"]])
    >>> reading.apply({"id": [7, 8], "age": [20, 39]}).codes[0].tolist()
    [0, 1]
    """
    said = _checked(names, given)
    kept = carried_over(remembered, given)
    if "missing" not in given and kept["missing"] == USUAL.missing:
        knows_missing = any(MISSING_STATE in labels for labels in states)
        kept["missing"] = "state" if knows_missing else USUAL.missing
    own = dict(zip(names, states, strict=True))
    numbers: Numbers = {name: "keep" for name, labels in own.items() if not labels}
    declared = {name: labels for name, labels in own.items() if labels} | dict(said.states or {})
    return Reading(
        states=declared or None, columns=names, numbers=numbers or None, strict=True, **kept
    )


def carried_over(remembered: Reading | None, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return how cells and files are read: as is written out, and else as is remembered.

    Examples
    --------
    >>> found = carried_over(Reading(missing="keep", delimiter=";"), {"missing": "error"})
    >>> found["missing"], found["delimiter"]
    ('error', ';')
    """
    before = USUAL if remembered is None else remembered
    return {option: given.get(option, getattr(before, option)) for option in _REMEMBERED}


def without_file(remembered: Reading | None, data: object) -> Reading | None:
    """Return what is remembered of other data, without what only text files have.

    Examples
    --------
    >>> without_file(Reading(delimiter="|", missing="keep"), "rows.parquet").delimiter is None
    True
    """
    if remembered is None or is_text(data):
        return remembered
    return replace(remembered, **{option: getattr(USUAL, option) for option in _OF_FILES})


def is_text(data: object) -> bool:
    """Say whether data are text files: a name, of a folder or a glob too, without another ending.

    Examples
    --------
    >>> is_text("rows.csv.gz"), is_text("-"), is_text("rows.parquet"), is_text({"A": []})
    (True, True, False, False)
    """
    if not isinstance(data, str | os.PathLike):
        return False
    from bayesloom.data.dataset import data_files, is_dataset

    name = os.fsdecode(data)
    if name != STANDARD_INPUT and is_dataset(name):
        name = data_files(name)[0].path
    return not name.lower().endswith((*PARQUET, *ARROW))


def reading_of_columns(
    names: Sequence[str], given: Mapping[str, Any], what: str = "graph"
) -> Reading:
    """Return how to read data for a graph, or what else has variables but no states.

    Raises
    ------
    OptionError
        If ``given`` chooses columns: the graph says which there are.

    Examples
    --------
    >>> reading_of_columns(["age"], {"missing": "keep"}).columns
    ('age',)
    """
    said = Reading.from_dict(given)
    _refuse_columns(names, said, what)
    return replace(said, columns=names)


def read_rows(
    names: Sequence[str],
    states: Sequence[Sequence[str]],
    data: Any,  # noqa: ANN401 - frames of whatever library
    *,
    remembered: Reading | None = None,
    given: Mapping[str, Any] = NOTHING,
    lacking: bool = False,
) -> Table:
    """Read data for a network; see `reading_for`. A table is given the network's states.

    Data that are ``lacking`` some of the columns, but not all, may be said to do so: all cells of
    these are missing.

    Raises
    ------
    DataError, FileFormatError
        If the data lack a variable, break the data contract, or hold what the network does not
        know.

    Examples
    --------
    >>> table = Table(["age", "id"], [["20", "39"], ["7", "8"]], [[0, 1], [0, 1]])
    >>> read_rows(["age"], [["(-inf,20]", "(20,inf)"]], table)
    Table of 2 rows x 1 column
      age: (-inf,20], (20,inf)
    """
    if isinstance(data, Table):
        table = _checked(names, given).apply(data)
        if lacking:
            table = _with_all(table.select(columns_there(names, table.names)), names, states)
        table = table.select(names)
        return table if table.states == tuple(states) else _recoded(table, states)
    reading = reading_for(names, states, without_file(remembered, data), given)
    if lacking:
        reading = _PartialReading(**reading.to_dict())
    table = read_with_states(reading, lambda: reading.apply(data))
    return _with_all(table, names, states) if lacking else table


def read_with_states(reading: Reading, read: Callable[[], _Read]) -> _Read:
    """Read data with the states of a network, into a table or an engine.

    Raises
    ------
    DataError
        If a variable of the network is not there, or its missing cells would be a new state.
    """
    try:
        found = read()
    except DataError as error:
        if "which is not there" not in str(error):
            raise
        told = str(error).replace("states names the column", "the network names the column", 1)
        msg = f"the data must have every variable of the network; {told}"
        raise DataError(msg) from None
    for name, labels in zip(found.names, found.states, strict=True):
        if labels and labels != reading.declared(name):
            msg = (
                f"column {shown(repr(name))} has missing cells, and the network has no state "
                f"{MISSING_STATE!r} for it; use missing='keep' (--missing keep) or missing='drop' "
                "(--missing drop)"
            )
            raise DataError(msg)
    return found


def columns_there(wanted: Sequence[str], names: Sequence[str], where: str = "") -> list[str]:
    """Return the variables of a network that are among the columns of data.

    Raises
    ------
    DataError
        If none is.

    Examples
    --------
    >>> columns_there(["rain", "wet"], ["id", "wet"])
    ['wet']
    """
    found = [name for name in wanted if name in set(names)]
    if not found:
        msg = (
            f"{where}there is no column of the network among {listed(names)}; its variables are "
            f"{listed(wanted)}"
        )
        raise DataError(msg)
    return found


@dataclass(frozen=True, slots=True)
class _PartialReading(Reading):
    """Reads those of the columns that there are."""

    def chosen(self, names: Sequence[str], source: Source) -> list[int]:
        there = columns_there(tuple(self.columns or ()), names, f"{source.title}: ")
        return [list(names).index(name) for name in there]


def _with_all(table: Table, names: Sequence[str], states: Sequence[Sequence[str]]) -> Table:
    """Return a table with all variables, of which those that it lacks are missing in every row."""
    place = {name: v for v, name in enumerate(table.names)}
    labels, codes = [], []
    for name, own in zip(names, states, strict=True):
        there = name in place
        labels.append(table.states[place[name]] if there else own)
        hole = len(own) or np.nan
        codes.append(table.codes[place[name]] if there else np.full(table.n_rows, hole))
    return Table(names, labels, codes, table.notes, holes=True)


def _refuse_columns(names: Sequence[str], given: Reading, what: str) -> None:
    dropped = set(given.drop).intersection(names)
    if given.columns or dropped:
        option = "columns (--column)" if given.columns else "drop (--drop)"
        msg = f"{option} has no meaning here: the columns of all variables of the {what} are read"
        raise OptionError(msg)


def _checked(names: Sequence[str], options: Mapping[str, Any]) -> Reading:
    """Return options as a reading, without any that a network leaves without a meaning."""
    given = Reading.from_dict(options)
    _refuse_columns(names, given, "network")
    if given.states_from is not None:
        msg = "states_from (--states-from) has no meaning here: the states are those of the network"
        raise OptionError(msg)
    if given.numbers != USUAL.numbers:
        msg = (
            "numbers (--numbers) has no meaning here: the network says which columns are numbers "
            "and where the others are cut"
        )
        raise OptionError(msg)
    if given.auto or given.strict:
        option = "auto (--auto)" if given.auto else "strict (--strict)"
        msg = f"{option} has no meaning here: the network says what its columns are"
        raise OptionError(msg)
    if given.discretize != USUAL.discretize:
        msg = (
            "discretize (--discretize) has no meaning here: the states of the network say where "
            "its variables are cut"
        )
        raise OptionError(msg)
    return given


def _recoded(table: Table, states: Sequence[Sequence[str]]) -> Table:
    """Return a table with the states of a network, whose variables are its columns."""
    codes = []
    columns = zip(table.names, table.states, table.codes, states, strict=True)
    for name, own, column, labels in columns:
        if not (own and labels):
            codes.append(_as_kind(name, own, column, labels))
            continue
        code = np.append(code_of_labels(own, tuple(labels)), len(labels))  # missing stays missing
        for k in np.flatnonzero(np.bincount(column)).tolist():
            if code[k] == NOWHERE:
                raise UnknownStateError(name, own[k], labels)
        codes.append(code[column])
    return Table(table.names, states, codes, table.notes, holes=True)


def _as_kind(
    name: str, own: Sequence[str], column: npt.NDArray[Any], labels: Sequence[str]
) -> npt.NDArray[Any]:
    """Return a column of numbers as states, or one of states as numbers, as a network has them."""
    if not labels and not own:
        return column
    if labels:
        code = code_of_numbers(column, tuple(labels))
        if (code == NOWHERE).any():
            raise UnknownStateError(name, spelled(float(column[code.argmin()])), labels)
        return code
    numbers = [number_of(label) for label in own]
    if None in numbers:
        label = shown(repr(own[numbers.index(None)]))
        msg = (
            f"column {shown(repr(name))} holds {label}, and the network has numbers there; correct "
            "it, or make it a missing cell"
        )
        raise DataError(msg)
    cells: Floats = np.array([*numbers, np.nan], np.float64)[column]
    return cells
