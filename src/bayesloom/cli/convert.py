"""``bayesloom convert``: a network file in another format."""

from __future__ import annotations

import click

from bayesloom.cli.options import output_options
from bayesloom.cli.output import emit
from bayesloom.model.formats import format_list


@click.command(
    short_help="Write a network file in another format.",
    epilog=f"Formats: {format_list()}; the graph alone: .dot (Graphviz), .graphml.",
)
@click.argument("source")
@click.argument("target")
@output_options
def convert(*, source: str, target: str, as_json: bool, quiet: bool) -> None:
    """Read the network file SOURCE and write it as TARGET; the endings say the formats.

    \b
    bayesloom convert net.bif net.xml
    bayesloom convert net.json.gz net.net
    bayesloom convert net.bif net.dot
    """
    from bayesloom.cli.learn import saving_notes
    from bayesloom.facade import check_network_path, load

    check_network_path(target)
    found = load(source)
    found.save(target)
    n, edges = len(found.names), len(found.edges) + len(found.undirected)
    free = None if found.parameters is None else found.n_parameters
    known = "no parameters" if free is None else f"{free:,} free parameters"
    notes = saving_notes(found, target)
    emit(
        {
            "source": source,
            "target": target,
            "variables": n,
            "edges": edges,
            "parameters": free,
            **({"notes": notes} if notes else {}),
        },
        "\nnote: ".join([f"{n} variables, {edges} edges, {known}: {source} -> {target}", *notes]),
        as_json=as_json,
        quiet=quiet,
    )
