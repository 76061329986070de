"""``bayesloom plot``: the picture of a network."""

from __future__ import annotations

import click

from bayesloom.cli.options import output_options
from bayesloom.cli.output import emit


@click.command(short_help="Draw a network as an SVG picture.")
@click.argument("net")
@click.option("-o", "--output", metavar="FILE", required=True, help="The picture, a .svg file.")
@output_options
def plot(*, net: str, output: str, as_json: bool, quiet: bool) -> None:
    """Draw the network file NET; arrows that the data cannot direct are dashed.

    \b
    bayesloom plot net.bif -o net.svg
    """
    from bayesloom.learning.plotting import check_picture_path, picture, save_picture
    from bayesloom.model import load

    check_picture_path(output)
    dag = load(net).dag
    save_picture(picture(dag, dag), output)
    emit(
        {"source": net, "target": output, "variables": dag.n, "edges": dag.n_edges},
        f"{dag.n} variables, {dag.n_edges} edges: {net} -> {output}",
        as_json=as_json,
        quiet=quiet,
    )
