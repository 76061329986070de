"""Two hundred starts of the studio among files of others: none of these is ever touched."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from bayesloom.errors import FileFormatError
from bayesloom.studio.copies import Copies
from bayesloom.studio.project import Project, RunState
from bayesloom.studio.project_file import APPLICATION_ID, SCHEMA
from first_project import TABLES, make_first_project
from shell import ENVIRONMENT
from snapshot import Found, snapshot
from studio_server import program

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="no links without rights, no pipes"),
]

STARTS = 200
PROJECTS = {"new", "ours", "ours, killed", "ours, naming others", "first", "first, killed"}
WORKS = """
import os, sys
from bayesloom.studio.project import Project
project = Project(sys.argv[1])
number = project.add_data("mine.csv", b"secret" * 100_000)
project.data_file(number)
project.add_event(project.add_run(number, {}), {})
os.kill(os.getpid(), 9)
"""


def database(path: Path, *, live: bool, draw: random.Random) -> None:
    """Make a database of somebody else; what is live has changes that are only written ahead."""
    tables = draw.choice(
        [
            "CREATE TABLE runs (state, why); INSERT INTO runs VALUES ('running', 'mine');",
            "CREATE TABLE data (id INTEGER PRIMARY KEY, bytes BLOB);",
            f"{TABLES} CREATE INDEX one_more ON runs (state);",
            "".join(f"CREATE TABLE letters{k} (text, {'x' * 500});" for k in range(20)),
        ]
    )
    version, mark = draw.choice([0, 1, SCHEMA, 9]), draw.choice([0, 0, 1, APPLICATION_ID + 1])
    work = path.with_name("being-made")
    with closing(sqlite3.connect(work)) as base:
        base.executescript(f"PRAGMA journal_mode={'WAL' if live else 'DELETE'};")
        base.executescript(f"PRAGMA application_id={mark}; PRAGMA user_version={version};")
        base.executescript(tables)
        for ending in ("", "-wal") if live else ("",):
            shutil.copyfile(f"{work}{ending}", f"{path}{ending}")
    work.unlink()


def killed(path: Path) -> None:
    command = [sys.executable, "-c", WORKS, str(path)]
    assert subprocess.run(command, env=ENVIRONMENT, check=False).returncode == -9


def ours_naming_others(path: Path, draw: random.Random) -> None:
    Project(path).close()
    others = [folder.name for folder in path.parent.iterdir() if folder.is_dir()]
    with closing(sqlite3.connect(path)) as base:
        base.execute("PRAGMA locking_mode=EXCLUSIVE")  # the memory that is shared may be blocked
        told = [*others, "..", "../elsewhere", str(path.parent / "thesis"), draw.choice(["", "."])]
        base.executemany("INSERT INTO copies VALUES (?)", [(name,) for name in told])
        base.commit()


def linked(path: Path, goal: str) -> None:
    if goal == "ours":
        Project(path.with_name("goal")).close()
    elif goal == "theirs":
        database(path.with_name("goal"), live=False, draw=random.Random(0))
    path.symlink_to("goal")


def what_is_there(path: Path, draw: random.Random) -> dict[str, Callable[[], object]]:
    """Return what may be where the project is to be, and how that is made."""
    return {
        "new": lambda: None,
        "ours": lambda: Project(path).close(),
        "ours, killed": lambda: killed(path),
        "ours, naming others": lambda: ours_naming_others(path, draw),
        "first": lambda: make_first_project(path, b"a,b\n", b"c,d\n"),
        "first, killed": lambda: make_first_project(path, b"a,b\n", killed=True),
        "database": lambda: database(path, live=False, draw=draw),
        "live database": lambda: database(path, live=True, draw=draw),
        "text": lambda: path.write_text(draw.choice(["mine", "SQLite format 3\0 is mine"])),
        "empty": path.touch,
        "link to ours": lambda: linked(path, "ours"),
        "link to theirs": lambda: linked(path, "theirs"),
        "link to nothing": lambda: linked(path, "nothing"),
        "folder": lambda: (path / "thesis").mkdir(parents=True),
        "pipe": lambda: os.mkfifo(path),
    }


def surround(path: Path, draw: random.Random, kinds: list[str]) -> None:
    """Put things of others beside a project, under names that the studio uses or has used."""
    for kind in kinds:
        name = {
            "files": f"{path.name}.files",
            "copies": Copies.new_name(),
            "marked copies": Copies.new_name(),
            "draft": f".{path.name}-00000000-1-0123456789abcdef.draft",
        }.get(kind, f"{path.name}{kind}")
        beside = path.with_name(name)
        if os.path.lexists(beside):
            continue
        how = draw.choice(["folder", "folder", "file", "link"])
        if kind.startswith("marked") or how == "folder":
            (beside / "thesis").mkdir(parents=True)
            (beside / "thesis" / "chapter.txt").write_text("years of work")
            (beside / "1").mkdir()
            (beside / "1" / "mine.csv").write_text("mine")
            if kind.startswith("marked"):
                other = Copies(beside.with_name(Copies.new_name()), path)
                shutil.move(next(other.folder.iterdir()), beside)
                other.folder.rmdir()
        elif how == "file":
            beside.write_text("mine")
        else:
            beside.symlink_to(draw.choice(["thesis", "nowhere", "/"]))
        if how != "link":
            beside.chmod(draw.choice([0o600, 0o644, 0o755]) | beside.is_dir() * 0o111)


def start(path: Path, *, kill: bool) -> bool:
    """Start the studio's project and work with it; say whether it opened."""
    try:
        project = Project(path)
    except FileFormatError:
        return False
    if kill:
        project.close()
        killed(path)
        return True
    number = project.add_data("mine.csv", b"a,b\n1,2\n")
    assert project.data_file(number).read_bytes() == b"a,b\n1,2\n"
    run = project.add_run(number, {"seed": 1})
    project.set_state(run, RunState.RUNNING)
    project.finish(run, {}, "net", "page")
    project.network_file(run, "net")
    project.remove_data(number)
    project.close()
    return True


def of_others(found: Found, path: Path, ours: set[str]) -> Found:
    """Return what in a snapshot is not the project's own."""
    own = {path.name, f"{path.name}-wal", *ours}
    return {where: seen for where, seen in found.items() if (*Path(where).parts, ".")[0] not in own}


def names(folder: Path) -> set[str]:
    """Return what is in a folder."""
    return {path.name for path in folder.iterdir()}


@pytest.mark.parametrize("batch", range(20))
def test_nothing_but_its_own_is_touched_by_any_start(tmp_path: Path, batch: int) -> None:
    for k in range(batch, STARTS, 20):
        draw = random.Random(k)
        folder = tmp_path / str(k)
        (folder / "thesis").mkdir(parents=True)
        (folder / "thesis" / "chapter.txt").write_text("years of work")
        (folder / "thesis").chmod(0o755)
        path = folder / draw.choice(["work.db", "a b#%.db", ".hidden", "w" * 200])
        things = what_is_there(path, draw)
        kind = list(things)[k % len(things)] if k % 3 else draw.choice(sorted(PROJECTS))
        blocking = draw.sample(["-wal", "-journal"], draw.choice([0, 0, 0, 1, 2]))
        others = draw.sample(["files", "copies", "marked copies", "-shm", "draft"], 3)
        surround(path, draw, others)
        before_it = names(folder)
        things[kind]()
        made = names(folder)
        surround(path, draw, blocking)
        blocked = bool(names(folder) - made)
        # Left by a studio that was killed, and cleared away by the next.
        left = {name for name in made - before_it if name.startswith("bayesloom-studio-")}
        before = snapshot(folder)
        opens = start(path, kill=draw.random() < 0.2)
        after = snapshot(folder)
        assert opens == (kind in PROJECTS and not blocked), (k, kind)
        if not opens:
            assert after == before, (k, kind)
            continue
        new = {name for name in names(folder) - set(before) if name.startswith("bayesloom-studio-")}
        ours = {".", *left, *new}  # the folder itself changes with what is in it
        assert of_others(after, path, ours) == of_others(before, path, ours), (k, kind)
        assert not left & set(after), (k, kind)
        assert path.lstat().st_mode & 0o777 == 0o600


def test_the_program_touches_nothing_but_its_own_killed_or_not(tmp_path: Path) -> None:
    path = tmp_path / "work.db"
    table = tmp_path / "mine.csv"
    table.write_text("a,b\n" + "x,y\ny,x\n" * 40)
    surround(path, random.Random(1), ["files", "copies", "marked copies", "-shm", "draft"])
    before, there = snapshot(tmp_path), names(tmp_path)
    for kill in (True, False, True, False):
        with program(path, str(table)) as (process, visitor):
            run = visitor.start(1, {"search": {"name": "hc"}})
            assert visitor.finished(run)["state"] == "done"
            assert visitor.post(f"/api/runs/{run}/pair", {"a": 0, "b": 1})["story"]
            (process.kill if kill else process.terminate)()
            process.wait()
        after = snapshot(tmp_path)
        ours = names(tmp_path) - there
        assert of_others(after, path, {".", *ours}) == of_others(before, path, {"."})
        assert len(ours) == (3 if kill else 1)  # killed: what is written ahead, and copies
