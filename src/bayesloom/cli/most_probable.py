"""``bayesloom most-probable``: the states of variables that are most probable together."""

from __future__ import annotations

import click

from bayesloom.cli.evidence import evidence_in, evidence_options
from bayesloom.cli.options import output_options
from bayesloom.cli.output import emit


@click.command(short_help="The most probable states of variables together (MAP, MPE).")
@click.argument("net")
@click.argument("variables", nargs=-1, metavar="[VARIABLE]...")
@evidence_options
@output_options
def most_probable(
    *,
    net: str,
    variables: tuple[str, ...],
    given: tuple[str, ...],
    soft: tuple[str, ...],
    as_json: bool,
    quiet: bool,
) -> None:
    """Print the states of VARIABLES that are most probable together; without any, of all.

    \b
    bayesloom most-probable net.bif --given DYSP=yes
    bayesloom most-probable net.bif LUNG BRONC --given DYSP=yes

    Of some variables (MAP) the others are summed out; of all, this is the most probable
    explanation (MPE). It need not have the most probable state of each variable alone.
    """
    from bayesloom.inference import most_probable as find
    from bayesloom.model import load_net

    network = load_net(net)
    known, likely = evidence_in(network, given, soft)
    found = find(network, variables or None, known, soft=likely)
    emit(found.to_dict(), found.text(wrap=False), as_json=as_json, quiet=quiet)
