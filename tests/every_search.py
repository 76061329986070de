"""Every search that the command line knows, ready to run; a new one is covered by being there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import MISSING, fields
from typing import Any

from bayesloom.registry import SEARCHES
from bayesloom.search import Search

NAMES = tuple(SEARCHES)
ONLY_TESTING = ("aracne", "gs", "iamb", "miic", "pc")
"""Searches without a score and without steps, whose graph may have no extension."""
SCORED = tuple(name for name in NAMES if name not in ONLY_TESTING)


def made(name: str, variables: Sequence[str]) -> Search:
    """Make a search with its defaults.

    An order that it needs is the reversed order of names, a class the first name.
    """
    kind: Any = SEARCHES[name]
    needed = {field.name for field in fields(kind) if field.default is MISSING}
    first = {"order": tuple(sorted(variables, reverse=True)), "target": min(variables)}
    given = {option: first[option] for option in needed}
    search: Search = kind(**given)
    return search
