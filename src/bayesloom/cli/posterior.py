"""``bayesloom posterior``: how probable every edge is, by sampling structures."""

from __future__ import annotations

import sys
from typing import Any

import click

from bayesloom.cli.exit_code import INTERRUPTED
from bayesloom.cli.learn import check_outputs, write_outputs
from bayesloom.cli.options import (
    WHERE,
    data_options,
    engine_here_options,
    knowledge_from,
    knowledge_option,
    output_options,
    reading_of,
    score_from,
    score_options,
    threads_option,
)
from bayesloom.cli.output import check_not_read, emit
from bayesloom.model.formats import format_list


@click.command(short_help="Tell how probable every edge is, by sampling structures.")
@click.argument("data")
@click.option(
    "--method",
    type=click.Choice(["order", "partition"]),
    default="order",
    show_default=True,
    help="Chains over orders, or over partitions, which give every graph the same prior.",
)
@click.option(
    "--chains", type=click.IntRange(min=1), default=3, show_default=True, metavar="N",
    help="How many chains.",
)  # fmt: skip
@click.option(
    "--moves", type=click.IntRange(min=1), default=200_000, show_default=True, metavar="N",
    help="Moves of each chain.",
)  # fmt: skip
@click.option(
    "--burn-in", type=float, default=0.25, show_default=True, metavar="X",
    help="The share of moves at the start that is not sampled.",
)  # fmt: skip
@click.option(
    "--samples", type=click.IntRange(min=1), default=10_000, show_default=True, metavar="N",
    help="Samples of each chain.",
)  # fmt: skip
@click.option(
    "--candidates", type=click.IntRange(min=1), default=10, show_default=True, metavar="N",
    help="Candidate parents of a variable; one parent more may come from outside them.",
)  # fmt: skip
@click.option(
    "--max-parents", type=click.IntRange(min=0), default=3, show_default=True, metavar="N",
    help="Most parents of a variable.",
)  # fmt: skip
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, metavar="N",
    help="Seed of starts and moves.",
)  # fmt: skip
@score_options
@knowledge_option
@data_options
@click.option("--time-limit", metavar="TIME", help="Stop after this time, such as 60s or 5m.")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help=f"Write the network of the probable edges: {format_list()}; JSON keeps probabilities.",
)
@click.option("--plot", metavar="FILE", help="Draw that network as an .svg or .png picture.")
@click.option("--trace-plot", metavar="FILE", help="Draw the traces of the chains, .svg.")
@click.option("--report", metavar="FILE", help="Write an HTML report of that network.")
@click.option("--progress", is_flag=True, help="Tell progress also where there is no terminal.")
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

    as_json, quiet = options["as_json"], options["quiet"]
    output, plot, report = options["output"], options["plot"], options["report"]
    read = {f"--{key}": options[key] for key in ("knowledge", "states", "prior")}
    for option in ("output", "report"):
        check_not_read(f"--{option}", options[option], read | {"DATA": options["data"]})
    check_outputs(output, plot, report)
    check_outputs(None, options["trace_plot"], None)
    reading = reading_of(options)
    table = None if options["prior"] is None else reading.apply(options["data"])
    same = ("method", "chains", "moves", "burn_in", "samples", "candidates", "max_parents", "seed")
    found = sampled(
        options["data"] if table is None else table,
        score_from(options, table),
        knowledge=knowledge_from(options),
        progress=options["progress"] or (not quiet and sys.stderr.isatty()),
        **{key: options[key] for key in (*same, "time_limit", "threads")},
        **(reading.to_dict() | {k: options[k] for k in WHERE} if table is None else {}),
    )
    written, failed = write_outputs(found.network, output, plot, report)
    if options["trace_plot"] is not None:
        found.trace_plot(options["trace_plot"])
        written += f"\ndrawn in {options['trace_plot']}"
    emit(found.to_dict() if as_json else {}, f"{found}{written}", as_json=as_json, quiet=quiet)
    if failed is not None:
        raise failed
    if found.stop.name == "INTERRUPTED":
        click.get_current_context().exit(INTERRUPTED)
