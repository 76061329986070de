"""``bayesloom posterior``: how probable every edge is, by sampling structures."""

from __future__ import annotations

from typing import Any

import click

from bayesloom.cli.learn import check_outputs, data_and_reading, write_and_tell
from bayesloom.cli.options import (
    choice_option,
    count_option,
    data_options,
    engine_here_options,
    knowledge_from,
    knowledge_option,
    output_options,
    progress_option,
    score_from,
    score_options,
    threads_option,
    time_limit_option,
)
from bayesloom.cli.output import shows_progress
from bayesloom.model.formats import format_list


@click.command(short_help="Tell how probable every edge is, by sampling structures.")
@click.argument("data")
@choice_option(
    "--method",
    ("order", "partition"),
    "Chains over orders, or over partitions, which give every graph the same prior.",
)
@count_option("--chains", least=1, default=3, told="How many chains.")
@count_option("--moves", least=1, default=200_000, told="Moves of each chain.")
@click.option(
    "--burn-in", type=float, default=0.25, show_default=True, metavar="X",
    help="The share of moves at the start that is not sampled.",
)  # fmt: skip
@count_option("--samples", least=1, default=10_000, told="Samples of each chain.")
@count_option(
    "--candidates",
    least=1,
    default=10,
    told="Candidate parents of a variable; one parent more may come from outside them.",
)
@count_option("--max-parents", default=3, told="Most parents of a variable.")
@count_option("--seed", default=0, told="Seed of starts and moves.")
@score_options
@knowledge_option
@data_options
@time_limit_option("Stop after this time, such as 60s or 5m.")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help=f"Write the network of the probable edges: {format_list()}; JSON keeps probabilities.",
)
@click.option("--plot", metavar="FILE", help="Draw that network as an .svg or .png picture.")
@click.option("--trace-plot", metavar="FILE", help="Draw the traces of the chains, .svg.")
@click.option("--report", metavar="FILE", help="Write an HTML report of that network.")
@progress_option
@threads_option
@engine_here_options
@output_options
def posterior(**options: Any) -> None:  # noqa: ANN401 - options come as click collects them
    """Sample structures given DATA, and tell how probable every edge is. Default score: bdeu.

    \b
    bayesloom posterior data.csv
    bayesloom posterior data.csv --method partition --score bdeu --ess 1 --seed 1 --json
    bayesloom posterior data.csv --moves 300000 -o net.json --trace-plot traces.svg

    Told are the probability of every edge and whether the chains agree: R-hat, the largest
    difference between chains, the effective number of samples. Ctrl-C and --time-limit keep what
    is sampled.
    """
    from bayesloom.facade import posterior as sampled

    check_outputs(options, "trace_plot")
    data, table, reading = data_and_reading(options)
    same = ("method", "chains", "moves", "burn_in", "samples", "candidates", "max_parents", "seed")
    found = sampled(
        data,
        score_from(options, table),
        knowledge=knowledge_from(options),
        progress=shows_progress(options),
        **{key: options[key] for key in (*same, "time_limit", "threads")},
        **reading,
    )
    write_and_tell(found, found.network, options, "trace_plot")
