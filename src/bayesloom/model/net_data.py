"""Data for a network: its columns, read with its states."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bayesloom.data import MISSING_STATE, Reading, Table
from bayesloom.data.network_rows import NOTHING, read_rows
from bayesloom.data.reading import USUAL
from bayesloom.engine import Engine, engine_in_memory, is_engine, rows_behind
from bayesloom.engine.data_engine import refuse_reading
from bayesloom.model.bayes_net import BayesNet


def table_for(
    net: BayesNet,
    data: object,
    remembered: Reading | None = None,
    given: Mapping[str, Any] = NOTHING,
    *,
    lacking: bool = False,
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
    given : mapping
        The options that the user writes out now, which go before that; see `ReadingOptions`.
    lacking : bool
        Whether variables without a column are taken as missing in every row.

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
    if is_engine(data):
        refuse_reading(given)
    rows = rows_behind(data)
    return read_rows(
        net.names, net.states, rows, remembered=remembered, given=given, lacking=lacking
    )


def engine_for(
    net: BayesNet,
    data: object,
    remembered: Reading | None = None,
    given: Mapping[str, Any] = NOTHING,
) -> Engine:
    """Return an engine over data for a network: an engine as it is, all else read by `table_for`.

    Examples
    --------
    >>> net = BayesNet.from_tables({"rain": (["no", "yes"], [], [0.75, 0.25])})
    >>> engine_for(net, {"rain": ["no"]}).states
    (('no', 'yes'),)
    """
    if is_engine(data):
        refuse_reading(given)
        return data
    return engine_in_memory(rows_with_holes(net, data, remembered, given).in_name_order())


def rows_with_holes(
    net: BayesNet,
    data: object,
    remembered: Reading | None = None,
    given: Mapping[str, Any] = NOTHING,
    *,
    lacking: bool = False,
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
    settled = before.missing != USUAL.missing or "missing" in given
    read = isinstance(data, Table) or is_engine(data)
    if not settled and not read and not any(MISSING_STATE in labels for labels in net.states):
        given = {**given, "missing": "keep"}
    return table_for(net, data, remembered, given, lacking=lacking)
