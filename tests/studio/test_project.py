"""Projects: what they keep, and that they keep it whatever happens."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from bayesloom.errors import FileFormatError
from bayesloom.studio.project import NotThereError, Project, RunState, default_project_path


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
