"""``bayesloom bootstrap``: how often every edge is found in resamples of the rows."""

from __future__ import annotations

import sys
from typing import Any

import click

from bayesloom.cli.exit_code import INTERRUPTED
from bayesloom.cli.independence_options import independence_options
from bayesloom.cli.learn import check_outputs, write_outputs
from bayesloom.cli.options import (
    WHERE,
    crew_option,
    data_options,
    engine_here_options,
    knowledge_from,
    knowledge_option,
    max_parents_option,
    output_options,
    reading_of,
    score_from,
    score_options,
)
from bayesloom.cli.output import check_not_read, emit
from bayesloom.cli.search_options import replicate_search_options, search_from
from bayesloom.model.formats import format_list


@click.command(short_help="Tell how sure every edge is, by resampling the rows.")
@click.argument("data")
@click.option(
    "--replicates",
    type=click.IntRange(min=1),
    default=200,
    show_default=True,
    metavar="N",
    help="How many resamples.",
)
@click.option(
    "--seed",
    "draw_seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    metavar="N",
    help="Seed of the draws.",
)
@click.option("--arrows", is_flag=True, help="Count arrows of DAGs as they are, not their classes.")
@click.option("--checkpoint", metavar="FILE", help="Keep what is done, and go on from there.")
@replicate_search_options
@score_options
@independence_options
@max_parents_option
@knowledge_option
@data_options
@click.option("--time-limit", metavar="TIME", help="Stop after this time, such as 60s or 5m.")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help=f"Write the averaged network: {format_list()}; JSON keeps the strengths.",
)
@click.option(
    "--plot", metavar="FILE", help="Draw the averaged network as an .svg or .png picture."
)
@click.option("--threshold-plot", metavar="FILE", help="Draw strengths and threshold, .svg.")
@click.option("--report", metavar="FILE", help="Write an HTML report of the averaged network.")
@click.option("--progress", is_flag=True, help="Tell progress also where there is no terminal.")
@click.option(
    "--threads",
    type=click.IntRange(min=1),
    metavar="N",
    help="Replicates side by side. Default: all processors.",
)
@crew_option
@engine_here_options
@output_options
def bootstrap(**options: Any) -> None:  # noqa: ANN401 - options come as click collects them
    """Learn from resamples of the rows of DATA, and tell how often every edge is found.

    \b
    bayesloom bootstrap data.csv
    bayesloom bootstrap data.csv --search ges --replicates 200 --seed 1 --json
    bayesloom bootstrap data.csv --search ges -o net.json --plot net.svg --report net.html
    bayesloom bootstrap data.csv --replicates 1000 --checkpoint run.json --time-limit 1h

    Strength is the share of resamples that join a pair either way, direction the share of these
    with x -> y; an edge without direction counts half each way. The averaged network has the
    edges above the threshold of Scutari and Nagarajan. Ctrl-C and --time-limit keep what is done.
    """
    from bayesloom.facade import bootstrap as bootstrapped

    as_json, quiet = options["as_json"], options["quiet"]
    output, plot, report = options["output"], options["plot"], options["report"]
    read = {f"--{key}": options[key] for key in ("knowledge", "states", "prior", "start")}
    for option in ("output", "report", "checkpoint"):
        check_not_read(f"--{option}", options[option], read | {"DATA": options["data"]})
    check_outputs(output, plot, report)
    check_outputs(None, options["threshold_plot"], None)
    reading = reading_of(options)
    table = None if options["prior"] is None else reading.apply(options["data"])
    found = bootstrapped(
        options["data"] if table is None else table,
        search_from(options, score_from(options, table)),
        replicates=options["replicates"],
        seed=options["draw_seed"],
        classes=not options["arrows"],
        knowledge=knowledge_from(options),
        progress=options["progress"] or (not quiet and sys.stderr.isatty()),
        **{
            key: options[key]
            for key in ("max_parents", "time_limit", "threads", "scheduler", "checkpoint")
        },
        **(reading.to_dict() | {k: options[k] for k in WHERE} if table is None else {}),
    )
    written, failed = write_outputs(found.averaged, output, plot, report)
    if options["threshold_plot"] is not None:
        found.threshold_plot(options["threshold_plot"])
        written += f"\ndrawn in {options['threshold_plot']}"
    emit(found.to_dict() if as_json else {}, f"{found}{written}", as_json=as_json, quiet=quiet)
    if failed is not None:
        raise failed
    if found.stop.name == "INTERRUPTED":
        click.get_current_context().exit(INTERRUPTED)
