"""Searches over DAGs that stay inside a chordal graph."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bayesloom.data import Table
from bayesloom.engine import NativeEngine
from bayesloom.errors import GraphError, KnowledgeError, OptionError
from bayesloom.graphs import DAG, ChordalGraph, skeleton
from bayesloom.independence import GSquare
from bayesloom.scores import BIC
from bayesloom.search import (
    DMN,
    GES,
    IGES,
    IHC,
    IL,
    XGES,
    HillClimbing,
    Knowledge,
    Limits,
    ScoredResult,
    Start,
    Tabu,
    Watch,
)
from bayesloom.search.restriction import chordal_graph, narrowed
from strategies_graphs import chordal_masks
from strategies_search import rich_tables

SEARCHES: dict[str, Any] = {
    "HillClimbing": HillClimbing,
    "Tabu": Tabu,
    "GES": GES,
    "XGES": XGES,
    "IGES": IGES,
    "IHC": IHC,
}


def run(search: Any, table: Table, limits: Limits | None = None) -> ScoredResult:  # noqa: ANN401
    limits = limits or Limits.none(table.names)
    found: ScoredResult = search.search(NativeEngine(table, 1), limits, Watch())
    return found


@pytest.mark.parametrize("name", SEARCHES)
@settings(max_examples=15)
@given(rich_tables(4, 6), st.data())
def test_every_edge_is_a_link_of_the_graph(name: str, table: Table, data: st.DataObject) -> None:
    n = table.n_columns
    within = ChordalGraph(table.names, tuple(data.draw(chordal_masks(n, least=n))))
    found = run(SEARCHES[name](within=within), table)
    for mask, links in zip(skeleton(found.dag.parent_masks), within.adjacency, strict=True):
        assert not mask & ~links


@pytest.mark.parametrize("name", SEARCHES)
@settings(max_examples=8)
@given(rich_tables(4, 6))
def test_within_the_complete_graph_nothing_changes(name: str, table: Table) -> None:
    whole = ChordalGraph.from_cliques([table.names])
    free, inside = run(SEARCHES[name](), table), run(SEARCHES[name](within=whole), table)
    assert inside.dag == free.dag
    assert inside.graph == free.graph
    assert inside.score == free.score


@pytest.mark.parametrize("name", SEARCHES)
@settings(max_examples=8)
@given(rich_tables(4, 6))
def test_inside_a_graph_is_the_same_as_with_all_other_edges_forbidden(
    name: str, table: Table
) -> None:
    graph = run(DMN(lookahead=2), table).graph
    assert isinstance(graph, ChordalGraph)
    links = {frozenset(edge) for edge in graph.edges}
    absent = tuple(
        (a, b) for a in table.names for b in table.names if a != b and {a, b} not in links
    )
    limits = Knowledge(forbidden=absent).limits(table.names)
    inside = run(SEARCHES[name](within=graph), table)
    assert inside.dag == run(SEARCHES[name](), table, limits).dag


@pytest.mark.parametrize("kind", [GES, XGES])
@settings(max_examples=15)
@given(rich_tables(4, 6), st.data())
def test_a_class_search_begins_at_the_class_of_its_start(
    kind: Any,  # noqa: ANN401
    table: Table,
    data: st.DataObject,
) -> None:
    n = table.n_columns
    start = ChordalGraph(table.names, tuple(data.draw(chordal_masks(n, least=n)))).to_dag()
    engine = NativeEngine(table, 1)
    found = run(kind(start=start), table)
    begun = BIC().total(engine, start.parent_masks)
    gained = sum(step.gain for step in found.steps)
    assert found.score == pytest.approx(begun + gained, rel=1e-9)
    assert found.score >= begun - 1e-9
    # From its own optimum it does not move.
    if kind is GES:
        again = run(GES(start=found.dag, turning=True), table)
        assert again.score >= found.score - 1e-9
    else:
        assert run(XGES(start=found.dag), table).score == pytest.approx(found.score)


def test_a_complete_start_leads_to_deletions_only() -> None:
    rng_table = Table(
        list("ABC"), [["0", "1"]] * 3, [[0, 1] * 40, [0, 0, 1, 1] * 20, [0, 1, 1, 0] * 20]
    )
    found = run(GES(start=Start.COMPLETE), rng_table)
    assert {step.operator for step in found.steps} == {"delete"}
    # The balanced table is a parity: A and B, apart, meet in C, or another way round.
    assert found.dag.n_edges == 2
    assert max(mask.bit_count() for mask in found.dag.parent_masks) == 2


def test_the_graph_may_be_that_of_a_result_and_in_another_order() -> None:
    table = Table(list("AB"), [["0", "1"]] * 2, [[0, 1] * 20, [0, 1] * 20])
    result = run(DMN(), table)
    assert HillClimbing(within=result).within is result.graph  # type: ignore[arg-type]
    swapped = ChordalGraph.from_edges([("B", "A")])
    assert run(HillClimbing(within=swapped), table).dag.n_edges == 1
    assert run(IL(HillClimbing(within=swapped), test=GSquare()), table).dag.n_edges == 1


def test_anything_else_is_refused() -> None:
    with pytest.raises(OptionError, match="within must be a ChordalGraph or a learned Markov"):
        HillClimbing(within=DAG.from_edges([("A", "B")]))  # type: ignore[arg-type]
    assert chordal_graph(None) is None


def test_other_variables_and_required_edges_outside_are_refused() -> None:
    limits = Knowledge(required=(("A", "C"),)).limits(("A", "B", "C"))
    graph = ChordalGraph.from_edges([("A", "B")], nodes=["A", "B", "C"])
    with pytest.raises(KnowledgeError, match="A -> C is required, but it is no link"):
        narrowed(limits, graph)
    assert narrowed(limits, graph, keep_required=True).allowed == (0b010, 0b001, 0b001)
    with pytest.raises(GraphError, match="variables of the data: it lacks C"):
        narrowed(limits, ChordalGraph.from_edges([("A", "B")]))


def test_without_a_graph_the_limits_stay_as_they_are() -> None:
    limits = Limits.none(("A", "B"))
    assert narrowed(limits, None) is limits
