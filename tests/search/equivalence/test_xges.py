from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bayesloom.data import Table
from bayesloom.engine import NativeEngine
from bayesloom.scores import AIC, BIC, BDeu, Score
from bayesloom.search import (
    GES,
    XGES,
    Budget,
    HillClimbing,
    Limits,
    ScoredResult,
    Start,
    Stop,
    Watch,
)
from bayesloom.search.equivalence.climb import EquivalenceClimb, cpdag_state_of
from bayesloom.search.equivalence.second_thoughts import EAGER, Tried, regions_of
from bayesloom.search.local_scores import LocalScores
from bayesloom.search.start import start_graph
from example_samples import sampled
from reference_graphs import arcs_of
from reference_search import Law, Scorer, class_neighbours, run, tie_of
from strategies_search import Known, known, rich_table, rich_tables, scores, searches, tables

ALARM = sampled("alarm", 500).in_name_order()
KINDS = {
    "ges": ("delete",),
    "ges-turning": ("insert", "delete", "reverse"),
    "xges-plain": ("insert", "delete", "reverse"),
    "xges": ("insert", "delete", "reverse"),
}


def assert_locally_optimal(
    name: str, table: Table, score: Score, given_: Known | None = None
) -> None:
    """Score every class that one change of one member leads to."""
    n = table.n_columns
    law = (
        Law.none(n) if given_ is None else Law.of(given_.knowledge, table.names, given_.max_parents)
    )
    limits = None if given_ is None else given_.limits(table.names)
    found = run(searches(table.names, score)[name], table, limits)
    assert_no_neighbour_is_better(found, KINDS[name], law, table, score)


def assert_no_neighbour_is_better(
    found: ScoredResult, kinds: tuple[str, ...], law: Law, table: Table, score: Score
) -> None:
    assert found.stop is Stop.LOCAL_OPTIMUM
    scorer = Scorer.of(table, score)
    for kind in kinds:
        for group in class_neighbours(arcs_of(found.dag.parent_masks), table.n_columns, kind):
            if any(map(law.holds, group)):
                assert scorer.total(group[0]) <= found.score + 2 * tie_of(found.score), kind


@pytest.mark.parametrize("name", KINDS)
class TestNoNeighbourOfTheClassIsBetter:
    @given(tables(2, 4) | rich_tables(4, 4), scores())
    @settings(max_examples=40)
    def test_among_all_classes_with_4_nodes(self, name: str, table: Table, score: Score) -> None:
        assert_locally_optimal(name, table, score)

    @given(rich_tables(3, 4), scores(), st.data())
    @settings(max_examples=40)
    def test_among_those_that_hold_a_graph_knowledge_allows(
        self, name: str, table: Table, score: Score, data: st.DataObject
    ) -> None:
        assert_locally_optimal(name, table, score, data.draw(known(table.names)))

    @pytest.mark.slow
    @given(rich_tables(5, 5), scores(), st.data())
    @settings(max_examples=200)
    def test_among_all_classes_with_5_nodes(
        self, name: str, table: Table, score: Score, data: st.DataObject
    ) -> None:
        given_ = data.draw(st.none() | known(table.names))
        assert_locally_optimal(name, table, score, given_)


@pytest.mark.parametrize("start", Start)
@given(rich_tables(4, 4), scores(), st.data())
@settings(max_examples=25)
def test_wherever_it_starts_no_neighbouring_class_is_better(
    start: Start, table: Table, score: Score, data: st.DataObject
) -> None:
    given_: Known = data.draw(known(table.names))
    law = Law.of(given_.knowledge, table.names, given_.max_parents)
    limits = given_.limits(table.names)
    first = start_graph(start, NativeEngine(table, 1), limits)
    for search in (GES(score, turning=True, start=start), XGES(score, start=start)):
        found = run(search, table, limits)
        assert_no_neighbour_is_better(found, ("insert", "delete", "reverse"), law, table, score)
        gained = sum(step.gain for step in found.steps)
        before = Scorer.of(table, score).total(arcs_of(first))
        assert gained == pytest.approx(found.score - before, abs=1e-6)


def test_a_start_with_huge_families_ends_in_a_local_optimum_too() -> None:
    """The gains of the first steps are a thousand million times those of the last."""
    rng = np.random.default_rng(1)
    columns = [rng.integers(0, 100, 300) for _ in range(7)]
    columns.append((columns[0] + columns[1]) // 100)
    table = Table("ABCDEFGH", [[f"s{k}" for k in range(100)]] * 8, columns)
    first = run(XGES(start=Start.COMPLETE), table)
    assert first.steps[0].gain > 1e9
    assert run(XGES(start=first.dag), table).steps == ()


@given(rich_tables(4, 7), scores())
@settings(max_examples=25)
def test_second_thoughts_never_make_it_worse(table: Table, score: Score) -> None:
    plain, extended = (run(XGES(score, extended=e), table).score for e in (False, True))
    assert extended >= plain - tie_of(plain)


@settings(max_examples=10, deadline=None)
@given(table=rich_tables(3, 6))
def test_without_any_tries_there_are_no_second_thoughts(table: Table) -> None:
    plain, none = (
        XGES(extended=extended, tries=tries, start=Start.EMPTY)
        for extended, tries in ((False, None), (True, 0))
    )
    assert run(none, table).steps == run(plain, table).steps


def test_a_limit_on_tries_ends_second_thoughts_early_and_the_same_way_every_time() -> None:
    table = sampled("win95pts", 1000).in_name_order()
    reached = []
    for tries in (0, 5, 1000, None):
        first, again = (run(XGES(tries=tries, start=Start.EMPTY), table) for _ in range(2))
        assert first.steps == again.steps
        assert first.stop is Stop.LOCAL_OPTIMUM
        reached.append(first.score)
    assert reached == sorted(reached)
    assert reached[0] < reached[2] == reached[3]


def test_second_thoughts_help_somewhere() -> None:
    tables_ = [rich_table(seed, 6, 7) for seed in range(20)]
    gains = [run(XGES(BIC()), t).score - run(XGES(BIC(), extended=False), t).score for t in tables_]
    assert max(gains) > 0.1


def test_taking_regions_apart_helps_somewhere_and_never_harms() -> None:
    """The steps still add up, and stop where they are told to."""
    better = 0
    for seed in range(60):
        table = rich_table(seed, 6, 7)
        scorer = Scorer.of(table, BIC())
        edges, regions = (
            run(XGES(BIC(), regions=r, start=Start.EMPTY), table) for r in (False, True)
        )
        assert regions.score >= edges.score - tie_of(edges.score)
        gained = sum(step.gain for step in regions.steps)
        assert gained == pytest.approx(regions.score - scorer.total(frozenset()), abs=1e-6)
        better += regions.score > edges.score + 1e-3
    assert better


def test_the_deletions_of_a_region_lead_to_the_class_without_it() -> None:
    for seed in range(10):
        table = rich_table(seed, 6, 7)
        limits, engine = Limits.none(table.names), NativeEngine(table, 1)
        dag = list(run(GES(AIC()), table).dag.parent_masks)
        climb = EquivalenceClimb.at(dag, LocalScores(engine, AIC()), limits, EAGER)
        for region in regions_of(climb):
            state, gain = climb.state, 0.0
            for op in region.operators(climb):
                assert not state.open_path(op)
                state, gain = state.after(op), gain + op.gain
            after = climb.member()
            for y, before, kept in region.families:
                assert after[y] == before
                after[y] = kept
            assert state == cpdag_state_of(after)
            assert gain == pytest.approx(region.gain)


@pytest.mark.parametrize("most", range(0, 60, 3))
def test_a_budget_of_steps_is_kept_in_the_middle_of_second_thoughts(most: int) -> None:
    table = rich_table(3, 6, 7)
    found = XGES(BIC()).search(
        NativeEngine(table, 1), Limits.none(table.names), Watch(Budget(max_steps=most))
    )
    assert len(found.steps) <= most
    scorer = Scorer.of(table, BIC())
    assert found.score == pytest.approx(scorer.total(arcs_of(found.dag.parent_masks)), abs=1e-6)


def test_a_budget_of_as_many_steps_as_are_needed_loses_nothing() -> None:
    for seed in range(10):
        table = rich_table(seed, 6, 7)
        search = XGES(BIC(), start=Start.EMPTY)
        whole = run(search, table)
        limits, needed = Limits.none(table.names), len(whole.steps)
        for spare in (0, 1):
            watch = Watch(Budget(max_steps=needed + spare))
            found = search.search(NativeEngine(table, 1), limits, watch)
            assert found.score == whole.score
            assert found.stop is Stop.STEP_LIMIT


def test_what_failed_is_forgotten_where_something_has_changed() -> None:
    tried = Tried(regions=True, failed={(0, 1, 0): 0b0011, (2, 3, 0): 0b1100, (4,): -1})
    tried.forget(0)
    assert len(tried.failed) == 3
    tried.forget(0b0100)
    assert tried.failed == {(0, 1, 0): 0b0011}


def test_several_starts_reach_no_less_than_each() -> None:
    """And the steps lead there from the empty graph, whichever it was."""
    for table in [*(rich_table(seed, 6, 7) for seed in range(10)), ALARM]:
        hill_top = run(HillClimbing(BIC()), table).dag
        several, *each = (
            run(XGES(BIC(), start=start), table)
            for start in (None, Start.EMPTY, Start.CHOW_LIU, hill_top)
        )
        assert several.score >= max(found.score for found in each) - 1e-6
        gained = sum(step.gain for step in several.steps)
        nothing = Scorer.of(table, BIC()).total(frozenset())
        assert gained == pytest.approx(several.score - nothing, abs=1e-6)
    assert each[1].score > each[0].score + 1


def test_a_deletion_that_helps_is_taken_before_anything_else() -> None:
    operators = [
        [step.operator for step in run(XGES(AIC(), extended=False), rich_table(seed, 6, 7)).steps]
        for seed in range(40)
    ]
    early = [made for made in operators if "delete" in made and made[-1] == "insert"]
    assert early


@pytest.mark.slow
@pytest.mark.parametrize("network", ["asia", "child", "insurance", "alarm"])
@pytest.mark.parametrize("score", [BIC(), BDeu(ess=10.0)], ids=["bic", "bdeu"])
def test_it_scores_at_least_as_high_as_ges_on_real_networks(network: str, score: Score) -> None:
    table = sampled(network, 5000).in_name_order()
    assert run(XGES(score), table).score >= run(GES(score), table).score - 1e-6
