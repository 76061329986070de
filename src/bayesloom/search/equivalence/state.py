"""The state of a search over equivalence classes, and the operators that change it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bayesloom._native import CPDAGState
from bayesloom.graphs import topological_order


class Operator(NamedTuple):
    """A change of a class.

    ``insert`` adds x -> y and directs ``others`` (T) at y. ``delete`` takes away x -> y or x - y
    and directs both ends at ``others`` (H). ``reverse`` turns y -> x into x -> y and directs
    ``others`` (T) at y.
    """

    kind: str
    x: int
    y: int
    others: int
    gain: float


def class_of(parents: Sequence[int], order: Sequence[int] | None = None) -> CPDAGState:
    """Return the class of a DAG; a topological order saves work if the caller has one."""
    return CPDAGState.of_ordered_dag(parents, order or topological_order(parents))
