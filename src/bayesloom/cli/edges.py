"""``bayesloom edges``: the edges of a network, with what is known of each."""

from __future__ import annotations

from typing import Any

import click

from bayesloom.cli.options import network_data_options
from bayesloom.cli.output import emit


@click.command(short_help="List the edges of a network and how strong they are.")
@click.argument("net")
@click.option("--data", metavar="FILE", help="The data, for losses, tests and mutual information.")
@network_data_options
def edges(**options: Any) -> None:  # noqa: ANN401 - options come as click collects them
    """List the edges of the network file NET, strongest first.

    \b
    bayesloom learn data.csv -o net.json
    bayesloom edges net.json
    bayesloom edges net.bif --data data.csv

    Printed are the direction (compelled, free or from knowledge), how much the score falls without
    the edge, the mutual information and the p-value of the two given the other parents, and the
    reason and the step of the search. A .json file that bayesloom learn has written knows all of
    that; of other files --data is asked.
    """
    from bayesloom.cli.explain import data_and_score
    from bayesloom.facade import load

    as_json, quiet = options["as_json"], options["quiet"]
    net = load(options["net"])
    engine, score = data_and_score(net, options)
    table = net.edge_table(data=engine, score=score)
    hint = ""
    if len(table) and table.measure is None:
        hint = "\n  (Give --data for losses, mutual information and p-values.)"
    emit(table.to_dict(), f"{table.text(wrap=False)}{hint}", as_json=as_json, quiet=quiet)
