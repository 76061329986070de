"""Tests of conditional independence and the control of their errors."""

from __future__ import annotations

from bayesloom.independence.control import (
    LORD,
    SAFFRON,
    AlphaSpending,
    BenjaminiHochberg,
    Control,
    Decider,
    FixedAlpha,
)
from bayesloom.independence.sparse import SparseChiSquare
from bayesloom.independence.test import ChiSquare, Coverage, GSquare, IndependenceTest, TestResults

__all__ = [
    "LORD",
    "SAFFRON",
    "AlphaSpending",
    "BenjaminiHochberg",
    "ChiSquare",
    "Control",
    "Coverage",
    "Decider",
    "FixedAlpha",
    "GSquare",
    "IndependenceTest",
    "SparseChiSquare",
    "TestResults",
]
