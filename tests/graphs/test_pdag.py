from __future__ import annotations

import pickle
import re
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesloom.errors import GraphError, UnknownVariableError
from bayesloom.graphs import CPDAG, DAG, PDAG
from strategies_graphs import dags, pdags


@given(pdags())
def test_edges_and_names_make_the_same_graph_again(graph: PDAG) -> None:
    assert PDAG.from_edges(graph.directed, graph.undirected, graph.names) == graph


@given(pdags(), st.randoms(use_true_random=False))
def test_a_reordered_graph_has_the_same_edges_and_comes_back(graph: PDAG, random: Random) -> None:
    names = list(graph.names)
    random.shuffle(names)
    other = graph.reordered(names)
    assert set(other.directed) == set(graph.directed)
    assert set(map(frozenset, other.undirected)) == set(map(frozenset, graph.undirected))
    assert other.reordered(graph.names) == graph


@given(pdags())
def test_the_skeleton_forgets_directions_only(graph: PDAG) -> None:
    skeleton = graph.skeleton()
    assert skeleton.adjacency == graph.adjacency
    assert skeleton.directed == ()
    assert len(skeleton.undirected) == len(graph.directed) + len(graph.undirected)


@given(dags())
def test_the_pattern_has_the_v_structures_and_extends_to_an_equivalent_dag(dag: DAG) -> None:
    pattern = PDAG.pattern_of(dag)
    heads = {(a, c) for a, c, b in dag.v_structures()} | {(b, c) for a, c, b in dag.v_structures()}
    assert set(pattern.directed) == heads
    assert pattern.extension().is_equivalent_to(dag)
    closed = pattern.closed()
    found = CPDAG.of(dag)
    assert closed.parent_masks == found.parent_masks
    assert closed.neighbour_masks == found.neighbour_masks


@given(dags())
def test_the_moral_graph_joins_each_node_with_its_markov_blanket(dag: DAG) -> None:
    moral = PDAG.moral_graph_of(dag)
    assert all(moral.neighbours(name) == dag.markov_blanket(name) for name in dag.names)


def test_a_partially_directed_graph_answers_in_names_and_is_a_value() -> None:
    graph = PDAG.from_edges([("A", "B")], [("B", "C")], nodes=["A", "B", "C", "D"])
    assert graph.parents("B") == ("A",)
    assert graph.children("A") == ("B",)
    assert graph.neighbours("B") == ("C",)
    assert graph.neighbours("D") == ()
    assert len({graph, pickle.loads(pickle.dumps(graph))}) == 1
    assert PDAG.empty(["A"]).adjacency == (0,)
    assert str(graph).splitlines() == [
        "PDAG with 4 nodes and 2 edges",
        "  A -> B",
        "  B - C",
        "  isolated: D",
    ]


def test_a_chordless_undirected_square_has_no_extension() -> None:
    square = PDAG.from_edges([], [("A", "B"), ("B", "C"), ("C", "D"), ("D", "A"), ("D", "E")])
    with pytest.raises(GraphError, match=r"no DAG has the same .* nodes A, B, C, D"):
        square.extension()


def test_a_cycle_of_arrows_is_legal_and_has_no_extension() -> None:
    cycle = PDAG.from_edges([("A", "B"), ("B", "C"), ("C", "A")])
    with pytest.raises(GraphError, match="no DAG has the same"):
        cycle.extension()


@pytest.mark.parametrize(
    ("directed", "undirected"),
    [
        ([("A", "B"), ("B", "A")], []),
        ([("A", "B")], [("A", "B")]),
        ([("B", "A")], [("A", "B")]),
    ],
)
def test_two_edges_between_two_nodes_are_refused(
    directed: list[tuple[str, str]], undirected: list[tuple[str, str]]
) -> None:
    with pytest.raises(GraphError, match=r"nodes '[AB]' and '[AB]' have two edges; keep one"):
        PDAG.from_edges(directed, undirected)


def test_a_mask_at_one_end_only_is_refused() -> None:
    with pytest.raises(GraphError, match=re.escape("between 'A' and 'B' is set at one end only")):
        PDAG(("A", "B"), (0, 0), (0b10, 0))


def test_unknown_nodes_are_named() -> None:
    with pytest.raises(UnknownVariableError, match="unknown variable 'Z'"):
        PDAG.from_edges([], [("A", "Z")], nodes=["A"])
    with pytest.raises(UnknownVariableError, match="unknown variable 'Z'"):
        PDAG.empty(["A"]).parents("Z")
