"""Places for files, looked at before any work is done for them."""

from __future__ import annotations

import os

from bayesloom.errors import FileFormatError, OptionError, shown


def checked_path(path: object) -> str:
    """Return the name of a file as a text.

    Raises
    ------
    OptionError
        If it is no name: not a text, not a path, or empty.

    Examples
    --------
    >>> from pathlib import Path
    >>> checked_path(Path("data.csv"))
    'data.csv'
    >>> checked_path(None)
    Traceback (most recent call last):
    bayesloom.errors.OptionError: path must be the name of a file, such as 'data.csv', got None
    """
    name = os.fspath(path) if isinstance(path, str | os.PathLike) else None
    if not isinstance(name, str) or not name or "\0" in name:
        msg = f"path must be the name of a file, such as 'data.csv', got {shown(repr(path))}"
        raise OptionError(msg)
    return name


def check_place(path: str | os.PathLike[str]) -> None:
    """Raise if a file cannot be written under a name.

    Raises
    ------
    FileFormatError
        If the folder is not there or not writable, or if the name is a folder or a device.

    Examples
    --------
    >>> check_place("nowhere/net.bif")
    Traceback (most recent call last):
    bayesloom.errors.FileFormatError: nowhere/net.bif: the folder 'nowhere' is not there; make it \
first
    """
    from pathlib import Path

    place = Path(path)
    folder = place.parent
    if not folder.is_dir():
        problem = f"the folder {os.fspath(folder)!r} is not there; make it first"
    elif place.exists() and not place.is_file():
        problem = "this is a folder or a device, not a file; choose another name"
    elif not os.access(folder, os.W_OK):
        problem = f"the folder {os.fspath(folder)!r} is not yours to write in; choose another place"
    else:
        return
    raise FileFormatError(problem, os.fspath(path))
