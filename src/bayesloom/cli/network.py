"""Networks and data that belong together."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bayesloom.cli.options import Options
    from bayesloom.data import Table
    from bayesloom.data.reading import ReadingOptions
    from bayesloom.engine import Engine
    from bayesloom.facade import Network


def read_for(net: Network, path: str, given: ReadingOptions) -> Table:
    """Read the columns of data that a network has, with its states.

    What the user does not say is read as the network's own data were. States that the user
    declares go before those of the network.
    """
    from bayesloom.data.network_rows import read_rows

    names, states = _variables(net)
    return read_rows(names, states, path, remembered=net.reading, given=given)


def _variables(net: Network) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """Return the variables and their states; a graph without extension was saved with them."""
    kept = None if net.reading is None else net.reading.states
    if net.extension is not None or kept is None:
        return net.net.names, net.net.states
    return tuple(kept), tuple(tuple(map(str, kept[name])) for name in kept)


def rows_for(net: Network, options: Options) -> tuple[Engine, Table | None]:
    """Return the data of a network behind an engine, and their table if they are in memory."""
    from bayesloom.cli.options import WHERE, written_out
    from bayesloom.engine import NativeEngine
    from bayesloom.engine.choice import disk_engine_for, goes_to_disk

    data, threads = options["data"], options.get("threads")
    where = {key: options[key] for key in WHERE}
    if options.get("prior") is None and goes_to_disk(data, where["engine"], where["memory"]):
        given = written_out(options)
        on_disk = disk_engine_for(
            _variables(net), data, net.reading, given, threads=threads, where=where
        )
        return on_disk, None
    table = read_for(net, data, written_out(options))
    return NativeEngine(table, threads), table
