"""The file of a project: made for the user alone, known by its mark; no other file is changed."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
import struct
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from bayesloom.data.atomic import draft_beside, sweep_drafts
from bayesloom.errors import FileFormatError

APPLICATION_ID = int.from_bytes(b"BLst")
"""What marks an SQLite file as a project of the studio."""

SCHEMA = 2
"""The version of the tables; a file of a later version is refused."""

PART = 1 << 20
"""Bytes of a data set that are written or read at once."""

_RUNS = (
    """CREATE TABLE runs (id INTEGER PRIMARY KEY, data INTEGER NOT NULL REFERENCES data(id),
    plan TEXT NOT NULL, state TEXT NOT NULL, why TEXT NOT NULL DEFAULT '', created REAL NOT NULL,
    summary TEXT NOT NULL DEFAULT '{}', network TEXT, content TEXT)""",
    """CREATE TABLE events (run INTEGER NOT NULL, id INTEGER NOT NULL, body TEXT NOT NULL,
    PRIMARY KEY (run, id)) WITHOUT ROWID""",
)
_DATA = (
    """CREATE TABLE data (id INTEGER PRIMARY KEY, name TEXT NOT NULL, size INTEGER NOT NULL,
    checksum TEXT NOT NULL, created REAL NOT NULL)""",
    """CREATE TABLE parts (data INTEGER NOT NULL, place INTEGER NOT NULL, bytes BLOB NOT NULL,
    PRIMARY KEY (data, place))""",
    "CREATE TABLE copies (folder TEXT PRIMARY KEY)",
)
_FIRST_DATA = (
    """CREATE TABLE data (id INTEGER PRIMARY KEY, name TEXT NOT NULL, size INTEGER NOT NULL,
    checksum TEXT NOT NULL, created REAL NOT NULL, bytes BLOB NOT NULL)""",
)
"""The first version had no mark, and a data set in one piece."""

_HEADER = 100  # bytes at the start of an SQLite file
_START = 1 << 16  # bytes that hold the first page, which lists the tables, whatever its size
_WAL = (b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83")
_PATIENCE = 0.3  # seconds to wait for another studio that is just closing

Schema = list[tuple[str | None, ...]]


def opened(path: Path, called: str) -> sqlite3.Connection:
    """Open a project for this program alone; one is made where nothing is.

    Parameters
    ----------
    path : Path
        The file, absolute.
    called : str
        What the user calls it.

    Raises
    ------
    FileFormatError
        If anything else is there, or the project cannot be used; nothing has been changed then.
    """
    try:
        if not _is_there(path):
            _make(path)
            _is_there(path)  # another program may have been faster
        return _locked(path)
    except _NotOursError as error:
        raise FileFormatError(str(error), called) from None
    except sqlite3.Error as error:
        raise FileFormatError(_problem(error), called) from None
    except (OSError, ValueError) as error:
        raise FileFormatError(_cannot(getattr(error, "strerror", None) or error), called) from None


class _NotOursError(Exception):
    """What is there is no project that can be opened; the message says what it is."""


def _is_there(path: Path) -> bool:
    """Say whether a project is there; whatever else is there is refused, only looked at."""
    journal, wal = (path.with_name(path.name + ending) for ending in ("-journal", "-wal"))
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        mode = 0
    if stat.S_ISLNK(mode):
        problem = "this is a link; name the file that it leads to"
        raise _NotOursError(problem)
    if stat.S_ISDIR(mode):
        problem = "this is a folder; name a file in it, such as work.db"
        raise _NotOursError(problem)
    if mode and not stat.S_ISREG(mode):
        problem = "this is a device, not a file; choose another --project"
        raise _NotOursError(problem)
    if mode:
        _check(path, wal)
    # SQLite would take these for its own and remove them.
    for beside in (journal, *([] if mode and _is_wal(wal) else [wal])):
        if os.path.lexists(beside):
            problem = f"{beside.name} is in the way; move it elsewhere, or choose another --project"
            raise _NotOursError(problem)
    return bool(mode)


def _is_wal(path: Path) -> bool:
    """Say whether a file is what SQLite has written ahead, or is about to."""
    with suppress(FileNotFoundError):
        if stat.S_ISREG(path.lstat().st_mode):
            with path.open("rb") as file:
                return file.read(4) in (*_WAL, b"")
    return False


def _check(path: Path, wal: Path) -> None:
    """Refuse a file that is no project, from what it holds; SQLite is not let near it."""
    with path.open("rb") as file:
        header = file.read(_HEADER)
    if not header:
        problem = "this file is empty, no project; remove it, or choose another --project"
        raise _NotOursError(problem)
    if len(header) < _HEADER or not header.startswith(b"SQLite format 3\0"):
        problem = "this is no project of the studio; choose another file"
        raise _NotOursError(problem)
    version, mark = (struct.unpack_from(">i", header, place)[0] for place in (60, 68))
    if mark == APPLICATION_ID:
        if version > SCHEMA:
            problem = (
                f"the project is of version {version}, this program reads up to {SCHEMA}; "
                "take a later bayesloom, or choose another --project"
            )
            raise _NotOursError(problem)
    elif mark or version not in (0, 1) or not _turns_out_a_project(path, wal):
        problem = (
            "this is no project of the studio but another SQLite file "
            f"(application_id {mark}, user_version {version}); choose another file"
        )
        raise _NotOursError(problem)


def _turns_out_a_project(path: Path, wal: Path) -> bool:
    """Say whether an SQLite file without the mark is a project: of the first version, or marked.

    SQLite sees a copy of the page that lists the tables, and of what was written ahead: tables and
    mark may be there alone if the program was killed.
    """
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "copy")
        with path.open("rb") as file, copy.open("wb") as start:
            start.write(file.read(_START))
            start.truncate(path.stat().st_size)
        if _is_wal(wal):
            shutil.copyfile(wal, copy.with_name("copy-wal"))
        try:
            with closing(sqlite3.connect(copy)) as base:
                mark = base.execute("PRAGMA application_id").fetchone()[0]
                return mark == APPLICATION_ID or _schema(base) == _schema_of(*_FIRST_DATA, *_RUNS)
        except sqlite3.Error:
            return False


def _schema(base: sqlite3.Connection) -> Schema:
    return sorted(base.execute("SELECT type, name, tbl_name, sql FROM sqlite_master"), key=str)


def _schema_of(*tables: str) -> Schema:
    with closing(sqlite3.connect(":memory:")) as base:
        for table in tables:
            base.execute(table)
        return _schema(base)


def _make(path: Path) -> None:
    """Make an empty project that nobody else can read, whole or not at all."""
    with _folders(path.parent):
        sweep_drafts(path.parent)
        draft = draft_beside(path)
        try:
            os.close(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
            with closing(_connection(draft)) as base:
                base.execute("PRAGMA journal_mode=OFF")
                for statement in (*_DATA, *_RUNS, *_marks()):
                    base.execute(statement)
            with draft.open("r+b") as file:  # written ahead from the start: there is no journal
                file.seek(18)
                file.write(b"\2\2")
            _give_name(draft, path)
        finally:
            draft.unlink(missing_ok=True)


@contextmanager
def _folders(folder: Path) -> Iterator[None]:
    """Make the folders that are missing; take them away again if it comes to nothing."""
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        yield
    except BaseException:
        for one in missing:
            with suppress(OSError):
                one.rmdir()
        raise


def _give_name(draft: Path, path: Path) -> None:
    """Give a draft its name, unless something has that name by now."""
    with suppress(FileExistsError):  # another studio was faster
        try:
            os.link(draft, path)
        except FileExistsError:
            raise
        except OSError:  # no links on this disk
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
            try:
                draft.replace(path)
            except OSError:
                path.unlink()
                raise


def _marks() -> tuple[str, str]:
    return f"PRAGMA application_id={APPLICATION_ID}", f"PRAGMA user_version={SCHEMA}"


def _connection(path: Path) -> sqlite3.Connection:
    """Open a file that is there; SQLite makes none."""
    return sqlite3.connect(
        f"{path.as_uri()}?mode=rw",
        uri=True,
        timeout=_PATIENCE,
        check_same_thread=False,
        isolation_level=None,
    )


def _locked(path: Path) -> sqlite3.Connection:
    base = _connection(path)
    try:
        # One studio at a time; the lock goes with the process, however that ends.
        base.execute("PRAGMA locking_mode=EXCLUSIVE")
        base.execute("PRAGMA journal_mode=WAL")
        base.execute("PRAGMA synchronous=NORMAL")
        with base:
            base.execute("BEGIN EXCLUSIVE")
            for file in (path, path.with_name(path.name + "-wal")):  # data of the user alone
                if file.exists() and stat.S_IMODE(file.stat().st_mode) & 0o077:
                    file.chmod(0o600)
            _bring_up_to_date(base)
    except BaseException:
        base.close()
        raise
    return base


def _bring_up_to_date(base: sqlite3.Connection) -> None:
    """Mark a project of the first version, and cut its data sets into parts."""
    found = _schema(base)
    if found == _schema_of(*_DATA, *_RUNS):
        return
    if found != _schema_of(*_FIRST_DATA, *_RUNS):
        problem = "this has the mark of a project but other tables; choose another file"
        raise _NotOursError(problem)
    columns = "id, name, size, checksum, created"
    known = base.execute(f"SELECT {columns} FROM data").fetchall()  # noqa: S608
    made, *others = _DATA
    for table in others:
        base.execute(table)
    for number, *_ in known:
        with base.blobopen("data", "bytes", number, readonly=True) as content:
            for place in range(max(1, -(-len(content) // PART))):
                part = content.read(PART)
                base.execute("INSERT INTO parts VALUES (?, ?, ?)", (number, place, part))
    base.execute("DROP TABLE data")
    base.execute(made)
    base.executemany(f"INSERT INTO data ({columns}) VALUES (?, ?, ?, ?, ?)", known)  # noqa: S608
    for mark in _marks():
        base.execute(mark)


def _problem(error: sqlite3.Error) -> str:
    """Say what is wrong with a project that SQLite does not open."""
    code = getattr(error, "sqlite_errorcode", 0)
    if code & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return "the project is open in another studio; close that, or choose another file"
    if code & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return f"the project is damaged ({error}); choose another file"
    return _cannot(error)


def _cannot(said: object) -> str:
    return f"the project cannot be opened ({said}); choose another --project"
