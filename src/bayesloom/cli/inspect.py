"""``bayesloom inspect``: what the columns of a table are, and what becomes of them."""

from __future__ import annotations

from typing import Any

import click

from bayesloom.cli.options import data_options, output_options, written_out
from bayesloom.cli.output import emit


@click.command(short_help="Look at a table before it is learned from.")
@click.argument("data")
@data_options
@output_options
def inspect(**options: Any) -> None:  # noqa: ANN401 - options come as click collects them
    """Say what every column of the file DATA is, what is missing, and what is to be settled.

    \b
    bayesloom inspect people.csv
    bayesloom inspect people.csv --json
    bayesloom learn people.csv --auto              do all that inspect proposes

    Nothing is learned. The last line is the command that does what is proposed.
    """
    from bayesloom.data import inspect as inspected

    plan = inspected(options["data"], **written_out(options))
    emit(
        plan.to_dict(),
        f"{plan}\n{plan.command}",
        as_json=options["as_json"],
        quiet=options["quiet"],
    )
