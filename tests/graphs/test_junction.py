from __future__ import annotations

import pickle
from math import prod

import pytest
from hypothesis import given

from bayesloom.errors import GraphError, UnknownVariableError
from bayesloom.graphs import DAG, ChordalGraph, JunctionForest, bits
from strategies_graphs import dags

NAMES = ("A", "B", "C", "D")


@given(dags())
def test_the_cliques_that_hold_a_node_are_connected_in_the_forest(dag: DAG) -> None:
    forest = ChordalGraph.triangulating(dag).junction_forest()
    for v in range(dag.n):
        holding = [i for i, clique in enumerate(forest.cliques) if clique >> v & 1]
        joined = [i for i in holding if forest.above[i] in holding]
        assert len(joined) == len(holding) - 1


@given(dags())
def test_joint_states_are_counted_over_all_cliques(dag: DAG) -> None:
    forest = ChordalGraph.triangulating(dag).junction_forest()
    states = [2 + v % 3 for v in range(dag.n)]
    expected = sum(prod(states[v] for v in bits(clique)) for clique in forest.cliques)
    assert forest.n_states(states) == expected


def test_a_forest_answers_in_names_and_is_a_value() -> None:
    forest = JunctionForest(NAMES, (0b0011, 0b0110, 0b1000), (-1, 0, -1))
    assert forest.clique_names() == (("A", "B"), ("B", "C"), ("D",))
    assert forest.separator_names() == ((), ("B",), ())
    assert (forest.n_trees, forest.largest) == (2, 2)
    assert forest.home_of("B") == 0
    assert forest.home_of(["B", "C"]) == 1
    assert len({forest, pickle.loads(pickle.dumps(forest))}) == 1


def test_the_forest_of_no_nodes_has_no_cliques() -> None:
    forest = ChordalGraph.empty([]).junction_forest()
    assert forest.cliques == ()
    assert repr(forest) == "JunctionForest(no nodes, no cliques, no trees, largest clique 0)"


def test_a_clique_is_printed_below_the_one_it_hangs_below() -> None:
    forest = JunctionForest(NAMES, (0b0011, 0b0101, 0b1010), (-1, 0, 0))
    shown = JunctionForest(NAMES, (0b0011, 0b0101, 0b1100), (-1, 0, 1))
    assert str(forest).splitlines()[1:] == ["  A, B", "    A, C (shares A)", "    B, D (shares B)"]
    assert str(shown).splitlines()[-1] == "      C, D (shares C)"
    many = ChordalGraph.empty([f"N{v}" for v in range(500)]).junction_forest()
    assert str(many).splitlines()[-1] == "  and 460 more lines"


@pytest.mark.parametrize(
    ("cliques", "above", "sentence"),
    [
        ((0b0111,), (-1,), "node 'D' is in no clique"),
        ((0b0011, 0b1100), (-1,), "2 cliques need as many entries above, got 1"),
        ((0b0011, 0b1100), (1, -1), "clique 0 must hang below an earlier clique"),
        ((0b10011,), (-1,), "clique 0 is 19, not a mask"),
        ((0b0011, 0b0110, 0b1001), (-1, 0, 1), "clique 2 shares 'A' with an earlier clique"),
        ((0b0011, 0b0110, 0b1000), (-1, -1, -1), "clique 1 shares 'B' with an earlier clique"),
        ((0b1111, 0b0110), (-1, 0), "cliques 1 and 0 lie one inside the other"),
        ((0b0011, 0b1111), (-1, 0), "cliques 1 and 0 lie one inside the other"),
    ],
)
def test_what_is_no_junction_forest_is_refused(
    cliques: tuple[int, ...], above: tuple[int, ...], sentence: str
) -> None:
    with pytest.raises(GraphError, match=sentence):
        JunctionForest(NAMES, cliques, above)


def test_a_set_outside_every_clique_has_no_home() -> None:
    forest = JunctionForest(NAMES, (0b0011, 0b0110, 0b1000), (-1, 0, -1))
    with pytest.raises(GraphError, match="no clique contains all of A, C"):
        forest.home_of(["A", "C"])
    with pytest.raises(UnknownVariableError, match="unknown variable 'Z'"):
        forest.home_of("Z")
