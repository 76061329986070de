"""All tasks, in the order of the report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tasks import classifying, counting, growth, inference, learning, reading, threads

if TYPE_CHECKING:
    from task import Task


def every() -> list[Task]:
    """Return all tasks."""
    pages = (learning, growth, threads, reading, inference, counting, classifying)
    return [task for page in pages for task in page.tasks()]
