"""All tasks, in the order of the report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tasks import counting, inference, learning, reading

if TYPE_CHECKING:
    from task import Task


def every() -> list[Task]:
    """Return all tasks."""
    return [*counting.tasks(), *reading.tasks(), *inference.tasks(), *learning.tasks()]
