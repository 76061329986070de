from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bayesloom import _native
from bayesloom._native import OperatorKind
from bayesloom.data import Table
from bayesloom.engine import NativeEngine
from bayesloom.errors import CapacityError
from bayesloom.graphs import DAG
from bayesloom.scores import BIC, K2Score, Score
from bayesloom.search import Budget, HillClimbing, Limits, Start, Stop, Watch
from bayesloom.search.dag.gains import Gains, Move
from bayesloom.search.dag.neighbourhood import DAGNeighbourhood
from bayesloom.search.result import operator_text
from reference_graphs import arcs_of
from reference_search import Law, Scorer, changes, run
from strategies_search import Known, known, rich_table, rich_tables, scores, tables


@given(tables(1, 6), scores() | st.just(K2Score()), st.data())
@settings(max_examples=50)
def test_legal_moves_are_those_of_the_definition(
    table: Table, score: Score, data: st.DataObject
) -> None:
    """With their gains, after any number of random moves."""
    given_: Known = data.draw(known(table.names))
    law = Law.of(given_.knowledge, table.names, given_.max_parents)
    limits, engine = given_.limits(table.names), NativeEngine(table, threads=1)
    gains = Gains.of(engine, score, limits, limits.required)
    scorer = Scorer(engine, score)
    for _ in range(data.draw(st.integers(0, 6))):
        if moves := gains.legal_moves():
            gains.apply(data.draw(st.sampled_from(moves)))
    found = gains.legal_moves()
    wanted = changes(scorer, arcs_of(gains.parents), law)
    assert [(operator_text(m.kind), m.x, m.y) for m in found] == [change[:3] for change in wanted]
    assert [m.gain for m in found] == pytest.approx([c.gain for c in wanted], abs=1e-6)
    assert gains.total == pytest.approx(scorer.total(arcs_of(gains.parents)), abs=1e-6)


@given(rich_tables(4, 6), st.data())
@settings(max_examples=25)
def test_gains_after_moves_equal_gains_made_anew(table: Table, data: st.DataObject) -> None:
    given_: Known = data.draw(known(table.names))
    limits, engine = given_.limits(table.names), NativeEngine(table, threads=1)
    score = data.draw(scores())
    gains = Gains.of(engine, score, limits, limits.required)
    for _ in range(8):
        if moves := gains.legal_moves():
            gains.apply(data.draw(st.sampled_from(moves)))
    anew = Gains.of(engine, score, limits, gains.parents)
    gains.refresh()
    anew.refresh()
    assert gains.parents == anew.parents
    assert list(gains.legal_moves()) == list(anew.legal_moves())
    assert gains.total == anew.total


@given(rich_tables(4, 6), scores(), st.data())
@settings(max_examples=40)
def test_the_best_move_is_the_first_of_the_best_legal_ones(
    table: Table, score: Score, data: st.DataObject
) -> None:
    """Whatever moves were made before, and whichever of the best are barred."""
    given_: Known = data.draw(known(table.names))
    limits, engine = given_.limits(table.names), NativeEngine(table, threads=1)
    gains = Gains.of(engine, score, limits, limits.required)
    for _ in range(8):
        barred: list[Move] = []
        for _ in range(4):
            moves = [move for move in gains.legal_moves() if move not in barred]
            best = gains.best(-np.inf, barred)
            if not moves:
                assert best is None
                return
            top = max(move.gain for move in moves)
            assert best == next(m for m in moves if m.gain >= top - gains.epsilon)
            barred.append(best)
        assert gains.best(np.inf) is None
        gains.apply(data.draw(st.sampled_from(gains.legal_moves())))


@given(rich_tables(3, 5), st.data())
@settings(max_examples=25)
def test_a_walk_lists_all_moves_as_if_the_best_were_barred_one_by_one(
    table: Table, data: st.DataObject
) -> None:
    engine, limits = NativeEngine(table, threads=1), Limits.none(table.names)
    gains = Gains.of(engine, BIC(), limits, limits.required)
    for _ in range(data.draw(st.integers(0, 4))):
        gains.apply(data.draw(st.sampled_from(gains.legal_moves())))
    walk = DAGNeighbourhood(gains)
    slowly = [candidate.token for candidate in walk.moves(walk.phases[0], floor=-1e300)]
    assert [candidate.token for candidate in walk.moves(walk.phases[0], -np.inf)] == slowly


def test_families_too_large_for_any_number_are_refused_with_a_way_out() -> None:
    n = 150
    table = Table(
        [f"v{k:03}" for k in range(n)],
        [[f"s{k}" for k in range(200)]] * n,
        [np.arange(20) % (2 + k) for k in range(n)],
    )
    with pytest.raises(
        CapacityError, match=r"v\d+ has \d+ parents .* with bic; start .*max_parents"
    ):
        run(HillClimbing(start=DAG(table.names, tuple((1 << v) - 1 for v in range(n)))), table)
    limits = Limits.none(table.names, max_parents=2)
    watch = Watch(Budget(max_steps=1))
    found = run(HillClimbing(start=Start.COMPLETE), table, limits, watch)
    assert found.stop is Stop.STEP_LIMIT


def test_a_graph_that_was_scored_once_is_not_scored_again() -> None:
    table = rich_table(1)
    limits = Limits.none(table.names)
    gains = Gains.of(NativeEngine(table, threads=1), BIC(), limits, [0] * table.n_columns)
    there = gains.best(-np.inf)
    assert there is not None
    gains.apply(there)
    gains.refresh()
    scored = gains.candidates
    gains.apply(there._replace(kind=OperatorKind.DELETE, gain=-there.gain))
    gains.refresh()
    anew = gains.elsewhere([0] * table.n_columns)
    anew.refresh()
    assert anew.candidates == scored
    assert list(gains.legal_moves()) == list(anew.legal_moves())


def test_the_native_border_refuses_what_does_not_fit() -> None:
    native: Any = _native
    memory, local = _native.ScoreMemory(3), np.zeros(3)
    table = native.EdgeChanges([0, 1, 2], [0, 0, 0], local)
    assert table.best(-1.0, 0.0, []) is None  # nothing is allowed yet
    for parents, scores_, what in (
        ([0, 1, 2], np.zeros(4), "a local score"),
        ([0, 1, 8], local, "does not exist"),
        ([0, 4, 2], local, "form a cycle"),
    ):
        with pytest.raises(ValueError, match=what):
            native.EdgeChanges(parents, [0, 0, 0], scores_)
    for kind, x, y in (
        (OperatorKind.INSERT, 2, 0),
        (OperatorKind.INSERT, 0, 1),
        (OperatorKind.DELETE, 0, 2),
        (OperatorKind.INSERT, 1, 1),
        (OperatorKind.DELETE, 0, 3),
    ):
        with pytest.raises(ValueError, match=r"cannot be made|no such node"):
            table.apply(kind, x, y)
    with pytest.raises(ValueError, match="another number of nodes"):
        table.write(_native.ScoreMemory(4), 0, 0, 0, 0)
    with pytest.raises(ValueError, match="only parents can be taken away"):
        table.write(memory, 1, 1, 1, 0)
    with pytest.raises(IndexError, match="never asked for"):
        table.write(memory, 2, 2, 1, 2)
