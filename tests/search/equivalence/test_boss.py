"""BOSS: best places in an order, found as a slow and obvious search finds them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bayesloom.data import Table
from bayesloom.engine import NativeEngine
from bayesloom.errors import OptionError
from bayesloom.graphs import topological_order
from bayesloom.scores import BIC, BDeu, K2Score, Score
from bayesloom.search import BOSS, GES, Budget, Limits, Stop, Watch
from bayesloom.search.equivalence import grow_shrink_tree
from bayesloom.search.equivalence.grow_shrink_tree import GrowShrinkTrees
from bayesloom.search.equivalence.order_climb import OrderClimb, VariableOrder
from bayesloom.search.local_scores import LocalScores
from reference_search import Scorer, families_asked_for, run
from strategies_search import Known, known, rich_table, rich_tables, scores, tables


class Naive:
    """Parents and orders by their definitions; nothing is remembered."""

    def __init__(self, table: Table, score: Score, limits: Limits) -> None:
        self.scorer, self.limits = Scorer.of(table, score), limits
        self.epsilon = 1e-11 * max(1.0, abs(sum(self.local(v, r) for v, r in self._required())))

    def _required(self) -> list[tuple[int, frozenset[int]]]:
        n = len(self.limits.names)
        return [
            (v, frozenset(p for p in range(n) if self.limits.required[v] >> p & 1))
            for v in range(n)
        ]

    def local(self, v: int, parents: frozenset[int]) -> float:
        return self.scorer.family(v, parents)

    def parents(self, v: int, before: list[int]) -> tuple[frozenset[int], float]:
        required = dict(self._required())[v]
        found, score = required, self.local(v, required)
        while len(found) < self.limits.most:
            more = [
                (-self.local(v, found | {u}), u)
                for u in sorted(before)
                if u not in found and self.limits.allowed[v] >> u & 1
            ]
            if not more or not -min(more)[0] > score + self.epsilon:
                break
            score, found = -min(more)[0], found | {min(more)[1]}
        while True:
            fewer = [(self.local(v, found - {u}), -u) for u in sorted(found - required)]
            if not fewer or not max(fewer)[0] > score + self.epsilon:
                return found, score
            score, found = max(fewer)[0], found - {-max(fewer)[1]}

    def total(self, order: list[int]) -> float:
        return sum(self.parents(v, order[:k])[1] for k, v in enumerate(order))

    def allows(self, order: list[int]) -> bool:
        return all(required <= set(order[: order.index(v)]) for v, required in self._required())


@given(tables(1, 5) | rich_tables(3, 5), scores(), st.data())
@settings(max_examples=40)
def test_no_variable_has_a_better_place_and_parents_are_grown_and_shrunk(
    table: Table, score: Score, data: st.DataObject
) -> None:
    law: Known = data.draw(known(table.names))
    limits = law.limits(table.names)
    naive = Naive(table, score, limits)
    trees = GrowShrinkTrees(LocalScores(NativeEngine(table, 1), score), limits)
    walk = OrderClimb(trees, VariableOrder(list(topological_order(limits.required))), Watch())
    parents = walk.improved()
    order = walk.order.variables
    assert naive.allows(order)
    total = naive.total(order)
    for k, v in enumerate(order):
        found, value = naive.parents(v, order[:k])
        before = sum(1 << u for u in order[:k]) & limits.pairs[v]
        assert trees.known[v, before][1] == pytest.approx(value)
        assert naive.local(v, frozenset(u for u in order if parents[v] >> u & 1)) == pytest.approx(
            naive.local(v, found)
        )
    for v in order:
        rest = [w for w in order if w != v]
        for place in range(len(order)):
            other = [*rest[:place], v, *rest[place:]]
            if naive.allows(other):
                assert naive.total(other) <= total + 1e-5


@given(tables(1, 6) | rich_tables(3, 6), scores(), st.data())
@settings(max_examples=30)
def test_knowledge_is_law_and_the_score_is_that_of_the_graph(
    table: Table, score: Score, data: st.DataObject
) -> None:
    law: Known = data.draw(known(table.names))
    limits = law.limits(table.names)
    found = run(BOSS(score, restarts=1), table, limits)
    assert limits.keeps(found.dag.parent_masks)
    assert found.score == pytest.approx(score.total(NativeEngine(table), found.dag.parent_masks))


@given(rich_tables(4, 7))
@settings(max_examples=20)
def test_no_operator_of_ges_improves_the_result(table: Table) -> None:
    found = run(BOSS(), table)
    again = run(GES(start=found.dag), table)
    assert again.score == pytest.approx(found.score)


@given(rich_tables(4, 7), st.integers(0, 3))
@settings(max_examples=15)
def test_more_starts_are_never_worse(table: Table, seed: int) -> None:
    one, many = (run(BOSS(BDeu(), restarts=k, seed=seed), table).score for k in (0, 3))
    assert many >= one - 1e-9


def test_a_step_limit_keeps_the_order_so_far() -> None:
    from strategies_search import rich_table

    table = rich_table(3, 6, 7)
    watch = Watch(Budget(max_steps=0))
    found = BOSS().search(NativeEngine(table), Limits.none(table.names), watch)
    assert found.stop is Stop.STEP_LIMIT


def test_a_score_that_tells_equivalent_graphs_apart_is_refused() -> None:
    with pytest.raises(OptionError, match="BOSS searches over equivalence classes"):
        BOSS(score=K2Score())
    assert BOSS().score == BIC()


def test_small_batches_change_nothing_and_no_batch_asks_for_every_parent_of_every_variable(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = rich_table(3, 8, 8).in_name_order()
    whole, batches = families_asked_for(BOSS(), table)
    assert max(batches) >= 8 * 7
    monkeypatch.setattr(grow_shrink_tree, "_TABLES", 16)
    found, batches = families_asked_for(BOSS(), table)
    assert found == whole
    assert max(batches) < 8 * 7
