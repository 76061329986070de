"""``bayesloom report``: the HTML report of a network."""

from __future__ import annotations

import os
from typing import Any

import click

from bayesloom.cli.options import network_data_options
from bayesloom.cli.output import check_not_read, command_line, emit


@click.command(short_help="Write an HTML report of a network.")
@click.argument("net")
@click.option("--data", metavar="FILE", help="The data, for counts, gains, tests and stories.")
@click.option("-o", "--output", metavar="FILE", required=True, help="The report, an .html file.")
@network_data_options
def report(**options: Any) -> None:  # noqa: ANN401 - options come as click collects them
    """Write an HTML report of the network file NET: one file to look at, to ask and to print.

    \b
    bayesloom learn data.csv -o net.json --report net.html
    bayesloom report net.json --data data.csv -o net.html
    bayesloom report net.bif -o net.html

    A .json file that bayesloom learn has written knows the steps of the search. With --data the
    report also shows the data and what they say of every pair; it holds counts, but no rows.
    """
    from bayesloom.cli.explain import data_and_score
    from bayesloom.facade import load
    from bayesloom.report.page import check_page_path

    as_json, quiet = options["as_json"], options["quiet"]
    path, output = options["net"], options["output"]
    check_not_read("--output", output, {"NET": path, "--data": options["data"]})
    check_page_path(output)
    net = load(path)
    engine, score = data_and_score(net, options)
    net.report(output, data=engine, score=score, command=command_line())
    size = os.stat(output).st_size  # noqa: PTH116 - pathlib is slow to import
    emit(
        {"source": path, "target": output, "variables": len(net.names), "bytes": size},
        f"{len(net.names)} variables, {size / 1e6:.2f} MB: {path} -> {output}",
        as_json=as_json,
        quiet=quiet,
    )
