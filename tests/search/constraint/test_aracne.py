"""ARACNE against the textbook, the law of knowledge, and what its stories tell."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bayesloom as bl
from bayesloom.data import Table
from bayesloom.engine import NativeEngine
from bayesloom.errors import KnowledgeError, OptionError
from bayesloom.graphs import PDAG, bits
from bayesloom.independence import ChiSquare, Coverage, FixedAlpha, GSquare
from bayesloom.search import (
    ARACNE,
    Budget,
    HillClimbing,
    Inconclusive,
    Knowledge,
    Limits,
    Restricted,
    SearchResult,
    Stop,
    Triangle,
    Watch,
)
from constraint_results import check_law, run
from reference_constraint import Oracle
from reference_information import Pair, aracne, information, rows_of
from strategies_search import Known, known, rich_tables, tables


def joined(found: SearchResult) -> set[Pair]:
    graph = found.graph
    assert isinstance(graph, PDAG)
    masks = zip(graph.parent_masks, graph.neighbour_masks, strict=True)
    near = [(u, v) for v, (parents, others) in enumerate(masks) for u in bits(parents | others)]
    return {(min(pair), max(pair)) for pair in near}


searches = st.builds(
    ARACNE,
    st.sampled_from([ChiSquare(coverage=Coverage.RELAXED), GSquare(min_expected=1), ChiSquare()]),
    st.sampled_from([FixedAlpha(0.05), FixedAlpha(0.3), FixedAlpha(1)]),
    st.sampled_from(Inconclusive),
    st.sampled_from([0.0, 0.0, 0.15, 0.5, 1.0]),
)


@given(tables(1, 6) | rich_tables(3, 6), searches, st.data())
@settings(max_examples=80)
def test_aracne_is_the_textbook_s(table: Table, search: ARACNE, data: st.DataObject) -> None:
    law: Known = data.draw(known(table.names))
    limits = (
        law.knowledge.limits(table.names) if data.draw(st.booleans()) else Limits.none(table.names)
    )
    counts_as = search.inconclusive is Inconclusive.INDEPENDENT
    oracle = Oracle(table, search.test, search.control.alpha, counts_as)
    rows = rows_of(table)
    every = list(combinations(range(table.n_columns), 2))
    required = {(x, y) for x, y in every if (limits.required[x] >> y | limits.required[y] >> x) & 1}
    pairs = {
        (x, y)
        for x, y in every
        if limits.pairs[x] >> y & 1
        and ((x, y) in required or not oracle.takes_apart(oracle.ask(x, y, ())))
    }
    shared = {(x, y): information(rows, x, y) for x, y in every}
    assert joined(run(search, table, limits)) == aracne(pairs, shared, search.tolerance, required)


@given(tables(1, 6) | rich_tables(3, 6), st.data())
@settings(max_examples=40)
def test_knowledge_is_law(table: Table, data: st.DataObject) -> None:
    law: Known = data.draw(known(table.names))
    limits = law.knowledge.limits(table.names)
    found = run(ARACNE(control=FixedAlpha(0.3)), table, limits)
    check_law(found, limits)


def chain(n: int = 2000) -> Table:
    """A - B - C - D, each a noisy copy of the one before."""
    rng = np.random.default_rng(1)
    codes = [rng.integers(0, 2, n)]
    for _ in range(3):
        codes.append(codes[-1] ^ (rng.random(n) < 0.15))
    return Table("ABCD", ["ny"] * 4, [c.astype(int) for c in codes])


def test_a_chain_loses_its_shortcuts_and_each_is_told_with_its_triangle() -> None:
    found = run(ARACNE(), chain())
    assert joined(found) == {(0, 1), (1, 2), (2, 3)}
    told = {(t.x, t.y): t for t in found.separations if isinstance(t, Triangle)}
    assert told.keys() == {(0, 2), (1, 3), (0, 3)}
    assert all(t.information < min(t.sides) for t in told.values())
    assert {(d.x, d.y) for d in found.dependencies} == joined(found)
    assert all(d.information is not None and d.information > 0 for d in found.dependencies)


def test_pairs_of_equal_information_stay_and_a_tolerance_keeps_weaker_ones() -> None:
    codes = np.arange(90) % 3
    copies = Table("ABC", ["xyz"] * 3, [codes, 2 - codes, codes])
    assert len(joined(run(ARACNE(), copies))) == 3
    assert (0, 2) in joined(run(ARACNE(tolerance=0.9), chain()))
    assert len(joined(run(ARACNE(tolerance=1.0), chain()))) == 6


def test_required_edges_are_not_taken_apart_and_forbidden_pairs_make_no_triangle() -> None:
    limits = Knowledge(required=[("A", "C")], forbidden=[("B", "D"), ("D", "B")]).limits("ABCD")
    found = run(ARACNE(), chain(), limits)
    assert {(0, 2), (0, 1), (1, 2)} <= joined(found)
    assert (1, 3) not in joined(found)
    assert isinstance(found.graph, PDAG)
    assert found.graph.parent_masks[2] & 1


def test_tiers_direct_and_what_follows_is_directed_too() -> None:
    limits = Knowledge(tiers=[["A"], ["B", "C", "D"]]).limits("ABCD")
    found = run(ARACNE(), chain(), limits)
    assert isinstance(found.graph, PDAG)
    assert found.graph.parent_masks == (0, 0b0001, 0b0010, 0b0100)


def test_a_limit_on_parents_is_refused_before_anything_is_counted() -> None:
    limits = Limits.none("ABCD", max_parents=1)
    with pytest.raises(KnowledgeError, match=r"cannot keep max_parents = 1; use Restricted.*"):
        ARACNE().search(None, limits, Watch())  # type: ignore[arg-type]


@pytest.mark.parametrize("tolerance", [-0.1, 1.5, float("nan"), "0.1"])
def test_a_tolerance_is_from_0_to_1(tolerance: float) -> None:
    with pytest.raises(OptionError, match="tolerance must be"):
        ARACNE(tolerance=tolerance)


def ring() -> Table:
    """A - B - C - D - A: a cycle without a chord, as a Markov field has it."""
    rng = np.random.default_rng(0)
    rows = rng.integers(0, 2, (4000, 4))
    for _ in range(60):
        for v in range(4):
            pull = 1.4 * (rows[:, v - 1] + rows[:, (v + 1) % 4] - 1)
            rows[:, v] = rng.random(4000) < 1 / (1 + np.exp(-pull))
    return Table("ABCD", ["ny"] * 4, list(rows.T))


def test_a_graph_without_extension_is_told_and_says_how_to_go_on() -> None:
    net = bl.learn(ring(), ARACNE())
    assert net.undirected == (("A", "B"), ("A", "D"), ("B", "C"), ("C", "D"))
    assert net.extension is None
    assert "no DAG extends the graph, because it has cycles without a chord" in net.notes[0]
    assert "Restricted(ARACNE(), HillClimbing())" in net.notes[1]
    inside = bl.learn(ring(), Restricted(ARACNE(), HillClimbing()))
    pairs = {(min(e), max(e)) for e in inside.edges}
    assert pairs <= set(net.undirected)


def test_a_network_with_extension_has_parameters_and_comes_back_from_a_file(
    tmp_path: Path,
) -> None:
    net = bl.learn(chain(), ARACNE())
    assert net.query("D", given={"A": "y"})["y"] > 0.6
    again = bl.load(net.save(tmp_path / "net.json"))
    assert again.undirected == net.undirected
    assert again.separations == net.separations
    assert again.record == net.record
    assert str(net.explain("A", "C")).startswith(str(again.explain("A", "C")))


def test_the_story_tells_the_triangle_and_the_test() -> None:
    net = bl.learn(chain(), ARACNE())
    apart = net.separations[0]
    assert isinstance(apart, Triangle)
    story = str(net.explain("A", "C"))
    assert "took A and C apart because of B: their mutual information" in story
    assert "The search found A ~ B (p = " in str(net.explain("B", "A"))


@pytest.mark.parametrize(("steps", "edges"), [(0, 0), (1, 6), (2, 3)])
def test_a_step_limit_keeps_what_was_found_so_far(steps: int, edges: int) -> None:
    table = chain()
    watch = Watch(Budget(max_steps=steps))
    found = ARACNE().search(NativeEngine(table), Limits.none(table.names), watch)
    assert len(joined(found)) == edges
    assert (found.stop is Stop.STEP_LIMIT) == (steps < 2)
    assert any("cut off" in note for note in found.notes) == (steps < 2)
