"""``bayesloom reproduce``: run the experiments of the papers again."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

import click

from bayesloom.cli.options import crew_option, output_options
from bayesloom.cli.output import emit
from bayesloom.errors import MissingExtraError
from bayesloom.processor import n_processors

NAMES = (
    "fig1",
    "fig3",
    "fig4",
    "fig5",
    "fig6",
    "fig7",
    "tests",
    "crux",
    "study",
    "held-out",
    "calibration",
    "tan",
    "incomplete",
    "cuts",
)


@click.command(short_help="Reproduce a figure of the papers.")
@click.argument("figure", type=click.Choice(NAMES))
@click.option("--reps", type=click.IntRange(min=1), help="Repetitions; by default the paper's.")
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=1,
    show_default=True,
    help="Seed of all random numbers.",
)
@click.option("--data", metavar="DIR", help="The folder with the data sets of tan and cuts.")
@click.option("--jobs", type=click.IntRange(min=1), help="Processes; by default one per processor.")
@crew_option
@click.option(
    "-o",
    "--output",
    metavar="DIR",
    default="results",
    show_default=True,
    help="Folder for tables (Parquet), figures (JSON, SVG) and finished trials.",
)
@output_options
def reproduce(
    *,
    figure: str,
    reps: int | None,
    seed: int,
    data: str | None,
    jobs: int | None,
    scheduler: str | None,
    output: str,
    as_json: bool,
    quiet: bool,
) -> None:
    """Reproduce a FIGURE of the papers on I-map learning and on local scores.

    \b
    bayesloom reproduce fig1 --reps 200
    bayesloom reproduce fig3 -o results --seed 7

    \b
    fig1   how often X -> Z <- Y is found          fig3   IGES against GES, 56 constellations
    fig4   the dependencies that the score misses  fig5   the rate of false rejections
    fig6   the insurance and alarm networks        fig7   BDeu and BIC with and without tests
    tests  how many tests are made                 study  scores and searches on known networks
    crux   what links change, locally and globally  tan    classifiers on up to 25 data sets
    cuts   ways to cut numbers, on up to 18 data sets
    held-out  the learners of the study on real tables    incomplete  rows with missing cells
    calibration  how far bootstrap and posterior can be trusted

    Finished trials are kept: after Ctrl-C, and SIGTERM as well, the same command goes on where it
    was left.
    """
    from bayesloom.learning.interruption import interrupts_on_termination

    try:
        import bayesloom_reproduction as experiments
    except ModuleNotFoundError as error:
        if error.name not in ("bayesloom_reproduction", "rich"):
            raise
        msg = (
            "the experiments are a package of their own, which is not installed; in the source "
            "tree of bayesloom: pip install ./reproduction"
        )
        raise MissingExtraError(msg) from None
    if data is not None and figure not in ("tan", "cuts"):
        msg = f"--data has no meaning for {figure}"
        raise click.UsageError(msg)
    if jobs is not None and scheduler is not None:
        msg = "--jobs are processes here, and --scheduler names a cluster; give one of them"
        raise click.UsageError(msg)
    with interrupts_on_termination():
        told, said = experiments.reproduce(
            figure,
            Path(output),
            reps=reps,
            seed=seed,
            jobs=jobs or n_processors(),
            scheduler=scheduler,
            progress=not quiet and sys.stderr.isatty(),
            say=partial(click.echo, err=True),
            data=None if data is None else Path(data),
        )
        emit(told, said, as_json=as_json, quiet=quiet)
