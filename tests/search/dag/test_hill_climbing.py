from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bayesloom.data import Table
from bayesloom.errors import OptionError
from bayesloom.graphs import DAG
from bayesloom.scores import BIC, BDe, BDeu, K2Score, LogLikelihood, Score
from bayesloom.search import Budget, HillClimbing, Limits, ScoredResult, Start, Stop, Watch
from example_samples import sampled
from reference_graphs import Arcs, all_dags, arcs_of
from reference_search import Law, Scorer, climb, replayed, run, tie_of
from strategies import make_table
from strategies_search import Known, dags_over, known, rich_table, rich_tables, scores, tables


@cache
def changed_graphs(n: int) -> dict[Arcs, list[Arcs]]:
    """Return for every DAG those that one added, deleted or reversed arc leads to."""
    every = set(all_dags(n))
    pairs = [(a, b) for a in range(n) for b in range(n) if a != b]
    return {
        dag: [
            other
            for a, b in pairs
            for other in (dag ^ {(a, b)}, (dag ^ {(a, b), (b, a)}) if (a, b) in dag else dag)
            if other in every and other != dag
        ]
        for dag in every
    }


def assert_locally_optimal(found: ScoredResult, law: Law, scorer: Scorer) -> None:
    assert found.stop is Stop.LOCAL_OPTIMUM
    arcs = arcs_of(found.dag.parent_masks)
    assert law.holds(arcs)
    for other in changed_graphs(found.dag.n)[arcs]:
        if law.holds(other):
            assert scorer.total(other) <= found.score + 2 * tie_of(found.score)


@pytest.mark.parametrize("start", Start)
class TestNoSingleChangeImprovesTheResult:
    @given(tables(2, 4), scores() | st.just(K2Score()))
    @settings(max_examples=40)
    def test_among_all_543_graphs_with_4_nodes(
        self, start: Start, table: Table, score: Score
    ) -> None:
        found = run(HillClimbing(score, start), table)
        assert_locally_optimal(found, Law.none(table.n_columns), Scorer.of(table, score))

    @given(rich_tables(3, 4), scores(), st.data())
    @settings(max_examples=40)
    def test_that_knowledge_and_the_limit_on_parents_allow(
        self, start: Start, table: Table, score: Score, data: st.DataObject
    ) -> None:
        given_: Known = data.draw(known(table.names))
        law = Law.of(given_.knowledge, table.names, given_.max_parents)
        found = run(HillClimbing(score, start), table, given_.limits(table.names))
        assert_locally_optimal(found, law, Scorer.of(table, score))

    @pytest.mark.slow
    @given(rich_tables(5, 5), scores(), st.data())
    @settings(max_examples=150)
    def test_among_all_29281_graphs_with_5_nodes(
        self, start: Start, table: Table, score: Score, data: st.DataObject
    ) -> None:
        given_: Known = data.draw(known(table.names))
        law = Law.of(given_.knowledge, table.names, given_.max_parents)
        found = run(HillClimbing(score, start), table, given_.limits(table.names))
        assert_locally_optimal(found, law, Scorer.of(table, score))


def assert_same_climb(table: Table, score: Score, start: list[int], given_: Known) -> None:
    law = Law.of(given_.knowledge, table.names, given_.max_parents)
    graph = DAG(table.names, tuple(start))
    found = run(HillClimbing(score, graph), table, given_.limits(table.names))
    wanted = climb(Scorer.of(table, score), arcs_of(start), law)
    assert [(s.operator, s.x, s.y) for s in found.steps] == [move[:3] for move in wanted]
    assert [s.gain for s in found.steps] == pytest.approx([m.gain for m in wanted], abs=1e-6)


@given(tables(2, 6) | rich_tables(4, 7), scores() | st.just(K2Score()), st.data())
@settings(max_examples=60)
def test_it_takes_the_moves_of_the_definition(
    table: Table, score: Score, data: st.DataObject
) -> None:
    """The best gain first; ties go to insertions, then deletions, then the first pair."""
    given_: Known = data.draw(known(table.names))
    limits = given_.limits(table.names)
    start = data.draw(st.just(limits.required) | dags_over(table.n_columns).filter(limits.keeps))
    assert_same_climb(table, score, list(start), given_)


@given(
    tables(1, 6),
    st.sampled_from(Start),
    st.sampled_from([0, 0, 3]),
    scores() | st.just(K2Score()),
)
@settings(max_examples=50)
def test_the_steps_lead_from_the_start_to_the_result(
    table: Table, start: Start, restarts: int, score: Score
) -> None:
    first = run(HillClimbing(score, start), table, watch=Watch(Budget(max_steps=0)))
    found = run(HillClimbing(score, start, restarts, perturb=2), table)
    assert replayed(found.steps, arcs_of(first.dag.parent_masks)) == arcs_of(found.dag.parent_masks)
    gained = sum(step.gain for step in found.steps)
    assert gained == pytest.approx(found.score - first.score, abs=1e-6)
    total = Scorer.of(table, score).total(arcs_of(found.dag.parent_masks))
    assert found.score == pytest.approx(total, abs=1e-6)


def test_restarts_find_better_graphs_and_keep_the_record_true() -> None:
    better = 0
    for seed in range(8):
        table = rich_table(seed, 6, 7)
        once, often = (run(HillClimbing(restarts=k, perturb=3), table) for k in (0, 20))
        assert replayed(often.steps, frozenset()) == arcs_of(often.dag.parent_masks)
        assert sum(s.gain for s in often.steps) == pytest.approx(
            often.score - run(HillClimbing(), table, watch=Watch(Budget(max_steps=0))).score,
            abs=1e-6,
        )
        assert often.score >= once.score
        better += often.score > once.score + 1e-6
    assert better > 0


def test_the_seed_alone_decides_what_restarts_do() -> None:
    table = rich_table(3, 7, 7)
    first, second = (run(HillClimbing(restarts=5, perturb=3, seed=7), table) for _ in range(2))
    assert first == second


def test_a_start_with_huge_families_ends_in_a_local_optimum_too() -> None:
    table = sampled("insurance", 300).in_name_order()
    first = run(HillClimbing(start=Start.COMPLETE), table)
    assert first.steps[0].gain > 1e9
    assert run(HillClimbing(start=first.dag), table).steps == ()


def test_the_likelihood_alone_ends_in_a_complete_graph() -> None:
    table = rich_table(5, 4, 4)
    found = run(HillClimbing(LogLikelihood()), table)
    assert found.dag.n_edges == 6


@given(rich_tables(4, 7), st.integers(0, 3))
@settings(max_examples=30)
def test_no_variable_gets_more_parents_than_allowed(table: Table, most: int) -> None:
    limits = Limits.none(table.names, most)
    for start in Start:
        found = run(HillClimbing(BDeu(ess=10.0), start), table, limits)
        assert max(mask.bit_count() for mask in found.dag.parent_masks) <= most


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"restarts": -1}, "restarts must be 0 or more, got -1"),
        ({"perturb": 0}, "perturb must be at least 1, got 0"),
        ({"start": "empty"}, "start must be a DAG or a Start such as Start.EMPTY, got 'empty'"),
        ({"score": "bic"}, "score must be a score such as .* got 'bic'"),
        ({"score": BIC}, "score must be a score such as .* got the class BIC"),
    ],
)
def test_bad_options_are_refused_when_the_search_is_made(
    options: dict[str, object], message: str
) -> None:
    with pytest.raises(OptionError, match=message):
        HillClimbing(**options)  # type: ignore[arg-type]


def test_a_prior_table_with_hundreds_of_states_is_no_obstacle() -> None:
    rng = np.random.default_rng(2)
    first = rng.integers(0, 200, 2000)
    columns = [first, (first * 7 + 3) % 200, *rng.integers(0, 200, (8, 2000))]
    every = make_table(columns, [200] * 10)
    table, earlier = every.take(slice(0, 1500)), every.take(slice(1500, None))
    found = run(HillClimbing(BDe(prior=earlier, ess=10), Start.EMPTY), table)
    assert found.stop is Stop.LOCAL_OPTIMUM
    assert {("v0", "v1"), ("v1", "v0")} & set(found.dag.edges)
