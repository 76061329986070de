"""Tests of conditional independence and the control of their errors."""

from bayesloom.lazy import lazy_names

__getattr__, __dir__, __all__ = lazy_names(
    __name__,
    {
        "control": "LORD SAFFRON AlphaSpending BenjaminiHochberg Control Decider FixedAlpha",
        "test": "ChiSquare Coverage GSquare IndependenceTest TestResults",
    },
)
