"""Sizes of memory, as people write them."""

from __future__ import annotations

import os
import re

from bayesloom.errors import OptionError, shown

LEAST = 64_000_000
"""With less memory no block can be counted."""

_SIZE = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?)\s*([KMGT]?)(I?)B?\s*", re.IGNORECASE)


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
    found = _SIZE.fullmatch(memory) if isinstance(memory, str) else None
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
    """Return half of the memory that the machine has, or 2 GB where it does not tell."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
    except (AttributeError, OSError, ValueError):
        return 2 * 10**9
