"""``bayesloom edges``: the edges of a network, with what is known of each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

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

if TYPE_CHECKING:
    from bayesloom.learning import Record
    from bayesloom.model import BayesNet
    from bayesloom.story import EdgeTable


@click.command(short_help="List the edges of a network and how strong they are.")
@click.argument("net")
@click.option("--data", metavar="FILE", help="The data, for losses, tests and mutual information.")
@score_options
@data_options
@threads_option
@output_options
def edges(**options: Any) -> None:  # noqa: ANN401 - options come as click collects them
    """List the edges of the network file NET, strongest first.

    \b
    bayesloom learn data.csv -o net.json
    bayesloom edges net.json
    bayesloom edges net.bif --data data.csv

    Printed are the direction (compelled, free or from knowledge), how much the score falls without
    the edge, the mutual information and the p-value of the two given the other parents, and the
    reason and the step of the search. A .json file that bayesloom learn has written knows all of
    that; of other files --data is asked.
    """
    from bayesloom.model import load
    from bayesloom.network import load_record

    as_json, quiet = options["as_json"], options["quiet"]
    net, record = load(options["net"]), load_record(options["net"])
    table = _table(net, record, options)
    hint = ""
    if len(table) and table.measure is None:
        hint = "\n  (Give --data for losses, mutual information and p-values.)"
    emit(table.to_dict(), f"{table.text(wrap=False)}{hint}", as_json=as_json, quiet=quiet)


def _table(net: BayesNet, record: Record | None, options: Options) -> EdgeTable:
    """Collect the edges, and ask the data if they are given."""
    from bayesloom.cli.explain import refuse_options_of_data, score_for
    from bayesloom.cli.network import read_for
    from bayesloom.story import Criterion, EdgeTable, measure_edges

    graph = net.dag if record is None else record.structure(net.dag)
    if options["data"] is None:
        refuse_options_of_data()
        return EdgeTable.of(graph, net.dag, record)
    from bayesloom.engine import NativeEngine
    from bayesloom.registry import SCORES

    table = read_for(net, options["data"], reading_of(options))
    score = score_from(options, table) or score_for(record)
    engine = NativeEngine(table.in_name_order(), options["threads"])
    by = Criterion.of(record)
    strengths = measure_edges(engine, score, graph, net.dag, criterion=by)
    name = "" if score is None else SCORES.name_of(score)
    return EdgeTable.of(graph, net.dag, record, strengths=strengths, score=name)
