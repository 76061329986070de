from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bayesloom.data import Table
from bayesloom.errors import KnowledgeError, OptionError, UnknownVariableError
from bayesloom.scores import BIC, K2Score, Score
from bayesloom.search import K2, Knowledge, Stop
from reference_graphs import arcs_of
from reference_search import Law, Scorer, k2, parents_in, replayed, run, tie_of
from strategies_search import Known, known, rich_table, rich_tables, scores, tables


@given(tables(1, 6) | rich_tables(4, 7), scores() | st.just(K2Score()), st.data())
@settings(max_examples=60)
def test_it_finds_the_parents_of_the_definition(
    table: Table, score: Score, data: st.DataObject
) -> None:
    given_: Known = data.draw(known(table.names))
    law = Law.of(given_.knowledge, table.names, given_.max_parents)
    found = run(K2(given_.order, score), table, given_.limits(table.names))
    order = [table.index(name) for name in given_.order]
    assert arcs_of(found.dag.parent_masks) == k2(Scorer.of(table, score), order, law)
    assert found.stop is Stop.COMPLETE


@given(tables(1, 6) | rich_tables(4, 7), scores() | st.just(K2Score()), st.booleans(), st.data())
@settings(max_examples=40)
def test_the_steps_lead_to_the_network_and_each_gain_is_that_of_its_edge(
    table: Table,
    score: Score,
    shrink: bool,  # noqa: FBT001
    data: st.DataObject,
) -> None:
    given_: Known = data.draw(known(table.names))
    limits = given_.limits(table.names)
    found = run(K2(given_.order, score, shrink=shrink), table, limits)
    scorer, arcs = Scorer.of(table, score), arcs_of(limits.required)
    before = scorer.total(arcs)
    for step in found.steps:
        after = replayed([step], arcs)
        gain = scorer.family(step.y, parents_in(after, step.y)) - scorer.family(
            step.y, parents_in(arcs, step.y)
        )
        assert step.gain == pytest.approx(gain, abs=1e-6)
        assert step.gain > 0
        arcs = after
    assert arcs == arcs_of(found.dag.parent_masks)
    gained = math.fsum(step.gain for step in found.steps)
    assert found.score == pytest.approx(before + gained, abs=1e-6)


@given(rich_tables(5, 7), scores())
@settings(max_examples=40)
def test_after_shrinking_no_parent_is_better_away(table: Table, score: Score) -> None:
    found = run(K2(table.names, score, shrink=True), table)
    grown = run(K2(table.names, score), table)
    scorer = Scorer.of(table, score)
    arcs = arcs_of(found.dag.parent_masks)
    assert found.score >= grown.score - tie_of(grown.score)
    for arc in arcs:
        assert scorer.total(arcs - {arc}) <= found.score + 2 * tie_of(found.score)


def test_edges_go_forward_in_the_order() -> None:
    table = rich_table(6, 7, 7)
    order = tuple(reversed(table.names))
    found = run(K2(order), table)
    assert found.dag.n_edges > 0
    assert all(order.index(a) < order.index(b) for a, b in found.dag.edges)


@pytest.mark.parametrize(
    ("order", "error", "message"),
    [
        (("A", "B"), OptionError, "misses the variable 'C'; it must name every variable once"),
        (("A", "B", "C", "Z"), UnknownVariableError, "unknown variable 'Z' in the order"),
    ],
)
def test_an_order_that_does_not_fit_the_table_is_refused(
    order: tuple[str, ...], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        run(K2(order), Table("ABC", ["01"] * 3, [[0, 1]] * 3))


def test_an_order_against_a_required_edge_is_refused() -> None:
    table = Table("ABC", ["01"] * 3, [[0, 1]] * 3)
    limits = Knowledge(required=[("C", "A")]).limits(table.names)
    with pytest.raises(KnowledgeError, match="C -> A is required but goes against the order"):
        run(K2(("A", "B", "C")), table, limits)


def test_bad_options_are_refused_when_the_search_is_made() -> None:
    with pytest.raises(OptionError, match="names the variable 'A' twice"):
        K2(("A", "B", "A"))
    with pytest.raises(OptionError, match="must be a list of names, got the text 'ABC'"):
        K2("ABC")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="got the class BIC"):
        K2(("A",), BIC)  # type: ignore[arg-type]
