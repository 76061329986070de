"""What the data say of every edge, as long as asking is possible."""

from __future__ import annotations

import numpy as np
import pytest

from bayesloom.data import Table
from bayesloom.engine import NativeEngine
from bayesloom.graphs import DAG, ChordalGraph
from bayesloom.story import measure_edges


@pytest.mark.parametrize("links", [False, True])
def test_of_a_graph_of_all_edges_over_many_variables_none_is_measured(*, links: bool) -> None:
    """Every edge would be asked for given all other parents: cubic in the variables."""
    n = 300
    names = tuple(f"v{v:03}" for v in range(n))
    codes = np.random.default_rng(0).integers(0, 2, (n, 20))
    engine = NativeEngine(Table(names, ["ny"] * n, list(codes)))
    dag = DAG(names, tuple((1 << v) - 1 for v in range(n)))
    graph = ChordalGraph.from_edges(dag.edges, names) if links else dag
    assert measure_edges(engine, None, graph) == ()
