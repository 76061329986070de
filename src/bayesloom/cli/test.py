"""``bayesloom test``: whether two columns are independent given others."""

from __future__ import annotations

from typing import Any

import click

from bayesloom.cli.independence_options import independence_test_from, test_options
from bayesloom.cli.options import (
    engine_here_options,
    file_options,
    output_options,
    reading_of,
    state_options,
)
from bayesloom.cli.output import emit


@click.command(short_help="Test whether two columns are independent given others.")
@click.argument("data")
@click.argument("x")
@click.argument("y")
@click.option(
    "--given", multiple=True, metavar="NAME", help="Condition on this column. Repeatable."
)
@click.option(
    "--alpha",
    type=float,
    metavar="P",
    default=0.05,
    show_default=True,
    help="Level of significance.",
)
@test_options
@state_options
@file_options
@engine_here_options
@output_options
def test(**options: Any) -> None:  # noqa: ANN401 - options come as click collects them
    """Test whether the columns X and Y of DATA are independent given others.

    \b
    bayesloom test data.csv SMOKE LUNG
    bayesloom test data.csv XRAY DYSP --given LUNG --given TUB --test g-square

    Only the columns that are named are read.
    """
    from bayesloom.independence import ChiSquare
    from bayesloom.independence import test as check

    chosen = independence_test_from(options) or ChiSquare()
    found = check(
        options["data"],
        options["x"],
        options["y"],
        options["given"],
        test=chosen,
        alpha=options["alpha"],
        engine=options["engine"],
        memory=options["memory"],
        cache=options["cache"],
        **reading_of(options).to_dict(),
    )
    emit(found.to_dict(), repr(found), as_json=options["as_json"], quiet=options["quiet"])
