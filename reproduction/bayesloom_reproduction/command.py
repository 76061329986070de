"""Reproduce one figure: run what is left to run, keep tables and figures, tell what came out."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from bayesloom_reproduction import classifiers, cuts
from bayesloom_reproduction.catalogue import FIGURES
from bayesloom_reproduction.ledger import Ledger
from bayesloom_reproduction.results import keep_findings, keep_tables
from bayesloom_reproduction.runner import run_trials


def reproduce(
    name: str,
    folder: Path,
    *,
    reps: int | None,
    seed: int,
    jobs: int,
    progress: bool,
    say: Callable[[str], None],
    data: Path | None = None,
    scheduler: object = None,
) -> tuple[dict[str, object], str]:
    """Reproduce a figure and return its findings as data and as text.

    Parameters
    ----------
    name : str
        The figure, one of `FIGURES`.
    folder : Path
        Where finished trials, tables and figures are kept.
    reps : int, optional
        Repetitions; by default the experiment's own number.
    seed, jobs : int
        The seed of all randomness and the number of processes.
    progress : bool
        Whether a bar is drawn on standard error.
    say : callable
        Called with a sentence if the ledger was damaged.
    data : Path, optional
        The folder with the data sets of ``tan`` and ``cuts``.
    scheduler : str or distributed.Client, optional
        The cluster that runs the trials, in place of processes.
    """
    experiment, figure = FIGURES[name]
    if data is not None:
        chosen = cuts if name == "cuts" else classifiers
        experiment = chosen.with_folder(experiment, data)
    experiment = replace(experiment, reps=reps or experiment.reps, seed=seed)
    ledger = Ledger.at(folder / f"{experiment.name}.jsonl", experiment)
    if ledger.note:
        say(ledger.note)
    with _bar(figure.about, shown=progress) as report:
        tables = run_trials(experiment, ledger, jobs=jobs, report=report, scheduler=scheduler)
    found = figure.make(tables)
    written = keep_tables(tables, folder, experiment.name) + keep_findings(found, folder, name)
    said = "\n".join([found.text, "written:", *(f"  {path}" for path in written)])
    files = [os.fspath(path) for path in written]
    return {"figure": name, "seed": seed, **found.data, "files": files}, said


@contextmanager
def _bar(what: str, *, shown: bool) -> Iterator[Callable[[int, int], None]]:
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
