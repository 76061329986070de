"""The command line: one module per command; whatever is slow to import is imported when it runs."""

from __future__ import annotations

from bayesloom.cli.program import main, program

__all__ = ["main", "program"]
