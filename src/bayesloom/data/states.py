"""Read declared states from a JSON file."""

from __future__ import annotations

import os
from pathlib import Path

from bayesloom.data.options import declared_labels
from bayesloom.data.path import checked_path
from bayesloom.errors import FileFormatError, OptionError, shown

_EXPECTED = 'expected an object such as {"smoke": ["no", "yes"]}'


def read_states(path: str | os.PathLike[str]) -> dict[str, tuple[str, ...]]:
    """Read a JSON object that gives column names their states, in order.

    A state is a text or a number; equal numbers are one label, as in data.

    Parameters
    ----------
    path : str or path
        The JSON file.

    Returns
    -------
    dict
        The states of each column named in the file, ready for ``read(..., states=...)``.

    Raises
    ------
    FileFormatError
        If the file is not there, is not JSON, or is not such an object.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "states.json")
    ...     _ = path.write_text('{"smoke": ["no", "yes"], "grade": [1, 2, 3]}')
    ...     read_states(path)
    {'smoke': ('no', 'yes'), 'grade': ('1', '2', '3')}
    """
    import json

    title = checked_path(path)
    try:
        found = json.loads(Path(title).read_bytes(), object_pairs_hook=_without_doubles)
        if not isinstance(found, dict):
            raise FileFormatError(_EXPECTED, title)
        return {name: _labels(name, labels) for name, labels in found.items()}
    except json.JSONDecodeError as error:
        problem = f"this is not JSON ({error.msg}); {_EXPECTED}"
        raise FileFormatError(problem, title, error.lineno, error.colno) from None
    except (UnicodeDecodeError, RecursionError) as error:
        what = "nested too deeply" if isinstance(error, RecursionError) else "not UTF-8 text"
        problem = f"this is {what}; {_EXPECTED}"
        raise FileFormatError(problem, title) from None
    except OptionError as error:
        raise FileFormatError(str(error), title) from None
    except OSError as error:
        problem = f"the file cannot be read ({error.strerror or error}); check its name"
        raise FileFormatError(problem, title) from None


def _labels(name: str, labels: object) -> tuple[str, ...]:
    if not isinstance(labels, list) or any(isinstance(x, bool | dict | list) for x in labels):
        got = shown(repr(labels))
        msg = f"states of column {name!r} must be a list of texts or numbers, got {got}"
        raise OptionError(msg)
    return declared_labels(name, labels)


def _without_doubles(pairs: list[tuple[str, object]]) -> dict[str, object]:
    names = [name for name, _ in pairs]
    for name in names:
        if names.count(name) > 1:
            msg = f"the column {name!r} is there twice; keep one of its lists"
            raise OptionError(msg)
    return dict(pairs)
