from __future__ import annotations

import pytest
from hypothesis import given

from bayesloom.errors import GraphError
from bayesloom.graphs import (
    bits,
    close_under_meek,
    collider_parents,
    consistent_extension,
    cpdag_of_dag,
    equivalent,
    pattern_of_dag,
    remove_sinks,
    topological_order,
)
from reference_graphs import (
    all_classes,
    all_dags,
    all_pdags,
    arcs_of,
    extensions,
    links_of,
    masks_of,
    shared_arcs,
    v_structures,
)
from strategies_graphs import dag_masks


@pytest.mark.parametrize(
    ("n", "dags", "classes"), [(0, 1, 1), (1, 1, 1), (2, 3, 2), (3, 25, 11), (4, 543, 185)]
)
def test_the_numbers_of_small_dags_and_classes_are_those_of_the_literature(
    n: int, dags: int, classes: int
) -> None:
    graphs = [masks_of(arcs, n) for arcs in all_dags(n)]
    completed = {tuple(map(tuple, cpdag_of_dag(parents))) for parents in graphs}
    assert (len(graphs), len(completed)) == (dags, classes)


def check_every_class(n: int) -> int:
    """Check completion, pattern and extension of every class; return how many there are."""
    seen = set()
    for members in all_classes(n):
        compelled, free = shared_arcs(members)
        graphs = [masks_of(arcs, n) for arcs in members]
        for parents in graphs:
            arrows, links = cpdag_of_dag(parents)
            assert (arcs_of(arrows), links_of(links)) == (compelled, free)
        pattern = pattern_of_dag(graphs[0])
        assert close_under_meek(*pattern) == (arrows, links)
        assert tuple(consistent_extension(arrows, links)) in graphs
        assert tuple(consistent_extension(*pattern)) in graphs
        assert cpdag_of_dag(consistent_extension(*pattern)) == (arrows, links)
        seen.add((*arrows, *links))
    return len(seen)


def test_each_of_the_185_classes_with_four_nodes_is_completed_from_each_of_its_members() -> None:
    assert check_every_class(4) == 185


@pytest.mark.slow
def test_each_of_the_8782_classes_with_five_nodes_is_completed_from_each_of_its_members() -> None:
    assert len(all_dags(5)) == 29281
    assert check_every_class(5) == 8782


def test_two_dags_with_four_nodes_are_equivalent_exactly_when_their_cpdags_are_equal() -> None:
    graphs = [masks_of(arcs, 4) for arcs in all_dags(4)]
    completed = [cpdag_of_dag(parents) for parents in graphs]
    for i in range(0, len(graphs), 7):
        for j in range(len(graphs)):
            assert equivalent(graphs[i], graphs[j]) == (completed[i] == completed[j])


def test_an_extension_is_found_exactly_when_one_exists_for_all_graphs_with_four_nodes() -> None:
    for arcs, links in all_pdags(4):
        parents = masks_of(arcs, 4)
        neighbours = masks_of(
            frozenset((a, b) for link in links for a in link for b in link - {a}), 4
        )
        extended, order, left = remove_sinks(parents, neighbours)
        possible = extensions(arcs, links, 4)
        assert (not left) == bool(possible)
        if left:
            with pytest.raises(GraphError, match="no consistent extension"):
                consistent_extension(parents, neighbours)
        else:
            assert arcs_of(extended) in possible
            assert all(not extended[v] & ~_later(order, v) for v in range(4))


def _later(order: list[int], v: int) -> int:
    return sum(1 << u for u in order[order.index(v) + 1 :])


@given(dag_masks(12))
def test_the_extension_of_a_class_is_a_member_and_completes_to_it_again(parents: list[int]) -> None:
    completed = cpdag_of_dag(parents)
    member = consistent_extension(*completed)
    assert equivalent(member, parents)
    assert cpdag_of_dag(member) == completed
    assert cpdag_of_dag(parents, topological_order(parents)) == completed


@given(dag_masks(12))
def test_labelling_edges_agrees_with_closing_the_pattern_under_meeks_rules(
    parents: list[int],
) -> None:
    assert close_under_meek(*pattern_of_dag(parents)) == cpdag_of_dag(parents)


@given(dag_masks())
def test_collider_parents_are_the_arrowheads_of_the_v_structures(parents: list[int]) -> None:
    arcs = arcs_of(parents)
    found = {(p, v) for v, heads in enumerate(collider_parents(parents)) for p in bits(heads)}
    assert found == {(p, c) for pair, c in v_structures(arcs) for p in pair}


def test_a_dag_is_extended_to_itself() -> None:
    assert consistent_extension([0, 0b001, 0b011], [0, 0, 0]) == [0, 0b001, 0b011]


def test_of_several_extensions_the_one_whose_lowest_nodes_are_sinks_is_taken() -> None:
    assert consistent_extension([0, 0, 0], [0b110, 0b101, 0b011]) == [0b110, 0b100, 0]


def test_chains_of_a_thousand_nodes_are_completed_without_recursion() -> None:
    chain = [0, *(1 << v for v in range(999))]
    arrows, links = cpdag_of_dag(chain)
    assert not any(arrows)
    assert sum(mask.bit_count() for mask in links) == 2 * 999
