"""``bayesloom explain``: the story of a pair of variables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from bayesloom.cli.options import Options, network_data_options, score_from
from bayesloom.cli.output import emit

if TYPE_CHECKING:
    from bayesloom.engine import Engine
    from bayesloom.facade import Network
    from bayesloom.scores import Score


_WITHOUT_DATA = {"net", "x", "y", "output", "as_json", "quiet", "threads"}
"""Options that have a meaning without --data."""


@click.command(short_help="Tell why two variables are joined, or why not.")
@click.argument("net")
@click.argument("x")
@click.argument("y")
@click.option("--data", metavar="FILE", help="The data, for gains, tests and mutual information.")
@network_data_options
def explain(**options: Any) -> None:  # noqa: ANN401 - options come as click collects them
    """Tell why X and Y are joined in the network file NET, or why they are not.

    \b
    bayesloom learn data.csv -o net.json
    bayesloom explain net.json SMOKE LUNG --data data.csv

    A .json file that bayesloom learn has written knows the steps of the search; every other
    network file only knows the graph. With --data the story also says what the data say.
    """
    from bayesloom.facade import load
    from bayesloom.story.story import check_pair

    as_json, quiet = options["as_json"], options["quiet"]
    path, x, y = (options[key] for key in ("net", "x", "y"))
    net = load(path)
    check_pair(x, y, net.names)
    engine, score = data_and_score(net, options)
    story = net.explain(x, y, data=engine, score=score)
    hints = []
    if net.record is None:
        hints.append("(The steps of the search are not known; learn with -o FILE.json keeps them.)")
    if story.unknown and engine is not None:
        hints.append("(Load the module that defines it with --plugin.)")
    if engine is None:
        hints.append("(Give --data for score changes, tests and mutual information.)")
    emit(story.to_dict(), "\n  ".join([str(story), *hints]), as_json=as_json, quiet=quiet)


def data_and_score(net: Network, options: Options) -> tuple[Engine | None, Score | None]:
    """Return the data, if they are given, and the score that is named, if one is."""
    if options["data"] is None:
        _refuse_options_of_data()
        return None, None
    from bayesloom.cli.network import rows_for

    rows, table = rows_for(net, options)
    return rows, score_from(options, table)


def _refuse_options_of_data() -> None:
    """Refuse options that say how to read or to score data if there are none."""
    ctx = click.get_current_context()
    for option in ctx.command.params:
        source = ctx.get_parameter_source(option.name or "")
        if option.name not in _WITHOUT_DATA and source is ParameterSource.COMMANDLINE:
            msg = f"{option.opts[0]} needs --data"
            raise click.UsageError(msg)
