"""What commands print: one JSON object, or text for people."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any, BinaryIO, cast

import click

INTERRUPTED = 130
"""The exit code after Ctrl-C or SIGTERM; what was found until then has been written."""

_LONGEST_MESSAGE = 2000


def emit(found: Mapping[str, object], text: str, *, as_json: bool, quiet: bool) -> None:
    """Print a result: one JSON object with ``--json``, else the text unless it shall be quiet."""
    if as_json:
        import json

        click.echo(json.dumps(_plain(found), allow_nan=False))
    elif not quiet:
        click.echo(visible(text))


def shows_progress(options: Mapping[str, Any]) -> bool:
    """Say whether progress is told: where it is asked for, and on a terminal unless quiet."""
    return bool(options.get("progress")) or (not options["quiet"] and sys.stderr.isatty())


def leave_if_interrupted(stop: Enum) -> None:
    """Leave with the exit code of an interruption, if that is why the work stopped."""
    if stop.name == "INTERRUPTED":
        click.get_current_context().exit(INTERRUPTED)


def print_file(write: Callable[[BinaryIO], None]) -> None:
    """Print what is written to a file; it is printed when all of it is there."""
    import shutil
    import tempfile

    with tempfile.TemporaryFile() as file:  # it has no name, so nothing can be left behind
        write(cast("BinaryIO", file))
        file.seek(0)
        shutil.copyfileobj(file, sys.stdout.buffer)


def visible(text: str) -> str:
    r"""Write characters that do not print as escapes, so that no name commands the terminal.

    Examples
    --------
    >>> print(visible("rain\x1b[2J\nsun"))
    rain\x1b[2J
    sun
    """
    if text.replace("\n", "").isprintable():
        return text
    return "".join(c if c == "\n" or c.isprintable() else repr(c)[1:-1] for c in text)


def shortened(text: str) -> str:
    """Return a message, or its start and end if it is too long to be read."""
    if len(text) <= _LONGEST_MESSAGE:
        return text
    half = _LONGEST_MESSAGE // 2
    return f"{text[:half]} [...] {text[-half:]}"


def check_not_read(option: str, path: str | None, read: Mapping[str, str | None]) -> None:
    """Refuse to write a file that the same command reads.

    Parameters
    ----------
    option, path : str
        Where the user says what to write, and what he says.
    read : mapping of str to str
        The files that are read, by the option or argument that names them.
    """
    for name, other in read.items():
        if path is not None and other is not None and _same_file(path, other):
            msg = f"{option} {path} would replace the file that {name} reads; choose another name"
            raise click.UsageError(msg)


def _same_file(a: str, b: str) -> bool:
    try:
        return os.path.samefile(a, b)  # noqa: PTH121 - pathlib is slow to import
    except (OSError, ValueError):  # one of them is not there
        return False


def command_line() -> str:
    """Return the command that is running, as a shell takes it."""
    import shlex

    return f"bayesloom {shlex.join(sys.argv[1:])}"


def finish_output() -> None:
    """Send out everything that was printed; a reader that has closed the pipe has had enough.

    Raises
    ------
    OSError
        If standard output cannot take it, a full disk for example.
    """
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        silence_output()
    except OSError:
        silence_output()
        raise


def silence_output() -> None:
    """Let what is still to be printed go nowhere, so that leaving does not fail again."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def _plain(value: object) -> object:
    """Replace what JSON has no number for, infinities and NaN, by null."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value
