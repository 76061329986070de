"""How many tests a search made."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TestTally:
    """How many tests were made and what came of them.

    Parameters
    ----------
    made : int
        Hypotheses tested.
    inconclusive : int
        Those without a verdict, because the rows do not suffice.
    uncounted : int
        Those among them that were not even counted: so many cells cannot all be filled.
    rejected : int
        Hypotheses rejected: detected dependencies.
    """

    __test__ = False

    made: int = 0
    inconclusive: int = 0
    uncounted: int = 0
    rejected: int = 0
