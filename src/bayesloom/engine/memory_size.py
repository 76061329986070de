"""Sizes of memory, as people write them, and how much of it there is."""

from __future__ import annotations

import os
import re

from bayesloom.errors import OptionError, shown

LEAST = 64_000_000
"""With less memory no block can be counted."""

_ENDLESS = 1 << 62
_CONTAINER_LIMITS = (
    "/sys/fs/cgroup/memory.max",
    "/sys/fs/cgroup/memory/memory.limit_in_bytes",
)
_SIZE = r"(?i)\s*([0-9]+(?:\.[0-9]+)?)\s*([KMGT]?)(I?)B?\s*"


def bytes_of(memory: object) -> int:
    """Return the number of bytes that a size stands for.

    Raises
    ------
    OptionError
        If it is no size, or less than 64 MB.

    Examples
    --------
    >>> bytes_of("1GB"), bytes_of("512 MiB"), bytes_of(10**9)
    (1000000000, 536870912, 1000000000)
    >>> bytes_of("much")
    Traceback (most recent call last):
    bayesloom.errors.OptionError: memory must be a size such as '1GB' or '512MB', got 'much'
    """
    found = re.fullmatch(_SIZE, memory) if isinstance(memory, str) else None
    if found is not None:
        step = 1024 if found[3] else 1000
        power = " KMGT".index(found[2].upper() or " ")
        size = int(float(found[1]) * step**power)
    elif isinstance(memory, int) and not isinstance(memory, bool):
        size = memory
    else:
        msg = f"memory must be a size such as '1GB' or '512MB', got {shown(repr(memory))}"
        raise OptionError(msg)
    if size < LEAST:
        msg = f"memory must be at least 64MB, got {shown(repr(memory))}"
        raise OptionError(msg)
    return size


def usual_memory() -> int:
    """Return half of the memory that this process may have, or 2 GB where none can be asked."""
    there_are = physical_memory()
    return 2 * 10**9 if there_are == _ENDLESS else there_are // 2


def physical_memory() -> int:
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
        with open(path, encoding="utf-8") as file:  # noqa: PTH123 - as in data/reader.py
            return int(file.read())
    except (OSError, ValueError):
        return _ENDLESS
