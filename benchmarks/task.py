"""What is measured: tasks and the programs that take part in them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol

import dataset


class Role(Enum):
    """Whose time a row shows; ratios are taken against the fastest peer."""

    US = "us"
    PEER = "peer"
    FLOOR = "floor"  # shown for orientation, such as the start of an empty Python


class Input(Protocol):
    """An argument that is made when a task runs, not when it is listed."""

    def make(self) -> object:
        """Return the argument itself."""


@dataclass(frozen=True, slots=True)
class Csv:
    """A data file drawn from a bundled network, or from a made one such as ``syn500``."""

    network: str
    rows: int

    def make(self) -> str:
        """Return the path, after writing the file if need be."""
        return str(dataset.csv_file(self.network, self.rows))

    def __str__(self) -> str:
        return f"{self.network}, {self.rows:,} rows"


@dataclass(frozen=True, slots=True)
class Bif:
    """A bundled network as a BIF file."""

    network: str

    def make(self) -> str:
        """Return the path, after writing the file if need be."""
        return str(dataset.bif_file(self.network))


@dataclass(frozen=True, slots=True)
class Scratch:
    """A file that a contender writes."""

    name: str

    def make(self) -> str:
        """Return the path, in a folder that exists."""
        (dataset.WORK / "out").mkdir(parents=True, exist_ok=True)
        return str(dataset.WORK / "out" / self.name)


@dataclass(frozen=True, slots=True, eq=False)
class Contender:
    """One program: a module of ``contenders``, or arguments for Python if a process is timed.

    With ``threads=None`` it runs as it is shipped, on as many processors as it likes.
    """

    name: str
    module: str = ""
    role: Role = Role.PEER
    options: Mapping[str, object] = field(default_factory=dict)
    arguments: tuple[str, ...] = ()
    threads: int | None = 1


US = Contender("bayesloom", "bayesloom", Role.US)
PYAGRUM = Contender("pyagrum", "pyagrum")
PGMPY = Contender("pgmpy", "pgmpy")
BNLEARN = Contender("bnlearn (R)", "bnlearn.R")


@dataclass(frozen=True, slots=True)
class Task:
    """One question put to several contenders.

    Attributes
    ----------
    name
        Unique, for ``--only``.
    page, family
        The page of tables it is on, and its line in the summary.
    table, label
        Heading of the table and first cell of the row.
    call
        Name of the function in the contenders' modules.
    options
        Its keyword arguments; an ``Input`` stands for what it makes.
    score
        ``bic`` or ``bdeu`` if the result is a graph to be judged by the common scorer.
    truth
        The network the graph is compared with.
    series, size
        A peer that ran out of time is not asked again in the same series where each number of
        ``size`` is as large or larger; the page says so. We are always asked.
    clock
        The time that ratios are taken of.
    core
        Whether it belongs to the subset that runs in a quarter of an hour.
    """

    name: str
    page: str
    family: str
    table: str
    label: str
    contenders: tuple[Contender, ...]
    call: str = ""
    options: Mapping[str, object] = field(default_factory=dict)
    score: str = ""
    truth: str = ""
    series: str = ""
    size: tuple[int, ...] = ()
    clock: str = "cpu"
    core: bool = False

    def resolved(self, contender: Contender) -> dict[str, object]:
        """Return the options with every ``Input`` made."""
        return {
            key: value.make() if hasattr(value, "make") else value
            for key, value in {**self.options, **contender.options}.items()
        }
