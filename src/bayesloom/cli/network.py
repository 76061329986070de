"""Networks and data that belong together."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bayesloom.data import Reading, Table
    from bayesloom.model import BayesNet


def read_for(
    net: BayesNet, path: str, reading: Reading, remembered: Reading | None = None
) -> Table:
    """Read the columns of data that a network has, with the network's states.

    States that the user declares go before those of the network.
    """
    from bayesloom.data.network_rows import read_rows

    return read_rows(net.names, net.states, path, remembered=remembered, given=reading)
