"""States that a network declares for data."""

from __future__ import annotations

import os
from typing import Any

from bayesloom.model.files import load


def declared_by(states: Any) -> Any:  # noqa: ANN401 - a mapping, a network or a path
    """Return states as a reading takes them: of the name of a file, the network in it.

    Raises
    ------
    FileFormatError
        If the file cannot be read, or holds no network.

    Examples
    --------
    >>> declared_by({"rain": ["no", "yes"]})
    {'rain': ['no', 'yes']}
    """
    return load(states) if isinstance(states, str | os.PathLike) else states
