"""Networks and data that belong together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bayesloom.data import Table
    from bayesloom.model import BayesNet


def read_for(net: BayesNet, path: str, reading: dict[str, Any]) -> Table:
    """Read the columns of data that a network has, with the network's states.

    Columns and states that the user names go before those of the network.
    """
    from bayesloom.data import read
    from bayesloom.errors import DataError

    states = dict(zip(net.names, net.states, strict=True))
    columns = [name for name in net.names if name not in reading["drop"]]
    states |= reading["states"] or {}
    try:
        return read(path, **{**reading, "columns": columns, "states": states})
    except DataError as error:
        if "which is not there" not in str(error):
            raise
        msg = f"the data must have every variable of the network; {error}"
        raise DataError(msg) from None
