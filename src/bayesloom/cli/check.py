"""``bayesloom check``: what data say against a network."""

from __future__ import annotations

from typing import Any

import click

from bayesloom.cli.options import data_options, engine_here_options, output_options
from bayesloom.cli.output import emit


@click.command(short_help="Check a network against data: which of its claims fail.")
@click.argument("net")
@click.argument("data")
@click.option(
    "--alpha",
    type=float,
    default=0.05,
    show_default=True,
    help="The chance of any false alarm, over all that is looked at.",
)
@data_options
@engine_here_options
@output_options
def check(**options: Any) -> None:  # noqa: ANN401 - options come as click collects them
    """Check the network file NET against DATA: which of its independences fail.

    \b
    bayesloom check net.bif held-out.csv
    bayesloom check net.bif held-out.csv --json

    Printed is a sentence for everything that fails: independences, with the edge that would mend
    each, tables that do not predict, rows that are impossible. States are those of the network;
    columns that the network does not have are left out.
    """
    from bayesloom.cli.network import rows_for
    from bayesloom.facade import load

    net = load(options["net"])
    rows, _ = rows_for(net, options)
    found = net.check(rows, alpha=options["alpha"])
    lines = "\n".join(found.failures) or f"nothing fails in {found.n_rows:,} rows"
    emit(found.to_dict(), lines, as_json=options["as_json"], quiet=options["quiet"])
