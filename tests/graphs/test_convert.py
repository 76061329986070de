from __future__ import annotations

import re
import sys

import networkx as nx
import numpy as np
import pytest
from hypothesis import given

from bayesloom.errors import GraphError, MissingExtraError
from bayesloom.graphs import CPDAG, DAG, PDAG, ChordalGraph
from strategies_graphs import cpdags, dags, pdags


@given(dags())
def test_a_dag_survives_networkx_and_matrices(dag: DAG) -> None:
    assert DAG.from_networkx(dag.to_networkx()) == dag
    assert DAG.from_matrix(dag.to_matrix(), dag.names) == dag
    assert DAG.from_matrix(dag.to_matrix().astype(bool), dag.names) == dag
    assert DAG.from_matrix(dag.to_matrix().tolist(), dag.names) == dag


@given(pdags())
def test_a_partially_directed_graph_survives_networkx_and_matrices(graph: PDAG) -> None:
    assert PDAG.from_networkx(graph.to_networkx()) == graph
    assert PDAG.from_matrix(graph.to_matrix(), graph.names) == graph


@given(cpdags())
def test_a_class_survives_networkx_and_matrices(graph: CPDAG) -> None:
    assert CPDAG.from_networkx(graph.to_networkx()) == graph
    assert CPDAG.from_matrix(graph.to_matrix(), graph.names) == graph


@given(dags())
def test_a_chordal_graph_survives_networkx_and_matrices(dag: DAG) -> None:
    graph = ChordalGraph.triangulating(dag)
    assert ChordalGraph.from_networkx(graph.to_networkx()) == graph
    assert ChordalGraph.from_matrix(graph.to_matrix(), graph.names) == graph


@given(dags())
def test_matrices_agree_with_networkx(dag: DAG) -> None:
    if dag.n:
        expected = nx.to_numpy_array(dag.to_networkx(), nodelist=dag.names)
        assert np.array_equal(dag.to_matrix(), expected)


def test_isolated_nodes_reach_networkx_and_come_back() -> None:
    dag = DAG.from_edges([("A", "B")], nodes=["C", "A", "B"])
    assert list(dag.to_networkx().nodes) == ["C", "A", "B"]
    assert DAG.from_networkx(dag.to_networkx()).names == ("C", "A", "B")


def test_an_undirected_networkx_graph_is_a_partially_directed_graph_and_no_dag() -> None:
    graph: nx.Graph[str] = nx.Graph([("A", "B")])
    assert PDAG.from_networkx(graph).undirected == (("A", "B"),)
    with pytest.raises(GraphError, match="needs a directed networkx graph"):
        DAG.from_networkx(graph)  # type: ignore[arg-type]
    with pytest.raises(GraphError, match="needs an undirected networkx graph"):
        ChordalGraph.from_networkx(graph.to_directed())


def test_what_is_not_networkx_or_has_other_nodes_gets_a_sentence() -> None:
    with pytest.raises(GraphError, match="expected a networkx graph, got list"):
        DAG.from_networkx([("A", "B")])  # type: ignore[arg-type]
    numbers: nx.DiGraph[int] = nx.DiGraph()
    numbers.add_node(7)
    with pytest.raises(GraphError, match="node names must be strings, got 7"):
        DAG.from_networkx(numbers)  # type: ignore[arg-type]
    numbers.add_edge(1, 2)
    with pytest.raises(GraphError, match=re.escape("(strings), got (1, 2)")):
        DAG.from_networkx(numbers)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("matrix", "sentence"),
    [
        ([[0, 1]], "must have shape (2, 2), got (1, 2)"),
        ([0, 1], "must have shape (2, 2), got (2,)"),
        ([[0], [0, 1]], "the rows of the adjacency matrix of 2 nodes differ in length"),
        ([[0, 2], [0, 0]], "holds 0 and 1, got 2 in row 0, column 1"),
        ([[0, float("nan")], [0, 0]], "holds 0 and 1, got nan in row 0, column 1"),
        ([["a", "b"], ["c", "d"]], "holds 0 and 1, got a in row 0, column 0"),
        ([[0, 1], [1, 0]], "the edges form a cycle: A -> B -> A"),
        ([[1, 0], [0, 0]], "node 'A' has an edge to itself"),
    ],
)
def test_bad_matrices_get_a_sentence(matrix: object, sentence: str) -> None:
    with pytest.raises(GraphError, match=re.escape(sentence)):
        DAG.from_matrix(matrix, ["A", "B"])  # type: ignore[arg-type]


def test_a_graph_without_nodes_has_an_empty_matrix() -> None:
    assert DAG.from_matrix([], []).to_matrix().shape == (0, 0)


def test_without_networkx_the_message_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "networkx", None)
    with pytest.raises(MissingExtraError, match=re.escape("pip install 'bayesloom[networkx]'")):
        DAG.empty(["A"]).to_networkx()
