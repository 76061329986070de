"""Read documents: JSON or TOML, told apart by the ending."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from typing import Any

from bayesloom.data.byte_file import read_text
from bayesloom.errors import FileFormatError, shown

MOST_BYTES = 1 << 26
"""The largest document, unpacked, that is read if nothing else is said."""

_TOML_PLACE = re.compile(r"^(.*) \(at line (\d+), column (\d+)\)$", re.DOTALL)


def parse_json(text: str, title: str, member: str = "member") -> Any:  # noqa: ANN401
    """Return the value of a JSON text; a name that an object has twice is refused.

    Parameters
    ----------
    text, title : str
        The text, and the file it is from.
    member : str
        What the names stand for.

    Raises
    ------
    FileFormatError
        If it is not JSON, or an object has a name twice; the message says what to do.

    Examples
    --------
    >>> parse_json('{"a": 1, "a": 2}', "known.json")
    Traceback (most recent call last):
    bayesloom.errors.FileFormatError: known.json: the member 'a' is there twice; keep one of them
    """
    import json

    def without_doubles(pairs: Iterable[tuple[str, object]]) -> dict[str, object]:
        found: dict[str, object] = {}
        for name, value in pairs:
            if name in found:
                problem = f"the {member} {shown(repr(name))} is there twice; keep one of them"
                raise FileFormatError(problem, title)
            found[name] = value
        return found

    try:
        return json.loads(text, object_pairs_hook=without_doubles)
    except json.JSONDecodeError as error:
        problem = f"this is not JSON ({error.msg})"
        raise FileFormatError(problem, title, error.lineno, error.colno) from None
    except RecursionError:
        problem = "this is nested too deeply; write it anew"
        raise FileFormatError(problem, title) from None
    except FileFormatError:
        raise
    except ValueError:  # of Python's own guard against long numbers
        problem = "a number has more digits than can be read; put it in quotes, as a text"
        raise FileFormatError(problem, title) from None


def read_document(
    path: str | os.PathLike[str], most: int = MOST_BYTES, what: str = "such a document"
) -> dict[str, object]:
    """Read a JSON or TOML file that holds one object.

    Parameters
    ----------
    path : str or path
        The file: ``.json`` (also ``.json.gz``) or ``.toml``.
    most, what : int and str, optional
        The most bytes it may have, and what it is.

    Returns
    -------
    dict
        The members of the object.

    Raises
    ------
    FileFormatError
        If the file is not there, is too large, is neither JSON nor TOML, or holds no object.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "known.toml")
    ...     _ = path.write_text('roots = ["A"]')
    ...     read_document(path)
    {'roots': ['A']}
    """
    title = os.fspath(path)
    kind = title.lower()
    if not kind.endswith((".json", ".json.gz", ".toml")):
        problem = "the ending is neither .json nor .toml; rename or convert the file"
        raise FileFormatError(problem, title)
    text = read_text(title, most, what)
    found = _parse_toml(text, title) if kind.endswith(".toml") else parse_json(text, title)
    if not isinstance(found, dict):
        problem = f"expected one object with named members, got a {type(found).__name__}"
        raise FileFormatError(problem, title)
    return found


def _parse_toml(text: str, title: str) -> dict[str, object]:
    import tomllib

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        placed = _TOML_PLACE.match(str(error))
        what = f"this is not TOML ({str(error) if placed is None else placed[1]})"
        line, column = (None, None) if placed is None else (int(placed[2]), int(placed[3]))
        raise FileFormatError(what, title, line, column) from None
    except (RecursionError, ValueError) as error:
        problem = f"this TOML cannot be read ({str(error).partition(':')[0]}); write it anew"
        raise FileFormatError(problem, title) from None
