"""``bayesloom certify``: how far a network is from the optimum, proven."""

from __future__ import annotations

from typing import Any

import click

from bayesloom.cli.options import (
    count_option,
    data_options,
    engine_here_options,
    knowledge_from,
    output_options,
    score_from,
    score_options,
    threads_option,
    time_limit_option,
)
from bayesloom.cli.output import emit, leave_if_interrupted, shows_progress


@click.command(short_help="Prove how far a network is from the optimum.")
@click.argument("net")
@click.argument("data")
@score_options
@count_option("--max-parents", told="Compare with networks in which no variable has more parents.")
@click.option("--knowledge", metavar="FILE", help="JSON or TOML: what the others keep to as well.")
@time_limit_option("Tell what is proven after this time, such as 60s or 5m.")
@data_options
@threads_option
@engine_here_options
@output_options
def certify(**options: Any) -> None:  # noqa: ANN401 - options come as click collects them
    """Prove how far the network file NET is from the highest score on DATA.

    Default score: bic, or pnal where cells are missing.

    \b
    bayesloom certify net.bif data.csv --max-parents 3
    bayesloom certify net.bif data.csv --score bdeu --ess 1 --max-parents 3 --time-limit 5m --json

    The network may come from anywhere: an expert, another program, bayesloom learn. Printed is its
    score, and by how many nats any other network can exceed it at most. States are those of the
    network; columns that the network does not have are left out. Ctrl-C and --time-limit tell what
    is proven until then.
    """
    from bayesloom.cli.network import rows_for
    from bayesloom.facade import certify as certified
    from bayesloom.facade import load

    as_json, quiet = options["as_json"], options["quiet"]
    net = load(options["net"])
    rows, table = rows_for(net, options)
    found = certified(
        net,
        rows if table is None else table,
        score_from(options, table),
        max_parents=options["max_parents"],
        knowledge=knowledge_from(options),
        time_limit=options["time_limit"],
        threads=None if table is None else options["threads"],
        progress=shows_progress(options),
    )
    emit(found.to_dict(), str(found), as_json=as_json, quiet=quiet)
    leave_if_interrupted(found.stop)
