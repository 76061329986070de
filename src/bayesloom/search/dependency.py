"""What a search found of pairs: dependencies, and what took pairs apart."""

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


@dataclass(frozen=True, slots=True)
class Triangle:
    """A triangle that took its weakest pair apart, by the data processing inequality.

    Parameters
    ----------
    x, y : int
        The pair, x < y.
    middle : int
        The third variable: what x and y know of each other is taken to go through it.
    information : float
        The mutual information of x and y, in nats.
    sides : pair of float
        The mutual informations of x and of y with the middle; both are larger.
    """

    x: int
    y: int
    middle: int
    information: float
    sides: tuple[float, float]

    @property
    def given(self) -> tuple[int, ...]:
        """Nothing: the informations are those of pairs."""
        return ()


@dataclass(frozen=True, slots=True)
class Weighing:
    """The information of a pair given a set, weighed against what it costs to encode it.

    Parameters
    ----------
    x, y : int
        The pair, x < y.
    given : tuple of int
        What was conditioned on, in order.
    information : float
        The conditional mutual information of x and y, in nats.
    complexity : float
        What has to be taken off, in nats per row, because any two variables look dependent in so
        few rows; the pair stays joined if the information is larger.
    """

    x: int
    y: int
    given: tuple[int, ...]
    information: float
    complexity: float


Parting = Separation | Triangle | Weighing
"""What takes a pair apart: a test, a triangle, or an information that is not worth its cost."""
