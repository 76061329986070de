"""The search that is run when none is named."""

from __future__ import annotations

from bayesloom.independence import AlphaSpending
from bayesloom.scores import BIC
from bayesloom.search import IGES, Search

DEFAULT_SEARCH: Search = IGES(score=BIC(), control=AlphaSpending(0.05))
"""What `bayesloom.learn` and ``bayesloom learn`` use when no search is named."""
