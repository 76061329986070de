"""``bayesloom score``: how well a network fits data."""

from __future__ import annotations

from typing import Any

import click

from bayesloom.cli.options import (
    data_options,
    engine_here_options,
    output_options,
    score_from,
    score_options,
)
from bayesloom.cli.output import emit


@click.command(short_help="Score a network on data, term by term.")
@click.argument("net")
@click.argument("data")
@score_options
@data_options
@engine_here_options
@output_options
def score(**options: Any) -> None:  # noqa: ANN401 - options come as click collects them
    """Score the graph of the network file NET on DATA, term by term.

    Default score: bic, or pnal where cells are missing.

    \b
    bayesloom score net.bif data.csv
    bayesloom score net.bif data.csv --score bdeu --ess 10 --json

    States are those of the network; columns that the network does not have are left out.
    """
    from bayesloom.cli.network import rows_for
    from bayesloom.facade import load
    from bayesloom.scores import BIC, PNAL

    as_json, quiet = options["as_json"], options["quiet"]
    net = load(options["net"])
    rows, table = rows_for(net, options)
    usual = PNAL() if rows.missing.any() else BIC()
    found = (score_from(options, table) or usual).explain(rows, net.dag)
    parameters = sum(term.free_parameters for term in found.terms)
    emit(
        {
            "score": {"name": found.name, "value": found.value},
            "local": {term.variable: term.value for term in found.terms},
            "parameters": round(parameters),
            "rows": found.n_rows,
        },
        str(found),
        as_json=as_json,
        quiet=quiet,
    )
