"""``bayesloom learn``: from a table to a network."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from bayesloom.cli.independence_options import independence_options
from bayesloom.cli.options import (
    WHERE,
    Named,
    Options,
    count_option,
    data_options,
    engine_options,
    knowledge_from,
    knowledge_option,
    made,
    max_parents_option,
    output_options,
    progress_option,
    reading_of,
    score_from,
    score_options,
    threads_option,
    time_limit_option,
)
from bayesloom.cli.output import (
    check_not_read,
    command_line,
    emit,
    leave_if_interrupted,
    shows_progress,
)
from bayesloom.cli.search_options import search_from, search_options
from bayesloom.errors import BayesloomError
from bayesloom.model.formats import format_list
from bayesloom.registry import ESTIMATORS

if TYPE_CHECKING:
    from bayesloom.data import Table
    from bayesloom.engine import Engine
    from bayesloom.facade import Network


@click.command(short_help="Learn a network from a table.")
@click.argument("data")
@search_options
@score_options
@independence_options
@max_parents_option
@knowledge_option
@data_options
@time_limit_option("Stop after this time, such as 60s, 5m or 1h30m.")
@count_option("--max-steps", told="Stop after so many moves.")
@click.option(
    "--estimator",
    type=Named(ESTIMATORS),
    default="bdeu",
    show_default=True,
    help="How the parameters that are written are estimated, such as 'BDeuMean(ess=1)'.",
)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help=f"Write the network: {format_list()}; JSON keeps the story.",
)
@click.option(
    "--fdr",
    type=float,
    metavar="SHARE",
    help="Choose the score's sparsity so that about this share of the edges is chance.",
)
@progress_option
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
    tiers (lists of variables, earlier ones first), roots and leaves (variables), belief (lists of
    [parent, child, probability]):

    \b
    forbidden = [["LUNG", "SMOKE"]]
    tiers = [["SMOKE", "ASIA"], ["LUNG"]]

    Ctrl-C, and SIGTERM as well, ends the search, keeps the best network so far and writes it
    (exit code 130); a second Ctrl-C ends the program at once.
    """
    from bayesloom.facade.entry import learn_for

    check_outputs(options)
    data, table, reading = data_and_reading(options, (*WHERE, "scheduler"))
    learned = learn_for(
        lambda engine: check_kinds_for(options, engine),
        data,
        search_from(options, score_from(options, table)),
        knowledge=knowledge_from(options),
        estimator=made(options["estimator"]),
        progress=shows_progress(options),
        **{
            key: options[key]
            for key in ("max_parents", "time_limit", "max_steps", "threads", "fdr")
        },
        **reading,
    )
    write_and_tell(learned, learned, options)


def check_kinds_for(options: Options, engine: Engine) -> None:
    """Raise if a file that is asked for cannot hold the columns of the data, before the search."""
    from bayesloom.facade.saving import check_place_for
    from bayesloom.report.page.origin import countable

    if options["output"] is not None:
        check_place_for(engine, options["output"])
    if options["report"] is not None:
        countable(engine)


def check_outputs(options: Options, chart: str = "") -> None:
    """Raise if a file that is asked for cannot be written, before any work is done for it."""
    from bayesloom.facade import check_network_path

    read = {f"--{key}": options.get(key) for key in ("knowledge", "states", "prior", "start")}
    for option in ("output", "report", "checkpoint"):
        check_not_read(f"--{option}", options.get(option), read | {"DATA": options["data"]})
    if options["output"] is not None:
        check_network_path(options["output"])
    for plot in (options["plot"], options.get(chart)):
        if plot is not None:
            from bayesloom.report.picture import check_picture_path

            check_picture_path(plot)
    if options["report"] is not None:
        from bayesloom.report.page import check_page_path

        check_page_path(options["report"])


def data_and_reading(
    options: Options, where: Sequence[str] = WHERE
) -> tuple[object, Table | None, dict[str, Any]]:
    """Return the data, their table if they had to be read, and else how and where to read them."""
    reading = reading_of(options)
    if options["prior"] is None:
        return options["data"], None, reading.to_dict() | {key: options[key] for key in where}
    # The earlier rows of a prior are read by the states of the data, so these come first.
    table = reading.apply(options["data"])
    return table, table, {}


def write_and_tell(found: Any, net: Network, options: Options, chart: str = "") -> None:  # noqa: ANN401
    """Write what was asked for, print what was found, and leave as an interruption asks for.

    ``chart`` is an option that names a picture, which a method of what was found draws.
    """
    written, failed = _write_outputs(net, options)
    notes = [] if failed or options["output"] is None else saving_notes(net, options["output"])
    written += "".join(f"\nnote: {note}" for note in notes)
    if options.get(chart) is not None:
        getattr(found, chart)(options[chart])
        written += f"\ndrawn in {options[chart]}"
    as_json, quiet = options["as_json"], options["quiet"]
    told = found.to_dict() if as_json else {}
    if notes:
        told["notes"] = [*told.get("notes", ()), *notes]
    emit(told, f"{found}{written}", as_json=as_json, quiet=quiet)
    if failed is not None:
        raise failed
    leave_if_interrupted(found.stop)


def saving_notes(net: Network, path: str) -> list[str]:
    """Return what to know of a file that a network has been saved to."""
    from bayesloom.facade.saving import notes_on_file

    bare = net._why_bare() is not None  # noqa: SLF001 - as in `_without_parameters`
    return [] if bare else notes_on_file(net.net, path)


def _write_outputs(learned: Network, options: Options) -> tuple[str, BayesloomError | None]:
    """Write what was asked for; say what was written and what went wrong."""
    output, plot, report = options["output"], options["plot"], options["report"]
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
