from __future__ import annotations

from itertools import combinations

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesloom.graphs import (
    ancestors,
    bits,
    blanket_mask,
    d_connected,
    d_connections,
    mask_of,
)
from bayesloom.graphs.convert import networkx_digraph
from reference_graphs import all_dags, arcs_of, d_separated_by_paths, masks_of
from strategies_graphs import dag_masks


def test_one_pass_answers_every_question_on_all_dags_with_four_nodes() -> None:
    for arcs in all_dags(4):
        parents = masks_of(arcs, 4)
        for x in range(4):
            others = [v for v in range(4) if v != x]
            for size in range(3):
                for s in combinations(others, size):
                    expected = {
                        y
                        for y in others
                        if y not in s and not d_separated_by_paths(arcs, x, y, set(s))
                    }
                    assert set(bits(d_connected(parents, x, mask_of(s)))) == expected


@given(dag_masks(7), st.integers(0), st.integers(0))
def test_d_connection_is_an_active_path(parents: list[int], x: int, given_nodes: int) -> None:
    if not parents:
        return
    x %= len(parents)
    s = given_nodes & ((1 << len(parents)) - 1) & ~(1 << x)
    found = d_connected(parents, x, s)
    arcs, held = arcs_of(parents), set(bits(s))
    assert not found & (s | 1 << x)
    for y in set(range(len(parents))) - held - {x}:
        assert bool(found >> y & 1) != d_separated_by_paths(arcs, x, y, held)


@given(dag_masks(40), st.integers(0), st.integers(0), st.integers(0))
def test_d_connection_agrees_with_networkx_on_larger_graphs(
    parents: list[int], x: int, left: int, right: int
) -> None:
    if not parents:
        return
    x %= len(parents)
    s = left & right & ((1 << len(parents)) - 1) & ~(1 << x)
    found = d_connected(parents, x, s)
    graph = networkx_digraph([str(v) for v in range(len(parents))], parents)
    for y in bits(((1 << len(parents)) - 1) & ~s & ~(1 << x))[:5]:
        apart = nx.is_d_separator(graph, {str(x)}, {str(y)}, {str(v) for v in bits(s)})
        assert bool(found >> y & 1) != apart


@given(dag_masks())
def test_a_node_is_separated_from_the_rest_by_its_markov_blanket_and_by_nothing_smaller(
    parents: list[int],
) -> None:
    for v in range(len(parents)):
        blanket = blanket_mask(parents, v)
        assert not d_connected(parents, v, blanket)
        for u in bits(blanket):
            assert d_connected(parents, v, blanket ^ (1 << u))


@pytest.mark.parametrize("given_node", [2, 3, 4])
def test_a_collider_opens_by_itself_or_by_any_descendant(given_node: int) -> None:
    parents = [0, 0, 0b00011, 0b00100, 0b01000]
    assert d_connected(parents, 0, 0) == 0b11100
    assert d_connected(parents, 0, 1 << given_node) & 0b00010


@given(dag_masks())
def test_nodes_are_connected_given_nothing_if_one_is_above_the_other_or_something_above_both(
    parents: list[int],
) -> None:
    above = [ancestors(parents, 1 << v) for v in range(len(parents))]
    for x, found in enumerate(d_connections(parents, [(x, 0) for x in range(len(parents))])):
        related = [y for y in range(len(parents)) if y != x and above[x] & above[y]]
        assert bits(found) == related
