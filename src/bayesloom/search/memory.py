"""How much memory there is, and the refusal of work that needs more."""

from __future__ import annotations

import os
from pathlib import Path

from bayesloom.errors import CapacityError

_ENDLESS = 1 << 62
_CONTAINER_LIMITS = (
    "/sys/fs/cgroup/memory.max",
    "/sys/fs/cgroup/memory/memory.limit_in_bytes",
)


def check_memory(n_bytes: int, what: str) -> None:
    """Refuse work before it begins that needs more memory than the machine has.

    Raises
    ------
    CapacityError
        With the work, what it needs, what there is and what to do.

    Examples
    --------
    >>> check_memory(1 << 60, "a matrix")
    Traceback (most recent call last):
    bayesloom.errors.CapacityError: a matrix needs 1,152,921,504,606,846,976 bytes of memory...
    """
    there_are = _physical_memory()
    if n_bytes > there_are:
        msg = (
            f"{what} needs {n_bytes:,} bytes of memory, and this machine has {there_are:,}: leave "
            "out columns, or learn where there is more memory"
        )
        raise CapacityError(msg)


def _physical_memory() -> int:
    """Return the bytes of memory this process may have, or endless ones where none can be asked."""
    return min(_of_the_machine(), *map(_of_a_container, _CONTAINER_LIMITS))


def _of_the_machine() -> int:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return _ENDLESS


def _of_a_container(path: str) -> int:
    """Return the limit that a file of Linux tells; it says max, or is not there, without one."""
    try:
        return int(Path(path).read_text("ascii"))
    except (OSError, ValueError):
        return _ENDLESS
