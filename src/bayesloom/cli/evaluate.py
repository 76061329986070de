"""``bayesloom evaluate``: how close a learned network is to the true one."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import click

from bayesloom.cli.options import output_options
from bayesloom.cli.output import emit, tabulated

if TYPE_CHECKING:
    from bayesloom.evaluation import Evaluation


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
    equivalence classes. An infinite kld is null in JSON.
    """
    from bayesloom.evaluation import evaluate as compare
    from bayesloom.model import load_net

    found = compare(load_net(true), load_net(learned), floor=floor)
    emit(found.to_dict(), _told(found), as_json=as_json, quiet=quiet)


def _told(found: Evaluation) -> str:
    kld = f"{found.kld:.6f} nats"
    if math.isinf(found.kld):
        kld = "infinite: LEARNED gives 0 to what TRUE does not (see --floor)"
    rows = [["", "precision", "recall", "F"]]
    for what, agreement in (("adjacencies", found.adjacency), ("arrowheads", found.arrowhead)):
        values = (agreement.precision, agreement.recall, agreement.f)
        rows.append([what, *(f"{value:.3f}" for value in values)])
    return f"{tabulated(rows, right=[1, 2, 3])}\nshd  {found.shd}\nkld  {kld}"
