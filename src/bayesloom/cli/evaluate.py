"""``bayesloom evaluate``: how close a learned network is to the true one."""

from __future__ import annotations

import click

from bayesloom.cli.options import output_options
from bayesloom.cli.output import emit


@click.command(short_help="Compare a learned network with the true one.")
@click.argument("true")
@click.argument("learned")
@click.option(
    "--floor",
    type=click.FloatRange(min=0, max=1),
    default=0.0,
    show_default=True,
    help="Take smaller probabilities of LEARNED for this, so that kld stays finite.",
)
@output_options
def evaluate(*, true: str, learned: str, floor: float, as_json: bool, quiet: bool) -> None:
    """Compare the network file LEARNED with the network file TRUE.

    \b
    bayesloom evaluate true.bif learned.bif

    Printed are the exact Kullback-Leibler divergence (kld, in nats), precision, recall and F of
    adjacencies and of compelled arrowheads, and the structural Hamming distance (shd) of the
    equivalence classes. An infinite kld is null in JSON; both forms say which variable and state
    make it so.
    """
    from bayesloom.evaluation import evaluate as compare

    found = compare(true, learned, floor=floor)
    emit(found.to_dict(), str(found), as_json=as_json, quiet=quiet)
