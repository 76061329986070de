"""Write files whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from bayesloom.errors import FileFormatError


@contextmanager
def atomic_file(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Open a file for writing bytes that replaces ``path`` only when the block ends well.

    Whatever interrupts the block, ``path`` is then as it was before.

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
    draft = goal.parent / f".{goal.name[:40]}-{os.urandom(8).hex()}"
    try:
        try:
            with draft.open("xb") as file:
                yield file
            draft.replace(goal)
        except BaseException:
            with suppress(OSError):
                draft.unlink()
            raise
    except OSError as error:
        problem = f"the file cannot be written ({error.strerror or error}); choose another place"
        raise FileFormatError(problem, os.fspath(path)) from None
