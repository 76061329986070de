from __future__ import annotations

import copy
import pickle
import re
from collections.abc import Callable
from dataclasses import FrozenInstanceError
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesloom.errors import GraphError, UnknownVariableError
from bayesloom.graphs import DAG
from reference_graphs import arcs_of, v_structures
from strategies_graphs import dags

ASIA = (
    ("asia", "tub"),
    ("smoke", "lung"),
    ("smoke", "bronc"),
    ("tub", "either"),
    ("lung", "either"),
    ("either", "xray"),
    ("either", "dysp"),
    ("bronc", "dysp"),
)


def test_edges_come_by_parent_and_child_in_node_order_whatever_the_order_given() -> None:
    nodes = ["asia", "smoke", "tub", "lung", "bronc", "either", "xray", "dysp"]
    dag = DAG.from_edges(reversed(ASIA), nodes)
    assert dag.edges == tuple(sorted(ASIA, key=lambda e: (nodes.index(e[0]), nodes.index(e[1]))))


def test_nodes_without_a_list_stand_in_the_order_of_mention() -> None:
    assert DAG.from_edges([("C", "A"), ("B", "A")]).names == ("C", "A", "B")


def test_an_isolated_node_stays() -> None:
    dag = DAG.from_edges([("A", "B")], nodes=["A", "lonely", "B"])
    assert dag.names == ("A", "lonely", "B")
    assert dag.parents("lonely") == dag.markov_blanket("lonely") == ()


def test_an_edge_given_twice_counts_once() -> None:
    assert DAG.from_edges([("A", "B"), ("A", "B")]).n_edges == 1


def test_a_dag_is_a_value() -> None:
    dag = DAG.from_edges(ASIA)
    again = DAG.from_edges(ASIA)
    assert dag == again
    assert len({dag, again, pickle.loads(pickle.dumps(dag)), copy.deepcopy(dag)}) == 1
    with pytest.raises(FrozenInstanceError):
        dag.names = ()  # type: ignore[misc]


def test_family_questions_are_answered_in_names() -> None:
    dag = DAG.from_edges(ASIA)
    assert dag.parents("either") == ("tub", "lung")
    assert dag.children("smoke") == ("lung", "bronc")
    assert dag.ancestors_of("xray") == ("asia", "tub", "smoke", "lung", "either")
    assert dag.descendants_of(["smoke"]) == ("lung", "bronc", "either", "xray", "dysp")
    assert dag.markov_blanket("either") == ("tub", "lung", "bronc", "xray", "dysp")
    assert dag.has_edge("smoke", "lung")
    assert not dag.has_edge("lung", "smoke")


def test_asia_and_smoking_are_separated_until_an_effect_of_both_is_seen() -> None:
    dag = DAG.from_edges(ASIA)
    assert dag.d_separated("asia", "smoke")
    assert not dag.d_separated("asia", "smoke", given="xray")
    assert dag.d_separated("asia", "smoke", given=["xray", "tub"])
    assert dag.d_connected("asia", given=["either"]) == ("tub", "smoke", "lung", "bronc", "dysp")


@given(dags(), st.randoms(use_true_random=False))
def test_a_reordered_dag_has_the_same_edges_and_comes_back(dag: DAG, random: Random) -> None:
    names = list(dag.names)
    random.shuffle(names)
    other = dag.reordered(names)
    assert other.names == tuple(names)
    assert set(other.edges) == set(dag.edges)
    assert other.reordered(dag.names) == dag
    assert other.is_equivalent_to(dag)


@given(dags())
def test_edges_and_names_make_the_same_dag_again(dag: DAG) -> None:
    assert DAG.from_edges(dag.edges, dag.names) == dag
    assert len(dag.edges) == dag.n_edges


@given(dags())
def test_v_structures_are_listed_once_each(dag: DAG) -> None:
    index = {name: v for v, name in enumerate(dag.names)}
    found = [(frozenset((index[a], index[b])), index[c]) for a, c, b in dag.v_structures()]
    assert len(found) == len(set(found))
    assert set(found) == v_structures(arcs_of(dag.parent_masks))


@given(dags(6))
def test_d_separation_is_symmetric(dag: DAG) -> None:
    for x, y in combinations(dag.names, 2):
        rest = [name for name in dag.names if name not in (x, y)]
        assert dag.d_separated(x, y, rest) == dag.d_separated(y, x, rest)


@pytest.mark.parametrize(
    ("edges", "nodes", "sentence"),
    [
        (
            [("A", "B"), ("B", "C"), ("C", "A")],
            None,
            "the edges form a cycle: A -> B -> C -> A; remove one of them",
        ),
        ([("A", "A")], None, "node 'A' has an edge to itself; remove it"),
        ([], ["A", "B", "A"], "node name 'A' appears twice; names must differ"),
        ([], "AB", "node names must be a list of strings, got the string 'AB'"),
        ([], [1, 2], "node names must be strings, got 1; rename the node first"),
        ([("A", "B", "C")], None, "an edge must be a pair of node names (strings), got"),
        (["AB"], None, "an edge must be a pair of node names (strings), got 'AB'"),
        ([(1, 2)], None, "an edge must be a pair of node names (strings), got (1, 2)"),
    ],
)
def test_bad_edges_and_names_get_a_sentence(edges: object, nodes: object, sentence: str) -> None:
    with pytest.raises(GraphError, match=re.escape(sentence)):
        DAG.from_edges(edges, nodes)  # type: ignore[arg-type]


def test_a_long_cycle_is_cut_short_in_the_message() -> None:
    names = [f"N{v}" for v in range(50)]
    edges = [(names[v - 1], names[v]) for v in range(50)]
    with pytest.raises(GraphError, match=r"N10 -> N11 -> \(38 more\) -> N0; remove"):
        DAG.from_edges(edges, names)


def test_an_edge_to_an_unknown_node_names_the_node_and_those_known() -> None:
    with pytest.raises(UnknownVariableError, match="unknown variable 'Z'; known are A, B"):
        DAG.from_edges([("A", "Z")], nodes=["A", "B"])


@pytest.mark.parametrize(
    ("names", "parents", "sentence"),
    [
        (["A"], (0,), "node names must be a tuple of strings, got list"),
        (("A",), (0, 0), "one mask for each of the 1 nodes, got 2"),
        (("A",), [0], "one mask for each of the 1 nodes, got list"),
        (("A", "B"), (0b100, 0), "the parents of node 'A' are 4, not a mask of 2 nodes"),
        (("A", "B"), (-1, 0), "the parents of node 'A' are -1, not a mask of 2 nodes"),
        (("A", "B"), ("x", 0), "the parents of node 'A' are 'x', not a mask of 2 nodes"),
        (("A", "B"), (0, 0b10), "node 'B' has an edge to itself"),
    ],
)
def test_bad_masks_get_a_sentence(names: object, parents: object, sentence: str) -> None:
    with pytest.raises(GraphError, match=re.escape(sentence)):
        DAG(names, parents)  # type: ignore[arg-type]


def test_questions_about_unknown_or_given_nodes_get_a_sentence() -> None:
    dag = DAG.from_edges([("A", "B")])
    with pytest.raises(UnknownVariableError, match="unknown variable 'Z'"):
        dag.markov_blanket("Z")
    with pytest.raises(UnknownVariableError, match="unknown variable 'Z'"):
        dag.d_separated("A", "B", given=["Z"])
    with pytest.raises(GraphError, match="'A' is among the given nodes"):
        dag.d_connected("A", given=["A"])
    with pytest.raises(GraphError, match="two nodes that are not given; got 'A' and 'A'"):
        dag.d_separated("A", "A")
    with pytest.raises(GraphError, match="two nodes that are not given; got 'A' and 'B'"):
        dag.d_separated("A", "B", given="B")
    with pytest.raises(GraphError, match="B missing and C unknown"):
        dag.reordered(["A", "C"])
    with pytest.raises(GraphError, match="the same nodes are needed, in any order: B unknown"):
        dag.is_equivalent_to(DAG.empty(["A"]))


def test_a_small_dag_is_shown_whole_and_a_large_one_cut_short() -> None:
    assert repr(DAG.empty([])) == "DAG(no nodes, no edges)"
    assert repr(DAG.from_edges([("A", "B")])) == "DAG(2 nodes, 1 edge: A -> B)"
    star = DAG.from_edges([("hub", f"N{v}") for v in range(1000)])
    assert repr(star).endswith("hub -> N11 and 988 more)")
    assert len(str(star).splitlines()) == 2
    chain = DAG.from_edges([(f"N{v}", f"N{v + 1}") for v in range(999)])
    assert len(str(chain).splitlines()) == 42
    assert str(DAG.empty(["A", "B"])) == "DAG with 2 nodes and no edges\n  isolated: A, B"


@given(dags(), st.randoms(use_true_random=False))
def test_an_edge_added_is_there_and_taken_away_leaves_the_graph(dag: DAG, random: Random) -> None:
    free = [
        (a, b)
        for a in dag.names
        for b in dag.names
        if a != b and a not in dag.descendants_of(b) and not dag.has_edge(a, b)
    ]
    if not free:
        return
    a, b = random.choice(free)
    more = dag.with_edge(a, b)
    assert set(more.edges) == {*dag.edges, (a, b)}
    assert more.without_edge(a, b) == dag


@given(dags())
def test_an_edge_turns_round_unless_another_way_leads_to_its_head(dag: DAG) -> None:
    for a, b in dag.edges:
        if b in dag.without_edge(a, b).descendants_of(a):
            with pytest.raises(GraphError, match="would close the cycle"):
                dag.reversed(a, b)
        else:
            turned = dag.reversed(a, b)
            assert set(turned.edges) == {*dag.edges, (b, a)} - {(a, b)}
            assert turned.reversed(b, a) == dag


def test_edits_that_cannot_be_are_told_with_what_is_in_the_way() -> None:
    dag = DAG.from_edges([("A", "B"), ("B", "C"), ("A", "C")], ["A", "B", "C", "D"])
    edits: list[tuple[Callable[[], DAG], str]] = [
        (lambda: dag.with_edge("A", "B"), "the edge A -> B is already there"),
        (lambda: dag.with_edge("B", "A"), "the edge A -> B is there; turn it round"),
        (lambda: dag.with_edge("D", "D"), "an edge from D to itself cannot be"),
        (lambda: dag.without_edge("B", "A"), "B -> A is not there, but its reverse is"),
        (lambda: dag.without_edge("A", "D"), "the edge A -> D is not there"),
        (
            lambda: dag.reversed("A", "C"),
            "the edge C -> A would close the cycle A -> B -> C -> A",
        ),
    ]
    for edit, said in edits:
        with pytest.raises(GraphError, match=re.escape(said)):
            edit()
    with pytest.raises(UnknownVariableError):
        dag.with_edge("A", "Z")
    chain = DAG.from_edges([("A", "B"), ("B", "C")])
    with pytest.raises(GraphError, match=r"C -> A would close the cycle A -> B -> C -> A"):
        chain.with_edge("C", "A")
