"""A project: data sets and runs in one SQLite file that survives whatever ends the program."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import sqlite3
import threading
import time
from contextlib import ExitStack, closing
from enum import Enum
from pathlib import Path
from typing import Any

from bayesloom.errors import FileFormatError, UnknownVariableError

SCHEMA = 1
"""The version of the tables; a file of another version is refused."""

_TABLES = """
CREATE TABLE data (id INTEGER PRIMARY KEY, name TEXT NOT NULL, size INTEGER NOT NULL,
    checksum TEXT NOT NULL, created REAL NOT NULL, bytes BLOB NOT NULL);
CREATE TABLE runs (id INTEGER PRIMARY KEY, data INTEGER NOT NULL REFERENCES data(id),
    plan TEXT NOT NULL, state TEXT NOT NULL, why TEXT NOT NULL DEFAULT '', created REAL NOT NULL,
    summary TEXT NOT NULL DEFAULT '{}', network TEXT, content TEXT);
CREATE TABLE events (run INTEGER NOT NULL, id INTEGER NOT NULL, body TEXT NOT NULL,
    PRIMARY KEY (run, id)) WITHOUT ROWID;
"""
_CUT_OFF = "The studio ended while this run was at work. Start it again."
_RUN = "id, data, plan, state, why, created, summary"
_LONGEST_NAME = 120
_LARGEST_NUMBER = 2**63 - 1
_PATIENCE = 0.3  # seconds to wait for another studio that is just closing


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
        return f"the project has no {self.where} {self.name}"


class Project:
    """Data sets and runs in one file.

    Every change is one transaction, written ahead (WAL), so that it is there or not there whatever
    happens. One program at a time has a project open. Methods may be called from any thread.

    Parameters
    ----------
    path : str
        The file; it is made if it is not there.

    Raises
    ------
    FileFormatError
        If the file is no project, of another version, or open in another studio.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path).absolute()  # workers go to other folders
        self.files = Path(f"{self.path}.files")
        self._lock = threading.RLock()
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            problem = f"the project cannot be opened ({error.strerror}); choose another --project"
            raise FileFormatError(problem, str(path)) from None
        with ExitStack() as stack:
            try:
                base = sqlite3.connect(
                    self.path, timeout=_PATIENCE, check_same_thread=False, isolation_level=None
                )
                self._base = stack.enter_context(closing(base))
                self._set_up()
            except sqlite3.DatabaseError as error:
                raise FileFormatError(_problem(error), str(path)) from None
            os.chmod(self.path, 0o600)  # noqa: PTH101 - data of the user alone
            shutil.rmtree(self.files, ignore_errors=True)
            self.files.mkdir(mode=0o700)
            self._open = stack.pop_all()

    def _set_up(self) -> None:
        # One studio at a time; the lock goes with the process, however that ends.
        self._base.execute("PRAGMA locking_mode=EXCLUSIVE")
        version = self._base.execute("PRAGMA user_version").fetchone()[0]
        if version not in (0, SCHEMA):
            problem = f"the project is of version {version}, this program reads {SCHEMA}"
            raise FileFormatError(problem, str(self.path))
        self._base.execute("PRAGMA journal_mode=WAL")
        self._base.execute("PRAGMA synchronous=NORMAL")
        if version == 0:
            self._base.executescript(f"BEGIN; {_TABLES} PRAGMA user_version={SCHEMA}; COMMIT;")
        self._base.execute("BEGIN EXCLUSIVE")
        live = [state.value for state in RunState if state.is_live]
        marks = ", ".join("?" * len(live))
        self._base.execute(
            f"UPDATE runs SET state = ?, why = ? WHERE state IN ({marks})",  # noqa: S608
            [RunState.CUT_OFF.value, _CUT_OFF, *live],
        )
        self._base.execute("COMMIT")

    def close(self) -> None:
        """Close the file and take the copies of data away."""
        with self._lock:
            shutil.rmtree(self.files, ignore_errors=True)
            self._open.close()

    def _all(self, question: str, *values: object) -> list[tuple[Any, ...]]:
        with self._lock:
            return self._base.execute(question, values).fetchall()

    def _one(self, what: str, name: int, question: str) -> tuple[Any, ...]:
        # SQLite refuses to look for a number that it could not have given.
        found = self._all(question, name) if name <= _LARGEST_NUMBER else []
        if not found:
            raise NotThereError(name, (), what)
        return found[0]

    def add_data(self, name: str, content: bytes) -> int:
        """Keep a data set and return its number; one that is there already is not kept twice."""
        name, checksum = safe_name(name), hashlib.sha256(content).hexdigest()
        with self._lock:
            same = "SELECT id FROM data WHERE name = ? AND checksum = ?"
            if found := self._all(same, name, checksum):
                return int(found[0][0])
            columns = "name, size, checksum, created, bytes"
            made = self._base.execute(
                f"INSERT INTO data ({columns}) VALUES (?, ?, ?, ?, ?)",  # noqa: S608
                (name, len(content), checksum, time.time(), content),
            )
            return int(made.lastrowid or 0)

    def data(self, number: int) -> dict[str, Any]:
        """Return what is known of a data set."""
        row = self._one(
            "data set", number, "SELECT id, name, size, checksum, created FROM data WHERE id = ?"
        )
        return dict(zip(("id", "name", "size", "checksum", "created"), row, strict=True))

    def data_file(self, number: int) -> Path:
        """Return a copy of a data set as a file under its own name, in the project's own folder."""
        path = self.files / str(number) / str(self.data(number)["name"])
        if not path.exists():
            content = self._one("data set", number, "SELECT bytes FROM data WHERE id = ?")[0]
            path.parent.mkdir(mode=0o700, exist_ok=True)
            part = path.with_name(f".{threading.get_ident()}.part")
            part.write_bytes(content)
            part.replace(path)
        return path

    def remove_data(self, number: int) -> None:
        """Forget a data set and its runs."""
        self.data(number)
        with self._lock, self._base:
            self._base.execute("BEGIN")
            chosen = "(SELECT id FROM runs WHERE data = ?)"
            self._base.execute(f"DELETE FROM events WHERE run IN {chosen}", (number,))  # noqa: S608
            self._base.execute("DELETE FROM runs WHERE data = ?", (number,))
            self._base.execute("DELETE FROM data WHERE id = ?", (number,))
        shutil.rmtree(self.files / str(number), ignore_errors=True)

    def all_data(self) -> list[dict[str, Any]]:
        """Return all data sets, the latest first."""
        return [self.data(row[0]) for row in self._all("SELECT id FROM data ORDER BY id DESC")]

    def add_run(self, data: int, plan: dict[str, Any]) -> int:
        """Keep a run that waits, and return its number."""
        self.data(data)
        with self._lock:
            made = self._base.execute(
                "INSERT INTO runs (data, plan, state, created) VALUES (?, ?, ?, ?)",
                (data, json.dumps(plan), RunState.WAITING.value, time.time()),
            )
            return int(made.lastrowid or 0)

    def run(self, number: int) -> dict[str, Any]:
        """Return what is known of a run, without its events and its result."""
        return _run(self._one("run", number, f"SELECT {_RUN} FROM runs WHERE id = ?"))  # noqa: S608

    def all_runs(self) -> list[dict[str, Any]]:
        """Return all runs, the latest first."""
        return [_run(row) for row in self._all(f"SELECT {_RUN} FROM runs ORDER BY id DESC")]  # noqa: S608

    def set_state(self, number: int, state: RunState, why: str = "") -> None:
        """Say where a run stands."""
        self._all("UPDATE runs SET state = ?, why = ? WHERE id = ?", state.value, why, number)

    def begin_again(self, number: int) -> None:
        """Let a run wait as if it had never been at work."""
        self.run(number)
        with self._lock, self._base:
            self._base.execute("BEGIN")
            self._base.execute("DELETE FROM events WHERE run = ?", (number,))
            self._base.execute(
                "UPDATE runs SET state = ?, why = '', summary = '{}', network = NULL, "
                "content = NULL WHERE id = ?",
                (RunState.WAITING.value, number),
            )

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

    def result(self, number: int, part: str) -> str | None:
        """Return the network file or the page content of a run; None if it has none yet."""
        column = {"network": "network", "content": "content"}[part]
        found = self._one("run", number, f"SELECT {column} FROM runs WHERE id = ?")[0]  # noqa: S608
        return None if found is None else str(found)

    def remove_run(self, number: int) -> None:
        """Forget a run."""
        self.run(number)
        with self._lock, self._base:
            self._base.execute("BEGIN")
            self._base.execute("DELETE FROM events WHERE run = ?", (number,))
            self._base.execute("DELETE FROM runs WHERE id = ?", (number,))

    def add_event(self, run: int, body: dict[str, Any]) -> int:
        """Keep what happened in a run, and return its number there."""
        with self._lock:
            last = self._all("SELECT coalesce(max(id), 0) FROM events WHERE run = ?", run)[0][0]
            self._all("INSERT INTO events VALUES (?, ?, ?)", run, last + 1, json.dumps(body))
            return int(last) + 1

    def events(self, run: int, after: int = 0) -> list[tuple[int, str]]:
        """Return what happened in a run after an event."""
        question = "SELECT id, body FROM events WHERE run = ? AND id > ? ORDER BY id"
        return [(int(number), str(body)) for number, body in self._all(question, run, after)]


def _problem(error: sqlite3.DatabaseError) -> str:
    """Say what is wrong with a file that SQLite does not open."""
    said = str(error)
    if "locked" in said:
        return "the project is open in another studio; close that, or choose another file"
    if "unable to open" in said or "readonly" in said:
        return f"the project cannot be opened ({said}); choose another --project"
    return f"this is no project of the studio ({said}); choose another file"


def _run(row: tuple[Any, ...]) -> dict[str, Any]:
    names = [name.strip() for name in _RUN.split(",")]
    told = dict(zip(names, row, strict=True))
    return {**told, "plan": json.loads(told["plan"]), "summary": json.loads(told["summary"])}


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
