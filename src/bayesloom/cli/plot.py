"""``bayesloom plot``: the picture of a network."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from bayesloom.cli.options import output_options
from bayesloom.cli.output import emit

if TYPE_CHECKING:
    from bayesloom.report.network_drawing import View


@click.command(short_help="Draw a network as an SVG picture.")
@click.argument("net")
@click.option("-o", "--output", metavar="FILE", required=True, help="The picture, a .svg file.")
@click.option(
    "--class",
    "as_class",
    is_flag=True,
    help="Draw the equivalence class: edges whose direction is free get no heads.",
)
@click.option("--dag", "as_dag", is_flag=True, help="Draw one network of a learned class.")
@click.option(
    "--junction-forest", is_flag=True, help="Draw the cliques of a Markov network instead."
)
@output_options
def plot(
    *,
    net: str,
    output: str,
    as_class: bool,
    as_dag: bool,
    junction_forest: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Draw the network file NET as it is: arrows of a DAG, edges of a class, links.

    \b
    bayesloom plot net.bif -o net.svg
    bayesloom plot net.bif -o class.svg --class

    Dashed arrows might as well point the other way: an equivalent network has them so. A .json
    file that learn wrote is drawn as learn --plot draws it; thick edges are worth more.
    """
    from bayesloom.errors import ModelError
    from bayesloom.facade import load
    from bayesloom.graphs import ChordalGraph
    from bayesloom.report.picture import check_picture_path

    if as_class + as_dag + junction_forest > 1:
        msg = "--class, --dag and --junction-forest are different pictures; give one of them"
        raise click.UsageError(msg)
    check_picture_path(output)
    found = load(net)
    if junction_forest and not isinstance(found.graph, ChordalGraph):
        msg = f"{net} holds no Markov network; learn one with --search dmn -o NET.json"
        raise ModelError(msg)
    view: View | None = "class" if as_class else "dag" if as_dag else None
    found.plot(output, view=view, junction_forest=junction_forest)
    dag = found.dag
    emit(
        {"source": net, "target": output, "variables": dag.n, "edges": dag.n_edges},
        f"{dag.n} variables, {dag.n_edges} edges: {net} -> {output}",
        as_json=as_json,
        quiet=quiet,
    )
