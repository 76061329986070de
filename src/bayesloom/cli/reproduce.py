"""``bayesloom reproduce``: run the experiments of the papers again."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from bayesloom.cli.options import output_options
from bayesloom.cli.output import emit
from bayesloom.processor import n_processors

NAMES = ("fig1", "fig3", "fig4", "fig5", "fig6", "fig7", "tests", "crux", "study")


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
@click.option("--jobs", type=click.IntRange(min=1), help="Processes; by default one per processor.")
@click.option(
    "-o",
    "--output",
    metavar="DIR",
    default="reproduction",
    show_default=True,
    help="Folder for tables (Parquet), figures (JSON, SVG) and finished trials.",
)
@output_options
def reproduce(
    *,
    figure: str,
    reps: int | None,
    seed: int,
    jobs: int | None,
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
    tests  how many tests are made                 study  scores and controls on known networks
    crux   what links change, locally and globally

    Finished trials are kept: after Ctrl-C, and SIGTERM as well, the same command goes on where it
    was left.
    """
    from bayesloom.learning.interruption import interrupts_on_termination

    with interrupts_on_termination():
        told, said = _reproduced(
            figure, Path(output), reps, seed, jobs, progress=not quiet and sys.stderr.isatty()
        )
        emit(told, said, as_json=as_json, quiet=quiet)


def _reproduced(
    figure: str, folder: Path, reps: int | None, seed: int, jobs: int | None, *, progress: bool
) -> tuple[dict[str, object], str]:
    """Run what is left to run, keep tables and figures; return the findings as data and text."""
    from bayesloom.reproduction import FIGURES, Ledger, keep_findings, keep_tables, run_trials

    chosen = FIGURES[figure]
    experiment = chosen.experiment
    ledger = Ledger.at(folder / f"{experiment.name}.jsonl", experiment.name, seed)
    with _progress(chosen.about, shown=progress) as report:
        tables = run_trials(
            experiment,
            ledger,
            reps=reps or experiment.reps,
            seed=seed,
            jobs=jobs or n_processors(),
            report=report,
        )
    found = chosen.make(tables)
    written = keep_tables(tables, folder, experiment.name) + keep_findings(found, folder, figure)
    said = "\n".join([found.text, "written:", *(f"  {path}" for path in written)])
    files = [os.fspath(path) for path in written]
    return {"figure": figure, "seed": seed, **found.data, "files": files}, said


@contextmanager
def _progress(what: str, *, shown: bool) -> Iterator[Callable[[int, int], None]]:
    """Draw a bar on standard error."""
    if not shown:
        yield lambda _done, _all: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    columns = ("{task.description}", BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
