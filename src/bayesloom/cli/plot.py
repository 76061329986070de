"""``bayesloom plot``: the picture of a network."""

from __future__ import annotations

import click

from bayesloom.cli.options import output_options
from bayesloom.cli.output import emit


@click.command(short_help="Draw a network as an SVG picture.")
@click.argument("net")
@click.option("-o", "--output", metavar="FILE", required=True, help="The picture, a .svg file.")
@click.option(
    "--junction-forest", is_flag=True, help="Draw the cliques of a Markov network instead."
)
@output_options
def plot(*, net: str, output: str, junction_forest: bool, as_json: bool, quiet: bool) -> None:
    """Draw the network file NET; arrows that the data cannot direct are dashed.

    \b
    bayesloom plot net.bif -o net.svg

    A .json file of a Markov network is drawn as one: without arrows.
    """
    from bayesloom.errors import ModelError
    from bayesloom.graphs import ChordalGraph
    from bayesloom.model import load
    from bayesloom.network import load_record
    from bayesloom.report import Drawing, svg
    from bayesloom.report.network_picture import check_picture_path, picture, save_picture

    check_picture_path(output)
    dag, record = load(net).dag, load_record(net)
    graph = dag if record is None else record.structure(dag)
    if not junction_forest:
        text = picture(dag, graph)
    elif isinstance(graph, ChordalGraph):
        text = svg(Drawing.of(graph.junction_forest()))
    else:
        msg = f"{net} holds no Markov network; learn one with --search dmn -o NET.json"
        raise ModelError(msg)
    save_picture(text, output)
    emit(
        {"source": net, "target": output, "variables": dag.n, "edges": dag.n_edges},
        f"{dag.n} variables, {dag.n_edges} edges: {net} -> {output}",
        as_json=as_json,
        quiet=quiet,
    )
