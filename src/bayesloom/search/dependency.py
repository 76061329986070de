"""What the tests of a search found: dependencies and separations."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Dependency:
    """A rejected hypothesis: x and y are dependent given the rest.

    Parameters
    ----------
    x, y : int
        The pair, x < y.
    given : tuple of int
        What was conditioned on, in order.
    statistic, df, p, log_p, min_expected : float
        The test that rejected independence.
    rows : float
        How many rows it stands on: those in which all its variables are known.
    information : float
        The conditional mutual information of x and y in the data, in nats.
    covered : bool
        Whether x and y are d-connected given the rest in the graph at hand.
    """

    x: int
    y: int
    given: tuple[int, ...]
    statistic: float
    df: float
    p: float
    log_p: float
    min_expected: float
    rows: float
    information: float = float("nan")
    covered: bool = False


@dataclass(frozen=True, slots=True)
class Separation:
    """What took a pair apart: a hypothesis of independence that was not rejected.

    Parameters
    ----------
    x, y : int
        The pair, x < y.
    given : tuple of int
        The separating set, in order.
    statistic, df, p, log_p, min_expected : float
        The test; NaN as statistic and smallest expected count if nothing was counted.
    rows : float
        How many rows it stands on; NaN if some cells are missing and nothing was counted.
    conclusive : bool
        Whether the rows sufficed; if not, the search counts such a test as independence.
    any_given : tuple of int
        The members of all sets of that size that took the pair apart, if others did too: none of
        them is a collider between the two.
    """

    x: int
    y: int
    given: tuple[int, ...]
    statistic: float
    df: float
    p: float
    log_p: float
    min_expected: float
    rows: float
    conclusive: bool = True
    any_given: tuple[int, ...] = ()
