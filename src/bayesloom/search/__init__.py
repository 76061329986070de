"""Searches for graphs: frozen values with a ``search`` method that reads like its pseudo-code."""

from __future__ import annotations

from bayesloom.search.hill_climbing import HillClimbing
from bayesloom.search.knowledge import Knowledge
from bayesloom.search.limits import Limits
from bayesloom.search.result import Reason, SearchResult, Step, Stop
from bayesloom.search.start import Start
from bayesloom.search.watch import Budget, Watch

__all__ = [
    "Budget",
    "HillClimbing",
    "Knowledge",
    "Limits",
    "Reason",
    "SearchResult",
    "Start",
    "Step",
    "Stop",
    "Watch",
]
