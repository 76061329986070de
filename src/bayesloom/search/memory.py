"""How much memory there is, and the refusal of work that needs more."""

from __future__ import annotations

import os

from bayesloom.errors import CapacityError


def check_memory(n_bytes: int, what: str) -> None:
    """Refuse work before it begins that needs more memory than the machine has.

    Raises
    ------
    CapacityError
        With the work, what it needs and what there is.

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
            "out columns"
        )
        raise CapacityError(msg)


def _physical_memory() -> int:
    """Return the bytes of memory of the machine, or of all machines where it cannot be asked."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return 1 << 62
