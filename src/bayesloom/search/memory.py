"""The refusal of work that needs more memory than there is."""

from __future__ import annotations

from bayesloom.engine.memory_size import physical_memory
from bayesloom.errors import CapacityError


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
    there_are = physical_memory()
    if n_bytes > there_are:
        msg = (
            f"{what} needs {n_bytes:,} bytes of memory, and this machine has {there_are:,}: leave "
            "out columns, or learn where there is more memory"
        )
        raise CapacityError(msg)
