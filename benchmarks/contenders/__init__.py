"""The programs that are measured, one module each.

A function sets up one task (import, reading, encoding: a column of its own in the tables) and
returns two functions: the work that is timed, and one that turns its result into plain values.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Prepared = tuple[Callable[[], Any], Callable[[Any], dict[str, Any]]]


def total(values: Any, unit: float = 1.0) -> dict[str, Any]:  # noqa: ANN401
    """Describe a list of numbers by its length and sum, so that contenders can be compared."""
    numbers = [float(v) * unit for v in values]
    return {"tables": len(numbers), "sum": sum(numbers)}
