"""Data for a network: its columns, read with its states."""

from __future__ import annotations

from dataclasses import replace

from bayesloom.data import MISSING_STATE, Reading, Table
from bayesloom.data.network_rows import read_rows
from bayesloom.data.reading import USUAL
from bayesloom.engine import Engine, NativeEngine, is_engine, rows_behind
from bayesloom.model.bayes_net import BayesNet


def table_for(
    net: BayesNet, data: object, remembered: Reading | None = None, given: Reading = USUAL
) -> Table:
    """Read the columns of data that a network has, with the network's states.

    Numbers fall into their bins where the states of a variable are intervals.

    Parameters
    ----------
    net : BayesNet
        The network.
    data : path, frame, Table or NativeEngine
        The data; columns that the network does not have are left out.
    remembered : Reading, optional
        How the network's own data were read.
    given : Reading
        What the user says now, which goes before that.

    Raises
    ------
    DataError
        If a variable of the network has no column, or a value is none of its states.
    UnknownVariableError, UnknownStateError
        The same for a `Table`, which is already read.
    OptionError
        If ``given`` chooses or cuts columns.

    Examples
    --------
    >>> net = BayesNet.from_tables({"rain": (["no", "yes"], [], [0.75, 0.25])})
    >>> table_for(net, {"rain": ["no"], "wet": ["yes"]}).names
    ('rain',)
    """
    rows = rows_behind(data)
    return read_rows(net.names, net.states, rows, remembered=remembered, given=given)


def engine_for(net: BayesNet, data: object, remembered: Reading | None = None) -> Engine:
    """Return an engine over data for a network: an engine as it is, all else read by `table_for`.

    Examples
    --------
    >>> net = BayesNet.from_tables({"rain": (["no", "yes"], [], [0.75, 0.25])})
    >>> engine_for(net, {"rain": ["no"]}).states
    (('no', 'yes'),)
    """
    if is_engine(data):
        return data
    return NativeEngine(rows_with_holes(net, data, remembered).in_name_order())


def rows_with_holes(
    net: BayesNet, data: object, remembered: Reading | None = None, given: Reading = USUAL
) -> Table:
    """Read the columns of data that a network has; an empty cell is missing, and stays so.

    Where the network has a state for missing cells, or says that rows with them are dropped, that
    is done instead. See `table_for`.

    Examples
    --------
    >>> net = BayesNet.from_tables({"rain": (["no", "yes"], [], [0.75, 0.25])})
    >>> rows_with_holes(net, {"rain": ["no", None]})["rain"]
    ['no', None]
    """
    before = USUAL if remembered is None else remembered
    settled = before.missing != USUAL.missing or given.missing != USUAL.missing
    if not settled and not any(MISSING_STATE in labels for labels in net.states):
        given = replace(given, missing="keep")
    return table_for(net, data, remembered, given)
