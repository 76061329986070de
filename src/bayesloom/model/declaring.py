"""States that a network declares for data."""

from __future__ import annotations

import os
from typing import Any


def declared_by(states: Any) -> Any:  # noqa: ANN401 - a mapping, a network or a path
    """Return states as a reading takes them: of a file or a learned network, the network in it.

    Raises
    ------
    FileFormatError
        If the file cannot be read, or holds no network.

    Examples
    --------
    >>> declared_by({"rain": ["no", "yes"]})
    {'rain': ['no', 'yes']}
    """
    is_net = isinstance(states, str | os.PathLike) or hasattr(type(states), "net")
    if not is_net:
        return states
    from bayesloom.model.any_net import as_bayes_net

    return as_bayes_net(states, "states")
