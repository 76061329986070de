"""A file that keeps the replicates that are done, so that a run can be taken up again."""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from bayesloom.averaging.pair_tally import Joined
from bayesloom.data import atomic_file
from bayesloom.engine import Batch, Engine, is_counting
from bayesloom.errors import FileFormatError

_FORMAT = 1
_PAUSE = 5.0  # seconds between two writings


def fingerprint(engine: Engine, resampled: Engine, options: object) -> str:
    """Return a text that tells data and options apart from all others.

    Of the data it takes names, states and the counts of each column with the next, as they are and
    in one resample: other rows, or the same in another order, give other counts. Of an engine
    that does not count it takes entropies.
    """
    n = engine.n_variables
    batch = Batch.of((v, (), ((v + 1) % n,) if n > 1 else (-1,)) for v in range(n))
    states = engine.states if is_counting(engine) else None
    told = hashlib.sha256(repr((engine.names, states, engine.n_rows, options)).encode())
    for rows in (engine, resampled):
        if not is_counting(rows):
            told.update(rows.entropies(batch).tobytes())
            continue
        for table in rows.counts(batch):
            told.update(table.tobytes())
    return told.hexdigest()


@dataclass(slots=True)
class Checkpoint:
    """The file, what it stands for, and when it was written last.

    Parameters
    ----------
    path : str
        The file.
    fingerprint : str
        Of data and options.
    """

    path: str
    fingerprint: str
    written: float = field(default_factory=time.monotonic)

    def read(self) -> dict[int, Joined]:
        """Return the replicates that the file keeps; none if it is not there.

        Raises
        ------
        FileFormatError
            If the file is damaged, or about other data or options.
        """
        place = Path(self.path)
        if not place.exists():
            return {}
        try:
            found = json.loads(place.read_text(encoding="utf-8"))
            told = found["format"], found["fingerprint"]
            done = {int(key): _joined(value) for key, value in found["replicates"].items()}
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            problem = "this is no checkpoint of a bootstrap, or it is damaged; remove it"
            raise FileFormatError(problem, self.path) from None
        if told != (_FORMAT, self.fingerprint):
            problem = "the checkpoint is of other data or options; give another file or remove it"
            raise FileFormatError(problem, self.path)
        return done

    def keep(self, done: Mapping[int, Joined], *, now: bool = False) -> None:
        """Write the replicates, unless that was done a moment ago."""
        if not now and time.monotonic() - self.written < _PAUSE:
            return
        told = {
            "format": _FORMAT,
            "fingerprint": self.fingerprint,
            "replicates": {str(number): done[number] for number in sorted(done)},
        }
        with atomic_file(self.path) as file:
            file.write(json.dumps(told, separators=(",", ":")).encode())
        self.written = time.monotonic()


def checkpoint_path(path: str | os.PathLike[str]) -> str:
    """Return the path of a checkpoint; raise if no file can be written there."""
    from bayesloom.data.path import check_place, checked_path

    name = checked_path(path)
    check_place(path)
    return name


def _joined(found: object) -> Joined:
    match found:
        case [list(arrows), list(lines), str(kind)]:
            return Joined(_places(arrows), _places(lines), kind)
    raise TypeError


def _places(found: list[list[int]]) -> tuple[tuple[int, int], ...]:
    return tuple((int(x), int(y)) for x, y in found)
