"""A project: data sets and runs in one SQLite file that survives whatever ends the program."""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from enum import Enum
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO

from bayesloom.errors import DataError, FileFormatError, UnknownVariableError, shown
from bayesloom.studio.copies import Copies, StorageError, Upload
from bayesloom.studio.project_file import PART, opened

_CUT_OFF = "The studio ended while this run was at work. Start it again."
_DATA = "id, name, size, checksum, created"
_RUN = "id, data, plan, state, why, created, summary"
_LONGEST_NAME = 120


class RunState(Enum):
    """Where a run stands."""

    WAITING = "waiting"
    RUNNING = "running"
    PAUSED = "paused"
    DONE = "done"
    FAILED = "failed"
    CUT_OFF = "cut off"

    @property
    def is_live(self) -> bool:
        """Whether more will come of it."""
        return self in (RunState.WAITING, RunState.RUNNING, RunState.PAUSED)


class NotThereError(UnknownVariableError):
    """A data set or a run was asked for that the project does not have."""

    def __str__(self) -> str:
        return f"the project has no {self.where} {shown(str(self.name))}"


class Project:
    """Data sets and runs in one file.

    Every change is one transaction, written ahead (WAL), so that it is there or not there whatever
    happens. A data set goes in part by part, and is there once its row is. One program at a time
    has a project open, so it knows by heart which data sets and runs there are: `data`, `all_data`,
    `run` and `all_runs` never wait for the disk. Methods may be called from any thread.

    Parameters
    ----------
    path : str
        The file; it is made if it is not there.

    Raises
    ------
    FileFormatError
        If the file is no project, of a later version, or open in another studio.
    StorageError
        From any method, if the disk does not take or give back what is kept.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path).absolute()  # workers go to other folders
        self._lock = threading.RLock()
        self._data: dict[int, dict[str, Any]] = {}
        self._runs: dict[int, dict[str, Any]] = {}
        with ExitStack() as stack:
            self._base = stack.enter_context(closing(opened(self.path, str(path))))
            try:
                self._tidy_up()
                self._learn_by_heart()
                self._copies = self._new_copies()
            except (StorageError, OSError) as error:
                told = StorageError.of(error) if isinstance(error, OSError) else error
                raise FileFormatError(str(told), str(path)) from None
            except (TypeError, ValueError, RecursionError) as error:
                problem = f"the project is damaged ({error}); choose another file"
                raise FileFormatError(problem, str(path)) from None
            stack.callback(self._copies.close)
            self._open = stack.pop_all()

    def _tidy_up(self) -> None:
        """Say of runs that were at work that they are cut off; forget data that came in part."""
        live = [state.value for state in RunState if state.is_live]
        marks = ", ".join("?" * len(live))
        with self._changing() as base:
            base.execute(
                f"UPDATE runs SET state = ?, why = ? WHERE state IN ({marks})",  # noqa: S608
                [RunState.CUT_OFF.value, _CUT_OFF, *live],
            )
            base.execute("DELETE FROM parts WHERE data NOT IN (SELECT id FROM data)")

    def _learn_by_heart(self) -> None:
        for row in self._all(f"SELECT {_DATA} FROM data"):  # noqa: S608
            self._data[row[0]] = _named(_DATA, row)
        for row in self._all(f"SELECT {_RUN} FROM runs"):  # noqa: S608
            self._runs[row[0]] = _run(row)

    def _new_copies(self) -> Copies:
        """Make a folder for copies that the project remembers, in case the program is killed."""
        for (name,) in self._all("SELECT folder FROM copies"):
            left = self.path.parent / Path(str(name)).name
            Copies.sweep(left, self.path)
            if not left.exists():
                self._all("DELETE FROM copies WHERE folder = ?", name)
        name = Copies.new_name()
        self._all("INSERT INTO copies VALUES (?)", name)
        return Copies(self.path.with_name(name), self.path)

    @property
    def files(self) -> Path:
        """The folder beside the project for what workers read."""
        return self._copies.folder

    def close(self) -> None:
        """Close the file and take the copies of data away."""
        with self._lock:
            self._open.close()

    @contextmanager
    def _at_work(self) -> Iterator[sqlite3.Connection]:
        """Lend the base to one thread; what the disk does not do is told in a sentence."""
        with self._lock:
            try:
                yield self._base
            except sqlite3.Error as error:
                raise StorageError.of(error) from None

    @contextmanager
    def _changing(self) -> Iterator[sqlite3.Connection]:
        """Lend the base for changes that are all made or none."""
        with self._at_work() as base, base:
            base.execute("BEGIN")
            yield base

    def _all(self, question: str, *values: object) -> list[tuple[Any, ...]]:
        with self._at_work() as base:
            return base.execute(question, values).fetchall()

    def upload(self) -> Upload:
        """Return where a data set can be written to as it comes."""
        return Upload(self._copies)

    def add_data(self, name: str, content: bytes | BinaryIO) -> int:
        """Keep a data set and return its number; one that is there already is not kept twice."""
        source = BytesIO(content) if isinstance(content, bytes) else content
        with self.upload() as upload:
            while part := source.read(PART):
                upload.write(part)
            *_, number = self.keeping(name, upload)
        return number

    def keeping(self, name: str, upload: Upload) -> Iterator[int]:
        """Keep an upload in steps, each of them short, and yield its number after each.

        The data set is there after the last step.
        """
        name = safe_name(name)
        if found := self._same_data(name, upload.checksum):
            yield found
            return
        self._check_room(upload.size)
        number = 0
        try:
            for place, part in enumerate(upload.parts()):
                with self._at_work() as base:
                    number = number or self._next_number()
                    base.execute("INSERT INTO parts VALUES (?, ?, ?)", (number, place, part))
                yield number
            found = self._same_data(name, upload.checksum)  # another upload may have been faster
            if not found:
                row = number, name, upload.size, upload.checksum, time.time()
                self._all(f"INSERT INTO data ({_DATA}) VALUES (?, ?, ?, ?, ?)", *row)  # noqa: S608
                self._data[number] = _named(_DATA, row)
        except StorageError:
            upload.discard()  # it may have the room that is needed
            with suppress(StorageError):
                yield from self._emptying(number)
            raise
        if found:
            yield from self._emptying(number)
        else:
            upload.become(self._copies.of(number, name))
        yield found or number

    def _check_room(self, size: int) -> None:
        free = shutil.disk_usage(self.files).free
        if free < size:
            msg = (
                f"the disk of the project has no room ({size >> 20} MB are needed, "
                f"{free >> 20} MB are free); make room and try again"
            )
            raise StorageError(msg)

    def _same_data(self, name: str, checksum: str) -> int:
        """Return the number of a data set that is there already, else 0."""
        for told in self.all_data():
            if (told["name"], told["checksum"]) == (name, checksum):
                return int(told["id"])
        return 0

    def _next_number(self) -> int:
        ((last,),) = self._all("SELECT coalesce(max(data), 0) FROM parts")
        return max([int(last), *self._data]) + 1

    def _emptying(self, number: int) -> Iterator[int]:
        """Remove the bytes of a data set part by part."""
        for (place,) in self._all("SELECT place FROM parts WHERE data = ?", number):
            self._all("DELETE FROM parts WHERE data = ? AND place = ?", number, place)
            yield number

    def data(self, number: int) -> dict[str, Any]:
        """Return what is known of a data set."""
        return _found(self._data, "data set", number)

    def all_data(self) -> list[dict[str, Any]]:
        """Return all data sets, the latest first."""
        return _latest_first(self._data)

    def data_file(self, number: int) -> Path:
        """Return a copy of a data set as a file under its own name, in the project's own folder."""
        told = self.data(number)
        path = self._copies.of(number, told["name"])
        if path.exists():
            return path
        draft = path.with_name(f".{threading.get_ident()}.part")
        try:
            path.parent.mkdir(mode=0o700, exist_ok=True)
            with draft.open("wb") as file:
                file.writelines(self._parts(number))
            if draft.stat().st_size != told["size"]:
                raise NotThereError(number, (), "data set")  # it has just been removed
            draft.replace(path)
        except OSError as error:
            raise StorageError.of(error) from None
        finally:
            with suppress(OSError):
                draft.unlink(missing_ok=True)
        return path

    def _parts(self, number: int) -> Iterator[bytes]:
        part = "SELECT bytes FROM parts WHERE data = ? AND place = ?"
        for (place,) in self._all("SELECT place FROM parts WHERE data = ? ORDER BY place", number):
            for (content,) in self._all(part, number, place):
                yield content

    def network_file(self, run: int, network: str) -> Path:
        """Return a file with the network of a run, for a worker to read."""
        path = self.files / f"run-{run}.json"
        try:
            path.write_text(network, encoding="utf-8")
        except OSError as error:
            raise StorageError.of(error) from None
        return path

    def remove_data(self, number: int) -> None:
        """Forget a data set and its runs."""
        for _ in self.removing_data(number):
            pass

    def removing_data(self, number: int) -> Iterator[int]:
        """Forget a data set and its runs in steps; it is gone after the first."""
        self.data(number)
        self._copies.forget(number)  # first, for a full disk needs room for what is written ahead
        with self._changing() as base:
            chosen = "(SELECT id FROM runs WHERE data = ?)"
            base.execute(f"DELETE FROM events WHERE run IN {chosen}", (number,))  # noqa: S608
            base.execute("DELETE FROM runs WHERE data = ?", (number,))
            base.execute("DELETE FROM data WHERE id = ?", (number,))
        for run in self.all_runs():
            if run["data"] == number:
                self._runs.pop(run["id"], None)
        self._data.pop(number, None)
        yield number
        yield from self._emptying(number)

    def add_run(self, data: int, plan: dict[str, Any]) -> int:
        """Keep a run that waits, and return its number."""
        self.data(data)
        with self._at_work() as base:
            made = base.execute(
                "INSERT INTO runs (data, plan, state, created) VALUES (?, ?, ?, ?)",
                (data, json.dumps(plan), RunState.WAITING.value, time.time()),
            )
            number = int(made.lastrowid or 0)
            (row,) = self._all(f"SELECT {_RUN} FROM runs WHERE id = ?", number)  # noqa: S608
            self._runs[number] = _run(row)
        return number

    def run(self, number: int) -> dict[str, Any]:
        """Return what is known of a run, without its events and its result."""
        return _found(self._runs, "run", number)

    def all_runs(self) -> list[dict[str, Any]]:
        """Return all runs, the latest first."""
        return _latest_first(self._runs)

    def set_state(self, number: int, state: RunState, why: str = "", *, save: bool = True) -> None:
        """Say where a run stands, and write it down unless that is done later."""
        if (told := self._runs.get(number)) is not None:
            self._runs[number] = {**told, "state": state.value, "why": why}
            if save:
                self.save_state(number)

    def save_state(self, number: int) -> None:
        """Write down where a run stands."""
        if (told := self._runs.get(number)) is not None:
            change = "UPDATE runs SET state = ?, why = ? WHERE id = ?"
            self._all(change, told["state"], told["why"], number)

    def begin_again(self, number: int) -> None:
        """Let a run that has ended wait as if it had never been at work."""
        if RunState(self.run(number)["state"]).is_live:
            msg = "the run is at work; stop it first"
            raise DataError(msg)
        with self._changing() as base:
            base.execute("DELETE FROM events WHERE run = ?", (number,))
            base.execute(
                "UPDATE runs SET state = ?, why = '', summary = '{}', network = NULL, "
                "content = NULL WHERE id = ?",
                (RunState.WAITING.value, number),
            )
        self._runs[number] = {**self.run(number), "summary": {}}
        self.set_state(number, RunState.WAITING, save=False)

    def finish(self, number: int, summary: dict[str, Any], network: str, content: str) -> None:
        """Keep the result of a run."""
        self._all(
            "UPDATE runs SET state = ?, why = '', summary = ?, network = ?, content = ? "
            "WHERE id = ?",
            RunState.DONE.value,
            json.dumps(summary),
            network,
            content,
            number,
        )
        if (told := self._runs.get(number)) is not None:
            self._runs[number] = {**told, "summary": summary}
            self.set_state(number, RunState.DONE, save=False)

    def result(self, number: int, part: str) -> str | None:
        """Return the network file or the page content of a run; None if it has none yet."""
        self.run(number)
        column = {"network": "network", "content": "content"}[part]
        for (found,) in self._all(f"SELECT {column} FROM runs WHERE id = ?", number):  # noqa: S608
            return None if found is None else str(found)
        return None

    def remove_run(self, number: int) -> None:
        """Forget a run."""
        self.run(number)
        with self._changing() as base:
            base.execute("DELETE FROM events WHERE run = ?", (number,))
            base.execute("DELETE FROM runs WHERE id = ?", (number,))
        self._runs.pop(number, None)

    def add_event(self, run: int, body: dict[str, Any]) -> int:
        """Keep what happened in a run, and return its number there."""
        with self._at_work():
            last = self._all("SELECT coalesce(max(id), 0) FROM events WHERE run = ?", run)[0][0]
            self._all("INSERT INTO events VALUES (?, ?, ?)", run, last + 1, json.dumps(body))
            return int(last) + 1

    def events(self, run: int, after: int = 0) -> list[tuple[int, str]]:
        """Return what happened in a run after an event."""
        question = "SELECT id, body FROM events WHERE run = ? AND id > ? ORDER BY id"
        return [(int(number), str(body)) for number, body in self._all(question, run, after)]


def _named(names: str, row: tuple[Any, ...]) -> dict[str, Any]:
    return dict(zip(names.split(", "), row, strict=True))


def _run(row: tuple[Any, ...]) -> dict[str, Any]:
    told = _named(_RUN, row)
    RunState(told["state"])  # no other
    plan, summary = (dict(json.loads(told[what])) for what in ("plan", "summary"))
    return {**told, "plan": plan, "summary": summary}


def _found(known: dict[int, dict[str, Any]], what: str, number: int) -> dict[str, Any]:
    try:
        return dict(known[number])
    except KeyError:
        raise NotThereError(number, (), what) from None


def _latest_first(known: dict[int, dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(map(dict, list(known.values())), key=lambda told: int(told["id"]), reverse=True)


def safe_name(name: str) -> str:
    r"""Return the name of a file without folders and without what does not print.

    Examples
    --------
    >>> safe_name("../../etc/pass\nwd.csv"), safe_name("C:\\data\\a.csv"), safe_name("..")
    ('passwd.csv', 'a.csv', 'data')
    """
    last = re.split(r"[/\\]", name)[-1]
    kept = "".join(letter for letter in last if letter.isprintable()).strip()
    if len(kept.encode()) > _LONGEST_NAME:
        stem, dot, ending = kept.partition(".")
        kept = stem.encode()[: _LONGEST_NAME // 2].decode(errors="ignore") + dot + ending[-20:]
    return kept if kept.strip(".") else "data"


def default_project_path() -> Path:
    """Return where the project is if the user names none: in the user's folder for data."""
    home = os.environ.get("XDG_DATA_HOME") or ""
    folder = Path(home) if Path(home).is_absolute() else Path.home() / ".local" / "share"
    return folder / "bayesloom" / "studio.db"
