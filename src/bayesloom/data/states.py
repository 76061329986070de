"""Read declared states from a JSON file."""

from __future__ import annotations

import os

from bayesloom.data.byte_file import read_text
from bayesloom.data.declared import declared_labels
from bayesloom.data.document import MOST_BYTES, parse_json
from bayesloom.data.path import checked_path
from bayesloom.errors import FileFormatError, OptionError, shown

_EXPECTED = 'expected an object such as {"smoke": ["no", "yes"]}'


def read_states(path: str | os.PathLike[str]) -> dict[str, tuple[str, ...]]:
    """Read a JSON object that gives column names their states, in order.

    A state is a text or a number; equal numbers are one label, as in data.

    Parameters
    ----------
    path : str or path
        The JSON file, also packed as ``.json.gz``.

    Returns
    -------
    dict
        The states of each column named in the file, ready for ``read(..., states=...)``.

    Raises
    ------
    FileFormatError
        If the file is not there, is too large, is not JSON, or is not such an object.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "states.json")
    ...     _ = path.write_text('{"smoke": ["no", "yes"], "grade": [1, 2, 3]}')
    ...     read_states(path)
    {'smoke': ('no', 'yes'), 'grade': ('1', '2', '3')}
    """
    title = checked_path(path)
    try:
        found = parse_json(read_text(title, MOST_BYTES, "states"), title, "column")
        if not isinstance(found, dict):
            raise FileFormatError(_EXPECTED, title)
        return {name: _labels(name, labels) for name, labels in found.items()}
    except OptionError as error:
        raise FileFormatError(str(error), title) from None


def _labels(name: str, labels: object) -> tuple[str, ...]:
    if not isinstance(labels, list) or any(isinstance(x, bool | dict | list) for x in labels):
        got = shown(repr(labels))
        msg = f"states of column {shown(repr(name))} must be a list of texts or numbers, got {got}"
        raise OptionError(msg)
    return declared_labels(name, labels)
