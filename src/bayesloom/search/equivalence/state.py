"""The state of a search over equivalence classes."""

from __future__ import annotations

from collections.abc import Sequence

from bayesloom._native import CPDAGState
from bayesloom.graphs import topological_order


def cpdag_state_of(parents: Sequence[int], order: Sequence[int] | None = None) -> CPDAGState:
    """Return the class of a DAG; a topological order saves work if the caller has one."""
    return CPDAGState.of_ordered_dag(parents, order or topological_order(parents))
