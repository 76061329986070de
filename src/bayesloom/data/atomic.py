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
    import tempfile

    goal = Path(path)
    if goal.exists() and not goal.is_file():
        problem = "this is a folder or a device, not a file; choose another name"
        raise FileFormatError(problem, os.fspath(path))
    try:
        handle, name = tempfile.mkstemp(prefix=f".{goal.name[:40]}-", dir=goal.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                yield file
            Path(name).chmod(0o666 & ~_umask())
            Path(name).replace(goal)
        except BaseException:
            with suppress(OSError):
                Path(name).unlink()
            raise
    except OSError as error:
        problem = f"the file cannot be written ({error.strerror or error}); choose another place"
        raise FileFormatError(problem, os.fspath(path)) from None


def _umask() -> int:
    """Return the permissions that new files of this process do not get."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
