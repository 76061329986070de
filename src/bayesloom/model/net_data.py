"""Data for a network: its columns, read with its states."""

from __future__ import annotations

from dataclasses import replace

from bayesloom.data import Reading, Table
from bayesloom.data.reading import USUAL
from bayesloom.engine import Engine, NativeEngine, is_engine
from bayesloom.errors import DataError, OptionError
from bayesloom.model.bayes_net import BayesNet


def table_for(net: BayesNet, data: object, reading: Reading = USUAL) -> Table:
    """Read the columns of data that a network has, with the network's states.

    Numbers fall into their bins where the states of a variable are intervals. A `Table` is taken as
    it is.

    Parameters
    ----------
    net : BayesNet
        The network.
    data : path, frame or Table
        The data; columns that the network does not have are left out.
    reading : Reading
        How else to read them. States that it declares go before those of the network.

    Raises
    ------
    DataError
        If a variable of the network has no column, or a value is none of its states.
    OptionError
        If ``reading`` chooses columns.

    Examples
    --------
    >>> net = BayesNet.from_tables({"rain": (["no", "yes"], [], [0.75, 0.25])})
    >>> table_for(net, {"rain": ["no"], "wet": ["yes"]})
    Table of 1 row x 1 column
      rain: no, yes
    """
    if isinstance(data, Table):
        return data
    if reading.columns or set(reading.drop) & set(net.names):
        option = "columns" if reading.columns else "drop"
        msg = f"{option} has no meaning here: the columns of all variables of the network are read"
        raise OptionError(msg)
    states = dict(zip(net.names, net.states, strict=True)) | dict(reading.states or {})
    try:
        return replace(reading, columns=net.names, drop=(), states=states).apply(data)
    except DataError as error:
        if "which is not there" not in str(error):
            raise
        msg = f"the data must have every variable of the network; {error}"
        raise DataError(msg) from None


def engine_for(
    net: BayesNet, data: object, reading: Reading = USUAL, threads: int | None = None
) -> Engine:
    """Return an engine over data for a network: an engine as it is, all else read by `table_for`.

    Examples
    --------
    >>> net = BayesNet.from_tables({"rain": (["no", "yes"], [], [0.75, 0.25])})
    >>> engine_for(net, {"rain": ["no"]}).states
    (('no', 'yes'),)
    """
    if is_engine(data):
        return data
    return NativeEngine(table_for(net, data, reading).in_name_order(), threads)
