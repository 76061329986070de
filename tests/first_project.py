"""Projects as the first version of the studio made them: no mark, data sets in one piece."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

TABLES = """
CREATE TABLE data (id INTEGER PRIMARY KEY, name TEXT NOT NULL, size INTEGER NOT NULL,
    checksum TEXT NOT NULL, created REAL NOT NULL, bytes BLOB NOT NULL);
CREATE TABLE runs (id INTEGER PRIMARY KEY, data INTEGER NOT NULL REFERENCES data(id),
    plan TEXT NOT NULL, state TEXT NOT NULL, why TEXT NOT NULL DEFAULT '', created REAL NOT NULL,
    summary TEXT NOT NULL DEFAULT '{}', network TEXT, content TEXT);
CREATE TABLE events (run INTEGER NOT NULL, id INTEGER NOT NULL, body TEXT NOT NULL,
    PRIMARY KEY (run, id)) WITHOUT ROWID;
"""


def make_first_project(path: Path, *contents: bytes, killed: bool = False) -> None:
    """Make a project of the first version with data sets and a run for each.

    If it was killed in its first session, all but an empty page is in the file written ahead, which
    everybody could read.
    """
    work = path.with_name("at-work.db")
    with closing(sqlite3.connect(work, isolation_level=None)) as base:
        base.execute("PRAGMA locking_mode=EXCLUSIVE")
        base.execute("PRAGMA journal_mode=WAL")
        base.execute("PRAGMA wal_autocheckpoint=0")
        base.executescript(f"BEGIN; {TABLES} PRAGMA user_version=1; COMMIT;")
        for number, content in enumerate(contents, 1):
            row = (f"{number}.csv", len(content), f"checksum {number}", 1.5, content)
            columns = "name, size, checksum, created, bytes"
            base.execute(f"INSERT INTO data ({columns}) VALUES (?, ?, ?, ?, ?)", row)
            columns = "data, plan, state, created, summary, network"
            plan = (number, '{"seed": 1}', "done", 2.5, '{"edges": 3}', "net")
            base.execute(f"INSERT INTO runs ({columns}) VALUES (?, ?, ?, ?, ?, ?)", plan)
            base.execute("INSERT INTO events VALUES (?, 1, '{}')", (number,))
        if killed:
            for ending in ("", "-wal"):
                shutil.copyfile(f"{work}{ending}", f"{path}{ending}")
                Path(f"{path}{ending}").chmod(0o644 if ending else 0o600)
    if killed:
        work.unlink()
    else:
        work.chmod(0o600)
        work.rename(path)
