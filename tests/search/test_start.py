from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bayesloom.data import Table
from bayesloom.engine import NativeEngine
from bayesloom.errors import GraphError, KnowledgeError, OptionError, UnknownVariableError
from bayesloom.graphs import DAG
from bayesloom.search import GES, IL, XGES, ChowLiu, HillClimbing, Knowledge, Limits, Start
from bayesloom.search.start import start_graph
from reference_graphs import arcs_of, is_acyclic, skeleton
from reference_search import Law, run
from strategies_search import Known, known, rich_table, rich_tables, tables


@given(tables(1, 6), st.sampled_from(Start), st.data())
@settings(max_examples=60)
def test_every_start_keeps_to_the_knowledge(
    table: Table, start: Start, data: st.DataObject
) -> None:
    given_: Known = data.draw(known(table.names))
    law = Law.of(given_.knowledge, table.names, given_.max_parents)
    arcs = arcs_of(start_graph(start, NativeEngine(table, 1), given_.limits(table.names)))
    assert is_acyclic(arcs, table.n_columns)
    assert law.holds(arcs)


@given(rich_tables(3, 7))
@settings(max_examples=20)
def test_starts_are_what_their_names_say(table: Table) -> None:
    engine, limits, n = NativeEngine(table, 1), Knowledge().limits(table.names), table.n_columns
    varied = int((table.observed > 1).sum())
    assert start_graph(Start.EMPTY, engine, limits) == [0] * n
    complete = skeleton(arcs_of(start_graph(Start.COMPLETE, engine, limits)))
    assert len(complete) == varied * (varied - 1) // 2
    tree = skeleton(arcs_of(start_graph(Start.CHOW_LIU, engine, limits)))
    assert tree == skeleton(arcs_of(run(ChowLiu(), table).dag.parent_masks))


def test_tiers_leave_room_for_a_complete_start() -> None:
    table = rich_table(1, 4, 4)
    limits = Knowledge(tiers=[["D"], ["C", "B"], ["A"]]).limits(table.names)
    arcs = arcs_of(start_graph(Start.COMPLETE, NativeEngine(table, 1), limits))
    assert len(arcs) == 6


def test_a_complete_start_that_joins_too_many_is_refused() -> None:
    codes = np.random.default_rng(1).integers(2, size=(65, 20))
    table = Table([f"x{v:02}" for v in range(65)], [["0", "1"]] * 65, list(codes))
    with pytest.raises(OptionError, match=r"joins 65 variables .* set max_parents, or start empty"):
        run(HillClimbing(start=Start.COMPLETE), table)
    few = Limits.none(table.names, max_parents=2)
    assert run(HillClimbing(start=Start.COMPLETE), table, few).dag.n == 65


def test_a_graph_is_put_in_the_order_of_the_data() -> None:
    table = rich_table(1, 3, 3)
    graph = DAG.from_edges([("C", "A")], nodes=["C", "B", "A"])
    limits = Knowledge().limits(table.names)
    assert start_graph(graph, NativeEngine(table, 1), limits) == [0b100, 0, 0]


def test_a_graph_over_other_variables_is_refused() -> None:
    engine = NativeEngine(rich_table(1, 3, 3), 1)
    limits = Knowledge().limits(engine.names)
    with pytest.raises(
        UnknownVariableError, match="unknown variable 'Z' in the start graph; known are A, B, C"
    ):
        start_graph(DAG.from_edges([("A", "Z")]), engine, limits)
    with pytest.raises(GraphError, match="the start graph lacks the variable 'C'; add it"):
        start_graph(DAG.from_edges([("A", "B")]), engine, limits)


def test_a_graph_that_breaks_the_knowledge_is_refused() -> None:
    table = rich_table(1, 3, 3)
    graph = DAG.from_edges([("A", "B")], nodes=["A", "B", "C"])
    limits = Knowledge(tiers=[["B"], ["A"]]).limits(table.names)
    with pytest.raises(KnowledgeError, match="the start graph has the edge A -> B"):
        start_graph(graph, NativeEngine(table, 1), limits)


@pytest.mark.parametrize(
    "search",
    [GES(start=Start.COMPLETE), XGES(start=Start.COMPLETE), IL(GES(start=Start.COMPLETE))],
    ids=lambda search: type(search).__name__,
)
def test_a_search_over_classes_refuses_a_complete_start_that_joins_too_many(
    search: GES | XGES | IL,
) -> None:
    codes = np.random.default_rng(1).integers(2, size=(13, 50))
    table = Table([f"x{v:02}" for v in range(13)], [["0", "1"]] * 13, list(codes))
    with pytest.raises(OptionError, match=r"joins 13 variables .* set max_parents .* start empty"):
        run(search, table)
    few = Limits.none(table.names, max_parents=2)
    assert run(search, table, few).dag.n == 13
    assert run(HillClimbing(start=Start.COMPLETE), table, few).dag.n == 13
