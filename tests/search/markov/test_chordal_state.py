"""Which links a chordal graph can take, against networkx."""

from __future__ import annotations

from itertools import combinations

import networkx as nx
from hypothesis import given, settings
from hypothesis import strategies as st

import reference_dmn as slow
from bayesloom.graphs import components, is_chordal
from bayesloom.search.markov.chordal_state import ChordalState, meet
from bayesloom.search.markov.informations import Link
from strategies_graphs import chordal_masks, link_masks


def graph_of(adjacent: list[int]) -> nx.Graph[int]:
    graph = slow.empty_graph(len(adjacent))
    graph.add_edges_from(
        (v, w) for v, w in combinations(range(len(adjacent)), 2) if adjacent[v] >> w & 1
    )
    return graph


def common(graph: nx.Graph[int], x: int, y: int) -> int:
    return sum(1 << v for v in nx.common_neighbors(graph, x, y))


@given(chordal_masks(8))
def test_common_neighbours_separate_exactly_the_pairs_that_can_be_linked(
    adjacent: list[int],
) -> None:
    state, graph = ChordalState(adjacent), graph_of(adjacent)
    for x, y in combinations(range(len(adjacent)), 2):
        if not graph.has_edge(x, y):
            possible = slow.is_chordal(slow.with_links(graph, ((x, y),)))
            assert (state.separator(x, y) is not None) == possible
            if possible:
                assert state.separator(x, y) == common(graph, x, y)


@given(chordal_masks(8))
def test_a_link_can_go_if_it_lies_in_one_clique(adjacent: list[int]) -> None:
    state, graph = ChordalState(adjacent), graph_of(adjacent)
    for x, y in list(graph.edges):
        smaller = graph.copy()
        smaller.remove_edge(x, y)
        assert state.is_removable(x, y) == slow.is_chordal(smaller)


@settings(max_examples=60)
@given(chordal_masks(6))
def test_a_chain_exists_exactly_if_completing_the_nodes_leaves_the_graph_chordal(
    adjacent: list[int],
) -> None:
    graph = graph_of(adjacent)
    for size in range(1, len(adjacent) + 1):
        for nodes in combinations(range(len(adjacent)), size):
            absent = tuple(pair for pair in combinations(nodes, 2) if not graph.has_edge(*pair))
            links = ChordalState(list(adjacent)).chain(nodes)
            assert (links is not None) == slow.is_chordal(slow.with_links(graph, absent))
            if links is not None:
                assert sorted((link.x, link.y) for link in links) == list(absent)


@given(chordal_masks(8), st.data())
def test_every_step_of_a_chain_stays_chordal_and_knows_its_separator(
    adjacent: list[int], data: st.DataObject
) -> None:
    nodes = data.draw(st.lists(st.integers(0, max(len(adjacent) - 1, 0)), unique=True))
    links = ChordalState(list(adjacent)).chain(v for v in nodes if v < len(adjacent))
    state = ChordalState(list(adjacent))
    for link in links or []:
        assert state.separator(link.x, link.y) == link.given
        state.link(link.x, link.y)
        assert is_chordal(state.adjacent)


@given(chordal_masks(8), st.data())
def test_components_stay_true_as_links_come_and_go(
    adjacent: list[int], data: st.DataObject
) -> None:
    state = ChordalState(adjacent)
    n = len(adjacent)
    pairs = list(combinations(range(n), 2))
    for _ in range(data.draw(st.integers(0, 12)) if pairs else 0):
        x, y = data.draw(st.sampled_from(pairs))
        if state.adjacent[x] >> y & 1:
            state.unlink(x, y)
        else:
            state.link(x, y)
        for mask in components(state.adjacent):
            for v in range(n):
                if mask >> v & 1:
                    assert state.component(v) == mask


@given(link_masks(8), st.data())
def test_two_sets_meet_if_a_path_avoids_what_is_blocked(
    adjacent: list[int], data: st.DataObject
) -> None:
    n = len(adjacent)
    masks = st.integers(0, (1 << n) - 1)
    sources, targets, blocked = data.draw(masks), data.draw(masks), data.draw(masks)
    graph = graph_of(adjacent)
    graph.remove_nodes_from([v for v in range(n) if blocked >> v & 1])
    expected = any(
        nx.has_path(graph, a, b)
        for a in graph
        for b in graph
        if sources >> a & 1 and targets >> b & 1
    )
    assert meet(adjacent, sources, targets, blocked) == expected


def test_the_crux_of_one_link_is_its_clique() -> None:
    state = ChordalState([0b0110, 0b0101, 0b1011, 0b0100])
    state.link(1, 3)
    assert state.crux([Link(1, 3, 0b0100)]) == 0b1110
