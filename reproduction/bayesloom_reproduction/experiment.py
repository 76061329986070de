"""What an experiment is: trials that can run in any order, and figures made of their rows."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product

import numpy as np

from bayesloom.report.chart import Curve

Value = float | int | str
Row = dict[str, Value]
Rows = dict[str, list[Row]]
"""The rows of every table that a trial fills, by the table's name."""

Trial = Row
"""The settings of one trial, and the number of its repetition."""

Key = tuple[Value, ...]
"""What tells the trials of an experiment apart: the values of their settings."""

Generator = np.random.Generator


@dataclass(frozen=True, slots=True)
class Findings:
    """What a figure says.

    Parameters
    ----------
    text : str
        The figure in words and numbers, a few lines.
    data : mapping
        The same as plain data.
    charts : mapping of str to str
        SVG documents by name.
    """

    text: str
    data: Mapping[str, object]
    charts: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of a paper: its name, what it is about, and how it is made of the rows."""

    name: str
    about: str
    make: Callable[[Rows], Findings]


@dataclass(frozen=True, slots=True)
class Experiment:
    """Trials of one kind; a trial depends on its settings and the seed alone.

    Parameters
    ----------
    name : str
        The name that results are kept under.
    grid : mapping of str to sequence
        The settings and the values that each takes, small ones first.
    reps : int
        How often every combination of settings is repeated.
    act : callable
        What a trial does: from its settings and a source of randomness to the rows of tables.
    figures : tuple of Figure
        What is made of the rows.
    seed : int
        The seed of all randomness.

    Examples
    --------
    >>> def act(trial, rng):
    ...     return {"draws": [{"double": 2 * trial["n"]}]}
    >>> experiment = Experiment("doubling", {"n": (1, 2)}, 2, act)
    >>> experiment.trials()[0], len(experiment.trials())
    ({'n': 2, 'rep': 1}, 4)
    >>> experiment.run({"n": 2, "rep": 1})
    {'draws': [{'n': 2, 'rep': 1, 'double': 4}]}
    """

    name: str
    grid: Mapping[str, Sequence[Value]]
    reps: int
    act: Callable[[Trial, Generator], Rows]
    figures: tuple[Figure, ...] = ()
    seed: int = 1

    def trials(self) -> list[Trial]:
        """List the trials, the long ones first."""
        settings = product(*self.grid.values(), range(self.reps))
        names = (*self.grid, "rep")
        return [dict(zip(names, values, strict=True)) for values in settings][::-1]

    def run(self, trial: Trial) -> Rows:
        """Run one trial; its settings lead every row."""
        found = self.act(trial, generator(self.seed, tuple(trial.values())))
        return {table: [{**trial, **row} for row in rows] for table, rows in found.items()}


def generator(seed: int, key: Key) -> Generator:
    """Return the source of randomness of a trial: other keys and seeds give other streams.

    Examples
    --------
    >>> bool(generator(1, ("a", 2)).random() == generator(1, ("a", 2)).random())
    True
    """
    words = [seed]
    for part in key:
        words += part.encode() if isinstance(part, str) else [int(part)]
    return np.random.default_rng(words)


def joined(rows: Sequence[Row], *names: str) -> dict[Key, list[Row]]:
    """Group rows by the values of some columns, in the order they first appear.

    Examples
    --------
    >>> joined([{"n": 1, "f": 0.5}, {"n": 1, "f": 0.7}], "n")
    {(1,): [{'n': 1, 'f': 0.5}, {'n': 1, 'f': 0.7}]}
    """
    groups: dict[Key, list[Row]] = {}
    for row in rows:
        groups.setdefault(tuple(row[name] for name in names), []).append(row)
    return groups


def numbers(rows: Sequence[Row], name: str) -> list[float]:
    """Return a column of numbers."""
    return [float(row[name]) for row in rows]


def mean(values: Sequence[float]) -> float:
    """Return the mean, NaN of nothing."""
    return sum(values) / len(values) if values else math.nan


def deviation(values: Sequence[float]) -> float:
    """Return the standard deviation of a sample, NaN of fewer than two values.

    Examples
    --------
    >>> deviation([1.0, 3.0])
    1.4142135623730951
    """
    if len(values) < 2:  # noqa: PLR2004 - a spread needs two
        return math.nan
    middle = mean(values)
    return math.sqrt(sum((value - middle) ** 2 for value in values) / (len(values) - 1))


def mean_line(
    name: str, samples: Mapping[int, Sequence[float]], *, most: float = math.inf
) -> Curve:
    """Draw the mean of every sample with its 95 % interval, within 0 and ``most``."""
    points, bars = [], []
    for x, values in samples.items():
        middle, half = mean(values), 1.96 * deviation(values) / math.sqrt(len(values))
        points.append((float(x), middle))
        bars.append((max(0.0, middle - half), min(most, middle + half)))
    return Curve(name, tuple(points), tuple(bars))
