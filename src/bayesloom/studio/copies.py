"""Bytes outside the project: uploads on their way in, and copies of data for workers to read."""

from __future__ import annotations

import errno
import hashlib
import os
import re
import secrets
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Self

from bayesloom.errors import BayesloomError
from bayesloom.studio.project_file import PART

_NAME = re.compile(r"bayesloom-studio-[0-9a-f]{32}")
_MARK = "made-by-bayesloom-studio.txt"
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


class StorageError(BayesloomError):
    """The disk does not take, or not give back, what the studio keeps."""

    @classmethod
    def of(cls, error: OSError | sqlite3.Error) -> StorageError:
        """Return the sentence for what the system or SQLite says."""
        if isinstance(error, OSError):
            said, full = error.strerror or str(error), error.errno in _NO_ROOM
        else:
            code = getattr(error, "sqlite_errorcode", 0)
            full = code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_WRITE)
            said = str(error)
        if full:
            return cls(f"the disk of the project has no room ({said}); make room and try again")
        return cls(f"the project cannot be read or written ({said}); see to its disk and try again")


class Copies:
    """A folder beside the project, for the user alone, that is gone when the studio ends.

    Parameters
    ----------
    folder : Path
        Where it is made, under a name from `new_name`.
    project : Path
        The file of the project, named in what marks the folder.

    Raises
    ------
    OSError
        If it cannot be made.
    """

    def __init__(self, folder: Path, project: Path) -> None:
        self.folder = folder
        folder.mkdir(mode=0o700)
        try:
            (folder / _MARK).write_bytes(os.fsencode(str(project)).join(_mark(folder)))
        except OSError:
            shutil.rmtree(folder, ignore_errors=True)
            raise

    @staticmethod
    def new_name() -> str:
        """Return a name for a folder that nothing else has."""
        return f"bayesloom-studio-{secrets.token_hex(16)}"

    @staticmethod
    def sweep(folder: Path, project: Path) -> None:
        """Remove a folder that a killed studio has left; anything else stays.

        So does the folder of another project, which may be at work: one project may be a copy of
        another, with the names of its folders in it.
        """
        with suppress(OSError):
            owner = _owner(folder)
            if owner and (not owner.exists() or owner.samefile(project)):
                shutil.rmtree(folder, ignore_errors=True)

    def of(self, number: int, name: str) -> Path:
        """Return where the copy of a data set is, under its own name."""
        return self.folder / str(number) / name

    def forget(self, number: int) -> None:
        """Remove the copy of a data set."""
        shutil.rmtree(self.folder / str(number), ignore_errors=True)

    def close(self) -> None:
        """Remove the folder."""
        shutil.rmtree(self.folder, ignore_errors=True)


class Upload:
    """Bytes on their way in: hashed and written to a file of their own as they come.

    Raises
    ------
    StorageError
        From whatever writes or reads, if the disk does not do it.
    """

    def __init__(self, copies: Copies) -> None:
        self.path = copies.folder / f"upload-{secrets.token_hex(8)}"
        self.size = 0
        self._hash = hashlib.sha256()
        try:
            self._file = self.path.open("x+b")
        except OSError as error:
            raise StorageError.of(error) from None

    @property
    def checksum(self) -> str:
        """The SHA-256 of what has come."""
        return self._hash.hexdigest()

    def write(self, content: bytes) -> None:
        """Take the next bytes."""
        try:
            self._file.write(content)
            self._file.flush()
        except OSError as error:
            raise StorageError.of(error) from None
        self._hash.update(content)
        self.size += len(content)

    def parts(self) -> Iterator[bytes]:
        """Return what has come in parts; there is one at least."""
        try:
            self._file.seek(0)
            part = self._file.read(PART)
            yield part
            while part := self._file.read(PART):
                yield part
        except OSError as error:
            raise StorageError.of(error) from None

    def become(self, path: Path) -> None:
        """Be the copy of a data set from now on."""
        self._file.close()
        with suppress(OSError):  # else it is made from the project when it is asked for
            path.parent.mkdir(mode=0o700, exist_ok=True)
            self.path.replace(path)

    def discard(self) -> None:
        """Take away what has not become a copy."""
        with suppress(OSError):
            self._file.close()
        with suppress(OSError):
            self.path.unlink(missing_ok=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.discard()


def _mark(folder: Path) -> tuple[bytes, bytes]:
    """Return what the file that marks a folder says before and after the name of the project."""
    before = f"{folder.name} has copies of data of\n"
    return before.encode(), b"\nand is removed by bayesloom studio when it ends.\n"


def _owner(folder: Path) -> Path | None:
    """Return the project that a folder was made for; None if it is not marked."""
    if not _NAME.fullmatch(folder.name) or folder.is_symlink():
        return None
    told, (before, after) = (folder / _MARK).read_bytes(), _mark(folder)
    if not (told.startswith(before) and told.endswith(after)):
        return None
    return Path(os.fsdecode(told[len(before) : -len(after)]))
