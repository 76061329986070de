"""``bayesloom bootstrap``: how often every edge is found in resamples of the rows."""

from __future__ import annotations

from typing import Any

import click

from bayesloom.cli.independence_options import independence_options
from bayesloom.cli.learn import check_outputs, data_and_reading, write_and_tell
from bayesloom.cli.options import (
    count_option,
    crew_option,
    data_options,
    engine_here_options,
    knowledge_from,
    knowledge_option,
    max_parents_option,
    output_options,
    progress_option,
    score_from,
    score_options,
    time_limit_option,
)
from bayesloom.cli.output import shows_progress
from bayesloom.cli.search_options import replicate_search_options, search_from
from bayesloom.model.formats import format_list


@click.command(short_help="Tell how sure every edge is, by resampling the rows.")
@click.argument("data")
@count_option("--replicates", least=1, default=200, told="How many resamples.")
@count_option("--seed", "draw_seed", default=0, told="Seed of the draws.")
@click.option("--arrows", is_flag=True, help="Count arrows of DAGs as they are, not their classes.")
@click.option("--checkpoint", metavar="FILE", help="Keep what is done, and go on from there.")
@replicate_search_options
@score_options
@independence_options
@max_parents_option
@knowledge_option
@data_options
@time_limit_option("Stop after this time, such as 60s or 5m.")
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
@progress_option
@count_option("--threads", least=1, told="Replicates side by side. Default: all processors.")
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

    check_outputs(options, "threshold_plot")
    data, table, reading = data_and_reading(options)
    same = ("replicates", "max_parents", "time_limit", "threads", "scheduler", "checkpoint")
    found = bootstrapped(
        data,
        search_from(options, score_from(options, table)),
        seed=options["draw_seed"],
        classes=not options["arrows"],
        knowledge=knowledge_from(options),
        progress=shows_progress(options),
        **{key: options[key] for key in same},
        **reading,
    )
    write_and_tell(found, found.averaged, options, "threshold_plot")
