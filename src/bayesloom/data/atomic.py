"""Write files whole or not at all."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from bayesloom.errors import FileFormatError

_DRAFT = re.compile(
    r"\..{1,40}-(?P<host>[0-9a-f]{8})-(?P<process>[0-9]+)-[0-9a-f]{16}\.draft", re.DOTALL
)


@contextmanager
def atomic_file(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Open a file for writing bytes that replaces ``path`` only when the block ends well.

    Whatever interrupts the block, ``path`` is then as it was before. A file that is replaced keeps
    its permissions. Drafts that killed processes have left in the folder are removed.

    Raises
    ------
    FileFormatError
        If the file cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "note.txt")
    ...     with atomic_file(path) as file:
    ...         _ = file.write(b"whole")
    ...     path.read_bytes()
    b'whole'
    """
    goal = Path(path)
    if goal.exists() and not goal.is_file():
        problem = "this is a folder or a device, not a file; choose another name"
        raise FileFormatError(problem, os.fspath(path))
    draft = draft_beside(goal)
    try:
        sweep_drafts(goal.parent)
        try:
            with draft.open("xb") as file:
                if goal.exists():
                    draft.chmod(stat.S_IMODE(goal.stat().st_mode))
                yield file
                file.flush()
                os.fsync(file.fileno())  # or a power cut could leave the new name without its bytes
            draft.replace(goal)
        except BaseException:
            with suppress(OSError):
                draft.unlink()
            raise
    except OSError as error:
        problem = f"the file cannot be written ({error.strerror or error}); choose another place"
        raise FileFormatError(problem, os.fspath(path)) from None


def draft_beside(goal: Path) -> Path:
    """Return a name for a file that will become ``goal``; `sweep_drafts` knows it by this name."""
    return goal.parent / f".{goal.name[:40]}-{process_mark()}-{os.urandom(8).hex()}.draft"


def sweep_drafts(folder: Path) -> None:
    """Remove the drafts of processes of this machine that are no more."""
    with suppress(OSError):
        for file in folder.iterdir():
            found = _DRAFT.fullmatch(file.name)
            if found and is_left_over(found["host"], int(found["process"])):
                with suppress(OSError):
                    file.unlink()


def process_mark() -> str:
    """Return a name of this process on this machine, for what it has to clear away itself."""
    return f"{_host()}-{os.getpid()}"


def is_left_over(host: str, process: int) -> bool:
    """Tell whether what bears this mark was left behind by a process of this machine."""
    return host == _host() and not _is_alive(process)


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        pass
    return True


def _host() -> str:
    """Return a short name of this machine, whose process numbers mean nothing on another."""
    import platform  # few calls write a file
    import zlib

    return f"{zlib.crc32(platform.node().encode()):08x}"
