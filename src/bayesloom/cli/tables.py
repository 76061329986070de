"""``bayesloom tables``: the conditional probability tables of a network."""

from __future__ import annotations

import click

from bayesloom.cli.options import output_options
from bayesloom.cli.output import emit
from bayesloom.grid import ROWS


@click.command(short_help="Print the probability tables of a network.")
@click.argument("net")
@click.argument("variables", nargs=-1, metavar="[VARIABLE]...")
@output_options
def tables(*, net: str, variables: tuple[str, ...], as_json: bool, quiet: bool) -> None:
    """Print the conditional probability tables of the network file NET.

    \b
    bayesloom tables net.bif
    bayesloom tables net.bif LUNG DYSP

    A table has one row per configuration of the parents and one column per state. Tables of
    variables that are named are printed whole, others up to 20 rows each; --json has all of them.
    """
    from bayesloom.facade import load

    network = load(net)
    found = [network.table(name) for name in variables or network.names]
    most = None if variables else ROWS
    text = (
        ""
        if quiet or as_json
        else "\n\n".join(table.text(rows=most, wrap=most is None) for table in found)
    )
    told = {"tables": [table.to_dict() for table in found]} if as_json else {}
    emit(told, text, as_json=as_json, quiet=quiet)
