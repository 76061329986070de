"""Projects: what they keep, and that they keep it whatever happens."""

from __future__ import annotations

import io
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bayesloom.errors import DataError, FileFormatError
from bayesloom.studio.copies import Copies, StorageError
from bayesloom.studio.project import NotThereError, Project, RunState, default_project_path
from bayesloom.studio.project_file import PART
from shell import ENVIRONMENT
from snapshot import snapshot


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    made = Project(tmp_path / "deep" / "work.db")
    yield made
    made.close()


def test_a_data_set_is_kept_byte_for_byte_and_once(project: Project) -> None:
    content = bytes(range(256)) * 3
    number = project.add_data("folder/a.csv", content)
    assert project.add_data("a.csv", content) == number
    assert project.add_data("a.csv", content + b"x") != number
    assert project.data_file(number).read_bytes() == content
    assert project.data_file(number).parent.parent == project.files
    assert (project.data(number)["name"], project.data(number)["size"]) == ("a.csv", 768)
    assert [data["id"] for data in project.all_data()] == [2, 1]


@pytest.mark.parametrize("name", ["../../x.csv", "/etc/passwd", "..", "a/../../b", "C:\\x\\y", ""])
def test_no_name_leads_out_of_the_project(project: Project, name: str) -> None:
    path = project.data_file(project.add_data(name, b"1"))
    assert path.resolve().parent.parent == project.files.resolve()


def test_a_very_long_name_is_cut_and_keeps_its_ending(project: Project) -> None:
    path = project.data_file(project.add_data("ü" * 400 + ".csv.gz", b"1"))
    assert path.name.endswith(".csv.gz")


def test_events_come_back_from_any_number(project: Project) -> None:
    run = project.add_run(project.add_data("a.csv", b"a"), {"seed": 1})
    other = project.add_run(1, {})
    numbers = [project.add_event(run, {"k": k}) for k in range(4)]
    assert project.add_event(other, {}) == 1
    assert numbers == [1, 2, 3, 4]
    assert project.events(run, 2) == [(3, '{"k": 2}'), (4, '{"k": 3}')]


def test_a_result_is_kept_and_a_run_can_begin_again(project: Project) -> None:
    run = project.add_run(project.add_data("a.csv", b"a"), {"max_parents": 2})
    assert project.result(run, "network") is None
    project.add_event(run, {})
    project.finish(run, {"edges": 3}, "net", "page")
    told = project.run(run)
    assert (told["state"], told["summary"], told["plan"]) == (
        "done",
        {"edges": 3},
        {"max_parents": 2},
    )
    assert (project.result(run, "network"), project.result(run, "content")) == ("net", "page")
    project.begin_again(run)
    assert project.run(run)["state"] == "waiting"
    assert project.result(run, "network") is None
    assert project.events(run) == []


def test_what_was_at_work_when_the_studio_ended_is_cut_off(tmp_path: Path) -> None:
    project = Project(tmp_path / "work.db")
    data = project.add_data("a.csv", b"a")
    runs = {state: project.add_run(data, {}) for state in RunState}
    for state, run in runs.items():
        project.set_state(run, state, "as it was")
    project.close()
    again = Project(tmp_path / "work.db")
    for state, run in runs.items():
        told = again.run(run)
        assert told["state"] == (RunState.CUT_OFF if state.is_live else state).value
        assert ("Start it again" in told["why"]) == state.is_live
    again.close()


def test_removing_data_removes_its_runs_and_its_file(project: Project) -> None:
    kept, gone = project.add_data("a.csv", b"a"), project.add_data("b.csv", b"b")
    path = project.data_file(gone)
    stays, goes = project.add_run(kept, {}), project.add_run(gone, {})
    project.add_event(goes, {})
    project.remove_data(gone)
    assert not path.exists()
    assert [run["id"] for run in project.all_runs()] == [stays]
    assert project.events(goes) == []
    project.remove_run(stays)
    assert project.all_runs() == []


def test_what_is_not_there_is_told(project: Project) -> None:
    with pytest.raises(NotThereError, match=r"the project has no run 9{30}"):
        project.run(int("9" * 30))
    with pytest.raises(NotThereError, match="the project has no run 7"):
        project.run(7)
    with pytest.raises(NotThereError, match="no data set 3"):
        project.add_run(3, {})


def test_two_studios_do_not_share_a_project(project: Project) -> None:
    with pytest.raises(FileFormatError, match="open in another studio"):
        Project(project.path)


def test_other_files_are_refused_and_left_alone(tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("no database, but long enough to be looked at " * 100)
    with pytest.raises(FileFormatError, match=r"notes\.txt: this is no project"):
        Project(text)
    assert text.read_text().startswith("no database")
    newer = tmp_path / "newer.db"
    with sqlite3.connect(newer) as base:
        base.execute("PRAGMA user_version = 9")
    base.close()
    with pytest.raises(FileFormatError, match="version 9"):
        Project(newer)
    with pytest.raises(FileFormatError, match="cannot be opened"):
        Project(text / "below.db")


def test_only_the_user_can_read_a_project(project: Project) -> None:
    assert project.path.stat().st_mode & 0o077 == 0
    assert project.files.stat().st_mode & 0o077 == 0


def test_the_usual_project_is_in_the_folder_for_data(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", "/somewhere")
    assert default_project_path() == Path("/somewhere/bayesloom/studio.db")
    monkeypatch.setenv("XDG_DATA_HOME", "relative")
    monkeypatch.setenv("HOME", "/home/me")
    assert default_project_path() == Path("/home/me/.local/share/bayesloom/studio.db")


def test_a_large_data_set_goes_in_and_out_in_parts(project: Project) -> None:
    content = os.urandom(2 * PART + 17)
    with project.upload() as upload:
        upload.write(content)
        steps = list(project.keeping("a.bin", upload))
    assert steps == [1] * 4  # three parts, and its row
    copy = project.data_file(1)
    assert copy.read_bytes() == content
    copy.unlink()
    assert project.data_file(1).read_bytes() == content
    assert project.add_data("a.bin", io.BytesIO(content)) == 1


def test_data_that_came_in_part_are_not_there_and_are_cleared_away(tmp_path: Path) -> None:
    project = Project(tmp_path / "work.db")
    with project.upload() as upload:
        upload.write(os.urandom(3 * PART))
        steps = project.keeping("a.bin", upload)
        assert [next(steps), next(steps)] == [1, 1]
        assert project.all_data() == []
        assert project.add_data("b.csv", b"b") == 2
    project.close()
    project = Project(tmp_path / "work.db")
    assert [data["name"] for data in project.all_data()] == ["b.csv"]
    assert project.data_file(2).read_bytes() == b"b"
    project.close()
    assert stored(tmp_path / "work.db") == [(2, 0)]


def stored(path: Path) -> list[tuple[int, int]]:
    """Return the parts that a closed project has."""
    with closing(sqlite3.connect(path)) as base:
        return base.execute("SELECT data, place FROM parts ORDER BY 1, 2").fetchall()


def test_two_that_bring_the_same_at_once_get_the_same_data_set(project: Project) -> None:
    content = os.urandom(PART + 1)
    with project.upload() as one, project.upload() as two:
        one.write(content)
        two.write(content)
        first, second = project.keeping("a.bin", one), project.keeping("a.bin", two)
        assert (next(first), next(second)) == (1, 2)
        assert (list(first)[-1], list(second)[-1]) == (1, 1)
    assert project.data_file(1).read_bytes() == content
    project.close()
    assert stored(project.path) == [(1, 0), (1, 1)]


def test_a_removed_data_set_is_gone_at_once_and_its_bytes_after_some_steps(
    project: Project,
) -> None:
    number = project.add_data("a.bin", os.urandom(3 * PART))
    steps = project.removing_data(number)
    next(steps)
    assert project.all_data() == []
    assert len(list(steps)) == 3
    project.close()
    assert stored(project.path) == []


def test_the_folder_of_a_killed_studio_is_cleared_away_and_no_other(tmp_path: Path) -> None:
    path = tmp_path / "work.db"
    thesis = tmp_path / "work.db.files" / "thesis"
    thesis.mkdir(parents=True)
    (thesis / "chapter.txt").write_text("years of work")
    other = tmp_path / Copies.new_name()
    other.mkdir()
    (other / "mine.txt").write_text("mine")
    before = {where: seen for where, seen in snapshot(tmp_path).items() if where != "."}
    code = (
        "import os, sys; from bayesloom.studio.project import Project; p = Project(sys.argv[1]); "
        "p.add_data('a.csv', b'secret'); os.kill(os.getpid(), 9)"
    )
    names = {"work.db", "work.db-wal", "work.db.files", other.name}
    for _ in range(2):
        subprocess.run([sys.executable, "-c", code, str(path)], env=ENVIRONMENT, check=False)
        left = {file.name for file in tmp_path.iterdir()} - names
        assert len(left) == 1  # that of the one before is gone
    project = Project(path)
    assert project.data_file(1).read_bytes() == b"secret"
    project.close()
    assert {file.name for file in tmp_path.iterdir()} == names - {"work.db-wal"}
    after = snapshot(tmp_path)
    assert {where: after[where] for where in before} == before


def test_a_copy_of_a_project_leaves_the_folder_of_the_first_alone(tmp_path: Path) -> None:
    first = Project(tmp_path / "work.db")
    first.close()
    first = Project(tmp_path / "work.db")
    number = first.add_data("a.csv", b"a")
    for ending in ("", "-wal"):
        shutil.copyfile(f"{first.path}{ending}", tmp_path / f"copy.db{ending}")
    Project(tmp_path / "copy.db").close()
    assert first.data_file(number).read_bytes() == b"a"
    assert first.files.is_dir()
    first.close()


def test_a_project_that_names_the_folder_of_somebody_else_does_not_harm_it(tmp_path: Path) -> None:
    path = tmp_path / "work.db"
    Project(path).close()
    elsewhere = tmp_path / "elsewhere" / Copies.new_name()
    mine = tmp_path / Copies.new_name()
    for folder in (mine, elsewhere, tmp_path / "thesis"):
        folder.mkdir(parents=True)
        (folder / "mine.txt").write_text("mine")
    names = ["thesis", mine.name, f"elsewhere/{elsewhere.name}", str(elsewhere), "..", "", "/", "."]
    with closing(sqlite3.connect(path)) as base:
        base.executemany("INSERT INTO copies VALUES (?)", [(name,) for name in names])
        base.execute("INSERT INTO copies VALUES (NULL)")
        base.execute("INSERT INTO copies VALUES (x'ff00')")
        base.commit()
    before = snapshot(tmp_path)
    Project(path).close()
    after = snapshot(tmp_path)
    changed = {where for where in before if before[where] != after.get(where)}
    assert changed <= {".", "work.db"}


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE runs SET plan = '{'",
        "UPDATE runs SET plan = 7",
        "UPDATE runs SET plan = x'ff'",
        f"UPDATE runs SET summary = '{'[' * 100_000}'",
        "UPDATE runs SET state = 'flying'",
    ],
)
def test_a_project_whose_runs_make_no_sense_is_told(tmp_path: Path, change: str) -> None:
    path = tmp_path / "work.db"
    project = Project(path)
    project.add_run(project.add_data("a.csv", b"a"), {})
    project.close()
    with closing(sqlite3.connect(path)) as base:
        base.execute(change)
        base.commit()
    with pytest.raises(FileFormatError, match=r"work\.db: the project is damaged \("):
        Project(path)
    assert [file.name for file in tmp_path.iterdir()] == ["work.db"]


class Full:
    """A base on a disk that takes nothing any more."""

    def __init__(self, base: sqlite3.Connection) -> None:
        self._base = base

    def execute(self, question: str, values: Any = ()) -> sqlite3.Cursor:  # noqa: ANN401
        if question.startswith(("INSERT", "UPDATE")):
            error = sqlite3.OperationalError("database or disk is full")
            error.sqlite_errorcode = sqlite3.SQLITE_FULL
            raise error
        return self._base.execute(question, values)

    def __enter__(self) -> None:
        self._base.__enter__()

    def __exit__(self, *what: Any) -> None:  # noqa: ANN401, PYI036
        self._base.__exit__(*what)


def test_on_a_full_disk_every_change_is_one_sentence_and_nothing_is_lost(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = project.add_data("a.csv", b"a")
    run, done = project.add_run(data, {}), project.add_run(data, {})
    project.finish(done, {"edges": 1}, "net", "page")
    project.set_state(run, RunState.RUNNING)
    told, base = project.run(done), project._base
    with monkeypatch.context() as patch:
        patch.setattr(project, "_base", Full(base))
        for change in (
            lambda: project.add_data("b.csv", b"b"),
            lambda: project.add_run(data, {}),
            lambda: project.finish(run, {}, "net", "page"),
            lambda: project.add_event(run, {}),
            lambda: project.begin_again(done),
            lambda: project.set_state(run, RunState.FAILED, "the disk has no room"),
        ):
            with pytest.raises(StorageError, match=r"no room .*; make room and try again"):
                change()
        assert project.run(run)["state"] == "failed"
        assert project.all_runs()[1]["why"] == "the disk has no room"
    assert project.run(run)["state"] == "failed"  # also later; the project has not heard it
    assert project.run(done) == told
    assert [found["id"] for found in project.all_data()] == [data]
    project.begin_again(run)
    assert project.run(run)["state"] == "waiting"
    assert project.add_data("b.csv", b"b") == 2
    project.close()
    assert stored(project.path) == [(1, 0), (2, 0)]


def test_a_data_set_that_the_disk_has_no_room_for_is_refused_before_it_goes_in(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = shutil.disk_usage(project.files)._replace(free=2 << 20)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    with pytest.raises(StorageError, match=r"\(3 MB are needed, 2 MB are free\); make room"):
        project.add_data("a.csv", bytes(3 << 20))
    assert project.add_data("b.csv", bytes(1 << 20)) == 1
    assert [file.name for file in project.files.iterdir() if "upload" in file.name] == []


def test_a_run_at_work_does_not_begin_again(project: Project) -> None:
    run = project.add_run(project.add_data("a.csv", b"a"), {})
    for state in RunState:
        project.set_state(run, state)
        if state.is_live:
            with pytest.raises(DataError, match="the run is at work; stop it first"):
                project.begin_again(run)
        else:
            project.begin_again(run)
