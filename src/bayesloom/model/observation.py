"""Rows matched to a network: for every variable its states in them, where they are known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal, get_args

import numpy as np
import numpy.typing as npt

from bayesloom.arrays import Bools, Floats, Ints
from bayesloom.data import MISSING_STATE, Reading, Table
from bayesloom.data.dates_option import dated_names
from bayesloom.data.interval import NOWHERE
from bayesloom.data.label import spelled
from bayesloom.data.level import code_of_labels, code_of_numbers
from bayesloom.data.network_rows import NOTHING, carried_over, columns_there, without_file
from bayesloom.data.source import Source
from bayesloom.engine import is_engine, rows_behind
from bayesloom.engine.data_engine import refuse_reading
from bayesloom.errors import (
    DataError,
    OptionError,
    UnknownStateError,
    shown,
)
from bayesloom.model.bayes_net import BayesNet

UnseenPolicy = Literal["error", "ignore"]
"""What to do with a state that a variable does not have: refuse it, or take it as unobserved."""

UNOBSERVED = NOWHERE
"""The code of a cell of which nothing is known."""

_SETTLED = ("states", "states_from", "discretize", "bins", "target")
"""Options of reading that the network answers: which states, which bins."""


@dataclass(frozen=True, slots=True, eq=False)
class Observations:
    """The cells of rows as codes of a network's states.

    Parameters
    ----------
    n_rows : int
        The number of rows.
    codes : dict of int to array
        For each category that the rows have a column of, the code of the state in every row, or -1
        where the cell is empty.
    values : dict of int to array
        For each number that the rows have a column of, its value in every row, or NaN.
    """

    n_rows: int
    codes: dict[int, npt.NDArray[np.int32]]
    values: dict[int, Floats] = field(default_factory=dict)

    def known(self) -> dict[int, Bools]:
        """Return for each node that the rows have a column of where it is known."""
        states = {v: codes >= 0 for v, codes in self.codes.items()}
        return states | {v: ~np.isnan(values) for v, values in self.values.items()}


def observe(
    net: BayesNet,
    rows: object,
    unseen: UnseenPolicy = "error",
    *,
    target: str | None = None,
    remembered: Reading | None = None,
    given: Mapping[str, Any] = NOTHING,
) -> Observations:
    """Match rows to a network by the names of columns and the labels of states.

    Columns that the network does not have are ignored. An empty cell is not observed, unless the
    variable has the state ``missing``, which empty cells got when the network was learned with
    ``missing="state"``.

    Parameters
    ----------
    net : BayesNet
        The network.
    rows : path, frame, Table or NativeEngine
        The rows.
    unseen : {"error", "ignore"}
        Whether a state that its variable does not have is refused or taken as not observed.
    target : str, optional
        A variable that must not be among the columns, because it is asked for.
    remembered : Reading, optional
        How the network's own data were read: what means missing, what separates cells.
    given : mapping
        The options of reading that the user writes out (`ReadingOptions`), which go before that;
        columns that they drop are left out, the target too.

    Raises
    ------
    OptionError
        If ``unseen`` is neither, the target is among the columns, or an option is given that the
        network leaves without a meaning.
    DataError
        If the rows have no column of the network or cannot be read, or a cell has a state that its
        variable does not have.
    UnknownStateError
        The latter for a `Table`, which is already read.

    Examples
    --------
    >>> net = BayesNet.from_tables({"rain": (["no", "yes"], [], [0.75, 0.25])})
    >>> observe(net, {"rain": ["yes", None, "no"], "id": [7, 8, 9]}).codes[0].tolist()
    [1, -1, 0]
    """
    if not isinstance(unseen, str) or unseen not in get_args(UnseenPolicy):
        msg = f"unseen must be 'error' or 'ignore', got {shown(repr(unseen))}"
        raise OptionError(msg)
    said = Reading.from_dict(given)
    for option in _SETTLED:
        if option in given:
            msg = f"{option} has no meaning here: states and bins are those of the network"
            raise OptionError(msg)
    if is_engine(rows):
        refuse_reading({option: given[option] for option in given if option != "drop"})
    rows = rows_behind(rows)
    if isinstance(rows, Table):
        kept = said.apply(rows)
        _check_columns(kept.names, net, target)
        return _observed_table(net, kept, unseen)
    kind = _LenientReading if unseen == "ignore" else _NetReading
    how = carried_over(without_file(remembered, rows), given)
    empty = "keep" if net.numbers else "state"
    how |= {"missing": given.get("missing", empty), "columns": said.columns, "drop": said.drop}
    how["strict"] = True
    if net.numbers:
        how["numbers"] = dict.fromkeys(net.numbers, "keep")
    table = kind(**how, net=net, absent=target).apply(rows)
    codes, values = {}, {}
    for name, column in zip(table.names, table.codes, strict=True):
        v = net.index(name)
        if net.number_mask >> v & 1:
            values[v] = column
            continue
        wide = column.astype(np.int32)
        wide[wide >= len(net.states[v])] = UNOBSERVED  # the state of empty cells comes last
        codes[v] = wide
    return Observations(table.n_rows, codes, values)


def _observed_table(net: BayesNet, table: Table, unseen: UnseenPolicy) -> Observations:
    """Match a table, whose labels are already settled."""
    known = {name: v for v, name in enumerate(net.names)}
    codes, values = {}, {}
    for name, labels, column in zip(table.names, table.states, table.codes, strict=True):
        if name not in known:
            continue
        v = known[name]
        states = net.states[v]
        if not states and labels:
            msg = f"column {shown(repr(name))} holds categories, and in the network it is a number"
            raise DataError(msg)
        if not states:
            values[v] = column
            continue
        if not labels:
            codes[v] = _observed_numbers(name, column, states, unseen)
            continue
        code = code_of_labels(labels, states).astype(np.int32)
        for k in np.flatnonzero(np.bincount(column, minlength=len(labels))[: len(labels)]).tolist():
            if code[k] == NOWHERE and unseen == "error" and labels[k] != MISSING_STATE:
                raise UnknownStateError(name, labels[k], states)
        code[code == NOWHERE] = UNOBSERVED
        codes[v] = np.append(code, np.int32(UNOBSERVED)).take(column)
    return Observations(table.n_rows, codes, values)


@dataclass(frozen=True, slots=True)
class _NetReading(Reading):
    """Reads the columns that a network has, with its states."""

    unseen_advice: ClassVar[str] = (
        "correct it, or take such cells as not observed with unseen='ignore' (--unseen ignore)"
    )
    net: BayesNet = field(kw_only=True)
    absent: str | None = field(kw_only=True)

    def declared(self, name: str) -> tuple[str, ...] | None:
        return self.net.states_of(name) or None

    def chosen(self, names: Sequence[str], source: Source) -> list[int]:
        # Numbers of the network that the rows lack are not observed.
        kept = Reading.chosen(replace(self, numbers=None), names, source)
        parts = dated_names(self.dates)
        made = [part for k in kept for part in parts.get(names[k], [names[k]])]
        _check_columns(made, self.net, self.absent, f"{source.title}: ")
        known = set(self.net.names)
        return [k for k in kept if known.intersection(parts.get(names[k], [names[k]]))]


@dataclass(frozen=True, slots=True)
class _LenientReading(_NetReading):
    """Takes cells with unknown states as missing."""

    ignores_unseen: ClassVar[bool] = True


def _check_columns(
    names: Sequence[str], net: BayesNet, target: str | None, where: str = ""
) -> None:
    """Refuse rows that hold the answer, and rows that say nothing at all."""
    if target in names:
        msg = (
            f"{where}the target {shown(repr(target))} is among the columns of the rows, and what "
            "is given need not be predicted; leave the column out (drop=, --drop)"
        )
        raise OptionError(msg)
    columns_there(net.names, names, where)


def _observed_numbers(
    name: str, numbers: Floats, states: tuple[str, ...], unseen: UnseenPolicy
) -> Ints:
    """Match a column of numbers of a table to states."""
    code = code_of_numbers(numbers, states)
    if unseen == "error" and (code == NOWHERE).any():
        raise UnknownStateError(name, spelled(float(numbers[code.argmin()])), states)
    return np.where((code == NOWHERE) | (code == len(states)), UNOBSERVED, code).astype(np.int32)
