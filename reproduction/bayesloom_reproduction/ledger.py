"""The ledger of finished trials: a file that grows line by line and survives an interruption."""

from __future__ import annotations

import json
import os
import zlib
from dataclasses import dataclass
from pathlib import Path

from bayesloom.data.atomic import atomic_file
from bayesloom.errors import FileFormatError
from bayesloom_reproduction.experiment import Experiment, Key, Rows

DRAWS = 2
"""Counted up when trials come to draw or measure otherwise, so that old ones are not mixed in."""


@dataclass(slots=True)
class Ledger:
    """Finished trials of one experiment with one seed.

    The first line of the file says what it holds; every further line is one trial, led by a
    checksum of both, so that a damaged or foreign line is known as such.

    Parameters
    ----------
    path : Path
        The file.
    head : str
        The first line.
    done : dict
        The rows of the finished trials, by the values of their settings.
    note : str
        What was wrong with the file and was mended, a sentence; empty if nothing was.
    """

    path: Path
    head: str
    done: dict[Key, Rows]
    note: str = ""

    @classmethod
    def at(cls, path: str | os.PathLike[str], experiment: Experiment) -> Ledger:
        """Open a ledger, or begin one; lines that are cut off or damaged are dropped.

        Raises
        ------
        FileFormatError
            If the file is about another experiment or seed, or is no ledger.

        Examples
        --------
        >>> import tempfile
        >>> experiment = Experiment("a", {"kind": "x"}, 2, lambda trial, rng: {})
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     Ledger.at(Path(folder, "a"), experiment).add(("x", 1), {"runs": [{"f": 0.5}]})
        ...     Ledger.at(Path(folder, "a"), experiment).done
        {('x', 1): {'runs': [{'f': 0.5}]}}
        """
        place = Path(path)
        head = json.dumps({"experiment": experiment.name, "seed": experiment.seed, "draws": DRAWS})
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            whole = place.read_bytes() if place.exists() else b""
        except OSError as error:
            problem = f"the results cannot be kept here ({error.strerror}); choose another folder"
            raise FileFormatError(problem, os.fspath(path)) from None
        first, *rest = whole.decode(errors="replace").split("\n")
        found = [_trial(line, head) for line in rest if line]
        ledger = cls(place, head, dict(filter(None, found)))
        if not (first == head or ledger.done or head.encode().startswith(whole)):
            problem = (
                f"the file holds other results ({first[:80]}) than those of {experiment.name} with "
                f"seed {experiment.seed}; choose another folder, or remove the file"
            )
            raise FileFormatError(problem, os.fspath(path))
        if lost := found.count(None) + bool(whole and first != head):
            lines = "line was" if lost == 1 else "lines were"
            ledger.note = f"{place}: {lost} damaged {lines} dropped; what is missing runs again"
        if lost or not whole.endswith(b"\n"):
            ledger.rewrite()
        return ledger

    def add(self, key: Key, rows: Rows) -> None:
        """Keep a finished trial."""
        self.done[key] = rows
        with self.path.open("a") as file:
            file.write(_line(key, rows, self.head))

    def rewrite(self) -> None:
        """Write the whole file anew."""
        lines = [self.head + "\n", *(_line(*trial, self.head) for trial in self.done.items())]
        with atomic_file(self.path) as file:
            file.write("".join(lines).encode())


def _line(key: Key, rows: Rows, head: str) -> str:
    text = json.dumps([list(key), rows])
    return f"{_checksum(head, text)} {text}\n"


def _trial(line: str, head: str) -> tuple[Key, Rows] | None:
    """Return what a line says, nothing if it is not as it was written under this head."""
    checksum, _, text = line.partition(" ")
    if checksum != _checksum(head, text):
        return None
    key, rows = json.loads(text)
    return tuple(key), rows


def _checksum(head: str, text: str) -> str:
    return f"{zlib.crc32((head + text).encode()):08x}"
