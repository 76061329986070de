"""The search that is run when none is named."""

from __future__ import annotations

from bayesloom.search import IXGES, Search

DEFAULT_SEARCH: Search = IXGES()
"""What `bayesloom.learn` and ``bayesloom learn`` use when no search is named.

It is what ``--search ixges`` stands for, too.
"""
