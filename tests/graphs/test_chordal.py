from __future__ import annotations

import pickle
import re
from itertools import combinations

import pytest
from hypothesis import given

from bayesloom.errors import GraphError, OptionError
from bayesloom.graphs import DAG, PDAG, ChordalGraph, skeleton
from strategies_graphs import dags, link_masks

SQUARE = [("A", "B"), ("B", "C"), ("C", "D"), ("D", "A")]


def named(adjacency: list[int]) -> PDAG:
    names = tuple(f"N{v}" for v in range(len(adjacency)))
    return PDAG(names, (0,) * len(names), tuple(adjacency))


@given(dags())
def test_each_family_of_a_dag_lies_in_a_clique_of_its_triangulation(dag: DAG) -> None:
    states = {name: 2 + v % 3 for v, name in enumerate(dag.names)}
    forest = ChordalGraph.triangulating(dag, states).junction_forest()
    for name in dag.names:
        forest.home_of([name, *dag.parents(name)])


@given(link_masks())
def test_a_chordal_graph_is_the_union_of_its_cliques(adjacency: list[int]) -> None:
    graph = ChordalGraph.triangulating(named(adjacency))
    assert ChordalGraph.from_cliques(graph.cliques(), graph.names) == graph
    assert ChordalGraph.from_edges(graph.edges, graph.names) == graph


@given(link_masks())
def test_directing_a_chordal_graph_makes_no_v_structure(adjacency: list[int]) -> None:
    graph = ChordalGraph.triangulating(named(adjacency))
    dag = graph.to_dag()
    assert dag.v_structures() == ()
    assert tuple(skeleton(dag.parent_masks)) == graph.adjacency


@given(link_masks())
def test_in_a_perfect_elimination_order_later_neighbours_are_adjacent(adjacency: list[int]) -> None:
    graph = ChordalGraph.triangulating(named(adjacency))
    order = graph.perfect_elimination_order()
    assert sorted(order) == sorted(graph.names)
    pairs = {frozenset(edge) for edge in graph.edges}
    for i, name in enumerate(order):
        later = [other for other in order[i + 1 :] if frozenset((name, other)) in pairs]
        assert all(frozenset(pair) in pairs for pair in combinations(later, 2))


def test_a_chordal_graph_is_a_value_that_keeps_isolated_nodes() -> None:
    graph = ChordalGraph.from_edges([("A", "B")], nodes=["A", "B", "C"])
    assert graph.cliques() == (("A", "B"), ("C",))
    assert graph.neighbours("C") == ()
    assert len({graph, pickle.loads(pickle.dumps(graph))}) == 1
    assert graph.reordered(["C", "B", "A"]).reordered(["A", "B", "C"]) == graph
    assert ChordalGraph.empty(["A", "B"]).cliques() == (("A",), ("B",))
    assert str(graph) == "ChordalGraph with 3 nodes and 1 edge\n  A - B\n  isolated: C"


def test_a_cycle_without_chord_is_named() -> None:
    with pytest.raises(GraphError, match=re.escape("the cycle A - B - C - D - A has no chord")):
        ChordalGraph.from_edges(SQUARE)


def test_a_graph_with_arrows_is_not_triangulated() -> None:
    with pytest.raises(GraphError, match="take its skeleton first"):
        ChordalGraph.triangulating(PDAG.from_edges([("A", "B")]))


@pytest.mark.parametrize("states", [{"A": 2}, {"A": 2, "B": 0}])
def test_every_node_needs_a_number_of_states(states: dict[str, int]) -> None:
    dag = DAG.from_edges([("A", "B")])
    with pytest.raises(OptionError, match="must give node 'B' a number of states"):
        ChordalGraph.triangulating(dag, states)


def test_an_edge_at_one_end_only_is_refused() -> None:
    with pytest.raises(GraphError, match="between 'A' and 'B' is set at one end only"):
        ChordalGraph.from_matrix([[0, 1], [0, 0]], ["A", "B"])
