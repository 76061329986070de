from __future__ import annotations

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from bayesloom.graphs import (
    ancestors,
    bits,
    find_cycle,
    topological_order,
    transposed,
)
from bayesloom.graphs.convert import networkx_digraph
from strategies_graphs import dag_masks


def digraph(parents: list[int]) -> nx.DiGraph[str]:
    return networkx_digraph([str(v) for v in range(len(parents))], parents)


@given(dag_masks(12))
def test_the_topological_order_is_the_lexicographically_first_one(parents: list[int]) -> None:
    first = nx.lexicographical_topological_sort(digraph(parents), key=int)
    assert topological_order(parents) == [int(v) for v in first]


@given(dag_masks(12))
def test_ancestors_are_those_of_networkx(parents: list[int]) -> None:
    graph = digraph(parents)
    for v in range(len(parents)):
        above = ancestors(parents, 1 << v)
        assert {str(u) for u in bits(above)} == nx.ancestors(graph, str(v)) | {str(v)}


@given(
    st.integers(1, 8).flatmap(lambda n: st.lists(st.integers(0, 2**n - 1), min_size=n, max_size=n))
)
def test_a_cycle_is_found_exactly_when_the_order_is_incomplete(masks: list[int]) -> None:
    parents = [mask & ~(1 << v) for v, mask in enumerate(masks)]
    cycle = find_cycle(parents)
    assert bool(cycle) == (len(topological_order(parents)) < len(parents))
    assert bool(cycle) == (not nx.is_directed_acyclic_graph(digraph(parents)))
    children = transposed(parents)
    for v, after in zip(cycle, cycle[1:] + cycle[:1], strict=True):
        assert children[v] >> after & 1
    assert len(set(cycle)) == len(cycle)


def test_the_order_of_the_empty_graph_is_empty() -> None:
    assert topological_order([]) == []
    assert find_cycle([]) == []
