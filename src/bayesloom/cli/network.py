"""Networks and data that belong together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from bayesloom.data import Reading, Table
    from bayesloom.model import BayesNet


def read_for(net: BayesNet, path: str, reading: Reading) -> Table:
    """Read the columns of data that a network has, with the network's states.

    States that the user declares go before those of the network.
    """
    from dataclasses import replace

    from bayesloom.errors import DataError

    if reading.columns or set(reading.drop) & set(net.names):
        option = "--column" if reading.columns else "--drop"
        msg = f"{option} has no meaning here: the columns of all variables of the network are read"
        raise click.UsageError(msg)
    states = dict(zip(net.names, net.states, strict=True)) | dict(reading.states or {})
    try:
        return replace(reading, columns=net.names, states=states).apply(path)
    except DataError as error:
        if "which is not there" not in str(error):
            raise
        msg = f"the data must have every variable of the network; {error}"
        raise DataError(msg) from None
