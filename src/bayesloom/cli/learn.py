"""``bayesloom learn``: from a table to a network."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from bayesloom.cli.exit_code import INTERRUPTED
from bayesloom.cli.independence_options import independence_options
from bayesloom.cli.options import (
    Named,
    Options,
    data_options,
    engine_options,
    knowledge_from,
    knowledge_option,
    max_parents_option,
    output_options,
    reading_of,
    score_from,
    score_options,
    threads_option,
)
from bayesloom.cli.output import check_not_read, command_line, emit
from bayesloom.cli.search_options import search_from, search_options
from bayesloom.errors import BayesloomError
from bayesloom.model.formats import format_list
from bayesloom.registry import ESTIMATORS

if TYPE_CHECKING:
    from bayesloom.facade import Network


_WHERE = ("engine", "memory", "cache", "scheduler")


@click.command(short_help="Learn a network from a table.")
@click.argument("data")
@search_options
@score_options
@independence_options
@max_parents_option
@knowledge_option
@data_options
@click.option(
    "--time-limit", metavar="TIME", help="Stop after this time, such as 60s, 5m or 1h30m."
)
@click.option(
    "--max-steps", type=click.IntRange(min=0), metavar="N", help="Stop after so many moves."
)
@click.option(
    "--estimator",
    type=Named(ESTIMATORS),
    default="bdeu",
    show_default=True,
    help="How the parameters that are written are estimated.",
)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help=f"Write the network: {format_list()}; JSON keeps the story.",
)
@click.option("--progress", is_flag=True, help="Tell progress also where there is no terminal.")
@click.option("--plot", metavar="FILE", help="Draw the network as an .svg or .png picture.")
@click.option("--report", metavar="FILE", help="Write an HTML report to look at and to ask.")
@threads_option
@engine_options
@output_options
def learn(**options: Any) -> None:  # noqa: ANN401 - options come as click collects them
    """Learn a network from DATA: a CSV, Parquet or Arrow file, or a folder or a glob of them.

    \b
    bayesloom learn data.csv
    bayesloom learn data.csv --search ges --score bdeu --ess 10 -o net.bif
    bayesloom learn data.csv --knowledge known.toml --max-parents 3 --json
    bayesloom learn data.csv --search xges --plot net.svg
    bayesloom learn data.csv --report net.html
    bayesloom learn "big/*.parquet" --engine disk --memory 1GB
    bayesloom learn "big/*.parquet" --engine dask --scheduler tcp://host:8786

    A knowledge file is TOML or JSON with any of required and forbidden (lists of [parent, child]),
    tiers (lists of variables, earlier ones first), roots and leaves (variables):

    \b
    forbidden = [["LUNG", "SMOKE"]]
    tiers = [["SMOKE", "ASIA"], ["LUNG"]]

    Ctrl-C, and SIGTERM as well, ends the search, keeps the best network so far and writes it
    (exit code 130); a second Ctrl-C ends the program at once.
    """
    as_json, quiet = options["as_json"], options["quiet"]
    output, plot, report = options["output"], options["plot"], options["report"]
    read = {f"--{key}": options[key] for key in ("knowledge", "states", "prior", "start")}
    check_not_read("--output", output, read | {"DATA": options["data"]})
    check_not_read("--report", report, read | {"DATA": options["data"]})
    check_outputs(output, plot, report)
    learned = _learned(options, progress=options["progress"] or (not quiet and sys.stderr.isatty()))
    written, failed = write_outputs(learned, output, plot, report)
    told = learned.to_dict() if as_json else {}
    emit(told, f"{learned}{written}", as_json=as_json, quiet=quiet)
    if failed is not None:
        raise failed
    if learned.stop.name == "INTERRUPTED":
        click.get_current_context().exit(INTERRUPTED)


def check_outputs(output: str | None, plot: str | None, report: str | None) -> None:
    """Raise if a file that is asked for cannot be written, before any work is done for it."""
    from bayesloom.facade import check_network_path

    if output is not None:
        check_network_path(output)
    if plot is not None:
        from bayesloom.report.picture import check_picture_path

        check_picture_path(plot)
    if report is not None:
        from bayesloom.report.page import check_page_path

        check_page_path(report)


def write_outputs(
    learned: Network, output: str | None, plot: str | None, report: str | None
) -> tuple[str, BayesloomError | None]:
    """Write what was asked for; say what was written and what went wrong."""
    said = ""
    try:
        if output is not None:
            learned.save(output)
            said += f"\nwritten to {output}{_without_parameters(learned, output)}"
        if plot is not None:
            learned.plot(plot)
            said += f"\ndrawn in {plot}"
        if report is not None:
            learned.report(report, command=command_line())
            said += f"\nreport in {report}"
    except BayesloomError as error:
        return said, error  # what was found is still printed
    return said, None


def _without_parameters(learned: Network, output: str) -> str:
    """Say why a file of a network holds its graph alone, if it does."""
    from bayesloom.facade.saving import is_graph_path

    if is_graph_path(output):  # which has no place for them
        return ""
    problem = learned._why_bare()  # noqa: SLF001 - not for users, who get it when they ask
    return "" if problem is None else f", the graph without parameters: {problem}"


def _learned(options: Options, *, progress: bool) -> Network:
    """Make what the options stand for and learn."""
    from bayesloom.facade import learn as learn_from

    reading = reading_of(options)
    # The earlier rows of a prior are read by the states of the data, so these come first.
    table = None if options["prior"] is None else reading.apply(options["data"])
    where = {} if table is not None else {k: options[k] for k in _WHERE}
    return learn_from(
        options["data"] if table is None else table,
        search_from(options, score_from(options, table)),
        knowledge=knowledge_from(options),
        estimator=ESTIMATORS[options["estimator"]](),
        progress=progress,
        **{key: options[key] for key in ("max_parents", "time_limit", "max_steps", "threads")},
        **(reading.to_dict() if table is None else {}),
        **where,
    )
