from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesloom.errors import GraphError
from bayesloom.graphs import (
    CPDAG,
    DAG,
    PDAG,
    Agreement,
    adjacency_agreement,
    arrowhead_agreement,
    structural_hamming_distance,
)
from reference_graphs import arcs_of, links_of, mark
from strategies_graphs import dag_masks


@st.composite
def pairs_of_dags(draw: st.DrawFn) -> tuple[DAG, DAG]:
    first = draw(dag_masks(7))
    second = draw(dag_masks(7))
    n = min(len(first), len(second))
    names = tuple(f"N{v}" for v in range(n))
    keep = (1 << n) - 1
    true = DAG(names, tuple(mask & keep for mask in first[:n]))
    learned = DAG(names, tuple(mask & keep for mask in second[:n]))
    return true, learned.reordered(draw(st.permutations(names)))


@given(pairs_of_dags())
def test_the_measures_count_the_marks_of_each_pair_of_nodes(pair: tuple[DAG, DAG]) -> None:
    true, learned = pair
    classes = [CPDAG.of(true), CPDAG.of(learned.reordered(true.names))]
    marks = [
        [
            mark(arcs_of(graph.parent_masks), links_of(graph.neighbour_masks), a, b)
            for a, b in combinations(range(true.n), 2)
        ]
        for graph in classes
    ]
    both = list(zip(*marks, strict=True))
    assert structural_hamming_distance(true, learned) == sum(a != b for a, b in both)
    assert adjacency_agreement(true, learned) == Agreement(
        sum(a != " " != b for a, b in both),
        sum(a == " " != b for a, b in both),
        sum(b == " " != a for a, b in both),
    )
    arrows = ("->", "<-")
    assert arrowhead_agreement(true, learned) == Agreement(
        sum(a == b and a in arrows for a, b in both),
        sum(a != b and b in arrows for a, b in both),
        sum(a != b and a in arrows for a, b in both),
    )


@given(pairs_of_dags())
def test_distance_is_symmetric_and_zero_exactly_for_equivalent_dags(
    pair: tuple[DAG, DAG],
) -> None:
    true, learned = pair
    distance = structural_hamming_distance(true, learned)
    assert distance == structural_hamming_distance(learned, true)
    assert (distance == 0) == true.is_equivalent_to(learned)
    assert distance == structural_hamming_distance(CPDAG.of(true), CPDAG.of(learned))


def test_missing_extra_and_otherwise_marked_edges_each_count_one() -> None:
    true = PDAG.from_edges([("A", "B"), ("C", "D")], [("E", "F")], nodes=list("ABCDEF"))
    learned = PDAG.from_edges([("B", "A"), ("E", "F")], [("A", "F")], nodes=true.names)
    assert structural_hamming_distance(true, learned) == 4
    assert structural_hamming_distance(true, true) == 0


def test_shares_of_nothing_are_one() -> None:
    empty, full = DAG.empty(["A", "B"]), DAG.from_edges([("A", "B")])
    nothing = adjacency_agreement(empty, empty)
    assert (nothing.precision, nothing.recall, nothing.f) == (1.0, 1.0, 1.0)
    missed = adjacency_agreement(full, empty)
    assert (missed.precision, missed.recall, missed.f) == (1.0, 0.0, 0.0)
    invented = adjacency_agreement(empty, full)
    assert (invented.precision, invented.recall, invented.f) == (0.0, 1.0, 0.0)


def test_graphs_over_different_nodes_are_not_compared() -> None:
    with pytest.raises(
        GraphError, match="only the true graph has B and only the learned graph has C, D"
    ):
        structural_hamming_distance(DAG.empty(["A", "B"]), DAG.empty(["A", "C", "D"]))
