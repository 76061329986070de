"""Uploads and copies: what is written beside a project, and that only this is taken away."""

from __future__ import annotations

import errno
import hashlib
import os
import sqlite3
import sys
from pathlib import Path

import pytest

from bayesloom.studio.copies import Copies, StorageError, Upload
from bayesloom.studio.project_file import PART
from snapshot import snapshot


@pytest.fixture
def copies(tmp_path: Path) -> Copies:
    return Copies(tmp_path / Copies.new_name(), tmp_path / "work.db")


def test_an_upload_is_hashed_as_it_comes_and_read_in_parts(copies: Copies) -> None:
    pieces = [b"", b"a" * 10, b"bc" * PART, b"d"]
    content = b"".join(pieces)
    with Upload(copies) as upload:
        for piece in pieces:
            upload.write(piece)
        assert (upload.size, upload.checksum) == (len(content), hashlib.sha256(content).hexdigest())
        for _ in range(2):
            parts = list(upload.parts())
            assert b"".join(parts) == content
            assert [len(part) for part in parts] == [PART, PART, 11]
    assert not upload.path.exists()


def test_an_empty_upload_has_one_empty_part(copies: Copies) -> None:
    with Upload(copies) as upload:
        assert list(upload.parts()) == [b""]


def test_an_upload_becomes_the_copy_without_being_copied(copies: Copies) -> None:
    with Upload(copies) as upload:
        upload.write(b"content")
        number = upload.path.stat().st_ino
        upload.become(copies.of(3, "a.csv"))
    assert copies.of(3, "a.csv").read_bytes() == b"content"
    assert copies.of(3, "a.csv").stat().st_ino == number
    copies.forget(3)
    assert not copies.of(3, "a.csv").parent.exists()


@pytest.mark.skipif(sys.platform == "win32", reason="no modes")
def test_a_folder_of_copies_is_the_users_alone(copies: Copies) -> None:
    assert copies.folder.stat().st_mode & 0o777 == 0o700


def test_a_folder_of_copies_is_removed_with_all_that_is_in_it(copies: Copies) -> None:
    (copies.folder / "3").mkdir()
    (copies.folder / "3" / "a.csv").write_text("left behind")
    outside = copies.folder.with_name("mine.txt")
    outside.write_text("mine")
    (copies.folder / "way-out").symlink_to(outside)
    copies.close()
    assert [file.name for file in outside.parent.iterdir()] == ["mine.txt"]
    copies.close()


def test_folders_that_are_not_marked_stay(tmp_path: Path) -> None:
    project = tmp_path / "work.db"
    project.touch()
    ours = Copies(tmp_path / Copies.new_name(), project)
    mark = next(ours.folder.iterdir())
    folders = [tmp_path / "thesis", *(tmp_path / Copies.new_name() for _ in range(4))]
    for folder in folders:
        folder.mkdir()
        (folder / "chapter.txt").write_text("years of work")
    (folders[0] / mark.name).write_text(mark.read_text())  # another name
    (folders[1] / mark.name).write_text(mark.read_text())  # the mark of another folder
    (folders[2] / mark.name).write_bytes(b"\xff\xfe")
    (folders[3] / mark.name).mkdir()
    link = tmp_path / Copies.new_name()
    link.symlink_to(ours.folder)
    file = tmp_path / Copies.new_name()
    file.write_text("a file")
    before = snapshot(tmp_path)
    for path in (*folders, link, file, tmp_path / "nowhere", tmp_path):
        Copies.sweep(path, project)
    assert snapshot(tmp_path) == before
    Copies.sweep(ours.folder, project)
    assert not ours.folder.exists()


def test_the_folder_of_another_project_stays_until_that_is_gone(tmp_path: Path) -> None:
    project, copy = tmp_path / "work.db", tmp_path / "copy.db"
    for path in (project, copy):
        path.touch()
    left = Copies(tmp_path / Copies.new_name(), project)
    Copies.sweep(left.folder, copy)
    assert left.folder.exists()
    project.rename(tmp_path / "renamed.db")
    Copies.sweep(left.folder, tmp_path / "renamed.db")
    assert not left.folder.exists()


@pytest.mark.skipif(sys.platform == "win32", reason="no such names, no links without rights")
def test_a_folder_is_known_by_a_project_under_any_of_its_names(tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    project = tmp_path / "disk" / os.fsdecode("line\nbreak \xe4.db".encode())
    project.touch()
    left = Copies(tmp_path / Copies.new_name(), project)
    (tmp_path / "home").symlink_to("disk")
    Copies.sweep(left.folder, tmp_path / "home" / project.name)
    assert not left.folder.exists()


def test_nothing_that_is_there_already_becomes_a_folder_of_copies(tmp_path: Path) -> None:
    folder = tmp_path / Copies.new_name()
    folder.mkdir()
    with pytest.raises(FileExistsError):
        Copies(folder, tmp_path / "work.db")
    assert list(folder.iterdir()) == []


def test_a_folder_that_cannot_be_marked_is_not_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OSError, match="No space left"):
        Copies(tmp_path / Copies.new_name(), tmp_path / "work.db")
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_is_told_in_a_sentence() -> None:
    for number in (errno.ENOSPC, errno.EFBIG):
        said = str(StorageError.of(OSError(number, "full")))
        assert said == "the disk of the project has no room (full); make room and try again"
    said = str(StorageError.of(OSError(errno.EIO, "Input/output error")))
    assert said.startswith("the project cannot be read or written (Input/output error); ")
    with sqlite3.connect(":memory:") as base:
        base.execute("CREATE TABLE a (b)")
        base.execute("PRAGMA max_page_count = 2")
        with pytest.raises(sqlite3.OperationalError) as caught:
            base.execute("INSERT INTO a VALUES (?)", (b"x" * 10_000,))
    base.close()
    assert "no room (database or disk is full)" in str(StorageError.of(caught.value))


def test_an_upload_that_the_disk_does_not_take_is_told(copies: Copies) -> None:
    (copies.folder / "is a folder").mkdir()
    with Upload(copies) as upload:
        upload.write(b"a")
        upload.become(copies.folder / "is a folder")  # stays away; the project has the content
        assert (copies.folder / "is a folder").is_dir()
    copies.close()
    with pytest.raises(StorageError, match="cannot be read or written"):
        Upload(copies)
