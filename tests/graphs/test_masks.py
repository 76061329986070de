from __future__ import annotations

from typing import TYPE_CHECKING

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from bayesloom.graphs import (
    bits,
    blanket_mask,
    components,
    is_clique,
    mask_of,
    moral_graph,
    reachable,
    relabelled,
    skeleton,
    transposed,
)
from bayesloom.graphs.convert import networkx_digraph, networkx_graph
from strategies_graphs import dag_masks, link_masks

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random


def digraph(parents: Sequence[int]) -> nx.DiGraph[str]:
    return networkx_digraph([str(v) for v in range(len(parents))], parents)


def undirected(adjacency: Sequence[int]) -> nx.Graph[str]:
    return networkx_graph([str(v) for v in range(len(adjacency))], adjacency)


@given(st.sets(st.integers(0, 1100)))
def test_a_mask_lists_its_nodes_in_ascending_order(nodes: set[int]) -> None:
    assert bits(mask_of(nodes)) == sorted(nodes)


@given(dag_masks())
def test_transposing_twice_changes_nothing_and_once_swaps_the_ends(parents: list[int]) -> None:
    children = transposed(parents)
    assert transposed(children) == parents
    assert all(children[p] >> v & 1 for v, mask in enumerate(parents) for p in bits(mask))


@given(dag_masks())
def test_the_skeleton_has_an_edge_at_both_ends_of_each_arrow(parents: list[int]) -> None:
    assert nx.utils.graphs_equal(undirected(skeleton(parents)), digraph(parents).to_undirected())


@given(dag_masks())
def test_the_moral_graph_is_that_of_networkx_and_holds_all_markov_blankets(
    parents: list[int],
) -> None:
    moral = moral_graph(parents)
    assert set(map(frozenset, undirected(moral).edges)) == set(
        map(frozenset, nx.moral_graph(digraph(parents)).edges)
    )
    assert moral == [blanket_mask(parents, v) for v in range(len(parents))]


@given(dag_masks(), st.integers(0), st.integers(0))
def test_reachable_nodes_are_the_descendants_once_blocked_nodes_are_gone(
    parents: list[int], sources: int, blocked: int
) -> None:
    everything = (1 << len(parents)) - 1
    sources &= everything
    blocked &= everything & ~sources
    graph = digraph(parents)
    graph.remove_nodes_from([str(v) for v in bits(blocked)])
    expected = set(map(str, bits(sources)))
    for v in bits(sources):
        expected |= nx.descendants(graph, str(v))
    assert set(map(str, bits(reachable(transposed(parents), sources, blocked)))) == expected


def test_a_blocked_source_is_still_left() -> None:
    assert reachable([0b10, 0b00], sources=0b01, blocked=0b01) == 0b11


@given(link_masks(), st.integers(0))
def test_components_are_those_of_the_induced_graph(adjacency: list[int], among: int) -> None:
    among &= (1 << len(adjacency)) - 1
    graph = undirected(adjacency).subgraph([str(v) for v in bits(among)])
    parts = [{str(v) for v in bits(part)} for part in components(adjacency, among)]
    assert sorted(map(sorted, parts)) == sorted(map(sorted, nx.connected_components(graph)))
    assert [min(map(int, part)) for part in parts] == sorted(min(map(int, p)) for p in parts)


@given(link_masks(), st.integers(0))
def test_a_clique_is_a_set_without_a_missing_pair(adjacency: list[int], nodes: int) -> None:
    nodes &= (1 << len(adjacency)) - 1
    members = bits(nodes)
    complete = all(adjacency[u] >> v & 1 for u in members for v in members if u != v)
    assert is_clique(adjacency, nodes) == complete


@given(dag_masks(), st.randoms(use_true_random=False))
def test_relabelling_there_and_back_changes_nothing(parents: list[int], random: Random) -> None:
    place = list(range(len(parents)))
    random.shuffle(place)
    back = [place.index(v) for v in range(len(place))]
    assert relabelled(relabelled(parents, place), back) == parents
