from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bayesloom.data import Table
from bayesloom.errors import OptionError
from bayesloom.graphs import CPDAG, PDAG
from bayesloom.scores import AIC, BIC, BDeu, K2Score, Score
from bayesloom.search import GES, XGES, ScoredResult
from example_samples import sampled
from reference_graphs import arcs_of, links_of
from reference_search import ClassSearch, Law, Mixed, Scorer, completed, members, run
from strategies_search import (
    CLASSES,
    Known,
    known,
    rich_table,
    rich_tables,
    scores,
    searches,
    tables,
)

Told = list[tuple[str, int, int, tuple[int, ...], float]]


def steps_of(found: ScoredResult) -> Told:
    return [(s.operator, s.x, s.y, s.others, s.gain) for s in found.steps]


def twin(name: str, table: Table, score: Score, law: Law | None = None) -> ClassSearch:
    search = ClassSearch(Scorer.of(table, score), law or Law.none(table.n_columns))
    return search.xges() if name == "xges-plain" else search.ges(turning=name == "ges-turning")


def moves_of(search: ClassSearch) -> Told:
    """Tell the twin's moves as a search tells them: a reversal by the edge that is turned."""
    return [
        (op.kind, *((op.y, op.x) if op.kind == "reverse" else (op.x, op.y)), op.others, op.gain)
        for op in search.moves
    ]


def assert_same_search(name: str, table: Table, score: Score) -> None:
    found, slow = run(searches(table.names, score)[name], table), twin(name, table, score)
    assert steps_of(found) == moves_of(slow)
    assert isinstance(found.graph, CPDAG)
    assert arcs_of(found.graph.parent_masks) == slow.state.arcs
    assert links_of(found.graph.neighbour_masks) == slow.state.links


@pytest.mark.parametrize("name", CLASSES[:3])
class TestTheIncrementalSearchMakesTheMovesOfTheNaiveOne:
    @given(tables(3, 6), scores())
    @settings(max_examples=120)
    def test_on_tables_full_of_ties(self, name: str, table: Table, score: Score) -> None:
        assert_same_search(name, table, score)

    @given(rich_tables(4, 6), st.sampled_from([AIC(), BIC(), BDeu(), BDeu(ess=10.0)]))
    @settings(max_examples=40)
    def test_on_dense_networks(self, name: str, table: Table, score: Score) -> None:
        assert_same_search(name, table, score)

    @given(rich_tables(3, 5), scores(), st.data())
    @settings(max_examples=60)
    def test_with_knowledge(
        self, name: str, table: Table, score: Score, data: st.DataObject
    ) -> None:
        given_: Known = data.draw(known(table.names))
        law = Law.of(given_.knowledge, table.names, given_.max_parents)
        found = run(searches(table.names, score)[name], table, given_.limits(table.names))
        slow = twin(name, table, score, law)
        assert steps_of(found) == moves_of(slow)
        assert law.holds(arcs_of(found.dag.parent_masks))

    @pytest.mark.slow
    @given(tables(3, 7) | rich_tables(5, 8), scores())
    @settings(max_examples=600)
    def test_on_many_tables(self, name: str, table: Table, score: Score) -> None:
        assert_same_search(name, table, score)

    @pytest.mark.slow
    @pytest.mark.parametrize("score", [BIC(), BDeu(ess=10.0)], ids=["bic", "bdeu"])
    @pytest.mark.parametrize("sample", [("child", 1000), ("insurance", 2000), ("alarm", 5000)])
    def test_on_samples_of_real_networks(
        self, name: str, score: Score, sample: tuple[str, int]
    ) -> None:
        assert_same_search(name, sampled(*sample).in_name_order(), score)


@pytest.mark.parametrize("name", CLASSES)
class TestEverySearchOverClasses:
    @given(tables(1, 6) | rich_tables(4, 7), scores())
    @settings(max_examples=30)
    def test_gains_add_up_to_the_score(self, name: str, table: Table, score: Score) -> None:
        scorer = Scorer.of(table, score)
        found = run(searches(table.names, score)[name], table)
        before, after = scorer.total(frozenset()), scorer.total(arcs_of(found.dag.parent_masks))
        assert found.score == pytest.approx(after, abs=1e-6)
        assert sum(step.gain for step in found.steps) == pytest.approx(after - before, abs=1e-6)

    @given(rich_tables(3, 5), scores(), st.data())
    @settings(max_examples=30)
    def test_gains_add_up_with_knowledge_too(
        self, name: str, table: Table, score: Score, data: st.DataObject
    ) -> None:
        given_: Known = data.draw(known(table.names))
        limits = given_.limits(table.names)
        scorer = Scorer.of(table, score)
        found = run(searches(table.names, score)[name], table, limits)
        before, after = scorer.total(arcs_of(limits.required)), found.score
        assert after == pytest.approx(scorer.total(arcs_of(found.dag.parent_masks)), abs=1e-6)
        assert sum(step.gain for step in found.steps) == pytest.approx(after - before, abs=1e-6)

    @given(tables(1, 6))
    @settings(max_examples=30)
    def test_the_dag_is_a_member_of_the_class(self, name: str, table: Table) -> None:
        found = run(searches(table.names)[name], table)
        assert found.graph == CPDAG.of(found.dag)

    @given(rich_tables(3, 5), st.data())
    @settings(max_examples=40)
    def test_the_graph_shows_what_knowledge_leaves_open(
        self, name: str, table: Table, data: st.DataObject
    ) -> None:
        given_: Known = data.draw(known(table.names))
        law = Law.of(given_.knowledge, table.names, given_.max_parents)
        found = run(searches(table.names)[name], table, given_.limits(table.names))
        assert isinstance(found.graph, PDAG)
        shown = Mixed(
            table.n_columns,
            arcs_of(found.graph.parent_masks),
            links_of(found.graph.neighbour_masks),
        )
        every = members(completed(arcs_of(found.dag.parent_masks), table.n_columns))
        legal = [arcs for arcs in every if law.holds(arcs)]
        assert shown.arcs == frozenset.intersection(*legal)


@pytest.mark.parametrize("kind", [GES, XGES])
def test_scores_that_tell_equivalent_graphs_apart_are_refused(kind: type[GES | XGES]) -> None:
    with pytest.raises(OptionError, match=f"{kind.__name__} searches .* K2Score is not"):
        kind(score=K2Score())


def test_all_insertions_come_before_all_deletions() -> None:
    runs = [run(GES(AIC()), rich_table(seed, 6, 7)).steps for seed in range(60)]
    operators = [[step.operator for step in steps] for steps in runs]
    assert any("delete" in made for made in operators)
    assert all(made == sorted(made, reverse=True) for made in operators)
