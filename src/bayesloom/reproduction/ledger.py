"""The ledger of finished trials: a file that grows line by line and survives an interruption."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path

from bayesloom.errors import FileFormatError
from bayesloom.reproduction.experiment import Key, Rows


@dataclass(slots=True)
class Ledger:
    """Finished trials of one experiment with one seed.

    The first line of the file says what it holds; every further line is one trial.
    """

    path: Path
    done: dict[Key, Rows]

    @classmethod
    def at(cls, path: str | os.PathLike[str], experiment: str, seed: int) -> Ledger:
        """Open a ledger, or begin one; a last line that was cut off is dropped.

        Raises
        ------
        FileFormatError
            If the file is about another experiment or seed, or is no ledger.

        Examples
        --------
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     Ledger.at(Path(folder, "a"), "a", 1).add(("x", 1), {"runs": [{"f": 0.5}]})
        ...     Ledger.at(Path(folder, "a"), "a", 1).done
        {('x', 1): {'runs': [{'f': 0.5}]}}
        """
        place = Path(path)
        head = json.dumps({"experiment": experiment, "seed": seed})
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            if not place.exists():
                place.write_text(head + "\n")
                return cls(place, {})
            whole = place.read_text()
        except OSError as error:
            problem = f"the results cannot be kept here ({error.strerror}); choose another folder"
            raise FileFormatError(problem, os.fspath(path)) from None
        first, *lines = whole.split("\n")
        if first != head:
            problem = (
                f"the file holds other results ({first[:80]}) than those of {experiment} with "
                f"seed {seed}; choose another folder or the same seed"
            )
            raise FileFormatError(problem, os.fspath(path))
        if lines and lines[-1]:  # the last line has no end: an interruption cut it off
            place.write_text("".join(f"{line}\n" for line in (first, *lines[:-1])))
        return cls(place, dict(map(_trial, lines[:-1])))

    def add(self, key: Key, rows: Rows) -> None:
        """Keep a finished trial."""
        self.done[key] = rows
        with self.path.open("a") as file:
            file.write(json.dumps([list(key), rows]) + "\n")


def _trial(line: str) -> tuple[Key, Rows]:
    key, rows = json.loads(line)
    return tuple(key), rows
