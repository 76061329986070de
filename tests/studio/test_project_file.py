"""Which file is a project: made for the user alone, known by its mark, all others left alone."""

from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest

from bayesloom.errors import FileFormatError
from bayesloom.studio import project_file
from bayesloom.studio.project import Project
from bayesloom.studio.project_file import APPLICATION_ID, PART, SCHEMA
from first_project import TABLES, make_first_project
from shell import ENVIRONMENT
from snapshot import snapshot

posix = pytest.mark.skipif(sys.platform == "win32", reason="no modes, no links without rights")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def refused(path: Path) -> str:
    """Open what is no project; return the sentence, and see that nothing has changed."""
    before = snapshot(path.parent)
    with pytest.raises(FileFormatError) as caught:
        Project(path)
    assert snapshot(path.parent) == before
    said = str(caught.value)
    assert said.startswith(f"{path}: ")
    assert "\n" not in said
    assert ";" in said  # what to do
    return said.removeprefix(f"{path}: ")


def test_a_new_project_has_its_mark_and_is_written_ahead_from_the_start(tmp_path: Path) -> None:
    path = tmp_path / "work.db"
    Project(path).close()
    assert [file.name for file in tmp_path.iterdir()] == ["work.db"]
    header = path.read_bytes()[:100]
    assert header[18:20] == b"\2\2"
    assert int.from_bytes(header[68:72]) == APPLICATION_ID
    assert int.from_bytes(header[60:64]) == SCHEMA


@posix
def test_nobody_else_can_read_a_file_of_a_project_at_any_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = os.umask(0)
    seen: list[tuple[str, int]] = []
    connect = sqlite3.connect

    def connected(name: str, **options: object) -> sqlite3.Connection:
        if str(name).startswith("file:"):
            file = Path(str(name).removeprefix("file://").partition("?")[0])
            seen.append((file.name, mode(file)))
        base: sqlite3.Connection = connect(name, **options)  # type: ignore[call-overload]
        return base

    monkeypatch.setattr(sqlite3, "connect", connected)
    try:
        project = Project(tmp_path / "work.db")
        number = project.add_data("patients.csv", b"anna,positive\n" * 50)
        project.data_file(number)
        beside = {file.name: mode(file) for file in tmp_path.iterdir()}
    finally:
        os.umask(before)
        project.close()
    assert len(seen) == 2  # a draft, and then the project
    assert {found for _, found in seen} == {0o600}
    assert beside.pop(project.files.name) == 0o700
    assert beside == {"work.db": 0o600, "work.db-wal": 0o600}


def foreign(path: Path, *statements: str, version: int = 0, mark: int = 0) -> None:
    with closing(sqlite3.connect(path)) as base:
        base.execute(f"PRAGMA user_version = {version}")
        base.execute(f"PRAGMA application_id = {mark}")
        for statement in statements:
            base.executescript(statement)
        base.commit()


OTHERS = {
    "runs of somebody else": (
        "CREATE TABLE runs(state, why); INSERT INTO runs VALUES ('running', 'mine')",
    ),
    "our tables and one more": (TABLES, "CREATE TABLE notes (text)"),
    "our tables and a trigger": (
        TABLES,
        "CREATE TRIGGER t AFTER UPDATE ON runs BEGIN DELETE FROM data; END",
    ),
    "our tables with another column": (TABLES.replace("bytes BLOB", "body BLOB"),),
    "two of our tables": (TABLES[: TABLES.index("CREATE TABLE events")],),
    "no table": (),
}


@pytest.mark.parametrize("version", [0, 1, 2])
@pytest.mark.parametrize("mark", [0, 7])
@pytest.mark.parametrize("tables", OTHERS)
def test_other_databases_are_refused(tmp_path: Path, tables: str, mark: int, version: int) -> None:
    path = tmp_path / "work.db"
    foreign(path, *OTHERS[tables], version=version, mark=mark)
    path.chmod(0o644)
    said = refused(path)
    if path.stat().st_size:
        assert said == (
            "this is no project of the studio but another SQLite file "
            f"(application_id {mark}, user_version {version}); choose another file"
        )
    else:
        assert "this file is empty" in said


@pytest.mark.parametrize("version", [0, 1, 9])
def test_other_databases_with_changes_written_ahead_are_refused(
    tmp_path: Path, version: int
) -> None:
    path = tmp_path / "work.db"
    with closing(sqlite3.connect(path)) as base:
        base.execute("PRAGMA journal_mode=WAL")
        base.execute(f"PRAGMA user_version = {version}")
        base.execute("CREATE TABLE letters (text)")
        base.commit()
        assert path.with_name("work.db-wal").stat().st_size > 0
        assert "no project of the studio" in refused(path)
        base.execute("INSERT INTO letters VALUES ('still mine')")
        base.commit()
        assert "no project of the studio" in refused(path)


def test_the_mark_alone_makes_no_project(tmp_path: Path) -> None:
    path = tmp_path / "work.db"
    foreign(path, "CREATE TABLE runs(state, why)", version=SCHEMA, mark=APPLICATION_ID)
    with pytest.raises(FileFormatError, match="the mark of a project but other tables"):
        Project(path)
    with closing(sqlite3.connect(path)) as base:
        assert base.execute("SELECT name FROM sqlite_master").fetchall() == [("runs",)]


def test_a_project_of_a_later_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "work.db"
    Project(path).close()
    with closing(sqlite3.connect(path)) as base:
        base.execute("PRAGMA journal_mode=DELETE")
        base.execute(f"PRAGMA user_version={SCHEMA + 1}")
    said = refused(path)
    assert f"of version {SCHEMA + 1}, this program reads up to {SCHEMA}; " in said


def test_text_and_empty_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "work.db"
    path.write_bytes(b"")
    assert refused(path).startswith("this file is empty, no project; remove it")
    for content in (b"x", b"SQLite format 3\0", b"PK\3\4" * 100):
        path.write_bytes(content)
        assert refused(path).startswith("this is no project of the studio; ")


@posix
def test_links_folders_and_devices_are_refused(tmp_path: Path) -> None:
    folder = tmp_path / "below"
    folder.mkdir()
    Project(tmp_path / "real.db").close()
    path = folder / "work.db"
    for goal in ("../real.db", "nowhere.db", "work.db", str(folder)):
        path.symlink_to(goal)
        assert refused(path) == "this is a link; name the file that it leads to"
        path.unlink()
    path.mkdir()
    (path / "mine.txt").write_text("mine")
    assert refused(path) == "this is a folder; name a file in it, such as work.db"
    os.mkfifo(folder / "pipe")
    assert refused(folder / "pipe").startswith("this is a device, not a file; ")


@posix
def test_a_project_below_a_folder_that_is_a_link_opens(tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    (tmp_path / "home").symlink_to("disk")
    for _ in range(2):
        Project(tmp_path / "home" / "work.db").close()
    assert (tmp_path / "disk" / "work.db").is_file()


@pytest.mark.parametrize("ending", ["-wal", "-journal"])
@pytest.mark.parametrize("kind", ["text", "folder", "link"])
@pytest.mark.parametrize("there", [False, True])
def test_what_sqlite_would_take_for_its_own_is_not_touched(
    tmp_path: Path, ending: str, kind: str, *, there: bool
) -> None:
    path = tmp_path / "work.db"
    if there:
        Project(path).close()
    beside = tmp_path / f"work.db{ending}"
    if kind == "text":
        beside.write_text("mine")
    elif kind == "folder":
        beside.mkdir()
    else:
        beside.symlink_to("nowhere")
    assert refused(path).startswith(f"work.db{ending} is in the way; move it elsewhere, or ")


def test_a_file_in_the_place_of_shared_memory_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "work.db-shm").write_text("mine")
    project = Project(tmp_path / "work.db")
    project.add_data("a.csv", b"a")
    project.close()
    assert (tmp_path / "work.db-shm").read_text() == "mine"


def test_a_second_studio_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "work.db"
    code = (
        "import sys; from bayesloom.studio.project import Project; project = Project(sys.argv[1]); "
        "project.add_data('a.csv', b'a'); print('open', flush=True); sys.stdin.read()"
    )
    first = subprocess.Popen(
        [sys.executable, "-c", code, str(path)],
        env=ENVIRONMENT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with first:
        assert first.stdout is not None
        assert first.stdout.readline() == "open\n"
        for _ in range(2):
            assert refused(path) == (
                "the project is open in another studio; close that, or choose another file"
            )
        first.communicate()
    Project(path).close()


def test_of_two_that_make_a_project_at_once_both_have_the_same(tmp_path: Path) -> None:
    path = tmp_path / "work.db"
    start, found = threading.Barrier(8), []

    def make() -> None:
        start.wait()
        project_file._make(path)  # after both have looked
        found.append(path.stat().st_ino)

    threads = [threading.Thread(target=make) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert len(set(found)) == 1
    assert [file.name for file in tmp_path.iterdir()] == ["work.db"]
    Project(path).close()


def test_where_no_links_are_a_project_is_made_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_link(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", no_link)
    path = tmp_path / "work.db"
    project = Project(path)
    assert mode(path) == 0o600 or sys.platform == "win32"
    project.close()
    assert [file.name for file in tmp_path.iterdir()] == ["work.db"]


def test_a_project_that_cannot_be_made_leaves_no_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "kept").mkdir()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "link", full)
    monkeypatch.setattr(Path, "replace", full)
    path = tmp_path / "kept" / "a" / "b" / "work.db"
    with pytest.raises(FileFormatError, match=r"cannot be opened \(No space left on device\); "):
        Project(path)
    assert [file.name for file in tmp_path.rglob("*")] == ["kept"]


@posix
def test_a_folder_where_nothing_can_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "free").mkdir()
    Project(tmp_path / "free" / "work.db").close()
    closed = tmp_path / "free"
    closed.chmod(0o500)
    try:
        if os.access(closed, os.W_OK):
            pytest.skip("this user may write everywhere")
        for name in ("work.db", "new.db"):
            assert "cannot be opened (" in refused(closed / name)
    finally:
        closed.chmod(0o700)


@pytest.mark.parametrize("killed", [False, True])
def test_a_project_of_the_first_version_is_marked_and_goes_on(
    tmp_path: Path, *, killed: bool
) -> None:
    path = tmp_path / "work.db"
    contents = (b"a,b\n1,2\n", b"", bytes(range(256)) * (PART // 100))
    make_first_project(path, *contents, killed=killed)
    for _ in range(2):
        project = Project(path)
        if sys.platform != "win32":
            assert mode(tmp_path / "work.db-wal") == 0o600
        assert [data["checksum"] for data in project.all_data()] == [
            f"checksum {number}" for number in (3, 2, 1)
        ]
        for number, content in enumerate(contents, 1):
            assert project.data(number)["size"] == len(content)
            assert project.data_file(number).read_bytes() == content
            assert project.run(number)["summary"] == {"edges": 3}
            assert project.result(number, "network") == "net"
            assert project.events(number) == [(1, "{}")]
        project.close()
        assert int.from_bytes(path.read_bytes()[68:72]) == APPLICATION_ID
    project = Project(path)
    assert project.add_data("new.csv", b"new") == 4
    project.close()
    assert [file.name for file in tmp_path.iterdir()] == ["work.db"]


def test_a_mark_that_is_only_written_ahead_is_seen(tmp_path: Path) -> None:
    path = tmp_path / "work.db"
    make_first_project(path, b"content")
    code = (
        "import os, sys; from bayesloom.studio.project import Project; "
        "Project(sys.argv[1]); os._exit(9)"
    )
    command = [sys.executable, "-c", code, str(path)]
    assert subprocess.run(command, env=ENVIRONMENT, check=False).returncode == 9
    assert path.read_bytes()[68:72] == b"\0\0\0\0"
    project = Project(path)
    assert project.data_file(1).read_bytes() == b"content"
    project.close()


def test_a_damaged_project_is_told(tmp_path: Path) -> None:
    path = tmp_path / "work.db"
    Project(path).close()
    content = bytearray(path.read_bytes())
    content[100:4096] = b"\xff" * 3996
    path.write_bytes(content)
    with pytest.raises(FileFormatError, match=r"work\.db: the project is damaged \("):
        Project(path)
