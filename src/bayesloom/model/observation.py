"""Rows matched to a network: for every variable its states in them, where they are known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal, get_args

import numpy as np
import numpy.typing as npt

from bayesloom.data import MISSING_STATE, Reading, Table
from bayesloom.data.source import Source
from bayesloom.errors import DataError, OptionError, UnknownStateError, listed, shown
from bayesloom.model.bayes_net import BayesNet
from bayesloom.model.likelihood import label_codes

UnseenPolicy = Literal["error", "ignore"]
"""What to do with a state that a variable does not have: refuse it, or take it as unobserved."""

UNOBSERVED = -1
"""The code of a cell of which nothing is known."""


@dataclass(frozen=True, slots=True, eq=False)
class Observations:
    """The cells of rows as codes of a network's states.

    Parameters
    ----------
    n_rows : int
        The number of rows.
    codes : dict of int to array
        For each node that the rows have a column of, the code of the state in every row, or -1
        where the cell is empty.
    """

    n_rows: int
    codes: dict[int, npt.NDArray[np.int32]]


def observe(
    net: BayesNet, rows: object, unseen: UnseenPolicy = "error", *, target: str | None = None
) -> Observations:
    """Match rows to a network by the names of columns and the labels of states.

    Columns that the network does not have are ignored. An empty cell is not observed, unless the
    variable has the state ``missing``, which empty cells got when the network was learned with
    ``missing="state"``.

    Parameters
    ----------
    net : BayesNet
        The network.
    rows : path, frame or Table
        The rows.
    unseen : {"error", "ignore"}
        Whether a state that its variable does not have is refused or taken as not observed.
    target : str, optional
        A variable that must not be among the columns, because it is asked for.

    Raises
    ------
    OptionError
        If ``unseen`` is neither, or the target is among the columns.
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
    if unseen not in get_args(UnseenPolicy):
        msg = f"unseen must be 'error' or 'ignore', got {shown(repr(unseen))}"
        raise OptionError(msg)
    if isinstance(rows, Table):
        _check_columns(rows.names, net, target)
        return _observed_table(net, rows, unseen)
    kind = _LenientReading if unseen == "ignore" else _NetReading
    table = kind(missing="state", net=net, target=target).apply(rows)
    codes = {}
    for name, column in zip(table.names, table.codes, strict=True):
        v = net.index(name)
        wide = column.astype(np.int32)
        wide[wide >= len(net.states[v])] = UNOBSERVED  # the state of empty cells comes last
        codes[v] = wide
    return Observations(table.n_rows, codes)


def _observed_table(net: BayesNet, table: Table, unseen: UnseenPolicy) -> Observations:
    """Match a table, whose labels are already settled."""
    known = {name: v for v, name in enumerate(net.names)}
    codes = {}
    for name, labels, column in zip(table.names, table.states, table.codes, strict=True):
        if name not in known:
            continue
        code_of = label_codes(net.states[known[name]])
        occurs = np.bincount(column, minlength=len(labels)) > 0
        for label, there in zip(labels, occurs.tolist(), strict=True):
            if label not in code_of:
                code_of[label] = _code_of(net, name, label, unseen) if there else UNOBSERVED
        codes[known[name]] = np.array([code_of[x] for x in labels], np.int32).take(column)
    return Observations(table.n_rows, codes)


def _code_of(net: BayesNet, name: str, label: str, unseen: UnseenPolicy) -> int:
    """Return the code of a label that is not a state's own: a number may still be within one."""
    try:
        return net.state_index(name, label)
    except UnknownStateError:
        if unseen == "ignore" or label == MISSING_STATE:
            return UNOBSERVED
        raise


@dataclass(frozen=True, slots=True)
class _NetReading(Reading):
    """Reads the columns that a network has, with its states."""

    unseen_advice: ClassVar[str | None] = (
        "correct it, or take such cells as not observed with unseen='ignore'"
    )
    net: BayesNet = field(kw_only=True)
    target: str | None = field(kw_only=True)

    def declared(self, name: str) -> tuple[str, ...] | None:
        return self.net.states_of(name)

    def chosen(self, names: Sequence[str], source: Source) -> list[int]:
        _check_columns(names, self.net, self.target, f"{source.title}: ")
        known = set(self.net.names)
        return [k for k, name in enumerate(names) if name in known]


@dataclass(frozen=True, slots=True)
class _LenientReading(_NetReading):
    """Takes cells with unknown states as missing."""

    unseen_advice: ClassVar[str | None] = None


def _check_columns(
    names: Sequence[str], net: BayesNet, target: str | None, where: str = ""
) -> None:
    """Refuse rows that hold the answer, and rows that say nothing at all."""
    if target in names:
        msg = (
            f"{where}the target {shown(repr(target))} is among the columns of the rows; drop it "
            "there, because what is given need not be predicted"
        )
        raise OptionError(msg)
    if not set(names) & set(net.names):
        msg = (
            f"{where}there is no column of the network among {listed(names)}; its variables are "
            f"{listed(net.names)}"
        )
        raise DataError(msg)
