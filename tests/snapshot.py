"""What a folder holds, to see later that nothing has been touched."""

from __future__ import annotations

import hashlib
import os
import stat
from pathlib import Path

Found = dict[str, tuple[int, int, int, str]]
"""For every path below a folder its mode, time of change, number, and a hash of what it holds."""


def snapshot(folder: Path) -> Found:
    """Return what is in a folder and below, and the folder itself, without following links."""
    return {
        os.path.relpath(path, folder): _seen(path)
        for path in [folder, *(Path(where, name) for where, name in _below(folder))]
    }


def _below(folder: Path) -> list[tuple[str, str]]:
    return [
        (where, name) for where, folders, files in os.walk(folder) for name in (*folders, *files)
    ]


def _seen(path: Path) -> tuple[int, int, int, str]:
    told = path.lstat()
    content = ""
    if stat.S_ISLNK(told.st_mode):
        content = str(path.readlink())
    elif stat.S_ISREG(told.st_mode):
        content = hashlib.sha256(path.read_bytes()).hexdigest()
    return told.st_mode, told.st_mtime_ns, told.st_ino, content
