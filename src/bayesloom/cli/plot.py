"""``bayesloom plot``: the picture of a network."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from bayesloom.cli.evidence import observed
from bayesloom.cli.options import output_options
from bayesloom.cli.output import emit

if TYPE_CHECKING:
    from bayesloom.report.network_drawing import View


@click.command(short_help="Draw a network as an SVG or PNG picture.")
@click.argument("net")
@click.option(
    "-o", "--output", metavar="FILE", required=True, help="The picture, an .svg or .png file."
)
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
@click.option(
    "--probabilities", is_flag=True, help="Write the states and their probabilities into the boxes."
)
@click.option(
    "--given",
    multiple=True,
    metavar="NAME=STATE",
    help="What is known, for --probabilities. Repeatable.",
)
@click.option(
    "--highlight", metavar="NAME", help="Make a variable and its Markov blanket stand out."
)
@click.option(
    "--against",
    metavar="NET",
    help="Draw the difference from another network: shared, extra, missing and turned edges.",
)
@click.option("--scale", type=float, help="Pixels of a .png file per pixel of the picture (2).")
@output_options
def plot(
    *,
    net: str,
    output: str,
    as_class: bool,
    as_dag: bool,
    junction_forest: bool,
    probabilities: bool,
    given: tuple[str, ...],
    highlight: str | None,
    against: str | None,
    scale: float | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Draw the network file NET as it is: arrows of a DAG, edges of a class, links.

    \b
    bayesloom plot net.bif -o net.svg
    bayesloom plot net.bif -o class.svg --class
    bayesloom plot net.bif -o smoker.png --probabilities --given SMOKE=yes
    bayesloom plot net.bif -o lung.svg --highlight LUNG
    bayesloom plot learned.json -o difference.svg --against true.bif

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
    if given and not probabilities:
        msg = "--given is for --probabilities; give that too"
        raise click.UsageError(msg)
    found.plot(
        output,
        view=view,
        junction_forest=junction_forest,
        probabilities=probabilities,
        given=[observed(found.net, text) for text in given] or None,
        highlight=highlight,
        against=None if against is None else load(against),
        scale=scale,
    )
    n, n_edges = len(found.names), len(found.edges) + len(found.undirected)
    emit(
        {"source": net, "target": output, "variables": n, "edges": n_edges},
        f"{n} variables, {n_edges} edges: {net} -> {output}",
        as_json=as_json,
        quiet=quiet,
    )
