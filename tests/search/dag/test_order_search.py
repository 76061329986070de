from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bayesloom.data import Table
from bayesloom.engine import NativeEngine
from bayesloom.errors import KnowledgeError, OptionError
from bayesloom.scores import BIC, K2Score, Score
from bayesloom.search import K2, Knowledge, Limits, OrderSearch, Stop, Watch
from bayesloom.search.dag import k2
from bayesloom.search.dag.k2 import GreedyParents
from bayesloom.search.dag.order_search import random_order, swap_gains, swapped
from reference_graphs import arcs_of
from reference_search import Scorer, families_asked_for, replayed, run, tie_of
from strategies_search import Known, known, rich_table, rich_tables, scores, tables


@given(tables(1, 6) | rich_tables(4, 7), scores() | st.just(K2Score()), st.booleans(), st.data())
@settings(max_examples=40)
def test_the_result_is_never_worse_than_k2_on_the_start_order(
    table: Table,
    score: Score,
    shrink: bool,  # noqa: FBT001
    data: st.DataObject,
) -> None:
    given_: Known = data.draw(known(table.names))
    limits = given_.limits(table.names)
    search = OrderSearch(score, order=given_.order, restarts=0, patience=2, shrink=shrink)
    found = run(search, table, limits)
    start = run(K2(given_.order, score, shrink=shrink), table, limits)
    assert found.score >= start.score - 2 * tie_of(start.score)
    assert found.stop is Stop.PATIENCE


@given(tables(1, 6) | rich_tables(4, 6), scores() | st.just(K2Score()))
@settings(max_examples=40)
def test_the_steps_lead_to_the_network_and_their_gains_to_its_score(
    table: Table, score: Score
) -> None:
    found = run(OrderSearch(score, restarts=1, patience=3), table)
    scorer = Scorer.of(table, score)
    assert replayed(found.steps, frozenset()) == arcs_of(found.dag.parent_masks)
    assert found.score == pytest.approx(scorer.total(arcs_of(found.dag.parent_masks)), abs=1e-6)
    gained = math.fsum(step.gain for step in found.steps)
    assert gained == pytest.approx(found.score - scorer.total(frozenset()), abs=1e-6)


@given(rich_tables(3, 6), scores(), st.booleans(), st.data())
@settings(max_examples=25)
def test_the_gain_of_a_swap_is_the_difference_of_two_k2_networks(
    table: Table,
    score: Score,
    shrink: bool,  # noqa: FBT001
    data: st.DataObject,
) -> None:
    given_: Known = data.draw(known(table.names))
    limits, engine = given_.limits(table.names), NativeEngine(table, threads=1)
    order = tuple(table.index(name) for name in given_.order)
    greedy = GreedyParents.of(engine, score, limits, Watch(), shrink=shrink)
    gains = swap_gains(order, greedy)
    before = run(K2(given_.order, score, shrink=shrink), table, limits).score
    assert len(gains) == len(order) - 1
    for k, gain in enumerate(gains):
        names = tuple(table.names[v] for v in swapped(order, k))
        if limits.required[order[k + 1]] >> order[k] & 1:
            assert gain == -np.inf
        else:
            after = run(K2(names, score, shrink=shrink), table, limits).score
            assert gain == pytest.approx(after - before, abs=1e-6)


@given(st.data())
def test_random_orders_put_required_parents_first(data: st.DataObject) -> None:
    names = tuple("ABCDEF")
    limits = data.draw(known(names)).limits(names)
    order = random_order(limits, np.random.default_rng(data.draw(st.integers(0, 99))))
    assert sorted(order) == list(range(6))
    for k, v in enumerate(order):
        assert limits.required[v] & ~sum(1 << p for p in order[:k]) == 0


def test_swaps_find_better_orders() -> None:
    better = 0
    for seed in range(10):
        table = rich_table(seed, 6, 7)
        start = run(K2(table.names, BIC(), shrink=True), table)
        found = run(OrderSearch(order=table.names, restarts=0), table)
        better += found.score > start.score + 1e-6
    assert better > 5


def test_more_restarts_never_make_it_worse() -> None:
    table = rich_table(11, 7, 7)
    scores_ = [run(OrderSearch(restarts=k, patience=1), table).score for k in (0, 1, 5, 20)]
    assert scores_ == sorted(scores_)


def test_the_seed_alone_decides_the_random_orders() -> None:
    table = rich_table(3, 7, 7)
    first, second = (run(OrderSearch(seed=5), table) for _ in range(2))
    assert first == second


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"restarts": -1}, "restarts must be 0 or more, got -1"),
        ({"length": 0}, "length must be at least 1, got 0"),
        ({"patience": 0}, "patience must be at least 1, got 0"),
        ({"order": "ABC"}, "must be a list of names, got the text 'ABC'"),
        ({"order": ["A", "A"]}, "names the variable 'A' twice"),
        ({"score": K2Score}, "got the class K2Score"),
    ],
)
def test_bad_options_are_refused_when_the_search_is_made(
    options: dict[str, object], message: str
) -> None:
    with pytest.raises(OptionError, match=message):
        OrderSearch(**options)  # type: ignore[arg-type]


def test_an_order_against_a_required_edge_is_refused() -> None:
    table = Table("ABC", ["01"] * 3, [[0, 1]] * 3)
    limits = Knowledge(required=[("C", "A")]).limits(table.names)
    with pytest.raises(KnowledgeError, match="goes against the order"):
        run(OrderSearch(order=("A", "B", "C")), table, limits)


def test_one_variable_has_one_order() -> None:
    found = run(OrderSearch(), Table("A", ["01"], [[0, 1]]), Limits.none("A"))
    assert found.dag.n_edges == 0


def test_small_batches_change_nothing_and_no_batch_asks_for_every_parent_of_every_variable(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = rich_table(3, 8, 8).in_name_order()
    whole, batches = families_asked_for(OrderSearch(), table)
    assert max(batches) >= 8 * 7 // 2
    monkeypatch.setattr(k2, "_TABLES", 16)
    found, batches = families_asked_for(OrderSearch(), table)
    assert found == whole
    assert max(batches) < 8 * 7 // 2
