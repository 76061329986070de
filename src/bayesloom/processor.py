"""The processors of the machine, as far as this process may use them."""

from __future__ import annotations

import os


def n_processors() -> int:
    """Return how many processors this process may use, at least 1.

    Where a system tells no more than how many it has (macOS, Windows), all count.

    Examples
    --------
    >>> n_processors() >= 1
    True
    """
    allowed = getattr(os, "sched_getaffinity", None)
    return len(allowed(0)) if allowed is not None else os.cpu_count() or 1
