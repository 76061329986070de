from __future__ import annotations

import pickle

import pytest
from hypothesis import given

from bayesloom.errors import GraphError
from bayesloom.graphs import CPDAG, DAG, PDAG
from strategies_graphs import cpdags, dags, pdags


def test_the_class_of_asia_is_that_of_the_literature() -> None:
    asia = DAG.from_edges(
        [
            ("asia", "tub"),
            ("smoke", "lung"),
            ("smoke", "bronc"),
            ("tub", "either"),
            ("lung", "either"),
            ("either", "xray"),
            ("either", "dysp"),
            ("bronc", "dysp"),
        ]
    )
    found = CPDAG.of(asia)
    assert set(found.undirected) == {("asia", "tub"), ("smoke", "lung"), ("smoke", "bronc")}
    assert set(found.directed) == set(asia.edges) - set(found.undirected)


@given(dags(), dags())
def test_equivalent_dags_have_equal_cpdags(dag: DAG, other: DAG) -> None:
    member = CPDAG.of(dag).extension()
    assert member.is_equivalent_to(dag)
    assert CPDAG.of(member) == CPDAG.of(dag)
    if other.n == dag.n:
        renamed = DAG(dag.names, other.parent_masks)
        assert renamed.is_equivalent_to(dag) == (CPDAG.of(renamed) == CPDAG.of(dag))


@given(cpdags())
def test_a_completed_graph_is_accepted_as_it_is_and_completed_to_itself(graph: CPDAG) -> None:
    assert CPDAG(graph.names, graph.parent_masks, graph.neighbour_masks) == graph
    assert CPDAG.completing(graph) == graph
    assert CPDAG.from_edges(graph.directed, graph.undirected, graph.names) == graph
    assert isinstance(graph.reordered(graph.names[::-1]), CPDAG)
    assert pickle.loads(pickle.dumps(graph)) == graph


@given(pdags())
def test_the_completed_class_contains_the_extension_or_there_is_none(graph: PDAG) -> None:
    try:
        member = graph.extension()
    except GraphError:
        with pytest.raises(GraphError):
            CPDAG.completing(graph)
    else:
        assert CPDAG.completing(graph) == CPDAG.of(member)


def test_a_cpdag_is_a_pdag_and_not_equal_to_a_plain_one() -> None:
    graph = CPDAG.from_edges([], [("A", "B")])
    plain = PDAG.from_edges([], [("A", "B")])
    assert isinstance(graph, PDAG)
    assert graph != plain
    assert repr(graph) == "CPDAG(2 nodes, 1 edge: A - B)"


def test_a_graph_that_is_not_completed_is_refused() -> None:
    with pytest.raises(GraphError, match="not completed: the edges of node 'A' are marked"):
        CPDAG.from_edges([("A", "B")])
    with pytest.raises(GraphError, match="not completed"):
        CPDAG.from_edges([("A", "C"), ("B", "C")], [("C", "D")])
