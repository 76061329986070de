"""``bayesloom explain``: the story of a pair of variables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from bayesloom.cli.options import (
    Options,
    data_options,
    output_options,
    reading_of,
    score_from,
    score_options,
    threads_option,
)
from bayesloom.cli.output import emit
from bayesloom.registry import SCORES

if TYPE_CHECKING:
    from bayesloom.learning import Record
    from bayesloom.model import BayesNet
    from bayesloom.scores import Score
    from bayesloom.story import Evidence


_WITHOUT_DATA = {"net", "x", "y", "as_json", "quiet", "threads"}
"""Options that have a meaning without --data."""


@click.command(short_help="Tell why two variables are joined, or why not.")
@click.argument("net")
@click.argument("x")
@click.argument("y")
@click.option("--data", metavar="FILE", help="The data, for gains, tests and mutual information.")
@score_options
@data_options
@threads_option
@output_options
def explain(**options: Any) -> None:  # noqa: ANN401 - options come as click collects them
    """Tell why X and Y are joined in the network file NET, or why they are not.

    \b
    bayesloom learn data.csv -o net.json
    bayesloom explain net.json SMOKE LUNG --data data.csv

    A .json file that bayesloom learn has written knows the steps of the search; every other
    network file only knows the graph. With --data the story also says what the data say.
    """
    from bayesloom.model import load
    from bayesloom.network import load_record
    from bayesloom.story import tell_story
    from bayesloom.story.story import check_pair

    as_json, quiet = options["as_json"], options["quiet"]
    path, x, y = (options[key] for key in ("net", "x", "y"))
    net, record = load(path), load_record(path)
    check_pair(x, y, net.names)
    evidence = _evidence(net, record, x, y, options)
    graph = net.dag if record is None else record.structure(net.dag)
    unknown = _unknown(record, options)
    story = tell_story(
        x, y, net.dag, graph=graph, record=record, evidence=evidence, unknown=unknown
    )
    hints = []
    if record is None:
        hints.append("(The steps of the search are not known; learn with -o FILE.json keeps them.)")
    if unknown and evidence is not None:
        hints.append("(Load the module that defines it with --plugin.)")
    if evidence is None:
        hints.append("(Give --data for score changes, tests and mutual information.)")
    emit(story.to_dict(), "\n  ".join([str(story), *hints]), as_json=as_json, quiet=quiet)


def _unknown(record: Record | None, options: Options) -> list[str]:
    """Return the score and the test of the search that are not known and have no stand-in."""
    named = options["score_name"] is not None
    known = () if record is None else record.unknown
    return [what for what in known if not (named and what.startswith("score "))]


def _evidence(
    net: BayesNet, record: Record | None, x: str, y: str, options: Options
) -> Evidence | None:
    """Ask the data, if they are given, by the score that is named, or else the search's own.

    A score that is not known here has no stand-in; a file without a record is scored by BIC.
    """
    path, threads = options["data"], options["threads"]
    if path is None:
        refuse_options_of_data()
        return None
    reading = reading_of(options)
    from bayesloom.cli.network import read_for
    from bayesloom.engine import NativeEngine
    from bayesloom.graphs import ChordalGraph
    from bayesloom.story import Criterion, gather_evidence, gather_link_evidence

    table = read_for(net, path, reading)
    score = score_from(options, table) or score_for(record)
    engine = NativeEngine(table.in_name_order(), threads)
    graph = net.dag if record is None else record.structure(net.dag)
    by = Criterion.of(record)
    if isinstance(graph, ChordalGraph):
        return gather_link_evidence(engine, score, graph, x, y, criterion=by)
    return gather_evidence(engine, score, net.dag, x, y, criterion=by)


def score_for(record: Record | None) -> Score | None:
    """Return the score of a search, BIC without a record, None if it is not known here."""
    if record is not None:
        return None if record.score is None else SCORES.made(record.score)
    from bayesloom.scores import BIC

    return BIC()


def refuse_options_of_data() -> None:
    """Refuse options that say how to read or to score data if there are none."""
    ctx = click.get_current_context()
    for option in ctx.command.params:
        source = ctx.get_parameter_source(option.name or "")
        if option.name not in _WITHOUT_DATA and source is ParameterSource.COMMANDLINE:
            msg = f"{option.opts[0]} needs --data"
            raise click.UsageError(msg)
