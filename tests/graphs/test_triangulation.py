from __future__ import annotations

from math import prod
from random import Random

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesloom.graphs import (
    Heuristic,
    bits,
    elimination_cliques,
    elimination_order,
    fill_in,
    is_chordal,
    lightest_order,
    transposed,
)
from bayesloom.graphs.convert import networkx_graph
from strategies_graphs import link_masks

STATES = st.lists(st.integers(1, 9), min_size=9, max_size=9)


@given(link_masks(), STATES, st.sampled_from(Heuristic))
def test_the_filled_graph_is_chordal_and_contains_the_graph(
    adjacency: list[int], states: list[int], heuristic: Heuristic
) -> None:
    order = elimination_order(adjacency, heuristic, states)
    filled = fill_in(adjacency, order)
    assert sorted(order) == list(range(len(adjacency)))
    assert is_chordal(filled)
    assert filled == transposed(filled)
    assert all(not a & ~b for a, b in zip(adjacency, filled, strict=True))


@given(link_masks(), st.sampled_from(Heuristic))
def test_a_chordal_graph_gets_no_further_edge(adjacency: list[int], heuristic: Heuristic) -> None:
    chordal = fill_in(adjacency, elimination_order(adjacency))
    assert fill_in(chordal, elimination_order(chordal, heuristic)) == chordal


@given(link_masks(), STATES, st.sampled_from(Heuristic))
def test_every_step_takes_the_cheapest_node(
    adjacency: list[int], states: list[int], heuristic: Heuristic
) -> None:
    graph = {v: set(bits(mask)) for v, mask in enumerate(adjacency)}
    for v in elimination_order(adjacency, heuristic, states):
        assert v == min(graph, key=lambda u: slow_cost(graph, u, states, heuristic))
        around = graph.pop(v)
        for u in around:
            graph[u] = (graph[u] | around) - {u, v}


def slow_cost(
    graph: dict[int, set[int]], v: int, states: list[int], heuristic: Heuristic
) -> tuple[int, int, int]:
    around = graph[v]
    missing = [(a, b) for a in around for b in around if a < b and b not in graph[a]]
    weight = states[v] * prod(states[u] for u in around)
    if heuristic is Heuristic.MIN_FILL:
        return len(missing), weight, v
    if heuristic is Heuristic.MIN_WEIGHT:
        return (weight, len(missing), v) if missing else (0, 0, v)
    return sum(states[a] * states[b] for a, b in missing), weight, v


@given(link_masks(), st.randoms(use_true_random=False))
def test_elimination_cliques_are_the_maximal_cliques_of_the_filled_graph(
    adjacency: list[int], random: Random
) -> None:
    order = list(range(len(adjacency)))
    random.shuffle(order)
    names = [str(v) for v in order]
    filled = networkx_graph([str(v) for v in range(len(names))], fill_in(adjacency, order))
    cliques = elimination_cliques(adjacency, order)
    found = sorted(sorted(str(v) for v in bits(clique)) for clique in cliques)
    assert found == sorted(map(sorted, nx.find_cliques(filled)))


@given(link_masks(), STATES)
def test_the_lightest_order_is_no_heavier_than_that_of_any_heuristic(
    adjacency: list[int], states: list[int]
) -> None:
    best = total(adjacency, lightest_order(adjacency, states), states)
    for heuristic in Heuristic:
        assert best <= total(adjacency, elimination_order(adjacency, heuristic, states), states)


def total(adjacency: list[int], order: list[int], states: list[int]) -> int:
    cliques = elimination_cliques(adjacency, order)
    return sum(prod(states[v] for v in bits(clique)) for clique in cliques)


@pytest.mark.parametrize("heuristic", Heuristic)
def test_a_square_gets_the_diagonal_between_the_nodes_with_few_states(
    heuristic: Heuristic,
) -> None:
    square = [0b1010, 0b0101, 0b1010, 0b0101]
    filled = fill_in(square, elimination_order(square, heuristic, [9, 2, 9, 2]))
    assert filled == [0b1010, 0b1101, 0b1010, 0b0111]


@pytest.mark.parametrize("heuristic", Heuristic)
def test_a_grid_of_a_thousand_nodes_is_triangulated(heuristic: Heuristic) -> None:
    wide, high = 125, 8
    adjacency = [0] * (wide * high)
    for v in range(wide * high):
        for u in (v + 1 if (v + 1) % high else v, v + high if v + high < wide * high else v):
            if u != v:
                adjacency[v] |= 1 << u
                adjacency[u] |= 1 << v
    order = elimination_order(adjacency, heuristic)
    assert is_chordal(fill_in(adjacency, order))
    assert max(c.bit_count() for c in elimination_cliques(adjacency, order)) <= 16
