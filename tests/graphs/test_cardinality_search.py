from __future__ import annotations

from itertools import combinations

import networkx as nx
import pytest
from hypothesis import given

from bayesloom.graphs import (
    bits,
    clique_forest,
    components,
    elimination_order,
    fill_in,
    find_hole,
    is_chordal,
    maximum_cardinality_search,
)
from bayesloom.graphs.convert import networkx_graph
from strategies_graphs import link_masks


def graph_of(adjacency: list[int]) -> nx.Graph[str]:
    return networkx_graph([str(v) for v in range(len(adjacency))], adjacency)


def all_graphs(n: int) -> list[list[int]]:
    pairs = list(combinations(range(n), 2))
    graphs = []
    for chosen in range(1 << len(pairs)):
        adjacency = [0] * n
        for i in bits(chosen):
            a, b = pairs[i]
            adjacency[a] |= 1 << b
            adjacency[b] |= 1 << a
        graphs.append(adjacency)
    return graphs


@given(link_masks())
def test_each_node_visited_has_most_visited_neighbours_and_the_lowest_index(
    adjacency: list[int],
) -> None:
    order, before = maximum_cardinality_search(adjacency)
    assert sorted(order) == list(range(len(adjacency)))
    visited = 0
    for v in order:
        left = [u for u in range(len(adjacency)) if not visited >> u & 1]
        assert v == min(left, key=lambda u: (-(adjacency[u] & visited).bit_count(), u))
        assert before[v] == adjacency[v] & visited
        visited |= 1 << v


@pytest.mark.parametrize(("n", "count"), [(3, 8), (4, 61), (5, 822)])
def test_the_number_of_chordal_graphs_is_that_of_the_literature(n: int, count: int) -> None:
    assert sum(map(is_chordal, all_graphs(n))) == count


@given(link_masks())
def test_chordality_agrees_with_networkx(adjacency: list[int]) -> None:
    assert is_chordal(adjacency) == (not adjacency or nx.is_chordal(graph_of(adjacency)))


@given(link_masks(10))
def test_a_hole_is_found_exactly_in_graphs_that_are_not_chordal(adjacency: list[int]) -> None:
    hole = find_hole(adjacency)
    assert bool(hole) == (not is_chordal(adjacency))
    if hole:
        assert len(hole) >= 4
        assert len(set(hole)) == len(hole)
        for i, j in combinations(range(len(hole)), 2):
            side_by_side = j - i in (1, len(hole) - 1)
            assert bool(adjacency[hole[i]] >> hole[j] & 1) == side_by_side


@given(link_masks())
def test_the_cliques_of_a_chordal_graph_are_its_maximal_cliques(adjacency: list[int]) -> None:
    chordal = fill_in(adjacency, elimination_order(adjacency, [2] * len(adjacency)))
    cliques, _, _ = clique_forest(chordal)
    found = sorted(sorted(str(v) for v in bits(clique)) for clique in cliques)
    assert found == sorted(map(sorted, nx.find_cliques(graph_of(chordal))))


@given(link_masks())
def test_the_forest_has_the_running_intersection_property_and_one_tree_per_component(
    adjacency: list[int],
) -> None:
    chordal = fill_in(adjacency, elimination_order(adjacency, [2] * len(adjacency)))
    cliques, above, separators = clique_forest(chordal)
    earlier = 0
    for clique, up, separator in zip(cliques, above, separators, strict=True):
        assert clique & earlier == separator
        assert up == -1 if not separator else not separator & ~cliques[up]
        earlier |= clique
    assert above.count(-1) == len(components(chordal))


@given(link_masks(8))
def test_the_forest_has_the_greatest_weight_a_spanning_forest_of_intersections_can_have(
    adjacency: list[int],
) -> None:
    cliques, _, separators = clique_forest(
        fill_in(adjacency, elimination_order(adjacency, [2] * len(adjacency)))
    )
    shared: nx.Graph[int] = nx.Graph()
    shared.add_nodes_from(range(len(cliques)))
    for i, j in combinations(range(len(cliques)), 2):
        if cliques[i] & cliques[j]:
            shared.add_edge(i, j, weight=(cliques[i] & cliques[j]).bit_count())
    heaviest = nx.maximum_spanning_tree(shared).size(weight="weight")
    assert sum(separator.bit_count() for separator in separators) == heaviest


def test_the_empty_graph_is_chordal_and_has_no_clique() -> None:
    assert is_chordal([])
    assert clique_forest([]) == ([], [], [])
