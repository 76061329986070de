"""Looking at all sets of a size for those whose columns depend on each other together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol, runtime_checkable

from bayesloom.arrays import Floats, Longs
from bayesloom.engine.contract import Engine


class DependentSets(NamedTuple):
    """Sets of variables that depend on each other together.

    Parameters
    ----------
    sets : matrix of int
        The members of each, in ascending order; the sets in dictionary order.
    total : array
        The number of rows times the total correlation of each, in nats.
    looked : int
        How many sets were looked at.
    bases : int
        How many sets there are with one variable less.
    """

    sets: Longs
    total: Floats
    looked: int
    bases: int


class SetRule(NamedTuple):
    """Which sets are looked at, and which of them are returned.

    Parameters
    ----------
    size : int
        How many variables a set has.
    apart : sequence of int
        For every variable those that may be in a set with it.
    price : float
        What a free parameter costs, with all declared states.
    least : float
        N times the total correlation minus the price has to be above this.
    share : array, optional
        A factor of every variable; sets whose product is below ``floor`` are not looked at.
    floor : float
        See ``share``.
    """

    size: int
    apart: Sequence[int]
    price: float = 0.0
    least: float = 0.0
    share: Floats | None = None
    floor: float = 0.0


@runtime_checkable
class SetScanning(Protocol):
    """An engine that can look at all sets of a size at once, where its rows let it."""

    def dependent_sets(self, rule: SetRule) -> DependentSets | None:
        """Return the sets that a rule asks for; None if the rows are not of that kind."""


def dependent_sets(engine: Engine, rule: SetRule) -> DependentSets | None:
    """Return the sets that a rule asks for; None if an engine has no quick way to them.

    Examples
    --------
    >>> from bayesloom.data import Table
    >>> from bayesloom.engine import NativeEngine
    >>> rows = [(a, b, a ^ b) for a in (0, 1) for b in (0, 1)] * 25
    >>> engine = NativeEngine(Table.from_frame(dict(zip("ABC", zip(*rows)))))
    >>> found = dependent_sets(engine, SetRule(3, [0b110, 0b101, 0b011]))
    >>> found.sets.tolist(), found.total.round(4).tolist(), found.looked
    ([[0, 1, 2]], [69.3147], 1)
    """
    return engine.dependent_sets(rule) if isinstance(engine, SetScanning) else None
