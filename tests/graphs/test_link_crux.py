"""The crux, against its definition with cliques from networkx."""

from __future__ import annotations

from itertools import combinations

import networkx as nx
import pytest
from hypothesis import given, settings

from bayesloom.errors import GraphError, UnknownVariableError
from bayesloom.graphs import ChordalGraph, crux
from reference_dmn import admissible, empty_graph
from strategies_graphs import chordal_masks


def by_definition(
    graph: nx.Graph[int], links: tuple[tuple[int, int], ...]
) -> tuple[set[int], set[frozenset[int]], set[int]]:
    """Follow definition 2: the cliques that meet the unique clique and are not old."""
    larger = graph.copy()
    larger.add_edges_from(links)
    old = {frozenset(clique) for clique in nx.find_cliques(graph)}
    new = {frozenset(clique) for clique in nx.find_cliques(larger)}
    ends = {v for link in links for v in link}
    (unique,) = [clique for clique in new if ends <= clique]
    generating = {clique for clique in new if clique & unique and clique not in old}
    return set(unique), generating, set().union(*generating)


@settings(max_examples=40)
@given(chordal_masks(6, least=2))
def test_the_crux_is_that_of_the_definition_for_every_set_of_links(adjacency: list[int]) -> None:
    n = len(adjacency)
    graph = empty_graph(n)
    graph.add_edges_from((v, w) for v, w in combinations(range(n), 2) if adjacency[v] >> w & 1)
    names = tuple("ABCDEF"[:n])
    value = ChordalGraph(names, tuple(adjacency))
    for size in (1, 2, 3, 4):
        for links in admissible(graph, size):
            unique, generating, members = by_definition(graph, links)
            found = crux(value, [(names[a], names[b]) for a, b in links])
            assert set(found.clique) == {names[v] for v in unique}
            assert {frozenset(clique) for clique in found.generating} == {
                frozenset(names[v] for v in clique) for clique in generating
            }
            assert set(found.members) == {names[v] for v in members}
            inside = sorted(members)
            assert set(found.before.edges) == named(graph.subgraph(inside), names)
            larger = graph.copy()
            larger.add_edges_from(links)
            assert set(found.after.edges) == named(larger.subgraph(inside), names)


def named(graph: nx.Graph[int], names: tuple[str, ...]) -> set[tuple[str, str]]:
    return {(names[min(edge)], names[max(edge)]) for edge in graph.edges}


def test_two_links_can_make_two_cliques_that_only_together_are_the_crux() -> None:
    # As in figure 1 (c) of the paper: {b, c, f} and {c, e, f} give the crux {b, c, e, f}.
    graph = ChordalGraph.from_edges([("b", "c"), ("c", "e"), ("e", "f")])
    found = crux(graph, [("c", "f"), ("b", "f")])
    assert found.generating == (("b", "c", "f"), ("c", "e", "f"))
    assert found.members == ("b", "c", "e", "f")
    assert found.clique == ("b", "c", "f")


def test_one_link_has_its_clique_as_crux() -> None:
    graph = ChordalGraph.from_edges([("A", "B"), ("B", "C"), ("C", "D"), ("B", "D")])
    found = crux(graph, [("A", "C")])
    assert found.members == found.clique == ("A", "B", "C")
    assert found.generating == (found.clique,)


def test_links_that_cannot_be_added_are_refused() -> None:
    path = ChordalGraph.from_edges([("A", "B"), ("B", "C"), ("C", "D")])
    with pytest.raises(GraphError, match="A - B - C - D - A has no chord"):
        crux(path, [("A", "D")])
    with pytest.raises(GraphError, match="the link B - A is there already"):
        crux(path, [("B", "A"), ("A", "C")])
    with pytest.raises(GraphError, match="the link C - A is there already"):
        crux(path, [("A", "C"), ("C", "A")])
    with pytest.raises(GraphError, match="at least one link, got none"):
        crux(path, [])
    with pytest.raises(UnknownVariableError, match="'X'"):
        crux(path, [("A", "X")])
    apart = ChordalGraph.empty(["A", "B", "C", "D"])
    with pytest.raises(GraphError, match="one clique, but A - C would not be linked"):
        crux(apart, [("A", "B"), ("C", "D")])
    with pytest.raises(GraphError, match="has an edge to itself"):
        crux(apart, [("A", "A")])


def test_a_shared_terminal_clique_can_have_another_boundary_before_the_links() -> None:
    # What the paper's proposition 7 states fails here: {A, B} is a clique before and after, its
    # boundary is empty before and {A} after. The crux is right all the same.
    found = crux(ChordalGraph.from_edges([("A", "B")], nodes=["A", "B", "C"]), [("A", "C")])
    assert found.members == ("A", "C")
