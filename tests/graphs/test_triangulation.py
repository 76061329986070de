from __future__ import annotations

from collections.abc import Callable
from math import prod
from random import Random

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from bayesloom.graphs import bits, elimination_order, fill_in, is_chordal, transposed
from bayesloom.graphs.convert import networkx_graph
from strategies_graphs import link_masks

STATES = st.lists(st.integers(1, 9), min_size=9, max_size=9)

Graph = dict[int, set[int]]
Missing = list[tuple[int, int]]


def few_links(_: list[int], missing: Missing) -> int:
    return len(missing)


def light_links(states: list[int], missing: Missing) -> int:
    return sum(states[a] * states[b] for a, b in missing)


def visited(adjacency: list[int], states: list[int], order: list[int]) -> int:
    """Sum the joint states of every node and its neighbours when it is eliminated."""
    graph, total = as_sets(adjacency), 0
    for v in order:
        total += states[v] * prod(states[u] for u in graph[v])
        eliminate(graph, v)
    return total


def slow_order(
    adjacency: list[int], states: list[int], cost: Callable[[list[int], Missing], int]
) -> list[int]:
    """Eliminate the cheapest node, then the one with the lighter clique, then the lowest.

    Nodes that miss no link go before all others, as they are found.
    """
    graph = as_sets(adjacency)
    order: list[int] = []
    free: list[int] = []

    def missing(v: int) -> Missing:
        return [(a, b) for a in graph[v] for b in graph[v] if a < b and b not in graph[a]]

    def price(v: int) -> tuple[int, int, int]:
        return cost(states, missing(v)), states[v] * prod(states[u] for u in graph[v]), v

    while graph:
        free = free or [v for v in graph if not missing(v)]
        v = free.pop(0) if free else min(graph, key=price)
        order.append(v)
        eliminate(graph, v)
    return order


def as_sets(adjacency: list[int]) -> Graph:
    return {v: set(bits(mask)) for v, mask in enumerate(adjacency)}


def eliminate(graph: Graph, v: int) -> None:
    around = graph.pop(v)
    for u in around:
        graph[u] = (graph[u] | around) - {u, v}


@given(link_masks(), STATES)
def test_the_filled_graph_is_chordal_and_contains_the_graph(
    adjacency: list[int], states: list[int]
) -> None:
    order = elimination_order(adjacency, states[: len(adjacency)])
    filled = fill_in(adjacency, order)
    assert sorted(order) == list(range(len(adjacency)))
    assert is_chordal(filled)
    assert filled == transposed(filled)
    assert all(not a & ~b for a, b in zip(adjacency, filled, strict=True))


@given(link_masks(), STATES)
def test_a_chordal_graph_gets_no_further_edge(adjacency: list[int], states: list[int]) -> None:
    states = states[: len(adjacency)]
    chordal = fill_in(adjacency, elimination_order(adjacency, states))
    assert fill_in(chordal, elimination_order(chordal, states)) == chordal


@given(link_masks(), STATES)
def test_no_greedy_order_by_missing_links_visits_less(
    adjacency: list[int], states: list[int]
) -> None:
    states = states[: len(adjacency)]
    found = visited(adjacency, states, elimination_order(adjacency, states))
    for cost in (few_links, light_links):
        assert found <= visited(adjacency, states, slow_order(adjacency, states, cost))


@given(link_masks(), st.randoms(use_true_random=False))
def test_filling_in_links_what_every_eliminated_node_leaves(
    adjacency: list[int], random: Random
) -> None:
    order = random.sample(range(len(adjacency)), len(adjacency))
    graph, links = as_sets(adjacency), set()
    for v in order:
        links |= {frozenset((v, u)) for u in graph[v]}
        eliminate(graph, v)
    filled = networkx_graph([str(v) for v in range(len(order))], fill_in(adjacency, order))
    assert {frozenset(map(int, edge)) for edge in filled.edges} == links
    assert not order or nx.is_chordal(filled)


def test_a_square_gets_the_diagonal_between_the_nodes_with_few_states() -> None:
    square = [0b1010, 0b0101, 0b1010, 0b0101]
    filled = fill_in(square, elimination_order(square, [9, 2, 9, 2]))
    assert filled == [0b1010, 0b1101, 0b1010, 0b0111]


def test_a_grid_of_a_thousand_nodes_is_triangulated() -> None:
    wide, high = 125, 8
    adjacency = [0] * (wide * high)
    for v in range(wide * high):
        for u in (v + 1 if (v + 1) % high else v, v + high if v + high < wide * high else v):
            if u != v:
                adjacency[v] |= 1 << u
                adjacency[u] |= 1 << v
    filled = fill_in(adjacency, elimination_order(adjacency, [2] * len(adjacency)))
    assert is_chordal(filled)
    cliques = nx.chordal_graph_cliques(networkx_graph([str(v) for v in range(wide * high)], filled))
    assert max(map(len, cliques)) <= 16
