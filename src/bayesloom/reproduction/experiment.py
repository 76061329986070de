"""What an experiment is: trials that can run in any order, and figures made of their rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

Value = float | int | str
Row = dict[str, Value]
Rows = dict[str, list[Row]]
"""The rows of every table that a trial fills, by the table's name."""

Key = tuple[Value, ...]
"""What tells the trials of an experiment apart."""


class Experiment(Protocol):
    """Trials of one kind; a trial depends on its key and the seed alone."""

    @property
    def name(self) -> str:
        """The name that results are kept under."""

    @property
    def reps(self) -> int:
        """How often every constellation is repeated by default."""

    def keys(self, reps: int) -> list[Key]:
        """List the trials, the long ones first."""

    def run(self, key: Key, seed: int) -> Rows:
        """Run one trial."""


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
    """A figure of a paper: the experiment that it needs, and how it is made."""

    name: str
    about: str
    experiment: Experiment
    make: Callable[[Rows], Findings]


def generator(seed: int, key: Key) -> np.random.Generator:
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


def joined(rows: Sequence[Row], *names: str) -> dict[tuple[Value, ...], list[Row]]:
    """Group rows by the values of some columns, in the order they first appear.

    Examples
    --------
    >>> joined([{"n": 1, "f": 0.5}, {"n": 1, "f": 0.7}], "n")
    {(1,): [{'n': 1, 'f': 0.5}, {'n': 1, 'f': 0.7}]}
    """
    groups: dict[tuple[Value, ...], list[Row]] = {}
    for row in rows:
        groups.setdefault(tuple(row[name] for name in names), []).append(row)
    return groups


def numbers(rows: Sequence[Row], name: str) -> list[float]:
    """Return a column of numbers."""
    return [float(row[name]) for row in rows]


def mean(values: Sequence[float]) -> float:
    """Return the mean, NaN of nothing."""
    return sum(values) / len(values) if values else float("nan")
