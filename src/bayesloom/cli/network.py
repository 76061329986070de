"""Networks and data that belong together."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bayesloom.data import Reading, Table
    from bayesloom.facade import Network


def read_for(net: Network, path: str, reading: Reading) -> Table:
    """Read the columns of data that a network has, with its states.

    What the user does not say is read as the network's own data were. States that the user
    declares go before those of the network.
    """
    from bayesloom.model import table_for

    return table_for(net.net, path, net.reading, reading)
