"""``bayesloom query``: the probabilities of a variable when others are known."""

from __future__ import annotations

import click

from bayesloom.cli.evidence import evidence_in, evidence_options
from bayesloom.cli.options import output_options
from bayesloom.cli.output import emit


@click.command(short_help="Probabilities of a variable when others are known.")
@click.argument("net")
@click.argument("targets", nargs=-1, required=True, metavar="TARGET...")
@evidence_options
@output_options
def query(
    *,
    net: str,
    targets: tuple[str, ...],
    given: tuple[str, ...],
    soft: tuple[str, ...],
    as_json: bool,
    quiet: bool,
) -> None:
    """Print the exact probabilities of TARGET in the network file NET, of several targets jointly.

    \b
    bayesloom query net.bif LUNG
    bayesloom query net.bif LUNG --given SMOKE=yes --given ASIA=no
    bayesloom query net.bif LUNG BRONC --given AGE=61

    A number goes where the states of its variable are intervals.
    """
    from bayesloom.inference import query as ask
    from bayesloom.model import load_net

    network = load_net(net)
    known, likely = evidence_in(network, given, soft)
    asked = targets[0] if len(targets) == 1 else targets
    found = ask(network, asked, known, soft=likely)
    emit(found.to_dict(), str(found), as_json=as_json, quiet=quiet)
