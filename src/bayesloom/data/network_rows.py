"""Rows for a network: data read with the states that the network has, numbers put in their bins."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from bayesloom.data.interval import NOWHERE
from bayesloom.data.level import code_of_labels
from bayesloom.data.reading import MISSING_STATE, USUAL, Reading
from bayesloom.data.table import Table
from bayesloom.errors import DataError, OptionError, UnknownStateError, shown

_REMEMBERED = ("missing", "missing_markers", "delimiter", "encoding")


def reading_for(
    names: Sequence[str],
    states: Sequence[Sequence[str]],
    remembered: Reading | None = None,
    given: Reading = USUAL,
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
    given : Reading
        What a user says now, which goes before what is remembered; its states go before those of
        the network.

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
    _refuse_idle(names, given)
    before = USUAL if remembered is None else remembered
    kept: dict[str, Any] = {}
    for option in _REMEMBERED:
        now, usual = getattr(given, option), getattr(USUAL, option)
        kept[option] = getattr(before, option) if now == usual else now
    if kept["missing"] == USUAL.missing:
        knows_missing = any(MISSING_STATE in labels for labels in states)
        kept["missing"] = "state" if knows_missing else USUAL.missing
    declared = dict(zip(names, states, strict=True)) | dict(given.states or {})
    return Reading(states=declared, columns=names, **kept)


def read_rows(
    names: Sequence[str],
    states: Sequence[Sequence[str]],
    data: Any,  # noqa: ANN401 - frames of whatever library
    *,
    remembered: Reading | None = None,
    given: Reading = USUAL,
) -> Table:
    """Read data for a network; see `reading_for`. A table is given the network's states.

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
        _refuse_idle(names, given)
        table = data.select(names)
        return table if table.states == tuple(states) else _recoded(table, states)
    if remembered is not None and not isinstance(data, str | os.PathLike):
        remembered = replace(remembered, delimiter=None, encoding=None)
    reading = reading_for(names, states, remembered, given)
    try:
        table = reading.apply(data)
    except DataError as error:
        if "which is not there" not in str(error):
            raise
        told = str(error).replace("states names the column", "the network names the column", 1)
        msg = f"the data must have every variable of the network; {told}"
        raise DataError(msg) from None
    for name, labels in zip(table.names, table.states, strict=True):
        if labels != reading.declared(name):
            msg = (
                f"column {shown(repr(name))} has missing cells, and the network has no state "
                f"{MISSING_STATE!r} for it; use missing='keep' (--missing keep) or missing='drop' "
                "(--missing drop)"
            )
            raise DataError(msg)
    return table


def _refuse_idle(names: Sequence[str], given: Reading) -> None:
    """Refuse options that a network leaves without a meaning."""
    dropped = set(given.drop).intersection(names)
    if given.columns or dropped:
        option = "columns (--column)" if given.columns else "drop (--drop)"
        msg = f"{option} has no meaning here: the columns of all variables of the network are read"
        raise OptionError(msg)
    if given.states_from is not None:
        msg = "states_from (--states-from) has no meaning here: the states are those of the network"
        raise OptionError(msg)
    if given.discretize != USUAL.discretize:
        msg = (
            "discretize (--discretize) has no meaning here: the states of the network say where "
            "its variables are cut"
        )
        raise OptionError(msg)


def _recoded(table: Table, states: Sequence[Sequence[str]]) -> Table:
    """Return a table with the states of a network, whose variables are its columns."""
    codes = []
    columns = zip(table.names, table.states, table.codes, states, strict=True)
    for name, own, column, labels in columns:
        code = np.append(code_of_labels(own, tuple(labels)), len(labels))  # missing stays missing
        for k in np.unique(column).tolist():
            if code[k] == NOWHERE:
                raise UnknownStateError(name, own[k], labels)
        codes.append(code[column])
    return Table(table.names, states, codes, table.notes, holes=True)
