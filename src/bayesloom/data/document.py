"""Read small documents: JSON or TOML, told apart by the ending."""

from __future__ import annotations

import gzip
import json
import os
import re
import tomllib
import zlib
from pathlib import Path

from bayesloom.errors import FileFormatError

_TOML_PLACE = re.compile(r"^(.*) \(at line (\d+), column (\d+)\)$", re.DOTALL)


def read_document(path: str | os.PathLike[str]) -> dict[str, object]:
    """Read a JSON or TOML file that holds one object.

    Parameters
    ----------
    path : str or path
        The file: ``.json`` (also ``.json.gz``) or ``.toml``.

    Returns
    -------
    dict
        The members of the object.

    Raises
    ------
    FileFormatError
        If the file is not there, is neither JSON nor TOML, or holds no object.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "known.toml")
    ...     _ = path.write_text('roots = ["A"]')
    ...     read_document(path)
    {'roots': ['A']}
    """
    title = os.fspath(path)
    kind = title.lower()
    if not kind.endswith((".json", ".json.gz", ".toml")):
        problem = "the ending is neither .json nor .toml; rename or convert the file"
        raise FileFormatError(problem, title)
    try:
        data = Path(path).read_bytes()
        text = (gzip.decompress(data) if kind.endswith(".gz") else data).decode("utf-8-sig")
        found = tomllib.loads(text) if kind.endswith(".toml") else json.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _toml_fault(error, title) from None
    except json.JSONDecodeError as error:
        problem = f"this is not JSON ({error.msg})"
        raise FileFormatError(problem, title, error.lineno, error.colno) from None
    except UnicodeDecodeError:
        problem = "the file is not UTF-8 text; save it as UTF-8"
        raise FileFormatError(problem, title) from None
    except (gzip.BadGzipFile, EOFError, zlib.error, RecursionError, ValueError) as error:
        problem = f"the file is damaged ({error}); write it again"
        raise FileFormatError(problem, title) from None
    except OSError as error:
        problem = f"the file cannot be read ({error.strerror or error}); check its name"
        raise FileFormatError(problem, title) from None
    if not isinstance(found, dict):
        problem = f"expected one object with named members, got a {type(found).__name__}"
        raise FileFormatError(problem, title)
    return found


def _toml_fault(error: tomllib.TOMLDecodeError, title: str) -> FileFormatError:
    placed = _TOML_PLACE.match(str(error))
    if placed is None:
        return FileFormatError(f"this is not TOML ({error})", title)
    return FileFormatError(f"this is not TOML ({placed[1]})", title, int(placed[2]), int(placed[3]))
