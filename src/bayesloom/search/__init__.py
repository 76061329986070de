"""Searches for graphs: frozen values with a ``search`` method that reads like its pseudo-code."""

from __future__ import annotations

from bayesloom.search.chow_liu import ChowLiu, SpanningTree
from bayesloom.search.covering import Mode
from bayesloom.search.dependencies import Dependency, TestTally
from bayesloom.search.dmn import DMN
from bayesloom.search.ges import GES
from bayesloom.search.hill_climbing import HillClimbing
from bayesloom.search.il import IGES, IHC, IL
from bayesloom.search.k2 import K2
from bayesloom.search.knowledge import Knowledge
from bayesloom.search.limits import Limits
from bayesloom.search.order_search import OrderSearch
from bayesloom.search.pseudo_independence import PseudoIndependence, find_pseudo_independence
from bayesloom.search.result import LinkChange, Reason, SearchResult, Step, Stop
from bayesloom.search.start import Start
from bayesloom.search.tabu import Tabu
from bayesloom.search.through_dmn import ThroughDMN
from bayesloom.search.watch import Budget, Watch
from bayesloom.search.xges import XGES

__all__ = [
    "DMN",
    "GES",
    "IGES",
    "IHC",
    "IL",
    "K2",
    "XGES",
    "Budget",
    "ChowLiu",
    "Dependency",
    "HillClimbing",
    "Knowledge",
    "Limits",
    "LinkChange",
    "Mode",
    "OrderSearch",
    "PseudoIndependence",
    "Reason",
    "SearchResult",
    "SpanningTree",
    "Start",
    "Step",
    "Stop",
    "Tabu",
    "TestTally",
    "ThroughDMN",
    "Watch",
    "find_pseudo_independence",
]
